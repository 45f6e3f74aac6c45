"""Access: how hosts are entered that do not let everybody in, and how nothing of it reaches any other host.

Invariant: what enters a host (headers, cookies, logins, client certificates) is added to a request only if the scope
of its declaration covers the request's own URL. Redirects are requests of their own, so nothing is carried over.
"""
