"""The days of a community, simulated: what is asked in the day, what is crawled at night, and how good the answers are.

Invariant: communities are made and refreshed by the community's own code and told questions only, never a topic; what
happened is kept as plain facts and measured afterwards.
Must not know: faces, the statements of a paper.

pool the questions and bookmarks; days the simulation; kept the facts on disk; measures P@10 and S(C, q); showing
figures, tables and sentences; records plain data.
"""
