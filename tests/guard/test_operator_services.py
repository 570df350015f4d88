"""What counts as a service of the operator's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.guard.operator_services import (
    MAX_META_PROXIES,
    OperatorServices,
    known_services,
    places_of,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the developer's environment nor files have a part in the tests."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "PGHOST", "PGPORT"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def found(**settings: Any) -> dict[tuple[str, int], str]:
    plain = dict(known_services(Settings()))
    return {
        place: setting
        for place, setting in known_services(Settings(settings))
        if place not in plain or plain[place] != setting
    }


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("http://127.0.0.1:11235", [("127.0.0.1", 11235)]),
        ("https://Crawl.Example.ORG./", [("crawl.example.org", 443)]),
        ("http://user:pa%40ss@[::1]:3128/", [("::1", 3128)]),
        ("10.0.0.5:3128", [("10.0.0.5", 3128)]),
        ("socks5://proxy", [("proxy", 1080)]),
        ("postgresql://u:p@db.internal/crawl", [("db.internal", 5432)]),
        ("postgresql+psycopg://db:6543/crawl", [("db", 6543)]),
        ("postgres://one,two:5433/crawl", [("one", 5432), ("two", 5433)]),
        ("postgresql:///crawl?host=db&port=6000", [("db", 6000)]),
        ("postgresql:///crawl?host=one:6000,two", [("one", 6000), ("two", 5432)]),
        ("postgresql:///crawl?host=/run/postgresql", []),
        ("postgresql:///crawl", []),
        ("redis://:secret@queue/0", [("queue", 6379)]),
        ("rediss://queue:6380", [("queue", 6380)]),
        ("sqlite:////var/lib/crawl.sqlite", []),
        ("ftp://u:p@files.internal/feed.json", [("files.internal", 21)]),
        ("http://a:1 http://b:2,c:3", [("a", 1), ("b", 2), ("c", 3)]),
        ("pages.jsonl", []),
        ("/srv/pages.jsonl", []),
        ("s3://bucket/pages.jsonl", []),
        ("http://[::1", []),
        ("http://x:99999", []),
        ("", []),
    ],
)
def test_the_places_of_a_setting(text: str, places: list[tuple[str, int]]) -> None:
    assert list(places_of(text)) == places


def test_libpq_has_the_server_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.internal")
    monkeypatch.setenv("PGPORT", "6000")
    assert list(places_of("postgresql:///crawl")) == [("db.internal", 6000)]


def test_each_setting_that_names_a_server_is_marked() -> None:
    # A new setting with such a name is a service, or has to say here that it is none.
    for setting in options.ALL:
        is_service = setting.name.endswith(("_URL", "_WEBHOOK")) or setting is options.FRONTIER
        assert setting.names_service == is_service, setting.name


@pytest.mark.parametrize("name", [setting.name for setting in options.ALL if setting.names_service])
def test_a_service_registers_itself_with_its_setting(name: str) -> None:
    assert found(**{name: "postgresql://server:4321/x"}) == {("server", 4321): name}


@pytest.mark.parametrize(
    ("settings", "services"),
    [
        ({"REDIS_URL": "redis://10.0.0.6"}, {("10.0.0.6", 6379): "REDIS_URL"}),
        ({"REDIS_HOST": "queue", "REDIS_PORT": "6400"}, {("queue", 6400): "REDIS_HOST"}),
        ({"REDIS_HOST": "queue"}, {("queue", 6379): "REDIS_HOST"}),
        ({"MAIL_HOST": "mail.internal"}, {("mail.internal", 25): "MAIL_HOST"}),
        ({"AWS_ENDPOINT_URL": "http://minio:9000"}, {("minio", 9000): "AWS_ENDPOINT_URL"}),
        ({"HTTP_PROXY": "http://10.0.0.5:3128"}, {("10.0.0.5", 3128): "HTTP_PROXY"}),
        (
            {"ROTATING_PROXY_LIST": ["one:8000", "two:8031"]},
            {("one", 8000): "ROTATING_PROXY_LIST", ("two", 8031): "ROTATING_PROXY_LIST"},
        ),
        (
            {"FEEDS": {"ftp://files/x.json": {"format": "json"}, "pages.jsonl": {}}},
            {("files", 21): "FEEDS"},
        ),
        ({"SPLASH_URL": "http://localhost:8050"}, {("localhost", 8050): "SPLASH_URL"}),
        ({"REDIS_URL": None, "FEEDS": None, "PROXY": 7}, {}),
    ],
)
def test_settings_of_scrapy_and_its_packages_name_services(
    settings: dict[str, Any], services: dict[tuple[str, int], str]
) -> None:
    assert found(**settings) == services


@pytest.mark.parametrize(
    ("variable", "value", "place"),
    [
        ("http_proxy", "http://127.0.0.1:3128", ("127.0.0.1", 3128)),
        ("HTTPS_PROXY", "proxy.internal:3128", ("proxy.internal", 3128)),
        ("all_proxy", "socks5://10.0.0.5", ("10.0.0.5", 1080)),
        ("https_proxy", "http://user:secret@proxy", ("proxy", 80)),
    ],
)
def test_proxies_of_the_environment_are_services(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, place: tuple[str, int]
) -> None:
    monkeypatch.setenv(variable, value)
    monkeypatch.setenv("no_proxy", "10.0.0.9:80,localhost:80")
    assert found() == {}  # the same with any settings
    assert dict(known_services(Settings()))[place] == f"{variable.lower()} in the environment"
    assert ("10.0.0.9", 80) not in dict(known_services(Settings()))


def test_scrapyd_is_known_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text(
        "[settings]\ndefault = x\n[deploy]\nurl = http://localhost:6800/\nproject = x\n"
        "[deploy:production]\nurl = https://crawl.internal/%(x)s/\n"
    )
    (tmp_path / "scrapyd.conf").write_text("[scrapyd]\nbind_address = ::1\nhttp_port = 6801\n")
    services = dict(known_services(Settings()))
    assert services[("localhost", 6800)] == "[deploy] in scrapy.cfg"
    assert services[("crawl.internal", 443)] == "[deploy:production] in scrapy.cfg"
    assert services[("::1", 6801)] == "scrapyd.conf"
    (tmp_path / "scrapyd.conf").write_text("[scrapyd]\nmax_proc = 2\n")
    assert dict(known_services(Settings()))[("127.0.0.1", 6800)] == "scrapyd.conf"


@pytest.mark.parametrize("text", ["no section", "[scrapyd]\nx\n", "\xff", "[deploy]\nurl = ::\n"])
def test_a_damaged_file_of_scrapyd_names_nothing(tmp_path: Path, text: str) -> None:
    for name in ("scrapy.cfg", "scrapyd.conf"):
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    assert "[deploy] in scrapy.cfg" not in dict(known_services(Settings())).values()


def test_a_bounded_number_of_proxies_of_requests_is_remembered() -> None:
    services = OperatorServices(Settings({"HTTP_PROXY": "http://proxy:1"}))
    services.register_proxy("proxy:1")
    for number in range(MAX_META_PROXIES):
        services.register_proxy(f"http://proxy-{number}:3128")
        services.register_proxy(f"http://proxy-{number}:3128")
    assert services.setting_of("proxy", 1) == "HTTP_PROXY"
    assert services.setting_of("proxy-0", 3128) == "the meta key proxy"
    services.register_proxy("http://another:3128")
    assert services.setting_of("proxy-0", 3128) == ""
    assert services.setting_of("ANOTHER.", 3128) == "the meta key proxy"
    assert len(services.at_port(3128)) == MAX_META_PROXIES
