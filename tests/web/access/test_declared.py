"""What can be declared about entering a host, and what is refused in one line that shows no secret."""

import msgspec
import pytest

from lycosa.core.nouns import Topic
from lycosa.engine.plan import Plan, load_plan
from lycosa.system.errors import Refused
from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.declared import Access, combined, hidden, read_access
from lycosa.web.http_options import HttpOptions

TYPED = "typed-by-mistake"
LOGIN = {"url": "https://a.test/login", "fields": {"user": "ann", "password": "env:P"}}


@pytest.mark.parametrize(
    ("pattern", "covered", "not_covered"),
    [
        ("a.test", ["https://a.test/", "https://a.test/x?y"], ["http://a.test/", "https://b.a.test/", "https://a.test:8443/"]),
        (".a.test", ["https://a.test/", "https://b.a.test/"], ["http://b.a.test/", "https://ba.test/", "https://b.a.test:1/"]),
        ("a.test:8443", ["https://a.test:8443/"], ["https://a.test/", "https://a.test:844/"]),
        ("https://a.test:443/", ["https://a.test/"], ["http://a.test/"]),
        ("http://a.test", ["http://a.test/"], ["https://a.test/", "http://a.test:8080/"]),
        ("http://a.test:80", ["http://a.test/"], ["http://a.test:8080/"]),
        ("A.Test", ["https://a.test/"], ["https://aa.test/"]),
        ("bücher.test", ["https://xn--bcher-kva.test/"], ["https://bucher.test/"]),
        ("http://[::1]:8000", ["http://[::1]:8000/"], ["http://[::1]/"]),
    ],
)  # fmt: skip
def test_a_scope_is_as_narrow_as_it_is_written(pattern, covered, not_covered):
    scope = AccessScope.read(pattern)
    assert all(map(scope.covers, covered))
    assert not any(map(scope.covers, not_covered))
    assert AccessScope.read(str(scope)) == scope


@pytest.mark.parametrize(
    "pattern", ["", "*", "*.a.test", "a.test/path", "ann@a.test", "ftp://a.test", "a b", "https://", "."]
)
def test_what_is_no_host_is_refused(pattern):
    with pytest.raises(Refused, match="is not a host that can be entered"):
        read_access({pattern: {"bearer": "env:B"}})


def test_single_values_and_tables_say_the_same():
    flat = {
        "a.test:headers.X-Api.Key": "env:KEY",
        "a.test:login.url": "https://a.test/login",
        "a.test:login.fields.form:user.name": "ann",
        "http://b.test:8080:user": "ann",
        "http://b.test:8080:password": "env:P",
    }
    tables = {
        "a.test": {
            "headers": {"X-Api.Key": "env:KEY"},
            "login": {"url": "https://a.test/login", "fields": {"form:user.name": "ann"}},
        },
        "http://b.test:8080": {"user": "ann", "password": "env:P"},
    }
    assert read_access(flat) == read_access(tables)
    assert read_access(read_access(tables)) == read_access(tables)


