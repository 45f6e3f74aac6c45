"""What people and programs use: the command line, the HTTP server, MCP for agents, and the browser extension.

Invariant: everything that can be done is written once, in `lycosa.app`, as a function over folders or as a method of
`HuntJobs`, which knows hunts by name. A face only parses a request, calls `app` and shows the answer.
The rooms in here: server (web pages and REST interface), mcp (tools for agents) and cli (commands). Rooms below must
not know any of them. `extension` is what a browser loads; it talks to the server's REST interface.
"""
