"""A topic in any language is recognised in any form of its words."""

import pytest

from lycosa.core.judge import judges
from lycosa.core.nouns import Link, Page, Topic
from lycosa.core.page_terms import page_terms, read_terms, terms_in
from lycosa.core.priors import Background, PageReading, Priors
from lycosa.core.query import Query
from lycosa.core.strategy import strategies
from lycosa.core.words import analysis, names_in

CASES = [
    ("de", "Haus", "Viele Häuser stehen in dieser Straße"),
    ("fr", "écoles", "Une ecole au bord de la mer"),
    ("", "книга", "Старые книги стоят в библиотеке"),
    ("", "太阳能", "这座城市的屋顶上安装了太阳能电池板"),
    ("", "서울", "우리는 서울에서 살고 있으며"),
    ("", "มหาวิทยาลัย", "นักศึกษาเรียนที่มหาวิทยาลัยในกรุงเทพ"),
    ("", "茶", "绿茶 很 好 茶"),
    ("", "C++ and R programming", "We program in C++ and R"),
]


@pytest.mark.parametrize(("language", "keywords", "text"), CASES)
def test_a_page_is_about_keywords_in_another_form(language, keywords, text):
    topic = Topic(keywords, language=language)
    assert Query(keywords, topic.analysis).of_text(text) > 0.2
    assert Query(keywords, topic.analysis).of_text("Nothing of that kind is said here at all") == 0.0
    assert set(terms_in(keywords, topic.analysis)) & set(
        read_terms(page_terms(Page("http://a.test/", text), topic.analysis))[0].tolist()
    )


@pytest.mark.parametrize("name", ["cosine", "tfidf"])
@pytest.mark.parametrize(("language", "keywords", "text"), CASES)
def test_judges_of_keywords_read_every_language(name, language, keywords, text):
    topic = Topic(keywords, language=language)
    bag = topic.analysis.terms(text)
    judge = judges()[name]()
    judge.prepare(topic, Priors(background=Background(10, dict.fromkeys(bag, 1))))
    assert judge(Page("http://a.test/", text)).relevance > 0.1
    assert judge(Page("http://b.test/", "Nothing of that kind is said here at all")).relevance == 0.0


@pytest.mark.parametrize("name", ["shark-search", "dom", "infospiders", "reinforcement"])
def test_strategies_sense_links_whose_words_are_in_another_form(name):
    text = "Hier stehen Häuser und dort anderes"
    page = Page(
        "http://a.test/", text, [Link("http://b.test/", (12, 18), ((0, 18),)), Link("http://c.test/", (23, 27))]
    )
    strategy = strategies()[name]()
    strategy.prepare(Topic("Haus"), Priors())
    assert strategy.sense(page, Topic("Haus", language="de")) != strategy.sense(page, Topic("Haus"))


@pytest.mark.parametrize("name", ["centroid", "naive-bayes", "linear"])
def test_judges_of_examples_read_pages_by_the_rules_of_the_topic(name):
    texts = {"http://a.test/": "Häuser und Gärten", "http://b.test/": "Autos und Straßen"}
    readings = {url: PageReading(text) for url, text in texts.items()}
    priors = Priors(background=Background(2, {}, ({"auto": 1, "strass": 1},)), readings=readings)
    judge = judges()[name]()
    judge.prepare(Topic("Haus", examples=("http://a.test/",), language="de"), priors)
    about, other = (judge(Page("http://c.test/", text)).relevance for text in ("Alte Häuser", "Nichts davon"))
    assert about > other


def test_topics_in_english_are_read_as_the_papers_do():
    assert Topic("wolf spiders").analysis is analysis()
    assert analysis("de").terms("Die Häuser der Stadt und die Stadt") == {"haus": 1, "stadt": 2}
    assert analysis("en").terms("cats and c") == {"cat": 1}


def test_names_among_keywords_are_letters_that_stand_alone_and_words_with_symbols():
    assert names_in("C++ and R programming, vitamin C: a C# I/O list") == {"cplusplus", "r", "c", "csharp"}
    assert names_in("World War II, a trip I made") == frozenset()
    assert analysis("", names_in("C++")).terms("learn C++ now, c++ is C") == {"cplusplus": 2, "learn": 1}
