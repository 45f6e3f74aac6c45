"""The profile fades, prefers what was read for long, and knows which words are usual."""

from lycosa.app.companion.profile import DAYS, PAGES, TERMS, Profile, WordBackground, reading_of, vector_of
from lycosa.core.words import terms

SPIDERS = "The wolf spider hunts at night. Spiders of this family carry their egg sac with them."
TRAINS = "The steam locomotive pulls a train over the railway bridge. Trains run every hour."


def reading(url, text, title="", at=1000.0, seconds=10.0, background=None):
    return reading_of(url, title, text, at=at, seconds=seconds, background=background or WordBackground())


def weights(*readings, background=None, current=None):
    profile = Profile()
    for one in readings:
        profile.learn(one)
    interest = profile.interest(background or WordBackground(), current)
    return {interest.words.get(term, term): weight for term, weight in interest.weights.items()}


def test_a_word_of_the_title_counts_more_than_one_of_the_text():
    known = weights(reading("http://a.test/", "spider railway", title="railway"))
    assert known["railway"] > 1.5 * known["spider"]


def test_what_was_read_lately_weighs_more():
    older = [reading(f"http://a.test/{n}", SPIDERS) for n in range(3)]
    newer = [reading(f"http://b.test/{n}", TRAINS) for n in range(20)]
    known = weights(*older, *newer)
    assert known["locomotive"] > 3 * known["wolf"]
    assert weights(*newer, *older)["wolf"] > 1.5 * known["wolf"]


def test_what_was_read_for_long_weighs_more():
    known = weights(reading("http://a.test/", SPIDERS, seconds=300), reading("http://b.test/", TRAINS, seconds=5))
    assert known["wolf"] > 2 * known["locomotive"]


def test_the_page_that_is_read_now_weighs_as_much_as_all_others():
    now = reading("http://b.test/", TRAINS)
    others = [reading(f"http://a.test/{n}", SPIDERS) for n in range(30)]
    known = weights(*others, now, current=now)
    assert 0.7 < known["locomotive"] / known["wolf"] < 1.5


def test_a_page_that_is_read_again_is_one_page_and_the_latest():
    profile = Profile()
    for url in ("http://a.test/", "http://b.test/", "http://a.test/"):
        profile.learn(reading(url, SPIDERS, seconds=60 if url == "http://a.test/" else 5))
    assert [one.url for one in profile.readings] == ["http://b.test/", "http://a.test/"]
    assert profile.readings[-1].seconds == 60


def test_a_forgotten_page_leaves_no_word_behind():
    profile = Profile()
    profile.learn(reading("http://a.test/", SPIDERS))
    profile.learn(reading("http://b.test/", TRAINS))
    assert profile.forget("http://a.test/")
    assert not profile.forget("http://a.test/")
    assert "wolf" not in profile.interest(WordBackground()).keywords()
    assert "locomotive" in profile.interest(WordBackground()).keywords()


def test_it_is_bounded_in_pages_days_and_words():
    profile = Profile()
    for n in range(PAGES + 20):
        profile.learn(reading(f"http://a.test/{n}", SPIDERS, at=float(n)))
    assert len(profile.readings) == PAGES
    long_one = reading("http://b.test/", " ".join(f"word{n}" for n in range(5000)), at=(DAYS + 1) * 86400.0)
    profile.learn(long_one)
    assert len(long_one.terms) == len(long_one.words) == TERMS
    assert len(profile.readings) < PAGES
    assert len(profile.interest(WordBackground()).keywords().split()) < 100


def test_words_that_stand_on_every_scouted_page_count_little():
    usual = WordBackground()
    usual.add(terms(f"customers people contact thing{n}") for n in range(40))
    page = "customers people contact spider spider"
    known = weights(reading("http://a.test/", page, background=usual), background=usual)
    assert known["spider"] > 3 * known["customers"]
    told = Profile([reading("http://a.test/", page, background=usual)]).interest(usual)
    about, not_about = (vector_of(text, usual) for text in ("the spider and people", "customers contact people"))
    assert told.similarity(about) > told.similarity(not_about)
    assert told.shared(about, 1) == ["spider"]


def test_the_background_forgets_instead_of_growing_for_ever():
    usual = WordBackground()
    for n in range(30):
        usual.add([[f"word{n}-{k}" for k in range(750)] + ["spider"]] * 100)
    assert usual.pages <= 2100
    assert len(usual.holding) <= 20_000
    assert usual.idf("spider") < usual.idf("never seen")


def test_words_are_told_as_people_write_them():
    interest = Profile([reading("http://a.test/", "Happily running ponies; ponies, über naïveté")]).interest(
        WordBackground()
    )
    assert {"happily", "running", "ponies", "naïveté"} <= set(interest.words.values())
    assert "ponies" in interest.keywords()
