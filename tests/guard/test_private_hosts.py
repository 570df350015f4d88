"""Only the hosts that the operator names may be private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.httpobj import urlparse_cached

from wikicrawler.errors import ConfigError
from wikicrawler.guard.private_hosts import AddressPolicy, host_and_port
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from pathlib import Path


def policy(*hosts: str, **settings: Any) -> AddressPolicy:
    return AddressPolicy(Settings({"WIKICRAWLER_PRIVATE_HOSTS": list(hosts)} | settings))


def test_an_allowed_url_allows_its_host_on_its_port_only() -> None:
    named = policy()
    named.allow_url("http://wiki.internal/wiki/A")
    named.allow_url("https://127.0.0.1:8443/")
    assert named.allows("wiki.internal", 80, "10.0.0.1")
    assert named.allows("WIKI.internal.", 80, "10.0.0.1")
    assert named.allows("127.0.0.1", 8443, "127.0.0.1")
    assert not named.allows("wiki.internal", 443, "10.0.0.1")
    assert not named.allows("127.0.0.1", 6379, "127.0.0.1")
    assert not named.allows("other.internal", 80, "10.0.0.1")
    assert named.allows("other.example", 80, "8.8.8.8")


def test_the_setting_allows_hosts_ports_and_networks() -> None:
    named = policy("wiki.internal", "127.0.0.1:8080", "[::1]:8080", "10.1.0.0/16", "fd00::/8")
    assert named.allows("wiki.internal", 12345, "192.168.0.1")
    assert named.allows("127.0.0.1", 8080, "127.0.0.1")
    assert named.allows("::1", 8080, "::1")
    assert not named.allows("127.0.0.1", 8081, "127.0.0.1")
    assert named.allows("any.example", 80, "10.1.2.3")
    assert named.allows("any.example", 80, "fd00::7")
    assert not named.allows("any.example", 80, "10.2.0.1")


def test_the_wikis_and_domains_of_the_configuration_are_allowed(tmp_path: Path) -> None:
    config = tmp_path / "wiki.yml"
    config.write_text(
        "mediawiki_sites:\n  wiki.internal: http://api.internal:8080/api.php\n"
        "domains:\n  intranet.internal: {delay: 1}\n"
    )
    named = policy(WIKICRAWLER_CONFIG=str(config))
    for host, port in (("wiki.internal", 443), ("api.internal", 8080), ("intranet.internal", 80)):
        assert named.allows(host, port, "10.0.0.1")
    assert not named.allows("api.internal", 80, "10.0.0.1")


def test_a_proxy_of_the_environment_is_not_allowed_to_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    named = policy()
    assert not named.allows("127.0.0.1", 3128, "127.0.0.1")
    assert not named.is_named("127.0.0.1", 3128)
    assert named.services.setting_of("127.0.0.1", 3128) == "http_proxy in the environment"


def resolve(named: AddressPolicy, url: str, *addresses: str) -> list[str]:
    """Return those *addresses* of the host of *url* to which the crawl may connect."""
    host, port = host_and_port(url) or ("", 0)
    named.note_addresses(host, port, addresses)
    return [address for address in addresses if named.allows(host, port, address)]


@pytest.mark.parametrize(
    "url",
    ["http://wiki.example.org/", "https://EVIL.com./x", "http://xn--bcher-kva.com:8080/"],
)
def test_a_seed_that_looks_public_may_have_a_private_address(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    named = policy()
    named.allow_url(url)
    assert resolve(named, url, "10.0.0.7") == ["10.0.0.7"]
    assert resolve(named, url, "10.0.0.8") == ["10.0.0.8"]
    (warning,) = [r.getMessage() for r in caplog.records]
    assert "10.0.0.7" in warning
    assert "WIKICRAWLER_PRIVATE_HOSTS" in warning


@pytest.mark.parametrize("first", [["203.0.114.1"], ["10.0.0.7", "203.0.114.1"]])
def test_a_seed_that_has_had_a_public_address_has_no_private_one(
    first: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    named = policy()
    url = "http://rebind.example.org/"
    named.allow_url(url)
    assert resolve(named, url, *first) == ["203.0.114.1"]
    for address in ("127.0.0.1", "169.254.169.254", "10.0.0.7", "::1"):
        assert resolve(named, url, address) == []
    assert resolve(named, url, "203.0.114.2") == ["203.0.114.2"]
    assert not caplog.records


def test_a_private_address_of_a_seed_does_not_outlive_a_public_one() -> None:
    named = policy()
    url = "http://rebind.example.org/"
    named.allow_url(url)
    assert resolve(named, url, "10.0.0.7") == ["10.0.0.7"]
    assert resolve(named, url, "203.0.114.1") == ["203.0.114.1"]
    assert resolve(named, url, "10.0.0.7") == []


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://wiki/", "http://wiki.internal/"]
)
def test_a_seed_that_looks_private_may_change_its_address(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    named = policy()
    named.allow_url(url)
    for address in ("203.0.114.1", "10.0.0.7", "127.0.0.1"):
        assert resolve(named, url, address) == [address]
    assert not caplog.records


def test_a_listed_host_may_change_its_address(caplog: pytest.LogCaptureFixture) -> None:
    for entry in ("wiki.example.org", "wiki.example.org:80", "10.0.0.0/8"):
        named = policy(entry)
        named.allow_url("http://wiki.example.org/")
        for address in ("203.0.114.1", "10.0.0.7"):
            assert resolve(named, "http://wiki.example.org/", address) == [address]
    assert not [r for r in caplog.records if "203" in r.getMessage()]


def test_a_domain_of_the_configuration_that_looks_public_is_doubted(tmp_path: Path) -> None:
    config = tmp_path / "wiki.yml"
    config.write_text("domains:\n  wiki.example.org: {delay: 1}\n")
    named = policy(WIKICRAWLER_CONFIG=str(config))
    url = "https://wiki.example.org/"
    assert resolve(named, url, "203.0.114.1") == ["203.0.114.1"]
    assert resolve(named, url, "169.254.169.254") == []


@pytest.mark.parametrize("entry", ["http://x/", "a/b", "me@host", "host:99999", "10.0.0.1/8", ""])
def test_an_invalid_entry_is_a_configuration_error(entry: str) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_PRIVATE_HOSTS"):
        policy(entry)


URLS = st.one_of(
    st.text(),
    st.text(st.sampled_from("htps:/\\.@[]%#? 1aA"), max_size=30).map("http://{}".format),
)


@given(URLS)
def test_host_and_port_accepts_any_text(url: str) -> None:
    place = host_and_port(url)
    if place is not None:
        host, port = place
        assert host == host.lower()
        assert not host.endswith(".")
        assert 0 <= port < 65536


@given(URLS)
def test_host_and_port_are_those_that_scrapy_connects_to(url: str) -> None:
    try:
        final = parse_url(url)
    except ValueError:
        return
    parts = urlparse_cached(Request(final))
    assert host_and_port(final) == (
        parts.hostname,
        parts.port or 80 + 363 * (parts.scheme == "https"),
    )
    named = policy()
    named.allow_url(final)
    assert named.allows(*(host_and_port(final) or ("", 0)), "127.0.0.1")
    assert not named.allows("other.test", 80, "127.0.0.1")
