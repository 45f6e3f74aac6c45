"""Builders of test beds: from the Open Directory's dumps, from recordings with labels, from our own collections.

Invariant: the same input and the same seed make the same bed, and whatever was repaired, missing or left out on the way
is in the builder's report.
Must not know: metrics, experiments, statistics.

odp (with mending) reads the dumps, selection picks topics from them as the papers did; labels reads who labelled what;
pages knows what recordings hold and who links to whom; recorded puts topics and pages together. collected makes a bed
of crawls, which recording puts into one file. folder is where beds are written. check (with shape) describes a bed.
"""
