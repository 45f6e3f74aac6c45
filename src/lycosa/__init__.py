"""Lycosa: a topical web crawler that hunts for the pages that matter."""
