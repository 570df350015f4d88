"""``login`` and ``proxy`` of ``sources.yml``: what they mean, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.config import Config
from wikicrawler.credentials.logins import origin_of
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

API = "https://wiki.example.org/w/api.php"


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Config]:
    def load(text: str) -> Config:
        path = tmp_path / "sources.yml"
        path.write_text(text)
        return Config.from_file(path)

    return load


def with_login(login: str) -> str:
    return f"mediawiki_sites:\n  wiki.example.org:\n    api: {API}\n    login: {login}\n"


def with_proxy(proxy: str) -> str:
    return f"domains:\n  wiki.example.org:\n    proxy: {proxy}\n"


@pytest.mark.parametrize(
    ("login", "text"),
    [
        (
            "{user: Reader@bot, password: {env: P}}",
            "bot password Reader@bot (environment variable P)",
        ),
        ("{user: Reader, password: {key: a.b}}", "account Reader (key a.b of the secrets file)"),
        ("{token: {env: TOKEN_1}}", "access token (environment variable TOKEN_1)"),
    ],
)
def test_a_log_in(load: Callable[[str], Config], login: str, text: str) -> None:
    config = load(with_login(login))
    assert config.access_of("https://wiki.example.org/wiki/A") == (text, None)
    assert "log-in" in config.only_ours("https://wiki.example.org/wiki/A")


@pytest.mark.parametrize(
    "url",
    [
        "http://wiki.example.org/wiki/A",
        "https://wiki.example.org:8443/wiki/A",
        "https://en.wiki.example.org/wiki/A",
        "https://example.org/wiki/A",
        "https://wiki.example.org.evil.example/wiki/A",
        "ftp://wiki.example.org/",
        "not a URL",
    ],
)
def test_a_log_in_is_for_one_scheme_host_and_port(load: Callable[[str], Config], url: str) -> None:
    config = load(with_login("{token: {env: T}}"))
    assert config.login_of(url) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x", "HTTPS://A.example:443/y"),
        ("http://[::1]:8080/", "http://[::1]:8080/a"),
        ("http://a.example./", "http://a.example/"),
        ("http://user:pass@a.example/", "http://a.example/"),
    ],
)
def test_one_origin_in_several_spellings(one: str, other: str) -> None:
    assert origin_of(one) == origin_of(other) != ""


@pytest.mark.parametrize(
    ("proxy", "text"),
    [
        ("http://proxy.internal:3128", "http://proxy.internal:3128"),
        ("http://PROXY.internal:3128/", "http://proxy.internal:3128"),
        ("{url: 'http://10.0.0.1:8'}", "http://10.0.0.1:8"),
        (
            "{url: 'http://p:8', user: me, password: {env: P}}",
            "http://p:8 (user me, environment variable P)",
        ),
    ],
)
def test_a_proxy(load: Callable[[str], Config], proxy: str, text: str) -> None:
    config = load(with_proxy(proxy))
    assert config.access_of("http://en.wiki.example.org/wiki/A") == (None, text)
    assert config.access_of("http://example.org/") == (None, None)
    assert "proxy" in config.only_ours("http://wiki.example.org/")
    assert config.only_ours("http://example.org/") == ""


SECRET = "hunter2-hunter2"  # noqa: S105


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_login(f"{{user: R@b, password: {SECRET}}}"), "is not the place of a secret"),
        (with_login(f"{{user: R@b, password: {{env: '{SECRET}!'}}}}"), "is not the name of"),
        (with_login(f"{{user: R@b, password: [{SECRET}]}}"), "is not the place of a secret"),
        (with_login("{user: R@b, password: {env: A, key: b}}"), "needs one of env and key"),
        (with_login("{user: R@b, password: {}}"), "needs one of env and key"),
        (with_login("{user: R@b, password: {env: 17}}"), "is not the name of"),
        (with_login("{user: R@b, password: {key: ''}}"), "is not the name of"),
        (with_login("{user: R@b}"), "needs user and password, or token"),
        (with_login("{password: {env: A}}"), "needs user and password, or token"),
        (with_login("{user: R@b, token: {env: A}}"), "keep one of the two"),
        (with_login("{user: '@b', password: {env: A}}"), "is not a user"),
        (with_login("{user: 'R@', password: {env: A}}"), "is not a user"),
        (with_login("{user: 'R@b@c', password: {env: A}}"), "is not a user"),
        (with_login(f"{{user: {'R' * 256}, password: {{env: A}}}}"), "more than 255 bytes"),
        (with_login("{user: R, passwort: {env: A}}"), "did you mean password?"),
        (with_login(SECRET), "is not a mapping"),
        (with_proxy(f"http://me:{SECRET}@proxy:3128"), "contains a login"),
        (with_proxy("socks5://proxy:1080"), "has the scheme 'socks5'"),
        (with_proxy("https://proxy:3128"), "is not the URL of an HTTP proxy"),
        (with_proxy("http://proxy:3128/path"), "is not the URL of an HTTP proxy"),
        (with_proxy("http://proxy:3128/?a"), "is not the URL of an HTTP proxy"),
        (with_proxy("proxy:3128"), "has no scheme"),
        (with_proxy("{user: me, password: {env: A}}"), "has no url"),
        (with_proxy("{url: 'http://p', user: me}"), "needs both user and password"),
        (with_proxy("{url: 'http://p', user: 'a:b', password: {env: A}}"), "is not a user"),
        (with_proxy(f"{{url: 'http://p', user: a, password: {SECRET}}}"), "place of a secret"),
    ],
)
def test_a_mistake_has_its_line_and_key_and_no_secret(
    load: Callable[[str], Config], text: str, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(text)
    message = str(caught.value)
    assert words in message
    assert "sources.yml:" in message
    assert "wiki.example.org.login" in message or "wiki.example.org.proxy" in message
    if "is not a mapping" not in words:
        assert SECRET not in message


def test_two_log_ins_for_one_host_contradict_each_other(load: Callable[[str], Config]) -> None:
    one = with_login("{token: {env: A}}")
    again = f"  m.example.org:\n    api: {API}\n    login: {{token: {{env: B}}}}\n"
    with pytest.raises(ConfigError, match=r"m\.example\.org\.login: is another log-in"):
        load(one + again)
    load(one + again.replace("env: B", "env: A"))
