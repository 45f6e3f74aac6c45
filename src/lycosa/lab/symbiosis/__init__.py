"""The days of a community, simulated: queries by day, a refresh every night, and how good the results are.

Invariant: communities are made and refreshed by the community's own code and are told only queries, never a topic; what
happened is kept as plain facts and measured afterwards.
Must not know: the faces, the app, the statements of a paper.

query_pool: queries and bookmarks; days: the simulation; day_cache: the facts on disk; measures: P@10 and S(C, q);
days_report: figures, tables and sentences; records: plain data.
"""
