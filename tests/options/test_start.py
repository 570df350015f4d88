"""A wrong value of any setting ends a crawl at its start, with an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import ScriptedServer
from tests.sources.watching import Watch, source
from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.mcp_server.spider import McpSpider, Pipes
from wikicrawler.options.kinds import Component, FilePath, Secrets, SecretUrls, Setting, Text
from wikicrawler.politeness.throttle import default_delay
from wikicrawler.spiders.fields import FieldsSpider
from wikicrawler.spiders.reports import ReportsSpider
from wikicrawler.spiders.sources import SourcesSpider
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

# Any text is one: what it names is what is wrong. URLs with secrets are not shown.
CHECKED_ELSEWHERE = (Text, FilePath, Component, Secrets, SecretUrls)
OF_SOURCES = (
    options.ENVIRONMENT,
    options.SOURCES_AT_ONCE,
    options.SOURCES_WAIT,
    options.SOURCE_MAX_PAGES,
    options.SOURCE_FULL_GET,
    options.SOURCE_KEPT_FAILURES,
    options.OFF_PEAK_START,
    options.OFF_PEAK_END,
    options.OFF_PEAK_HOSTS,
    options.STAGING_WEBHOOK_RETRY_DELAYS,
)
OF_FIELDS = tuple(s for s in options.ALL if s.name.startswith("WIKICRAWLER_FIELDS_"))
OF_REPORTS = tuple(s for s in options.ALL if s.name.startswith("WIKICRAWLER_REPORTS_"))
OF_MCP = tuple(s for s in options.ALL if s.name.startswith("WIKICRAWLER_MCP_"))
OF_DASHBOARD = tuple(s for s in options.ALL if s.name.startswith("WIKICRAWLER_DASHBOARD_"))
"""No crawl reads them: tests/dashboard has their tests."""
EVERYTHING = {  # in use
    "CRAWL4AI_URL": "http://127.0.0.1:1",
    "FIRECRAWL_API_URL": "http://127.0.0.1:1",
    "SCRAPINGANT_API_KEY": "a key",
    "WIKICRAWLER_TIER_POLICY": "split",
    "WIKICRAWLER_DATABASE_URL": "sqlite:////nowhere/db.sqlite",
}


@pytest.mark.parametrize(
    "setting",
    [s for s in options.ALL if s not in OF_DASHBOARD and not isinstance(s, CHECKED_ELSEWHERE)],
    ids=lambda setting: setting.name,
)
@deferred_f_from_coro_f
async def test_a_wrong_value_ends_the_start(setting: Setting[Any], tmp_path: Path) -> None:
    used = dict(EVERYTHING)
    if setting is options.RECORD_ATTEMPTS:  # a policy that learns records anyway
        used[options.TIER_POLICY.name] = "static"
    if setting in {options.AUDIT_PATIENCE, options.AUDIT_KEPT_BODY}:
        used[options.AUDIT.name] = "True"
    settings = project_settings(**used, **{setting.name: "may/be"})
    spider, arguments = WikiSpider, {"seeds": "http://127.0.0.1:1/"}
    if setting in OF_SOURCES:
        settings.set(options.DATABASE_URL.name, f"sqlite:///{tmp_path}/db", "cmdline")
        settings.set(options.STAGING.name, str(tmp_path / "staged"), "cmdline")
        watched = Watch(tmp_path, source("http://127.0.0.1:1/"))
        spider, arguments = SourcesSpider, {"manifest": str(watched.file)}
    if setting in OF_FIELDS:
        arguments = {"url": "http://127.0.0.1:1/", "fields": "price: number", "max_cost": "1"}
        spider = FieldsSpider
        settings.set(options.FIELDS_API_KEYS.name, "sk-one", "cmdline")
    if setting in OF_REPORTS:
        spider, arguments = ReportsSpider, {"companies": "AAPL", "year": "2023"}
        settings.set(options.CONTACT.name, "tester@example.org", "cmdline")
    if setting in OF_MCP:
        spider, arguments = McpSpider, {"pipes": Pipes(-1, -1)}
    with pytest.raises(ConfigError, match=rf"^{setting.name}\b.*(may/be|is not JSON)"):
        await run(spider, settings, **arguments)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("RATE_LIMIT_REQUESTS_PER_MINUTE", "fast"),
        ("RATE_LIMIT_REQUESTS_PER_MINUTE", "0"),
        ("CRAWL4AI_URL", "127.0.0.1:11235"),
        ("CRAWL4AI_URL", "ftp://127.0.0.1/"),
        ("CRAWL4AI_URL", "http://127.0.0.1:1/?x=1"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_variable_ends_the_start_of_any_project_and_is_named(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=rf"^{variable} \(environment variable\) "):
        await run(Pages, other_project(), requests=["http://127.0.0.1:1/"])


@deferred_f_from_coro_f
async def test_any_project_takes_its_pace_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RATE_LIMIT_REQUESTS_PER_MINUTE", "100")
    with ScriptedServer() as server:
        server.on("/a").on("/b")
        urls = [server.url("/a"), server.url("/b")]
        await run(Pages, other_project(), requests=urls)
        assert min(server.gaps()) >= 0.6
    assert default_delay(other_project()) == 0.6
    assert default_delay(other_project(DOWNLOAD_DELAY=2)) == 2
    assert default_delay(other_project(DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=30)) == 2


@deferred_f_from_coro_f
async def test_any_project_has_the_browser_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    article = "<main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20 + "</main>"
    with ScriptedCrawl4AI(rendered(article)) as server:
        monkeypatch.setenv("CRAWL4AI_URL", server.url(""))
        page = Request("http://127.0.0.1:1/", meta={"tiers": ["browser"]})
        done = await run(Pages, other_project(ROBOTSTXT_OBEY=False), requests=[page])
        assert server.urls() == ["http://127.0.0.1:1/"]
    assert len(done.responses) == 1


def other_project(**own: Any) -> Settings:
    """Settings of a project that has the add-on and nothing else of ours."""
    settings = Settings()
    settings.setdict(
        {
            "ADDONS": {"wikicrawler.addon.WikiCrawler": 500},
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            **own,
        },
        priority="project",
    )
    return settings
