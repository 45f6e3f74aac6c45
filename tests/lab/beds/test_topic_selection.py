"""Topics come out of a dump as the papers selected them, and the same ones every time."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from lycosa.lab.beds.topic_selection import business, leaves
from lycosa.system.errors import Refused
from lycosa.web.source import BedTopic

ODP = Path(__file__).resolve().parents[3].parent / "shared" / "testbeds" / "odp"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" '
    'xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
)


def urls(tag: str, count: int) -> list[str]:
    return [f"http://{tag}{number}.test/" for number in range(count)]


def listings(category: str, links: list[str]) -> str:
    name = escape(category)
    return f'<Topic r:id="{name}"><catid>1</catid></Topic>\n' + "".join(
        f'<ExternalPage about="{escape(url)}"><d:Title>Title of {escape(url)}</d:Title>'
        f"<d:Description>Text of it.</d:Description><topic>{name}</topic></ExternalPage>\n"
        for url in links
    )


@pytest.fixture
def content(tmp_path):
    def write(lists: dict[str, list[str]], more: str = "") -> Path:
        path = tmp_path / "content.rdf.u8"
        path.write_text(HEAD + "".join(listings(*one) for one in lists.items()) + more + "</RDF>\n")
        return path

    return write


@pytest.fixture
def structure(tmp_path):
    def write(children: dict[str, list[str]]) -> Path:
        path = tmp_path / "structure.rdf.u8"
        topics = "".join(
            f'<Topic r:id="{name}">'
            + "".join(
                f'<narrow{n % 3 or ""} r:resource="{child}"></narrow{n % 3 or ""}>' for n, child in enumerate(below)
            )
            + '<symbolic r:resource="Other:Top/Elsewhere"></symbolic></Topic>\n'
            for name, below in children.items()
        )
        path.write_text(HEAD + topics + "</RDF>\n")
        return path

    return write


def categories(topics: list[BedTopic]) -> list[str]:
    return [topic.category for topic in topics]


def test_business_takes_companies_consultants_and_manufacturers_with_more_than_twenty_links(content):
    chosen = [
        "Top/Games/Gambling/Equipment/Manufacturers",
        "Top/Business/Healthcare/Consultants",
        "Top/Arts/Animation/Production_Companies",
    ]
    others = [
        "Top/Regional/Europe/Companies",
        "Top/World/Deutsch/Companies",
        "Top/Business/International/Freight/Consultants",
        "Top/Business/Companies/News",
        "Top/Business/Megacompanies",
    ]
    lists = {name: urls(f"t{number}-", 21) for number, name in enumerate(chosen + others)}
    lists["Top/Business/Textiles/Companies"] = urls("few", 20)
    found = business(content(lists))
    assert categories(found.topics) == sorted(name.removeprefix("Top/") for name in chosen)
    assert found.categories == 3
    assert not found.warnings


def test_business_topics_look_like_those_of_the_paper(content):
    links = urls("a", 30)
    (topic,) = business(content({"Top/Games/Gambling/Equipment_&_Tools/Manufacturers": links})).topics
    assert topic.id == "games-gambling-equipment-tools-manufacturers"
    assert topic.keywords == "Gambling Equipment Tools Manufacturers"
    assert len(topic.examples) == 10
    assert sorted(topic.examples + topic.targets) == sorted(links)
    assert topic.description == " ".join(f"Title of {url} Text of it." for url in links)
    assert not topic.neighbors and not topic.described


def test_one_address_in_two_spellings_is_one_link(content):
    links = urls("a", 20)
    again = ["HTTP://A0.test", "http://a1.test:80/", "http://a2.test/#top", "http://a3.test"]
    with pytest.raises(Refused, match="no category ends with"):
        business(content({"Top/Business/X/Companies": links + again}))


def test_what_cannot_be_crawled_is_no_link(content):
    odd = ["ftp://files.test/", "news:alt.test", "http://long.test/" + "x" * 300]
    found = business(content({"Top/Business/X/Companies": urls("a", 21) + odd}))
    assert len(found.topics[0].examples + found.topics[0].targets) == 21
    assert found.warnings == ["3 listed links are not http URLs, or too long, and were left out"]


def test_a_category_may_be_taken_up_again(content):
    name = "Top/Business/X/Companies"
    path = content({name: urls("a", 15), "Top/Business/Y": urls("y", 3)}, more=listings(name, urls("a", 25)))
    assert len(business(path).topics[0].targets) == 15


def test_the_same_dump_and_seed_give_the_same_topics(content):
    lists = {f"Top/Business/Trade_{n}/Companies": urls(f"t{n}-", 25) for n in range(30)}
    path = content(lists)
    first = business(path, topics=5, seed=3)
    backwards = business(content(dict(reversed(lists.items()))), topics=5, seed=3)
    assert categories(first.topics) == categories(backwards.topics)
    assert [topic.examples for topic in first.topics] == [topic.examples for topic in backwards.topics]
    other = business(path, topics=5, seed=4)
    assert categories(other.topics) != categories(first.topics)
    all_of_them = {topic.category: topic for topic in business(path, seed=3).topics}
    assert all(all_of_them[topic.category].examples == topic.examples for topic in first.topics)


def test_seeds_must_leave_targets(content):
    path = content({"Top/Business/X/Companies": urls("a", 21)})
    with pytest.raises(Refused, match="leave no target"):
        business(path, links=10)
    with pytest.raises(Refused, match="no start"):
        business(path, examples=0)
    with pytest.raises(Refused, match="0 topics"):
        business(path, topics=0)


def test_leaves_have_no_deeper_category_and_five_links(content):
    found = leaves(
        content(
            {
                "Top/Recreation/Aviation": urls("a", 30),
                "Top/Recreation/Aviation/Hot_Air_Ballooning/Organizations": urls("b", 25),
                "Top/Recreation/Birds": urls("c", 4),
                "Top/Recreation/Boating": urls("d", 5),
            }
        ),
        topics=None,
    )
    assert categories(found.topics) == ["Recreation/Aviation/Hot_Air_Ballooning/Organizations", "Recreation/Boating"]
    balloons = found.topics[0]
    assert balloons.keywords == "Recreation Aviation Hot Air Ballooning Organizations"
    assert len(balloons.examples) == 10
    assert sorted(balloons.examples + balloons.targets) == sorted(urls("b", 25))
    assert balloons.description.startswith("Title of http://b0.test/ Text of it. Title of http://b1.test/")


def test_the_structure_knows_children_that_the_content_does_not(content, structure):
    lists = {"Top/A": urls("a", 20), "Top/B": urls("b", 20), "Top/C": urls("c", 20)}
    below = structure({"Top": ["Top/A", "Top/B"], "Top/A": ["Top/A/X"], "Top/B": [], "Top/C/D/E": []})
    assert categories(leaves(content(lists), below).topics) == ["B"]


def test_a_leaf_with_few_links_hunts_for_its_examples(content):
    found = leaves(content({"Top/A": urls("a", 8), "Top/B": urls("b", 12), "Top/C": urls("c", 15)}), topics=None)
    small, middle, large = found.topics
    assert sorted(small.targets) == sorted(small.examples) == urls("a", 8)
    assert (len(middle.examples), sorted(middle.targets)) == (10, sorted(urls("b", 12)))
    assert (len(large.examples), len(large.targets)) == (10, 5)
    assert found.warnings[0].startswith("2 topics have fewer than 5 links beyond their examples")
    fewer = leaves(content({"Top/A": urls("a", 8)}), topics=None, examples=3)
    assert (len(fewer.topics[0].examples), len(fewer.topics[0].targets)) == (3, 5)
    assert not fewer.warnings


def test_leaves_are_a_random_sample(content):
    path = content({f"Top/Things/Number_{n}": urls(f"n{n}-", 20) for n in range(40)})
    found = leaves(path, topics=7)
    assert (len(found.topics), found.categories) == (7, 40)
    assert categories(found.topics) == sorted(categories(found.topics))
    assert categories(leaves(path, topics=7, seed=2).topics) != categories(found.topics)
    assert leaves(path).warnings == ["100 topics were asked for, and only 40 are there"]


def test_where_pages_are_gone_the_next_topics_move_up(content):
    path = content({f"Top/Things/Number_{n}": urls(f"n{n}-", 20) for n in range(40)})
    first = set(categories(leaves(path, topics=7).topics))
    gone = sorted(first)[0].rpartition("_")[2]
    found = leaves(path, topics=7, held=lambda url: not url.startswith(f"http://n{gone}-"), least_held=15)
    now = set(categories(found.topics))
    assert first - now == {f"Things/Number_{gone}"}
    assert len(now) == 7
    assert "1 of 40 categories have too few recorded pages and were left out" in found.warnings
    trades = content({f"Top/Business/T_{n}/Companies": urls(f"t{n}-", 25) for n in range(3)})
    found = business(trades, held=lambda url: not url.startswith("http://t1-"), least_held=15)
    assert categories(found.topics) == ["Business/T_0/Companies", "Business/T_2/Companies"]
    with pytest.raises(Refused, match="15 pages are recorded"):
        business(trades, held=lambda url: False, least_held=15)


def test_names_that_differ_in_punctuation_get_ids_of_their_own(content):
    lists = {"Top/A/B_C/Companies": urls("a", 21), "Top/A/B/C/Companies": urls("b", 21)}
    assert [topic.id for topic in business(content(lists)).topics] == ["a-b-c-companies", "a-b-c-companies-2"]


def test_letters_of_any_script_are_words(content):
    (topic,) = leaves(content({"Top/World/Tamil/கலை_செய்தி": urls("a", 20)})).topics
    assert topic.keywords == "World Tamil கலை செய்தி"
    assert topic.id == "world-tamil-கலை-செய்தி"


def test_damage_in_the_dump_is_passed_on(content):
    path = content(
        {"Top/Business/X/Companies": urls("a", 21)}, more='<ExternalPage about="http://b.test/"><d:Title>1 < 2'
    )
    assert any("line " in line for line in business(path).warnings)


@pytest.mark.skipif(not ODP.is_dir(), reason="the Open Directory excerpts are not here")
def test_the_real_excerpt_has_its_leaf():
    found = leaves(ODP / "content_cosr_2016.rdf", topics=None)
    assert "Arts/Animation/Anime/Clubs_and_Organizations" in categories(found.topics)
    assert "Arts/Animation" not in categories(found.topics)
    with pytest.raises(Refused, match="no category ends with Companies or Consultants or Manufacturers"):
        business(ODP / "content_cosr_2016.rdf")