@pytest.mark.parametrize(
    ("access", "problem"),
    [
        ({}, "says nothing"),
        ({"bearer": TYPED}, "written in clear"),
        ({"user": "ann", "password": TYPED}, "written in clear"),
        ({"user": "ann"}, "a user without a password"),
        ({"password": "env:P"}, "a password without a user"),
        ({"headers": {"X-Api-Key": TYPED}}, "written in clear"),
        ({"headers": {"Authorization": f"Bearer {TYPED}"}}, "written in clear"),
        ({"headers": {"Accept-Language": "de\r\nX: y"}}, "written in clear"),
        ({"headers": {"Host": "env:H"}}, "cannot be set"),
        ({"headers": {"Cookie": "env:H"}}, "cannot be set"),
        ({"headers": {"two words": "env:H"}}, "cannot be set"),
        ({"bearer": "env:B", "user": "ann", "password": "env:P"}, "more than one authorization"),
        ({"bearer": "env:B", "headers": {"authorization": "env:A"}}, "more than one authorization"),
        ({"certificate": "a.pem", "key_password": TYPED}, "written in clear"),
        ({"key": "a.key"}, "a key without a certificate"),
        ({"proxy": f"http://ann:{TYPED}@p.test:1"}, "written with its login"),
        ({"proxy": "nonsense"}, "is not the address of a proxy"),
        ({"login": {**LOGIN, "url": "https://b.test/login"}}, "is somewhere else"),
        ({"login": {**LOGIN, "url": "http://a.test/login"}}, "is somewhere else"),
        ({"login": {**LOGIN, "fields": {}}}, "has no fields"),
        ({"login": {**LOGIN, "fields": {"password": TYPED}}}, "written in clear"),
        ({"login": {**LOGIN, "success": "Welcome"}}, "is no sign"),
        ({"login": {**LOGIN, "ended": "cookie:id"}}, "is no sign"),
        ({"login": {"url": "https://a.test/"}}, "cannot be read"),
        ({"token": TYPED}, "cannot be read"),
        ({"bearer": 4711}, "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_one_line_without_the_secret(access, problem):
    with pytest.raises(Refused, match=problem) as refused:
        read_access({"a.test": access})
    assert refused.value.fix and "\n" not in str(refused.value)
    assert TYPED not in str(refused.value) and "4711" not in str(refused.value)


@pytest.mark.parametrize("name", ["a.test", "a.test:token", "a.test:bearer.x", "a.test:login.when", ":bearer"])
def test_a_single_value_that_says_nothing_is_refused(name):
    with pytest.raises(Refused) as refused:
        read_access({name: TYPED})
    assert TYPED not in str(refused.value)


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({}, "the environment variable B, which is to hold the bearer token of a.test, is not set"),
        ({"B": "two\nlines"}, "in the environment variable B cannot be sent"),
        ({"B": " "}, "in the environment variable B cannot be sent"),
    ],
)
def test_a_seed_whose_host_cannot_be_entered_is_refused(monkeypatch, variables, problem):
    monkeypatch.delenv("B", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    options = HttpOptions(access={"a.test": {"bearer": "env:B"}})
    options.must_be_ready(["https://b.test/"])
    with pytest.raises(Refused, match=problem) as refused:
        options.must_be_ready(["https://a.test/"])
    assert "two" not in str(refused.value)


def test_a_variable_that_holds_no_proxy_is_not_shown(monkeypatch):
    monkeypatch.setenv("B", "two-s3cret-words")
    with pytest.raises(Refused, match=r"the proxy of a\.test is not the address of a proxy: write it like") as refused:
        HttpOptions(access={"a.test": {"proxy": "env:B"}}).must_be_ready(["https://a.test/"])
    assert "s3cret" not in str(refused.value)


def files(folder):
    """Files that cannot be used: the access, its file, its content, its mode, and what is said."""
    cookie = "a.test\tTRUE\t/\tTRUE\t{}\tid\ts3cret\n"
    return [
        ({"bearer": "file:{}"}, None, 0o600, "cannot be read"),
        ({"bearer": "file:{}"}, "s3cret", 0o644, "another user could read or write it: make it private: chmod 600"),
        ({"bearer": "file:{}"}, "s3cret\nmore", 0o600, "cannot be sent"),
        ({"cookies": "{}"}, cookie.format(0), 0o604, "another user could read"),
        ({"cookies": "{}"}, "no cookies at all", 0o600, "is no file of cookies"),
        ({"cookies": "{}"}, "{", 0o600, "is no file of cookies"),
        ({"cookies": "{}"}, '{"cookies": [{"name": "s3cret"}]}', 0o600, "is no file of cookies"),
        ({"cookies": "{}"}, "# Netscape HTTP Cookie File\n", 0o600, "contains no cookies"),
        ({"cookies": "{}"}, cookie.format(0).replace("a.test", "b.test"), 0o600, "has no cookie for a.test"),
        ({"cookies": "{}"}, cookie.format(5), 0o600, "every cookie for a.test in .* has expired"),
        ({"certificate": "{}"}, None, 0o600, "cannot be read"),
        ({"certificate": "{}"}, "s3cret", 0o600, "the client certificate of a.test cannot be used"),
        ({"certificate": "{}", "proxy": "https://p.test:1"}, "s3cret", 0o600, "would be shown to its https:// proxy"),
    ]


@pytest.mark.parametrize("number", range(len(files(None))))
def test_a_file_that_cannot_be_used_is_one_line_without_its_content(tmp_path, number):
    access, content, mode, problem = files(tmp_path)[number]
    file = tmp_path / "file"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    given = {key: value.format(file) for key, value in access.items()}
    with pytest.raises(Refused, match=problem) as refused:
        HttpOptions(access={"a.test": given}).must_be_ready(["https://a.test/"])
    assert "s3cret" not in str(refused.value) and "\n" not in str(refused.value)


def test_a_plan_says_only_which_seeds_were_entered_and_is_not_resumed_without():
    access = {
        "a.test": {"bearer": "env:B"},
        "other.test": {"cookies": "cookies.txt"},
        ".wide.test": {"bearer": "file:x"},
    }
    plan = Plan(
        topic=Topic("words"), seeds=("https://a.test/", "https://sub.wide.test/"), http=HttpOptions(access=access)
    )
    stored = plan.dump()
    assert stored["http"]["access"] == {"a.test": {"hidden": True}, ".wide.test": {"hidden": True}}
    assert "env:B" not in repr(plan.http) and "cookies.txt" not in str(plan)
    http = load_plan(stored).http
    with pytest.raises(Refused, match=r"how to enter a\.test, \.wide\.test is not stored: give the access again"):
        http.must_be_ready()
    some = http.changed({"access": {"a.test:bearer": "env:C"}})
    with pytest.raises(Refused, match=r"how to enter \.wide\.test is not stored"):
        some.must_be_ready()
    some.changed({"access": {"https://wide.test": {"bearer": "env:C"}, ".test": {"bearer": "env:C"}}}).must_be_ready()


def test_a_plan_from_elsewhere_cannot_name_secrets_of_this_machine():
    plan = Plan(topic=Topic("words"), seeds=("https://a.test/",))
    stored = plan.dump()
    stored["http"]["access"] = {"evil.test": {"bearer": "env:HOME", "proxy": "http://evil.test:1"}}
    assert load_plan(stored).http.access == {"evil.test": Access(hidden=True)}


def test_a_plan_of_an_earlier_version_is_read():
    stored = Plan(topic=Topic("words"), seeds=("https://a.test/",)).dump()
    del stored["http"]["access"]
    assert load_plan(stored).http.access == {}


def test_declarations_are_added_host_by_host():
    stored = hidden(read_access({"a.test": {"bearer": "env:A"}, "b.test": {"bearer": "env:B"}}))
    given = read_access({"a.test": {"bearer": "env:C"}})
    assert combined(stored, given) == {"a.test": Access(bearer="env:C"), "b.test": Access(hidden=True)}
    assert msgspec.json.decode(msgspec.json.encode(given), type=dict[str, Access]) == given
