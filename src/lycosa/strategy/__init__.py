"""How promising is this link? One file per strategy, found by being here.

Invariant: a strategy is a deterministic fold over visits; it does no I/O and draws randomness only from its brief.
Must not know: the web, the store, clocks, the oracle.
"""
