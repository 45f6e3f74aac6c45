"""What can be done with Lycosa: hunts as jobs, search, judging, insight, maps, companion, communities, exports.

Invariant: the three faces (command line, server, MCP) call these functions and add nothing but their own form.
Must not know: HTTP, terminals, or which face is asking.
"""
