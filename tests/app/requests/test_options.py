"""The options of a request: bounds, earlier names, and what a function that takes a request shows of them."""

import inspect
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import lycosa
from lycosa.app.requests.community import CommunityRequest, RefreshRequest
from lycosa.app.requests.hunt import GROUPS, HuntRequest, ResumeRequest
from lycosa.app.requests.option import check_remote, local_options, options_of, remote_options
from lycosa.app.requests.rounds import RoundsRequest
from lycosa.app.requests.seeds import SeedsRequest
from lycosa.system.errors import Code, Refused
from lycosa.web.made import Made

WEB = "made:pages=100,topics=2,seed=5"
SEEDS = ["http://a.test/"]
PLAIN = (str, int, float, bool, Path)


@pytest.fixture
def planned(tmp_path):
    """planned(...) begins a hunt with these options, and gives its plan."""

    def plan(**options):
        with lycosa.hunt("spiders", SEEDS, out=tmp_path / "c", **options) as hunt:
            return hunt.plan

    return plan


@pytest.mark.parametrize(
    ("field", "value", "fix"),
    [
        ("pages", -1, "0 or more"),
        ("bytes", 0, "1 or more"),
        ("bytes", 2**70, "at most"),
        ("seconds", 0, "more than 0"),
        ("seconds", float("nan"), "more than 0"),
        ("until", 0, "more than 0 and less than 1"),
        ("until", 1, "more than 0 and less than 1"),
        ("relevant", 1.1, "more than 0 and at most 1"),
        ("delay", -0.1, "0 or more"),
        ("delay", float("inf"), "at most"),
        ("workers", 0, "1 or more"),
        ("per_host", 0, "1 or more"),
        ("timeout", 0, "more than 0"),
        ("retries", -1, "0 or more"),
        ("reach", 0, "1 or more"),
        ("random_seed", 2**60, "at most"),
    ],
)
def test_a_number_out_of_bounds_is_refused_with_code_and_field(field, value, fix):
    with pytest.raises(Refused) as refused:
        HuntRequest("spiders", SEEDS, **{field: value})
    assert (refused.value.code, refused.value.field) == (Code.OUT_OF_RANGE, field)
    assert field.replace("_", " ") in refused.value.problem
    assert fix in refused.value.fix and "--" not in str(refused.value)


def test_numbers_at_their_bounds_are_taken():
    HuntRequest(pages=0, bytes=1, seconds=0.1, delay=0, spread=1, retries=0, relevant=1, outage=0, random_seed=-(2**53))
    with pytest.raises(Refused):
        ResumeRequest("c", until=1)
    with pytest.raises(Refused):
        RoundsRequest(rounds=0)


def test_long_texts_and_lists_are_only_for_the_owner_of_the_machine():
    for long in ({"keywords": "x" * 2001}, {"seeds": SEEDS * 1001}, {"settings": {str(n): 1 for n in range(101)}}):
        request = HuntRequest(**long)
        with pytest.raises(Refused) as refused:
            check_remote(request)
        assert (refused.value.code, refused.value.field) == (Code.OUT_OF_RANGE, next(iter(long)))


@pytest.mark.parametrize("kind", [HuntRequest, RoundsRequest])
def test_every_option_has_a_sentence_and_a_group(kind):
    for field in options_of(kind):
        assert field.option.help.endswith("."), field.name
        assert field.option.group in GROUPS, field.name
        assert field.type in PLAIN or field.is_list or field.is_table, field.name


def test_other_machines_can_set_no_option_that_reads_files_or_decides_how_the_web_is_asked():
    remote = {field.name for field in remote_options(HuntRequest)}
    assert {"keywords", "seeds", "seeds_from", "pages", "strategy", "settings", "judge", "delay", "name"} <= remote
    files = {"background", "taxonomy", "seeds_file", "bed", "replay", "inlinks", "past", "out", "ca"}
    network = {"proxy", "allow", "resolve", "robots", "nofollow", "contact", "agent", "workers", "processes", "timeout"}
    assert not remote & (files | network)


# Earlier names


