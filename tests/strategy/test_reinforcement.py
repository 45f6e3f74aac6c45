"""Reinforcement learning: values along paths, naive Bayes over bins, and the guess before anything is known."""

from math import sqrt
from random import Random

import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Link, Page, Ticket, Topic, Visit
from lycosa.core.priors import Priors
from lycosa.core.strategy import make
from lycosa.strategy.reinforcement import Model
from lycosa.system.errors import Refused

TOPIC = Topic("wolf spider")
SEED = "http://a.test/"


def begun(past=(), **options):
    strategy = make("reinforcement", options)
    assert [ticket.url for ticket in strategy.begin(Brief(TOPIC, (SEED,), Random(1), Priors(past=tuple(past))))] == [
        SEED
    ]
    return strategy


def visit(url, relevance, links=(), parent=-1, words=""):
    memo = [parent, words, 0.0, 0.0] if words else None
    return Visit(Ticket(url, memo=memo), relevance, [link for link, _, _ in links], [list(link[1:]) for link in links])


def values(strategy):
    return [value for *_, value in strategy._paths]


def test_rewards_go_back_along_the_path_that_led_to_them():
    strategy = begun(gamma=0.5)
    strategy.learn(visit(SEED, 0.0))
    strategy.learn(visit("http://b.test/", 0.2, parent=0, words="department"))
    strategy.learn(visit("http://c.test/", 0.0, parent=1, words="staff"))
    assert values(strategy) == pytest.approx([0.1, 0.2, 0.0])
    strategy.learn(visit("http://d.test/", 0.8, parent=2, words="papers"))
    # The paper is worth .8, what leads to it .4, and the department .2 + .5 * .4.
    assert values(strategy) == pytest.approx([0.2, 0.4, 0.4, 0.8])


def test_a_link_is_worth_its_best_path():
    strategy = begun(gamma=0.5)
    strategy.learn(visit(SEED, 0.1))
    for url, reward in (("b", 0.4), ("c", 0.8), ("d", 0.2)):
        strategy.learn(visit(f"http://{url}.test/", reward, parent=0, words=url))
    assert values(strategy) == pytest.approx([0.5, 0.4, 0.8, 0.2])


def test_gamma_0_knows_only_immediate_rewards():
    strategy = begun(gamma=0.0)
    strategy.learn(visit(SEED, 0.1))
    strategy.learn(visit("http://b.test/", 0.9, parent=0, words="wolf"))
    assert values(strategy) == [0.1, 0.9]


EXAMPLES = [(0.0, ["soup", "bread"]), (0.2, ["soup"]), (0.6, ["wolf"]), (0.8, ["wolf", "night"])]


def test_naive_bayes_over_two_bins_worked_by_hand():
    model = Model(EXAMPLES, 2)
    assert model.means == pytest.approx([0.1, 0.7])
    # Vocabulary of 4; three words a bin. wolf: (0 + 1) / 7 in the lower bin, (2 + 1) / 7 in the upper one.
    assert model.posteriors("wolf") == pytest.approx([1 / 4, 3 / 4])
    assert model.expected("wolf") == pytest.approx(0.1 / 4 + 0.7 * 3 / 4)
    # wolf soup: (1 * 3) to (3 * 1); soup soup: (3 * 3) to (1 * 1).
    assert model.posteriors("wolf soup") == pytest.approx([1 / 2, 1 / 2])
    assert model.posteriors("soup soup") == pytest.approx([9 / 10, 1 / 10])


def test_unknown_words_say_nothing():
    model = Model(EXAMPLES, 2)
    assert model.expected("river") == model.expected("") == pytest.approx(0.4)


def test_bins_have_equal_sizes_whatever_the_values():
    model = Model([(value, ["x"]) for value in (0.0, 0.0, 0.0, 0.0, 0.5, 0.9)], 3)
    assert model.means == pytest.approx([0.0, 0.0, 0.7])


def test_many_words_do_not_overflow():
    assert Model(EXAMPLES, 2).expected("wolf " * 5000) == pytest.approx(0.7)


def test_a_link_is_known_by_anchor_surroundings_and_url():
    text = "one two three four five six wolf spiders seven eight nine ten eleven twelve"
    start = text.index("wolf")
    page = Page(SEED, text, [Link("http://b.test/hunting/index.html", (start, start + len("wolf spiders")))])
    ((anchor, words),) = make("reinforcement", {"words": 2}).sense(page, TOPIC)
    assert anchor == pytest.approx(1.0)
    assert words.split()[2:] == ["wolf", "spider", "seven", "eight", "test", "hunt", "index", "html"]
    assert words.split()[:2] == ["five", "six"]


def test_before_anything_is_known_page_and_anchor_decide():
    strategy = begun()
    links = [("http://b.test/", 0.5, "wolf"), ("http://c.test/", 0.0, "soup")]
    first, second = strategy.learn(visit(SEED, 0.4, links))
    assert first.score == pytest.approx((0.4 + 0.5 * 0.4) / 2)
    assert second.score == pytest.approx(0.2)
    assert strategy.explain(first) == {
        "page and anchor": first.score,
        "discounted reward of the link's words": 0.0,
    }
    assert strategy.explain(Ticket(SEED)) == {}


def taught(**options):
    """Twenty pages: links that say «door» lead to relevant pages one link on, those that say «wall» nowhere."""
    strategy = begun(**options)
    strategy.learn(visit(SEED, 0.0))
    for n in range(19):
        door = n % 2
        strategy.learn(visit(f"http://b.test/{n}", 0.0, parent=0, words="door" if door else "wall"))
        if door and len(strategy._paths) < 19:
            strategy.learn(visit(f"http://c.test/{n}", 0.8, parent=len(strategy._paths) - 1, words="room"))
    return strategy


