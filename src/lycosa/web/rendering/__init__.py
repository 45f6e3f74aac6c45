"""Pages that need a browser: rendered by one that cannot reach anything except through the crawl's own HTTP client.

Invariant: the browser opens no connection. Each of its requests is answered here, by the web that is wrapped, after
the address guard, robots.txt and the host's pause. Nothing here is imported unless pages are to be rendered.
"""
