"""What the inside of a hunt looks like: the same as the log tells, bounded, and up to date while it runs."""

import shutil

import pytest

from lycosa.app.hunts import resume, why
from lycosa.app.insight import questions
from lycosa.app.jobs.job_errors import Unknown
from lycosa.core.events import Leased, Missed, Rejudged, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.urls import host_of
from lycosa.core.words import stem
from lycosa.engine.crawl_reader import CrawlReader
from lycosa.engine.crawl_recovery import plan_of
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused


def events(folder, *kinds):
    with Collection.open(folder) as collection:
        return [entry.event for entry in collection.log.read(kinds=kinds or None)]


def rows(folder):
    with Collection.open(folder) as collection:
        return list(collection.log.pages(order="time"))


def test_the_frontier_names_the_best_links_with_their_words(plain):
    shown = questions.frontier(plain, 20)
    with CrawlReader(plain) as crawl_reader:
        best = crawl_reader.best(20)
        assert shown.queued == len(crawl_reader.crawl.frontier)
    assert shown.ready
    assert [(link.url, link.score, link.via, link.lane) for link in shown.links] == [
        (ticket.url, ticket.score, ticket.via, ticket.lane) for ticket in best
    ]
    assert all(link.host == host_of(link.url) for link in shown.links)
    assert sum(link.anchor is not None for link in shown.links) > 10


def test_the_words_of_a_link_are_those_that_why_tells(plain, tmp_path):
    shutil.copytree(plain, tmp_path / "c")
    first = questions.frontier(tmp_path / "c", 1).links[0]
    with resume(tmp_path / "c", pages=151) as hunt:
        assert [visit.url for visit in hunt] == [first.url]
    assert why(tmp_path / "c", first.url)[-1].anchor == first.anchor


def test_whoever_cannot_wait_is_told_that_it_is_not_ready(plain):
    shown = questions.frontier(plain, patience=0.0)
    assert (shown.ready, shown.links) == (False, [])


def test_hosts_have_their_pages_and_misses_counted(plain):
    shown = questions.hosts(plain, 10_000)
    visits = [event.visit for event in events(plain, Visited)]
    lost = [event.miss.ticket.url for event in events(plain, Missed) if event.final]
    assert shown.total == len(shown.hosts) == len({host_of(url) for url in [*lost, *(visit.url for visit in visits)]})
    assert sum(host.pages for host in shown.hosts) == len(visits)
    assert sum(host.misses for host in shown.hosts) == len(lost) > 0
    first = shown.hosts[0]
    own = [row.relevance for row in rows(plain) if row.host == first.host]
    assert (first.pages, first.best) == (len(own), max(own))
    assert first.relevance == pytest.approx(sum(own) / len(own))
    assert first.pages == max(host.pages for host in shown.hosts)
    assert questions.hosts(plain, 3).hosts == shown.hosts[:3]


def test_misses_are_told_by_reason_with_examples(plain):
    shown = questions.misses(plain)
    lost = [event.miss for event in events(plain, Missed) if event.final]
    assert shown.total == len(lost)
    for reason in shown.reasons:
        own = [miss.ticket.url for miss in lost if miss.reason == reason.reason]
        assert reason.count == len(own)
        assert reason.examples == own[::-1][:5]


def test_the_curve_is_the_harvest_and_the_estimates(plain):
    shown = questions.curve(plain, 300)
    relevance = [row.relevance for row in rows(plain)]
    assert shown.known == len(relevance) - relevance.count(None) == 150
    assert [point.pages for point in shown.harvest] == list(range(1, 151))
    assert shown.harvest[119].mean == pytest.approx(sum(relevance[:120]) / 120)
    assert shown.harvest[119].recent == pytest.approx(sum(relevance[20:120]) / 100)
    assert shown.harvest[9].recent == shown.harvest[9].mean
    assert [point.pages for point in shown.recall] == sorted(point.pages for point in shown.recall)
    last = shown.recall[-1]
    assert last.pages == 150
    assert last.low <= last.total <= last.high


