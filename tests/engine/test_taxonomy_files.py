"""Taxonomies in files: three forms of the same, and one line for whatever is wrong."""

import json
from typing import Any

import pytest

from lycosa.engine.taxonomy_files import open_taxonomy, path_of, read_taxonomy, taxonomy_of_topics, write_taxonomy
from lycosa.system.errors import Refused
from lycosa.web.source import BedTopic

ROWS: list[dict[str, Any]] = [
    {"path": "Top"},
    {"path": "Top/Science"},
    {"path": "Top/Science/Biology", "examples": ["http://one.test/", "http://TWO.test/a/../b"], "good": True},
    {"path": "Top/Arts", "examples": ["https://three.test"]},
]
TABS = """\
# category\texample\tgood
Top
Top/Science
Top/Science/Biology\t\tgood
Top/Science/Biology\thttp://one.test/

Top/Arts\thttps://three.test
Top/Science/Biology\thttp://TWO.test/a/../b
"""


@pytest.fixture
def written(tmp_path):
    """A file with rows, or with a text."""

    def written(content, name="taxonomy.jsonl"):
        text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return written


def test_three_forms_say_the_same(written):
    lines = read_taxonomy(written(ROWS))
    assert read_taxonomy(written(json.dumps(ROWS, indent=2))) == lines
    assert read_taxonomy(written(TABS)) == lines
    assert read_taxonomy(written("\ufeff" + TABS.replace("\n", "\r\n"))) == lines
    assert list(lines.filed()) == [
        ("http://one.test/", "Top/Science/Biology"),
        ("http://two.test/b", "Top/Science/Biology"),
        ("https://three.test/", "Top/Arts"),
    ]
    assert lines.good == ("Top/Science/Biology",)


@pytest.mark.parametrize("name", ["again.jsonl", "again.tsv"])
def test_what_is_written_is_read_again(written, tmp_path, name):
    taxonomy = read_taxonomy(written(ROWS))
    write_taxonomy(taxonomy, tmp_path / name)
    assert read_taxonomy(str(tmp_path / name)) == taxonomy


def test_the_user_marks_and_corrects(written):
    taxonomy = open_taxonomy(written(ROWS[:3] + [{"path": "Top/Arts"}]), [], {"http://two.test/b": "Top/Arts"})
    assert dict(taxonomy.filed())["http://two.test/b"] == "Top/Arts"
    unmarked = [row | {"good": False} for row in ROWS]
    assert read_taxonomy(written(unmarked), ["Top/Arts", "Top/Science"]).good == ("Top/Science", "Top/Arts")


SPORTS = [
    {"path": "Top"},
    {"path": "Top/Arts", "examples": ["http://arts.test/"]},
    {"path": "Top/Sports", "examples": ["http://sports.test/"]},
    {"path": "Top/Sports/Water_Sports", "examples": ["http://water.test/"]},
    {"path": "Top/Games"},
    {"path": "Top/Games/Base Ball", "examples": ["http://ball.test/1", "http://ball.test/2"]},
    {"path": "Top/Games/Sports Cards", "examples": ["http://cards.test/"]},
]


def test_categories_are_marked_by_the_ends_of_their_names(written):
    """What is below a category that is marked is good already, and only the last step of a path is its name."""
    taxonomy = open_taxonomy(written(SPORTS), ["*sports", "*baseball"])
    assert taxonomy.good == ("Top/Sports", "Top/Games/Base Ball")
    assert taxonomy.good_examples(1) == ["http://sports.test/", "http://water.test/", "http://ball.test/1"]
    assert open_taxonomy(written(SPORTS), ["*Water Sports"]).good == ("Top/Sports/Water_Sports",)


@pytest.mark.parametrize("ending", ["*chess", "*", "*_"])
def test_an_ending_that_no_category_has_is_refused(written, ending):
    with pytest.raises(Refused, match="has no category whose name ends with"):
        open_taxonomy(written(SPORTS), [ending])


def test_a_correction_settles_where_a_page_belongs_that_is_filed_twice(written):
    file = written([*ROWS, {"path": "Top/Both", "examples": ["http://one.test/"]}])
    with pytest.raises(Refused):
        read_taxonomy(file)
    settled = read_taxonomy(file, (), {"http://one.test/": "Top/Arts"})
    assert [path for url, path in settled.filed() if url == "http://one.test/"] == ["Top/Arts"]