@pytest.mark.parametrize(
    ("old", "new", "value", "of"),
    [
        ("seed", "random_seed", 7, lambda plan: plan.seed),
        ("dice", "random_seed", 7, lambda plan: plan.seed),
        ("share", "until", 0.5, lambda plan: plan.budget.share),
    ],
)
def test_an_earlier_name_works_with_a_warning_that_names_the_new_one(planned, old, new, value, of):
    with pytest.warns(DeprecationWarning, match=f"^{old} is now called {new}$") as warned:
        plan = planned(**{old: value})
    assert of(plan) == value
    assert [each.filename for each in warned] == [__file__], "the warning points at the caller"


def test_an_earlier_name_works_for_a_hunt_that_goes_on(tmp_path):
    with lycosa.hunt(
        "spiders", Made(pages=100, topics=2, seed=5).topics[0].examples, replay=WEB, out=tmp_path / "c", pages=1
    ) as hunt:
        list(hunt)
    with pytest.warns(DeprecationWarning, match="share is now called until"):
        hunt = lycosa.resume(tmp_path / "c", share=0.5)  # type: ignore[call-arg]
    with hunt:
        assert hunt.plan.budget.share == 0.5


@pytest.mark.parametrize(
    ("group", "new", "of"),
    [
        ({"http": {"obey_robots": False}}, "robots", lambda plan: plan.http.obey_robots is False),
        ({"http": {"obey_nofollow": False}}, "nofollow", lambda plan: plan.http.obey_nofollow is False),
        ({"http": {"timeout_total": 9.0}}, "timeout", lambda plan: plan.http.timeout_total == 9.0),
        ({"http": {"proxy": "http://h.test:1"}}, "proxy", lambda plan: plan.http.proxy == "http://h.test:1"),
        ({"rules": {"per_host": 3}}, "per_host", lambda plan: plan.rules.per_host == 3),
        ({"sources": {"inlinks": (WEB,)}}, "inlinks", lambda plan: plan.sources.inlinks == (WEB,)),
    ],
)
def test_an_earlier_group_works_with_a_warning_that_names_its_options(planned, group, new, of):
    with pytest.warns(DeprecationWarning, match=rf"^{next(iter(group))}={{...}} is now .*: {new}$") as warned:
        assert of(planned(**group))
    assert [each.filename for each in warned] == [__file__], "the warning points at the caller"


def test_refiled_examples_in_the_earlier_group_become_an_option():
    with (
        pytest.warns(DeprecationWarning, match="single options: refile$"),
        pytest.raises(Refused, match="taxonomy"),
    ):
        lycosa.hunt("spiders", SEEDS, replay=WEB, sources={"refiled": {"http://a.test/": "Top"}})  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("strateggy", "strategy"), ("page", "pages"), ("perhost", "per_host"), ("randomseed", "random_seed")],
)
def test_an_unknown_argument_is_refused_with_the_nearest_known_name(tmp_path, wrong, meant):
    with pytest.raises(Refused, match=f"unknown option '{wrong}': did you mean '{meant}") as refused:
        lycosa.hunt("spiders", SEEDS, out=tmp_path / "c", **{wrong: 1})
    assert (refused.value.code, refused.value.field) == (Code.UNKNOWN_NAME, wrong)
    assert not (tmp_path / "c").exists()
    with pytest.raises(Refused, match="did you mean 'workers'"):
        lycosa.resume(tmp_path / "c", worker=1)  # type: ignore[call-arg]


def test_what_only_a_server_knows_is_no_argument():
    with pytest.raises(Refused, match="unknown option 'name'"):
        lycosa.hunt("spiders", SEEDS, name="mine")
    with pytest.raises(Refused, match="unknown option 'retries'"):
        lycosa.resume("c", retries=9)  # type: ignore[call-arg]


# What editors and people see


