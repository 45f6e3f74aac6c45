"""The HTTP server, one process: the web pages, the REST interface, and the MCP endpoint for agents.

Invariant: no request reaches a route unless the request guard has let it pass, and no part of a request is ever used as
a file path.
Must not know: how a crawl works. Routes only call `lycosa.app`: `HuntJobs` and the functions beside it.
"""
