"""Who links to this page? As recordings and made webs, Common Crawl's files, and services out there know it.

Invariant: every source answers with canonical URLs, in bounded memory whatever the size of its files or answers.
Must not know: what anybody wants with an in-link.
"""
