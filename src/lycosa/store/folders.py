"""Folders inside a collection that other rooms fill; a collection works without them."""

INDEX = "index"
"""The search index, made from the log."""
SPOOL = "spool"
"""Pages that scouts have parsed, until the index has taken them."""
