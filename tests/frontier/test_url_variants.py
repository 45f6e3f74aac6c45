"""Whether spellings of a path mean the same page is learned from each host."""

from lycosa.core.nouns import Ticket
from lycosa.frontier.url_variants import Spellings, plain


def refuses(spellings, url):
    return spellings(Ticket(url, via="http://a.test/")) is not None


def test_the_plainest_spelling_has_no_slash_no_index_page_and_no_capitals():
    urls = ["http://a.test/A/b", "http://a.test/a/b/", "http://a.test/a/B/index.html", "http://a.test/a/b"]
    assert {plain(url) for url in urls} == {"http://a.test/a/b"}
    assert plain("http://a.test/") == plain("http://a.test/index.php") == "http://a.test"
    assert plain("http://a.test/A/?Q=B") == "http://a.test/a?Q=B"


def test_one_spelling_is_enough_where_a_host_sends_the_same_words_under_two():
    spellings, told = Spellings(), []
    for n in range(3):
        assert not refuses(spellings, f"http://a.test/{n}/")
        told += [
            spellings.visited(f"http://a.test/{n}", b"%d" % n),
            spellings.visited(f"http://a.test/{n}/", b"%d" % n),
        ]
    (gone,) = filter(None, told)
    assert gone(Ticket("http://a.test/2/index.html", via="http://a.test/"))
    assert not gone(Ticket("http://b.test/2/index.html", via="http://a.test/"))
    assert not gone(Ticket("http://a.test/7/", via="http://a.test/"))
    assert refuses(spellings, "http://a.test/7")
    assert refuses(spellings, "http://a.test/2/")
    spellings.dropped("http://a.test/7/")
    assert not refuses(spellings, "http://a.test/7")
    assert refuses(spellings, "http://a.test/7/")
    assert not refuses(spellings, "http://a.test/8")
    assert spellings(Ticket("http://a.test/8/")) is None


def test_every_spelling_is_fetched_where_they_differ():
    spellings = Spellings()
    for n in range(20):
        spellings.visited(f"http://a.test/{n}", b"%d" % n)
        spellings.visited(f"http://a.test/{n}/", b"%d" % (n if n % 5 else 100 + n))
    assert not refuses(spellings, "http://a.test/7/")


def test_it_survives_saving():
    spellings = Spellings()
    for n in range(3):
        spellings.visited(f"http://a.test/{n}", b"%d" % n)
        spellings.visited(f"http://a.test/{n}/", b"%d" % n)
    again = Spellings()
    again.load(spellings.save())
    assert refuses(again, "http://a.test/1/")
    assert again.save() == spellings.save()
