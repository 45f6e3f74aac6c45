"""What may be a key to something, or does something when it is opened, is left alone."""

import pytest

from lycosa.app.companion.safety import host_names, is_excluded, is_private, may_follow


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/",
        "http://a.test/articles/2024-05-12-how-wireless-sensors-work.html",
        "https://en.a.test/wiki/Internationalization_and_localization",
        "http://a.test/account-of-the-war.html",
        "http://a.test/abs/cond-mat/0703470v2",
    ],
)
def test_a_plain_address_is_followed(url):
    assert may_follow(url)
    assert not is_private(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/page?id=3",
        "http://a.test/unsubscribe",
        "http://a.test/user/logout.php",
        "http://a.test/confirm/me",
        "http://a.test/reset-password/",
        "http://a.test/cart/",
        "http://a.test/d/1A2bC3dE4fG5hI6jK7lM8nO9pQ/edit",
        "http://a.test/s/3f2a4b6c-1111-2222-3333-444455556666",
        "http://mail.a.test/inbox",
        "https://login.a.test/",
    ],
)
def test_an_address_that_may_be_a_key_or_an_action_is_not_followed(url):
    assert not may_follow(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/page?token=x",
        "http://a.test/page?a=1&session_id=x",
        "http://a.test/?q=1A2bC3dE4fG5hI6jK7lM8nO9pQ",
        "http://a.test/d/1A2bC3dE4fG5hI6jK7lM8nO9pQ/edit",
        "https://webmail.a.test/inbox",
        "https://banking.a.test/",
    ],
)
def test_an_address_can_say_that_its_page_is_private(url):
    assert is_private(url)


def test_a_usual_query_makes_no_page_private():
    assert not is_private("http://a.test/search?q=wolf+spiders&page=2")


def test_a_host_is_left_alone_with_all_beneath_it_and_nothing_else():
    excluded = host_names(
        ["https://Bank.example/login", "*.mail.example", "münchen.example:8080", "no host", "", "[::1]"]
    )
    assert excluded == ("bank.example", "mail.example", "xn--mnchen-3ya.example", "[::1]")
    for url in (
        "http://bank.example/",
        "https://www.bank.example:8443/x",
        "http://a.mail.example/",
        "http://[::1]:80/",
    ):
        assert is_excluded(url, excluded)
    for url in ("http://notbank.example/", "http://example/", "http://bank.example.org/", "http://[::2]/"):
        assert not is_excluded(url, excluded)