def test_words_that_lead_to_relevant_pages_later_are_learned():
    strategy = taught(bins=2, prior=0)
    links = [(f"http://{word}.test/", 0.0, word) for word in ("wall", "door", "room")]
    wall, door, room = strategy.learn(visit("http://d.test/", 0.1, links))
    assert room.score > door.score > 2 * wall.score
    # With prior 0 only what was learned counts, and on the scale of relevance.
    assert door.score == pytest.approx(0.5 * strategy._model.expected("door"))
    assert strategy.explain(door)["page and anchor"] == 0.0


def test_immediate_reward_alone_sees_no_use_in_doors():
    strategy = taught(bins=2, prior=0, gamma=0)
    links = [(f"http://{word}.test/", 0.0, word) for word in ("wall", "door")]
    wall, door = strategy.learn(visit("http://d.test/", 0.1, links))
    assert door.score < 1.2 * wall.score


def test_trust_grows_with_what_is_known():
    strategy = taught(prior=20)
    (ticket,) = strategy.learn(visit("http://d.test/", 0.1, [("http://e.test/", 0.5, "door")]))
    learned = len(strategy._lesson)
    trust = learned / (learned + 20)
    guess = (0.1 + 0.5 * 0.8) / 2
    assert ticket.score == pytest.approx((1 - trust) * guess + trust * 0.5 * strategy._model.expected("door"))
    assert sum(strategy.explain(ticket).values()) == pytest.approx(ticket.score)


def test_the_model_is_fitted_when_there_is_a_quarter_more_to_learn_from():
    strategy = begun()
    fitted = []
    for n in range(1000):
        strategy.learn(visit(f"http://b.test/{n}", 0.1, parent=0, words=f"word{n % 7}"))
        if len(strategy._lesson) == n + 1:
            fitted.append(n + 1)
    assert fitted[:6] == [20, 40, 60, 80, 100, 125]
    assert len(fitted) < 20


def test_only_the_latest_pages_are_remembered_and_paths_end_where_memory_does():
    strategy = begun(memory=50)
    for n in range(500):
        strategy.learn(visit(f"http://b.test/{n}", 0.1 * (n % 3), parent=n - 1, words="on"))
    assert len(strategy._paths) <= 50 + 20
    assert strategy._forgotten + len(strategy._paths) == 500


def test_a_url_that_stands_on_a_page_twice_is_judged_by_its_better_link():
    links = [("http://b.test/", 0.0, "soup"), ("http://b.test/", 0.9, "wolf"), ("http://b.test/", 0.1, "bread")]
    (ticket,) = begun().learn(visit(SEED, 0.4, links))
    assert ticket.memo[1] == "wolf"


def test_paths_of_an_earlier_crawl_are_learned_from_before_the_first_page():
    doors = [
        Visit(Ticket("http://d.test/", via="http://a.test/", memo=[0, "door", 0.0, 0.0]), 0.0),
        Visit(Ticket("http://e.test/", via="http://d.test/", memo=[1, "room", 0.0, 0.0]), 0.8),
        Visit(Ticket("http://f.test/wall/", via="http://a.test/", memo={"of": "another strategy"}), 0.0),
        Visit(Ticket("http://g.test/wall/", via="http://a.test/"), 0.0),
    ]
    strategy = begun((Visit(Ticket("http://a.test/"), 0.0), *doors), bins=2, prior=0)
    assert values(strategy) == pytest.approx([0.2, 0.4, 0.8, 0.0, 0.0])
    model = strategy._model
    assert model.expected("room") == model.expected("door") > model.expected("wall")


def test_what_was_learned_is_kept_by_save_and_load():
    def pages(count):
        rng = Random(7)
        for n in range(count):
            words = " ".join(rng.choices(["door", "wall", "room", "wolf", "soup"], k=3))
            links = [(f"http://l.test/{rng.randrange(99)}", rng.random() / 2, words) for _ in range(4)]
            yield visit(f"http://b.test/{n}", rng.random() / 2, links, rng.randrange(-1, max(n, 1)), words)

    whole, half = begun(memory=60), begun(memory=60)
    for at, page in enumerate(pages(200)):
        if at in (5, 63, 150):
            copy = begun(memory=60)
            copy.load(half.save())
            half = copy
        assert half.learn(page) == whole.learn(page)
    assert whole._forgotten > 0


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"gamma": "1"}, "gamma=1.0: give a number from 0 to less than 1"),
        ({"gamma": "nan"}, "gamma=nan: give a number from 0 to less than 1"),
        ({"prior": "-1"}, "prior=-1.0: give 0 or more"),
        ({"bins": "1"}, "bins=1: give at least 2"),
        ({"words": "-1"}, "words=-1: give at least 0"),
        ({"memory": "5"}, "memory=5: give at least 20"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=f"reinforcement cannot work with {line}"):
        make("reinforcement", settings)


def test_the_anchor_counts_by_its_similarity(look):
    strategy = begun()
    found = look(strategy, '<p>wolf <a href="http://b.test/">spider site</a> <a href="http://c.test/">soup</a></p>')
    page = 2 / (sqrt(2) * 2)
    assert found["b.test/"].score == pytest.approx((page + page * 0.5) / 2)
    assert found["c.test/"].score == pytest.approx(page / 2)
