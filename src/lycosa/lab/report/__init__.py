"""Reports: comparisons as a page a person wants to read, with its figures and tables as files beside it.

Invariant: everything is a pure function of the comparisons it is given; the page is one file that asks no other file
and no host for anything, and whatever comes from a bed (topics, labels, URLs) is text in it and never markup.
Must not know: crawls, worlds, how a metric is computed.

panels one plot; figures which plots there are; graph a crawl's path; views the tables; page the HTML with all of them;
write the whole report into a folder; beside what else it wrote there.
"""
