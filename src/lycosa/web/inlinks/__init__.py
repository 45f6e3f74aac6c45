"""Who links to this page? The sources are recordings and made webs, Common Crawl's files, and remote services.

Invariant: every source answers with canonical URLs, in bounded memory whatever the size of its files or answers.
Must not know: what in-links are used for.
"""
