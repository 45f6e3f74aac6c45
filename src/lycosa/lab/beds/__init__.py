"""Builders of test beds: from the Open Directory's dumps, from recordings with labels, from our own collections.

Invariant: the same input and the same dice make the same bed, byte for byte, and whatever was repaired, missing or left
out on the way is in the builder's report.
Must not know: crawls, metrics, experiments.

odp reads the dumps; selection picks topics from them as the papers did; labels reads who labelled what; recording
knows the pages; recorded puts topics and pages together into a bed folder.
"""
