"""Names lead to folders through a table, and to nothing else."""

import pytest

from lycosa.app.jobs import Conflict, Unknown
from lycosa.app.jobs.catalog import Catalog, slug
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused


def collection(folder):
    Collection.create(folder).close()
    return folder


@pytest.fixture
def shelf(tmp_path):
    collection(tmp_path / "home" / "spiders")
    collection(tmp_path / "secret")
    return Catalog(tmp_path / "home")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../secret",
        "spiders/../../secret",
        "spiders/",
        "/etc",
        "%2e%2e%2fsecret",
        "..\\secret",
        "spiders\0",
        "spiders\n",
        "\ud800",
        "x" * 5000,
        ".desk",
        "SPIDERS",
    ],
)
def test_a_name_that_is_no_name_leads_nowhere(shelf, name):
    with pytest.raises(Unknown):
        shelf.place(name)
    with pytest.raises(Refused):
        shelf.make(name or "?", "words")


def test_an_absolute_folder_is_no_name(shelf, tmp_path):
    for folder in (tmp_path / "secret", tmp_path / "home" / "spiders"):
        with pytest.raises(Unknown):
            shelf.place(str(folder))


def test_each_kind_of_folder_is_found_wherever_it_was_given(tmp_path):
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "community.json").write_text("{}")
    (tmp_path / "club" / "current").symlink_to(collection(tmp_path / "club" / "generations" / "0001"))
    (tmp_path / "more" / "lab-schools").mkdir(parents=True)
    (tmp_path / "more" / "lab-schools" / "report.html").touch()
    collection(tmp_path / "more" / "Wölfe & Spinnen")
    (tmp_path / "more" / "notes").mkdir()
    collection(tmp_path / "home" / "spiders")
    shelf = Catalog(tmp_path / "home", [tmp_path / "club", tmp_path / "more", tmp_path / "home"])
    assert [(place.name, place.kind) for place in shelf.places()] == [
        ("club", "community"),
        ("lab-schools", "lab"),
        ("spiders", "collection"),
        ("wolfe-spinnen", "collection"),
    ]
    assert shelf.place("club", "community").folder == tmp_path / "club"
    with pytest.raises(Unknown):
        shelf.place("club", "collection")


def test_folders_of_the_same_name_have_different_names_that_stay(tmp_path):
    given = [collection(tmp_path / part / "spiders") for part in "ab"]
    shelf = Catalog(tmp_path / "home", given)
    assert {place.name: place.folder for place in shelf.places()} == {"spiders": given[0], "spiders-2": given[1]}
    made = shelf.make("", "spiders")
    assert made.name == "spiders-3"
    assert {place.name: place.folder for place in Catalog(tmp_path / "home", given).places()} == {
        "spiders": given[0],
        "spiders-2": given[1],
    }
    collection(made.folder)
    assert shelf.place("spiders-2").folder == given[1]
    again = Catalog(tmp_path / "home", given)
    assert again.named(made.folder) == "spiders-3"
    assert {again.named(folder) for folder in given} == {"spiders", "spiders-2"}


def test_a_folder_that_appears_is_found_and_one_that_goes_is_not(shelf, tmp_path):
    with pytest.raises(Unknown):
        shelf.place("later")
    collection(tmp_path / "home" / "later")
    assert shelf.place("later", "collection")
    (tmp_path / "home" / "later" / "log.sqlite").unlink()
    with pytest.raises(Unknown):
        shelf.place("later")


def test_a_name_is_taken_only_once(shelf):
    with pytest.raises(Conflict):
        shelf.make("spiders", "")
    assert shelf.make("wolves", "").folder.is_dir()
    with pytest.raises(Conflict):
        shelf.make("wolves", "")


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(Refused):
        Catalog(tmp_path, [tmp_path / "nothing"])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("wolf spiders", "wolf-spiders"),
        ("  ", "hunt"),
        ("蜘蛛", "hunt"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 500, "a" * 60),
        ("x.y_z-1", "x.y_z-1"),
    ],
)
def test_words_become_a_name(words, name):
    assert slug(words) == name


def test_a_long_name_is_the_same_after_a_restart(tmp_path):
    name = "a" * 80
    assert Catalog(tmp_path).make(name, "").name == name
    (tmp_path / name / "log.sqlite").touch()
    assert [place.name for place in Catalog(tmp_path).places()] == [name]


def test_a_text_names_no_folder_and_leaves_urls_as_they_are(shelf):
    folder = shelf.place("spiders").folder
    assert shelf.pathless(f"{folder}/log.sqlite in '{folder}'") == "spiders/log.sqlite in 'spiders'"
    assert shelf.pathless(f"http://a.test{folder}/x is no page") == f"http://a.test{folder}/x is no page"
    urls = "the seeds http://[::1]/a/b/c, http://a.test/wiki/Wolf_(spider)/b/c, https://a.test/?to=/a/b/c"
    assert shelf.pathless(f"{urls} of '/home/me/seeds/list.txt' (/etc/lycosa/x)") == f"{urls} of 'list.txt' (x)"
