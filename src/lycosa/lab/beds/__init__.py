"""Builders of test beds: from the Open Directory's dumps, from recordings with labels, from our own collections.

Invariant: the same input and the same seed make the same bed, and whatever was repaired, missing or left out is in the
builder's report.
Must not know: metrics, experiments, statistics.

odp (with xml_repair) reads the dumps; topic_selection picks topics from them as the papers did; topic_labels reads
labels; recorded_pages knows the pages and links of recordings; from_recording puts topics and pages together.
from_collection makes a bed of crawls, which recording puts into one file. folder writes beds. inspection (with
web_shape) describes a bed.
"""
