"""Several sources of in-links as one."""

from lycosa.core.inlinks import Inlinks, Together


class Known(Inlinks):
    def __init__(self, links):
        self.links, self.asked, self.closed = links, [], False

    def of(self, url, limit):
        self.asked.append(url)
        return self.links.get(url, [])[:limit]

    def close(self):
        self.closed = True


def test_a_source_that_answers_one_by_one_answers_many():
    source = Known({"u": ["a", "b"], "v": ["c"]})
    assert source.of_all(["v", "u", "w"], 1) == {"v": ["c"], "u": ["a"], "w": []}


def test_a_source_that_answers_many_answers_one():
    class Many(Inlinks):
        def of_all(self, urls, limit):
            return {url: [f"{url}{n}" for n in range(limit)] for url in urls}

    assert Many().of("u", 2) == ["u0", "u1"]


def test_several_sources_take_turns_and_nothing_is_told_twice():
    sources = Known({"u": ["a", "b", "c"]}), Known({}), Known({"u": ["b", "d"]})
    assert Together(sources).of("u", 10) == ["a", "b", "d", "c"]
    assert Together(sources).of("u", 3) == ["a", "b", "d"]


def test_each_source_is_asked_once_about_a_url_and_closed_with_the_others():
    sources = Known({"u": ["a"]}), Known({"u": ["a"]})
    together = Together(sources)
    assert together.of_all(["u", "v", "u"], 5) == {"u": ["a"], "v": []}
    together.close()
    assert [(source.asked, source.closed) for source in sources] == [(["u", "v"], True)] * 2
