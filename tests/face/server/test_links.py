"""A symbolic link that leads out of a folder is neither listed nor served nor written through: over real HTTP."""

import json
import shutil

import httpx
import pytest

SECRET = "nobody is to read this"


@pytest.fixture(scope="module")
def outside(furnished, tmp_path_factory):
    """What lies beside the home and must not be reached."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.svg").write_text(SECRET)
    (folder / "secret.html").write_text(f"<title>{SECRET}</title>")
    shutil.copytree(furnished / "spiders", folder / "spiders", symlinks=True)
    shutil.copytree(furnished / "club", folder / "club", symlinks=True)
    return folder


@pytest.fixture
def running(serving, furnished, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(furnished, home, symlinks=True)
    with serving(home) as server:
        yield server


def names(running, of="hunts"):
    return {each["name"] for each in httpx.get(f"{running.url}/api/{of}").json()}


def test_of_an_experiment_whose_figures_are_a_link_the_report_is_served_and_no_figure(running, outside):
    experiment = running.home / "experiment"
    shutil.rmtree(experiment / "figures")
    (experiment / "figures").symlink_to(outside)
    (experiment / "tables").mkdir(exist_ok=True)
    (experiment / "tables" / "secret.svg").symlink_to(outside / "secret.svg")
    (experiment / "tables" / "deeper").symlink_to(outside)
    (experiment / "tables" / "own.csv").write_text("a,b")
    (found,) = httpx.get(f"{running.url}/api/lab").json()
    assert "tables/own.csv" in found["files"] and not [name for name in found["files"] if "secret" in name]
    for name in ("figures/secret.svg", "tables/secret.svg", "tables/deeper/secret.svg"):
        answer = httpx.get(f"{running.url}/api/lab/experiment/{name}")
        assert answer.status_code == 400 and SECRET not in answer.text
    own = httpx.get(f"{running.url}/api/lab/experiment/tables/own.csv")
    assert own.text == "a,b" and own.headers["content-length"] == "3"
    assert httpx.get(f"{running.url}/api/lab/experiment/report.html").status_code == 200


def test_a_report_that_is_a_link_is_neither_served_nor_is_its_title_told(running, outside):
    report = running.home / "experiment" / "report.html"
    report.unlink()
    report.symlink_to(outside / "secret.html")
    answers = [httpx.get(f"{running.url}/api/lab"), httpx.get(f"{running.url}/api/lab/experiment/report.html")]
    assert all(SECRET not in answer.text for answer in answers)
    assert answers[1].status_code in (400, 404)


def test_a_link_in_the_home_that_leads_out_of_it_is_no_collection(running, outside):
    (running.home / "stranger").symlink_to(outside / "spiders")
    (running.home / "strangers").symlink_to(outside / "club")
    (running.home / "alias").symlink_to("spiders")
    assert names(running) == {"spiders", "club", "experiment"}
    for route in ("hunts/stranger", "collections/stranger/hubs", "communities/strangers", "hunts/stranger/pages"):
        assert httpx.get(f"{running.url}/api/{route}").status_code == 404


@pytest.mark.parametrize("part", ["log.sqlite", "pages", "index", "judgements.jsonl", "graph.sqlite"])
def test_a_collection_a_part_of_which_is_a_link_that_leads_out_is_not_served(running, outside, part):
    assert httpx.get(f"{running.url}/api/search", params={"query": "a", "collection": "spiders"}).status_code == 200
    own, target = running.home / "spiders" / part, outside / "spiders" / part
    if own.is_dir():
        shutil.rmtree(own)
    else:
        own.unlink(missing_ok=True)
    own.symlink_to(target)
    before = {each: each.stat().st_mtime_ns for each in outside.rglob("*") if each.is_file()}
    assert "spiders" not in names(running)
    for route in (
        "hunts/spiders",
        "collections/spiders/hubs",
        "search?query=a&collection=spiders",
        "collections/spiders/export",
    ):
        answer = httpx.get(f"{running.url}/api/{route}")
        assert answer.status_code == 400 and "symbolic link" in answer.json()["problem"]
        assert str(outside) not in answer.text
    said = {"judgements": [{"url": "http://a.test/", "relevant": True}]}
    assert httpx.post(f"{running.url}/api/hunts/spiders/judgements", json=said).status_code == 400
    assert {each: each.stat().st_mtime_ns for each in outside.rglob("*") if each.is_file()} == before


def test_a_community_whose_current_generation_is_elsewhere_is_not_served(running, outside):
    club = running.home / "club"
    (club / "current").unlink()
    (club / "current").symlink_to((outside / "club" / "current").resolve())
    assert "club" not in names(running)
    assert httpx.get(f"{running.url}/api/communities/club").status_code == 400
    assert httpx.get(f"{running.url}/api/search", params={"query": "a", "collection": "club"}).status_code == 400


def test_a_home_and_a_collection_that_are_named_through_links_are_served(serving, furnished, outside, tmp_path):
    shutil.copytree(furnished, tmp_path / "real", symlinks=True)
    (tmp_path / "home").symlink_to("real")
    (tmp_path / "other").symlink_to(outside / "spiders")
    with serving(tmp_path / "home", (tmp_path / "other",)) as running:
        assert {"spiders", "spiders-2", "club", "experiment"} == names(running)
        assert httpx.get(f"{running.url}/api/search", params={"query": "a"}).status_code == 200


def test_exports_of_agents_and_the_notes_of_the_desk_stay_in_the_home(furnished, outside, tmp_path):
    from lycosa.app.jobs import HuntJobs
    from lycosa.face.mcp.agent_budget import AgentBudget
    from lycosa.face.mcp.collections import CollectionTools
    from lycosa.face.mcp.tool_context import ToolContext
    from lycosa.system.errors import Refused
    from lycosa.system.private_files import PrivateFolder

    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    shutil.copytree(furnished, home, symlinks=True)
    elsewhere.mkdir()
    jobs = HuntJobs(home)
    shelf = CollectionTools(ToolContext(jobs, AgentBudget(jobs, 1, 1)))
    (home / "exports").symlink_to(elsewhere)
    with pytest.raises(Refused, match="leads out of"):
        shelf.export_collection("spiders", "csv")
    shutil.rmtree(home / ".desk", ignore_errors=True)
    (home / ".desk").symlink_to(elsewhere)
    with pytest.raises(Refused, match="leads out of"):
        HuntJobs(home).make_home()
    (home / ".companion").symlink_to(elsewhere)
    (elsewhere / "state.json").write_text(json.dumps({}))
    with pytest.raises(Refused, match="leads out of"):
        PrivateFolder(home / ".companion").write("state.json", {})
    assert [each.name for each in elsewhere.iterdir()] == ["state.json"]
