"""Folders inside that of a collection which others fill; it can do without either."""

INDEX = "index"
"""What makes the pages searchable, made from the log."""
SPOOL = "spool"
"""What scouts have parsed, until the index has taken it."""
