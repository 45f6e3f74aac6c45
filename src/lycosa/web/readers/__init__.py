"""Readers of documents that are not HTML: one file per media type, each from bytes to what an index needs.

A reader never opens a file or a socket, resolves no entity, and stops at the limits of `extraction`. A document that
it cannot read ends in `Unread` with a short reason. `media_types` says which types there are; nothing here is imported
before the first document comes.
"""
