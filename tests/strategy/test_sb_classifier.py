"""SB-CLASSIFIER: links are grouped by where they stand, and a bandit chooses among the places that are awake."""

from math import inf, log, sqrt

import msgspec
import pytest
from tests.strategy.little_crawl import begun, crawl, harvest, learned

from lycosa.core.nouns import Ticket
from lycosa.core.strategy import make
from lycosa.strategy.path_groups import PathGroups
from lycosa.strategy.url_classifier import UrlClassifier
from lycosa.system.errors import Refused

SEED = Ticket("http://seed.test/", lane="seeds")
PAGE = """<div id=menu><ul><li><a href="http://a.test/m{n}">menu</a></ul></div>
<div class=results><table><tr><td><a href="http://a.test/r{n}">result</a></table></div>"""


def test_links_that_stand_in_the_same_place_are_one_arm():
    strategy, first = begun("sb-classifier")
    assert {ticket.lane for ticket in first.values()} == {"seeds"}
    found = learned(strategy, SEED, PAGE.format(n=1) + PAGE.format(n=2), 0.5)
    lanes = {ticket.url[-2:]: ticket.lane for ticket in found.values()}
    assert lanes["m1"] == lanes["m2"] != lanes["r1"] == lanes["r2"]


def test_similar_tag_paths_join_and_others_do_not():
    groups = PathGroups(0.75, 100)
    lists = [groups.group(f"body div#main div.list ul li.{name} a") for name in ("odd", "even", "last")]
    assert lists[0] != groups.group("body footer p a")
    assert groups.group("body div#main div.list ul li a") != groups.group("body table tr td a")
    strict, lax = PathGroups(1.0, 100), PathGroups(0.0, 100)
    paths = ["body div ul li a", "body div ol li a", "body p a"]
    assert len({strict.group(path) for path in paths}) == 3
    assert len({lax.group(path) for path in paths}) == 1
    assert groups.group("body footer p a") == groups.group("body footer p a")


def test_there_are_only_so_many_groups():
    groups = PathGroups(1.0, 4)
    names = [groups.group(f"body {'div ' * n}t{n} a") for n in range(30)]
    assert len(set(names)) == 4


def test_groups_survive_a_checkpoint():
    groups, again = PathGroups(0.7, 100), PathGroups(0.7, 100)
    paths = [f"body div.c{n % 5} ul li.x{n % 3} {'b ' * (n % 4)}a" for n in range(60)]
    for path in paths:
        groups.group(path)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(groups.save())))
    fresh = [f"body main.c{n} ul li.x{n % 3} a" for n in range(40)]
    assert [again.group(path) for path in paths + fresh] == [groups.group(path) for path in paths + fresh]


def test_the_bound_is_the_mean_reward_and_a_bonus_for_the_seldom_chosen():
    strategy, _ = begun("sb-classifier", {"alpha": 2.0})
    strategy._chosen, strategy._rounds = {"place 1": [4.0, 3.0], "place 2": [16.0, 8.0]}, 20
    assert strategy._bound("place 1") == pytest.approx((0.75, 2 * sqrt(log(20) / 4)))
    assert strategy._bound("place 2") == pytest.approx((0.5, 2 * sqrt(log(20) / 16)))
    assert strategy._bound("place 3") == (0.0, inf)


def test_seeds_then_targets_then_the_highest_bound_of_those_that_are_awake():
    strategy, _ = begun("sb-classifier", {"alpha": 0.1})
    strategy._chosen, strategy._rounds = {"place 1": [9.0, 1.0], "place 2": [9.0, 8.0]}, 18
    lanes = {name: Ticket("http://x.test/", 0.5) for name in ("place 1", "place 2", "targets", "seeds")}
    for expected in ("seeds", "targets", "place 2", "place 1"):
        assert strategy.choose(lanes) == expected
        del lanes[expected]
    lanes = {name: Ticket("http://x.test/", 0.5) for name in ("place 2", "place 9")}
    assert strategy.choose(lanes) == "place 9", "it was never tried"


def test_a_relevant_page_rewards_the_place_of_its_link():
    strategy, _ = begun("sb-classifier")
    found = learned(strategy, SEED, PAGE.format(n=1) + PAGE.format(n=2), 0.5)
    menu, result = found["http://a.test/m1"], found["http://a.test/r1"]
    learned(strategy, menu, "<p>soup", 0.0)
    learned(strategy, result, "<p>wolf", 0.9)
    learned(strategy, found["http://a.test/r2"], "<p>soup", 0.0)
    assert strategy._chosen == {menu.lane: [1.0, 0.0], result.lane: [2.0, 1.0]}
    parts = strategy.explain(found["http://a.test/m2"])
    assert parts["reward of such places"] == 0 and parts["luck"] == found["http://a.test/m2"].score
    assert strategy.explain(Ticket("http://b.test/", 0.5, "place 99", "x", ["place 99", "", []])) == {
        "such places were never tried": 1.0,
        "luck": 0.5,
    }


