"""What the operator names may be private; nothing beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError
from wikicrawler.guard.policy import AddressPolicy

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
