"""What a comparison amounts to: means, tests, intervals, wins and a ranking, with topics as the sample.

Invariant: two ways are compared topic by topic and only on topics that both have; a difference is an advantage,
positive where the first way is the better one whatever the metric's direction; no clock, no unseeded dice.
Must not know: crawls, worlds, figures, HTML.

summary a way's numbers; compare two ways' numbers; family all tests of a comparison; ranking what may be said of them.
"""