ORPHAN = {"path": "Top/Sports/Golf", "examples": ["http://golf.test/"]}
BAD = {
    "a missing parent": ([*ROWS, ORPHAN], r"line 5: Top/Sports/Golf has no parent Top/Sports: add a line for Top/Sp"),
    "a category twice": ([*ROWS, {"path": "Top/Arts"}], r"line 5: Top/Arts is there twice, first on line 4: give"),
    "an example twice": (
        [*ROWS, {"path": "Top/X", "examples": ["http://two.test/b#x"]}],
        r"line 5: http://two.test/b is filed twice, first in Top/Science/Biology on line 3: leave it",
    ),
    "good below good": (
        [*ROWS[:1], {"path": "Top/Science", "good": True}, *ROWS[2:]],
        r"line 3: Top/Science/Biology is marked as good, and so is Top/Science above it: mark one",
    ),
    "no examples": ([{"path": "Top", "good": True}], r"has no example pages: name some"),
    "none good": ([row | {"good": False} for row in ROWS], r"no category .* is marked as good: mark"),
    "only good": (ROWS[:3], r"no example of anything other than Top/Science/Biology: add other categories"),
    "good and empty": (
        [{"path": "A", "good": True}, {"path": "B", "examples": ["http://b.test/"]}],
        r"no example of what is hunted \(A\)",
    ),
    "no URL": ([{"path": "A", "examples": ["mailto:me"]}], r"line 1: the example 'mailto:me' is not an http URL"),
    "no path": ([{"path": "Top//X"}], r"line 1: 'Top//X' is not the path"),
    "a key that nobody knows": ([{"path": "Top", "exmples": []}], r"line 1: .*exmples.*: write"),
    "no JSON": ('{"path": "Top"}\n{"path": \n', r"line 2: "),
    "no JSON list": ('[{"path": "Top"},', r"is not a JSON list"),
    "an empty file": ("\n \n", r"is empty"),
    "a line of four columns": ("Top\nTop\thttp://x.test/\t\tbad\n", r"line 2: 'bad' is neither"),
    "a mark that is none": ("Top\n\nTop\thttp://x.test/\tnice\n", r"line 3: 'nice' is neither .* mark «good»"),
    "a category twice in columns": ("Top\nTop\t\tgood\n", r"line 2: Top is there twice, first on line 1"),
    "an orphan in columns": ("Top/A\thttp://x.test/\n", r"line 1: Top/A has no parent Top"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_told_with_its_line(written, name):
    content, message = BAD[name]
    file = written(content)
    with pytest.raises(Refused, match=message) as refused:
        open_taxonomy(file)
    assert "\n" not in str(refused.value)
    assert file in str(refused.value)


def test_lines_are_counted_in_a_list_as_well(written):
    with pytest.raises(Refused, match="line 6: Top/Sports/Golf has no parent"):
        read_taxonomy(written("[\n" + ",\n".join(map(json.dumps, [*ROWS, ORPHAN])) + "\n]"))


@pytest.mark.parametrize(
    ("good", "refiled", "message"),
    [
        (["Top/Science/Botany"], {}, r"no category 'Top/Science/Botany' to mark as good: .*Top/Science/Biology"),
        (["Biology"], {}, r"no category 'Biology' .*: choose one of: Top/Science/Biology$"),
        (["Top"], {}, r"Top/Science/Biology is marked as good, and so is Top above it"),
        ([], {"http://nowhere.test/": "Top/Arts"}, r"http://nowhere.test/ is not an example of"),
        ([], {"http://one.test/": "Top/Art"}, r"no category 'Top/Art' to file http://one.test/ in: .*Top/Arts"),
        ([], {"http://one.test/": "Top/Arts", "http://two.test/b": "Top/Arts"}, "no example of what is hunted"),
    ],
)
def test_marks_and_corrections_that_cannot_be_are_refused(written, good, refiled, message):
    with pytest.raises(Refused, match=message):
        open_taxonomy(written(ROWS), good, refiled)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(Refused, match="cannot be read"):
        open_taxonomy(str(tmp_path / "nothing.tsv"))
    (tmp_path / "latin.tsv").write_bytes(b"Top\nTop/Caf\xe9\n")
    with pytest.raises(Refused, match="line 2: this is not UTF-8"):
        open_taxonomy(str(tmp_path / "latin.tsv"))


def test_a_made_web_is_a_taxonomy_as_well():
    taxonomy = open_taxonomy("made:pages=300,topics=3,seed=5", ["Mountain Bike"])
    assert len(taxonomy.categories) == 3
    assert all(category.examples for category in taxonomy.categories)


def test_a_page_of_two_topics_is_an_example_of_the_first():
    topics = [
        BedTopic(name, name, (), f"A.{name}", examples=("http://x.test/", f"http://{name}.test/")) for name in "bc"
    ]
    assert list(taxonomy_of_topics(topics).filed()) == [
        ("http://x.test/", "A/b"),
        ("http://b.test/", "A/b"),
        ("http://c.test/", "A/c"),
    ]


def test_the_categories_of_beds_are_paths():
    assert path_of("Top/Arts/St. Ives") == "Top/Arts/St. Ives"
    assert path_of("Geography.African_Geography") == "Geography/African_Geography"
    assert path_of("Embedded Systems v. 2") == "Embedded Systems v. 2"