def test_the_curve_is_by_what_is_known_now(plain, tmp_path):
    folder = tmp_path / "again"
    shutil.copytree(plain, folder)
    before = questions.curve(folder)
    with Collection.open(folder, write=True) as collection:
        collection.log.append(Rejudged(bytes([20] * 150)), 9e9)
        collection.log.commit()
    after, (host, *_) = questions.curve(folder), questions.hosts(folder).hosts
    assert before.harvest[-1].mean != pytest.approx(0.1, abs=0.02)
    assert [point.mean for point in after.harvest] == pytest.approx([0.1] * 150, abs=0.02)
    assert (host.relevance, host.best) == (pytest.approx(0.1, abs=0.02), pytest.approx(0.1, abs=0.02))


def test_a_page_of_which_nothing_is_known_is_not_counted_as_off_topic(tmp_path):
    with Collection.create(tmp_path / "new") as collection:
        for number, relevance in enumerate((None, 0.8, None, 0.4)):
            visit = Visit(Ticket(f"http://a.test/{number}"), 0.1)
            collection.log.append(Visited(visit, relevance=relevance), float(number))
        collection.log.commit()
    shown = questions.curve(tmp_path / "new")
    assert [point.mean for point in shown.harvest] == [None, 0.8, 0.8, pytest.approx(0.6)]
    assert (shown.pages, shown.known) == (4, 2)
    (host,) = questions.hosts(tmp_path / "new").hosts
    assert (host.pages, host.relevance, host.best) == (4, pytest.approx(0.6), 0.8)


def test_the_curve_keeps_both_ends_when_it_is_thinned(plain):
    shown = questions.curve(plain, 10)
    assert len(shown.harvest) == 10
    assert (shown.harvest[0].pages, shown.harvest[-1].pages) == (1, 150)
    assert len(questions.curve(plain, 1).harvest) == 1


def test_paths_are_the_links_by_which_pages_were_found(plain):
    shown = questions.paths(plain, 3000)
    by_seq = {node.seq: node for node in shown.nodes}
    assert len(shown.nodes) == shown.pages == 150
    assert shown.left_out == 0
    pages = {node.url for node in shown.nodes}
    for node in shown.nodes[:40]:
        way = [hop.url for hop in why(plain, node.url) if hop.url in pages]
        told = [node.url]
        while by_seq[node.seq].parent is not None:
            node = by_seq[node.parent]
            told.append(node.url)
        assert told[::-1] == way
    assert shown.threshold == questions.curve(plain).recall[-1].threshold


def test_a_redirect_on_the_way_is_seen_through(plain):
    turned = {ticket.url: ticket.via for ticket in (event.ticket for event in events(plain, Leased))}
    shown = {node.url: node for node in questions.paths(plain, 3000).nodes}
    by_seq = {node.seq: node for node in shown.values()}
    through = [url for url, via in turned.items() if url in shown and via is not None and via not in shown]
    assert through
    for url in through:
        above = shown[url].parent
        assert above is None or by_seq[above].url == turned[turned[url]]


def test_of_too_many_pages_the_most_relevant_stay_with_the_way_to_each(plain):
    whole, shown = questions.paths(plain, 3000), questions.paths(plain, 40)
    assert len(shown.nodes) <= 40
    assert shown.left_out == 150 - len(shown.nodes)
    kept = {node.seq for node in shown.nodes}
    assert all(node.parent is None or node.parent in kept for node in shown.nodes)
    assert sum(node.hidden for node in shown.nodes) <= shown.left_out
    best = max(whole.nodes, key=lambda node: node.relevance or 0.0)
    assert best.seq in kept
    parents = {node.seq: node.parent for node in whole.nodes}
    below = dict.fromkeys(kept, 0)
    for seq in parents.keys() - kept:
        above = parents[seq]
        while above is not None and above not in kept:
            above = parents[above]
        if above is not None:
            below[above] += 1
    assert {node.seq: node.hidden for node in shown.nodes} == below


