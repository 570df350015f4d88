"""What the operator names may be private; nothing beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.httpobj import urlparse_cached

from wikicrawler.errors import ConfigError
from wikicrawler.guard.private_hosts import AddressPolicy, place_of
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from pathlib import Path


def policy(*hosts: str, **settings: Any) -> AddressPolicy:
    return AddressPolicy(Settings({"WIKICRAWLER_PRIVATE_HOSTS": list(hosts)} | settings))


def test_a_url_is_named_with_its_port() -> None:
    named = policy()
    named.name("http://wiki.internal/wiki/A")
    named.name("https://127.0.0.1:8443/")
    assert named.allows("wiki.internal", 80, "10.0.0.1")
    assert named.allows("WIKI.internal.", 80, "10.0.0.1")
    assert named.allows("127.0.0.1", 8443, "127.0.0.1")
    assert not named.allows("wiki.internal", 443, "10.0.0.1")
    assert not named.allows("127.0.0.1", 6379, "127.0.0.1")
    assert not named.allows("other.internal", 80, "10.0.0.1")
    assert named.allows("other.example", 80, "8.8.8.8")


def test_the_setting_names_hosts_ports_and_networks() -> None:
    named = policy("wiki.internal", "127.0.0.1:8080", "[::1]:8080", "10.1.0.0/16", "fd00::/8")
    assert named.allows("wiki.internal", 12345, "192.168.0.1")
    assert named.allows("127.0.0.1", 8080, "127.0.0.1")
    assert named.allows("::1", 8080, "::1")
    assert not named.allows("127.0.0.1", 8081, "127.0.0.1")
    assert named.allows("any.example", 80, "10.1.2.3")
    assert named.allows("any.example", 80, "fd00::7")
    assert not named.allows("any.example", 80, "10.2.0.1")


def test_the_configuration_names_its_wikis_and_domains(tmp_path: Path) -> None:
    config = tmp_path / "wiki.yml"
    config.write_text(
        "mediawiki_sites:\n  wiki.internal: http://api.internal:8080/api.php\n"
        "domains:\n  intranet.internal: {delay: 1}\n"
    )
    named = policy(WIKICRAWLER_CONFIG=str(config))
    for host, port in (("wiki.internal", 443), ("api.internal", 8080), ("intranet.internal", 80)):
        assert named.allows(host, port, "10.0.0.1")
    assert not named.allows("api.internal", 80, "10.0.0.1")


def test_the_proxy_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    assert policy().allows("127.0.0.1", 3128, "127.0.0.1")


@pytest.mark.parametrize("entry", ["http://x/", "a/b", "me@host", "host:99999", "10.0.0.1/8", ""])
def test_a_wrong_entry_is_named(entry: str) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_PRIVATE_HOSTS"):
        policy(entry)


URLS = st.one_of(
    st.text(),
    st.text(st.sampled_from("htps:/\\.@[]%#? 1aA"), max_size=30).map("http://{}".format),
)


@given(URLS)
def test_no_url_makes_the_place_fail(url: str) -> None:
    place = place_of(url)
    if place is not None:
        host, port = place
        assert host == host.lower()
        assert not host.endswith(".")
        assert 0 <= port < 65536


@given(URLS)
def test_the_place_of_a_url_that_is_asked_for_is_where_scrapy_connects(url: str) -> None:
    try:
        final = parse_url(url)
    except ValueError:
        return
    parts = urlparse_cached(Request(final))
    assert place_of(final) == (parts.hostname, parts.port or 80 + 363 * (parts.scheme == "https"))
    named = policy()
    named.name(final)
    assert named.allows(*(place_of(final) or ("", 0)), "127.0.0.1")
    assert not named.allows("other.test", 80, "127.0.0.1")