def test_the_signature_of_hunt_shows_every_option_with_a_plain_type():
    shown = inspect.signature(lycosa.hunt).parameters
    assert list(shown) == [field.name for field in local_options(HuntRequest)]
    positional = [name for name, each in shown.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    assert positional == ["keywords", "seeds"]
    assert all(each.kind is each.KEYWORD_ONLY for name, each in shown.items() if name not in positional)
    for each in shown.values():
        parts = [part for part in typing.get_args(each.annotation) if part is not type(None)]
        kind = typing.get_origin(each.annotation)
        assert each.annotation in PLAIN or kind in (Sequence, Mapping) or parts[0] in PLAIN, str(each)
    usual = {"pages": 500, "strategy": "apprentice", "seeds": (), "settings": {}, "proxy": None, "random_seed": 1}
    assert {name: shown[name].default for name in usual} == usual
    assert str(shown["until"]) == "until: float | None = None"


def test_the_signature_of_resume_shows_that_the_folder_is_needed():
    folder, *rest = inspect.signature(lycosa.resume).parameters.values()
    assert (folder.name, folder.default, folder.kind) == ("folder", folder.empty, folder.POSITIONAL_OR_KEYWORD)
    assert not any(each.default for each in rest) and "until" in [each.name for each in rest]


def test_a_function_that_takes_a_request_keeps_its_name_and_its_words():
    assert lycosa.hunt.__name__ == "hunt" and lycosa.hunt.__doc__.startswith("Begin a hunt")


def test_keywords_and_seeds_are_given_by_position_or_by_name():
    assert HuntRequest("a", SEEDS) == HuntRequest(keywords="a", seeds=SEEDS)
    with pytest.raises(TypeError):
        HuntRequest("a", SEEDS, "cosine")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "proxy", ["http://me:s3cret@proxy.test:3128", "me:s3cret@proxy.test", "http://me:s3c@ret@proxy.test:99999"]
)
def test_a_request_hides_the_password_of_a_proxy(proxy):
    for request in (HuntRequest("a", proxy=proxy), RoundsRequest("a", proxy=proxy), ResumeRequest("c", proxy=proxy)):
        for shown in (repr(request), str(request), f"{[request]}"):
            assert "s3c" not in shown and "ret@" not in shown and "me:" not in shown
            assert "proxy='****@proxy.test" in shown and type(request).__name__ in shown
    assert "proxy='http://proxy.test:1'" in repr(HuntRequest(proxy="http://proxy.test:1"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pages", "500"),
        ("pages", 1.5),
        ("delay", "x"),
        ("pages", True),
        ("seeds", "http://a.test/"),
        ("within", "a.test"),
        ("settings", "a=1"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_by_its_field(field, value):
    with pytest.raises(Refused) as refused:
        HuntRequest(**{"keywords": "spiders", field: value})
    assert (refused.value.code, refused.value.field) == (Code.BAD_VALUE, field)


@pytest.mark.parametrize("kind", [HuntRequest, SeedsRequest, CommunityRequest, RefreshRequest, ResumeRequest])
def test_no_request_shows_the_login_of_a_proxy(kind):
    named = {"folder": "c"} if "folder" in kind.__struct_fields__ else {}
    request = kind(**named, proxy="http://me:s3cret@a.test:1")
    assert "s3cret" not in repr(request) and "s3cret" not in str(request.__rich_repr__())
    assert "a.test:1" in repr(request)


def test_none_stands_for_an_empty_list_or_table_as_in_the_last_version(tmp_path):
    options: dict[str, Any] = {"settings": None, "within": None, "http": None}
    with lycosa.hunt("spiders", SEEDS, out=tmp_path / "c", replay=WEB, **options) as hunt:
        assert hunt.plan.settings == {}


@pytest.mark.parametrize("given", [{"within": ["a" * 10_000]}, {"settings": {"x" * 10_000: 1}}, {"pages": 0}])
def test_another_machine_has_bounds_of_its_own(given):
    request = HuntRequest("spiders", SEEDS, **given)
    with pytest.raises(Refused) as refused:
        check_remote(request)
    assert refused.value.code == Code.OUT_OF_RANGE and len(str(refused.value)) < 300


def test_no_limit_of_pages_is_zero_and_none_is_its_earlier_name(tmp_path):
    options: dict[str, Any] = {"pages": None}
    with (
        pytest.warns(DeprecationWarning, match="pages=0"),
        lycosa.hunt("spiders", SEEDS, out=tmp_path / "c", replay=WEB, **options) as hunt,
    ):
        assert hunt.plan.budget.pages is None