def test_spiders_are_a_family_with_paths(agents, hasty):
    shown = questions.spiders(agents)
    by_number = {spider.number: spider for spider in shown.spiders}
    assert shown.ready
    assert shown.born == len(shown.spiders) == len(by_number) >= 20
    assert shown.theta == hasty["theta"]
    assert any(spider.parent for spider in shown.spiders)
    assert {spider.why for spider in shown.spiders if not spider.alive} == {"no energy"}
    assert all((spider.died is None) == spider.alive for spider in shown.spiders)
    for spider in shown.spiders:
        if spider.parent:
            assert by_number[spider.parent].born.page < spider.born.page
        if spider.died:
            assert spider.born.page < spider.died.page
    # Every page is some spider's: nobody else visits any.
    assert sum(spider.pages for spider in shown.spiders) == shown.pages == 300


def test_a_spider_s_path_is_what_its_links_led_to(agents):
    spiders = questions.spiders(agents).spiders
    visits = [event.visit for event in events(agents, Visited)]
    child = max((spider for spider in spiders if spider.parent), key=lambda spider: spider.pages)
    told = questions.spider(agents, child.number)
    assert told.spider == child
    assert told.left_out == 0
    assert [step.url for step in told.path] == [
        visit.url for visit in visits if visit.ticket.lane == f"agent {child.number}"
    ]
    assert [visits[step.page - 1].url for step in told.path] == [step.url for step in told.path]
    assert child.relevance == pytest.approx(sum(step.relevance or 0.0 for step in told.path) / len(told.path))
    founder = questions.spider(agents, 1)
    assert founder.path[0].url == founder.spider.born.url
    cut = questions.spider(agents, 1, 2)
    assert (cut.left_out, cut.path) == (len(founder.path) - 2, founder.path[-2:])


def test_the_words_of_the_query_are_shown_as_they_were_written(agents):
    words = {one.word for one in questions.spider(agents, 1).spider.keywords}
    with Collection.open(agents) as collection:
        assert words == set(plan_of(collection).topic.keywords.lower().split())


def test_words_that_were_taken_up_are_whole_words(agents):
    spiders = questions.spiders(agents).spiders
    words = {one.word for spider in spiders for one in spider.keywords}
    stems = {stem(word) for word in words}
    assert len(words) == len(stems) > 3
    assert words - stems


def test_other_strategies_have_no_spiders(plain):
    shown = questions.spiders(plain)
    assert (shown.ready, shown.born, shown.spiders) == (True, 0, [])
    with pytest.raises(Unknown, match="no spider 1"):
        questions.spider(plain, 1)


def test_a_spider_that_never_was_is_unknown(agents):
    with pytest.raises(Unknown, match="no spider 99999"):
        questions.spider(agents, 99_999)


def test_everything_is_up_to_date_while_the_hunt_runs(tmp_path, begin, hasty):
    with begin(tmp_path / "c", "infospiders", 120, settings=hasty) as running:
        visits = iter(running)
        next(visits)
        for count in (30, 60):
            while running.crawl.tally.pages < count:
                next(visits)
            running.collection.log.commit()
            assert questions.paths(tmp_path / "c").pages == count
            assert questions.spiders(tmp_path / "c").born == running.crawl.strategy.portrait()["born"]
            assert questions.frontier(tmp_path / "c").queued == len(running.crawl.frontier)
        list(visits)
    assert questions.curve(tmp_path / "c").pages == 120


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    for view in (
        questions.frontier,
        questions.hosts,
        questions.misses,
        questions.curve,
        questions.spiders,
        questions.paths,
    ):
        with pytest.raises(Refused, match="not a collection"):
            view(tmp_path)