def trained():
    """A strategy that can tell «wolf» links from «soup» links."""
    strategy, _ = begun("sb-classifier")
    links = "".join(
        f'<p><a href="http://a.test/wolf/{n}">wolf</a><a href="http://b.test/soup/{n}">soup</a>' for n in range(40)
    )
    found = learned(strategy, SEED, links, 0.5)
    for n in range(40):
        learned(strategy, found[f"http://a.test/wolf/{n}"], "<p>x", 0.9)
        learned(strategy, found[f"http://b.test/soup/{n}"], "<p>x", 0.0)
    return strategy, found


def test_recognised_targets_are_fetched_at_once_and_reward_the_place_that_led_to_their_page():
    strategy, found = trained()
    lane = found["http://a.test/wolf/1"].lane
    before = list(strategy._chosen[lane])
    pulled = Ticket("http://h.test/", 0.5, lane, "http://seed.test/", [lane, "", []])
    page = '<p><a href="http://a.test/wolf/77">wolf</a><a href="http://b.test/soup/77">soup</a>'
    onward = learned(strategy, pulled, page, 0.0)
    target, other = onward["http://a.test/wolf/77"], onward["http://b.test/soup/77"]
    assert (target.lane, other.lane) == ("targets", lane)
    assert target.score > 1.5
    assert sum(strategy.explain(target).values()) == pytest.approx(target.score)
    assert strategy._chosen[lane] == [before[0] + 1, before[1]]
    learned(strategy, target, "<p>x", 0.9)
    assert strategy._chosen[lane] == [before[0] + 1, before[1] + 1], "the arm was not chosen again, but was right"


def test_with_sure_1_everything_is_left_to_the_bandit():
    strategy, _ = trained()
    strategy.sure = 1.0
    onward = learned(strategy, Ticket("http://h.test/"), '<a href="http://a.test/wolf/78">wolf</a>', 0.0)
    assert onward["http://a.test/wolf/78"].lane.startswith("place ")


def test_a_url_has_the_same_luck_wherever_it_is_found_and_another_with_other_dice():
    one, two = (begun("sb-classifier", seed=seed)[0] for seed in (1, 2))
    page = PAGE.format(n=1)
    first, again = learned(one, SEED, page, 0.5), learned(one, Ticket("http://x.test/"), page, 0.5)
    assert {url: ticket.score for url, ticket in first.items()} == {url: ticket.score for url, ticket in again.items()}
    assert first["http://a.test/m1"].score != learned(two, SEED, page, 0.5)["http://a.test/m1"].score


def test_the_classifier_knows_nothing_before_it_has_seen_both_kinds():
    classifier = UrlClassifier()
    for n in range(10):
        classifier.learn(f"http://a.test/{n}", [1], True)
    assert classifier.probability("http://a.test/3", [1]) == 0
    for n in range(9):
        classifier.learn(f"http://b.test/x{n}", [2], False)
    assert classifier.probability("http://a.test/3", [1]) == 0, "a batch is learned as a whole"
    classifier.learn("http://b.test/x9", [2], False)
    assert classifier.probability("http://a.test/3", [1]) > 0.5 > classifier.probability("http://b.test/x3", [2])


def test_the_classifier_learns_from_addresses_alone():
    classifier = UrlClassifier()
    for n in range(60):
        classifier.learn(f"http://a.test/data/table{n}.csv", [], True)
        classifier.learn(f"http://a.test/about/page{n}.html", [], False)
    assert classifier.probability("http://a.test/data/table999.csv", []) > 0.8
    assert classifier.probability("http://a.test/about/page999.html", []) < 0.2
    again = UrlClassifier()
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(classifier.save())))
    for url in ("http://a.test/data/x.csv", "http://z.test/", "x"):
        assert again.probability(url, [3]) == classifier.probability(url, [3])


def test_a_crawl_finds_more_and_more():
    order = crawl("sb-classifier", pages=200)
    assert harvest(order[100:]) > 0.8 > harvest(order[:40])


@pytest.mark.parametrize("cut", [1, 15, 60])
def test_a_crawl_saved_in_the_middle_goes_on_as_if_nothing_had_happened(cut):
    whole = crawl("sb-classifier", pages=90)
    assert crawl("sb-classifier", pages=90, cut=cut) == whole


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"alpha": "-1"}, "sb-classifier cannot work with alpha=-1.0: give 0 or more"),
        ({"theta": "2"}, "theta=2.0: give a number from 0 to 1"),
        ({"sure": "nan"}, "sure=nan"),
        ({"arms": "0"}, "arms=0: give at least 1"),
        ({"relevant": "5"}, "relevant=5.0: give a number from 0 to 1, or -1"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("sb-classifier", settings)
