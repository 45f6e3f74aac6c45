"""What only Python callers have: a hunt with callbacks and item pipelines, pages as tables, views for notebooks."""
