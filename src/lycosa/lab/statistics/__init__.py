"""The statistics of a comparison: means, tests, intervals, wins and a ranking, with topics as the sample.

Invariant: two configurations are compared topic by topic, and only on topics that both have; a difference is an
advantage, positive if the first is better whatever the metric's direction; no clock, no unseeded random numbers.
Must not know: crawls, worlds, figures, HTML.

summary: one configuration's numbers; compare: two configurations' numbers; pairwise_tests: all tests of a comparison;
standings: the ranking, and whether one is allowed.
"""
