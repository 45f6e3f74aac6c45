"""Reports: comparisons as a page for people, with its figures and tables as files beside it.

Invariant: everything is a pure function of the comparisons it is given; the page is one file that loads nothing from
other files or hosts, and whatever comes from a bed (topics, labels, URLs) is text in it and never markup.
Must not know: crawls, worlds, how a metric is computed.

panels: one plot; figures: which plots there are; crawl_graph: a crawl's path; table_views: the tables; page: the HTML
with all of them; pictures: SVG and PNG; write: the whole report in a folder; chapter: what it is made of;
study_report: reports that are not comparisons of crawls.
"""
