"""What is at this URL? Live HTTP, a recording, a made graph: all behind one method, `Web.get`.

Invariant: whatever a web returns is canonical (URLs), bounded (bytes, CPU) and came from an address the guard allows.
Must not know: strategies, scores, the frontier, the store.
"""
