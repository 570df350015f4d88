"""The screens of sites: what they show of a crawl, and what strangers can put into them."""

from __future__ import annotations

import html as escaping
import re
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from lxml import html

from tests.dashboard.screens.crawled import (
    PLAIN,
    SHELLS,
    crawl,
    project_of,
    rows_of,
    run,
    serve_firecrawl,
    serve_pages,
)
from tests.store.samples import attempt
from wikicrawler import options
from wikicrawler.store.attempts import add_attempts
from wikicrawler.store.audit_queries import Wanted, find_controls
from wikicrawler.store.database import Database
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.dashboard import RealDashboard
    from tests.servers.firecrawl import ScriptedFirecrawl
    from tests.servers.scripted import ScriptedServer

SITE = "127.0.0.1"
HOSTILE = (
    "<script>document.title='run'</script>",
    "\"><img src=x onerror=document.title='run'>",
    "../../costs",
    "{{7*7}}",
    "\u202egnp.exe\x1b[31m",
    "why?url=javascript:alert(1)",
)


@pytest.fixture(scope="module")
def site() -> Iterator[ScriptedServer]:
    with serve_pages() as server:
        yield server


@pytest.fixture(scope="module")
def firecrawl() -> Iterator[ScriptedFirecrawl]:
    with serve_firecrawl() as server:
        yield server


@pytest.fixture(scope="module")
def crawled(
    site: ScriptedServer, firecrawl: ScriptedFirecrawl, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """The dashboard of a project that visited all sources."""
    made = project_of(tmp_path_factory.mktemp("sites") / "project", site, firecrawl)
    crawl(made)
    with made as running:
        yield running


def database_of(dashboard: RealDashboard) -> Database:
    return Database(str(dashboard.settings[options.DATABASE_URL.name]))


def why(dashboard: RealDashboard, url: str, **more: str) -> str:
    answer = dashboard.get(f"/sites/why?url={quote(url, safe='')}{more.get('query', '')}")
    assert answer.status_code == 200
    return answer.text


class TestList:
    def test_a_site_has_its_tiers_and_how_they_did(self, crawled: RealDashboard) -> None:
        (row,) = rows_of(crawled.get(f"/sites?q={SITE}").text, "Sites")
        assert row.startswith(f"{SITE} ")
        assert "http 60 %" in row
        assert "firecrawl 40 %" in row
        assert " 10 60 % " in row  # attempts and success
        assert "not paused" in row

    def test_sites_are_searched_sorted_and_shown_in_pages(self, crawled: RealDashboard) -> None:
        now = time.time()
        asked = [(f"s{number:02}.test", now - number) for number in range(60) for _ in range(2)]
        database = database_of(crawled)
        with database.write() as connection:
            note_sites(connection, asked, [SitePause(now, "s07.test", now + 900, 3, "challenge")])
        database.close()
        first = crawled.get("/sites?q=.test&sort=site").text
        assert [row[:8] for row in rows_of(first, "Sites")][:2] == ["s00.test", "s01.test"]
        assert len(rows_of(first, "Sites")) == 50
        assert "60 sites" in first
        assert "Page 1 of 2" in first
        second = crawled.get("/sites?q=.test&sort=site&page=2").text
        assert len(rows_of(second, "Sites")) == 10
        assert rows_of(crawled.get("/sites?q=.test&sort=site&desc=1").text, "Sites")[0].startswith(
            "s59"
        )
        (paused,) = rows_of(crawled.get("/sites?q=.test&paused=1").text, "Sites")
        assert "s07.test" in paused
        assert "paused by crawls until" in paused
        assert "challenge" in paused
        assert paused.endswith(" 3")
        by_risk = crawled.get("/sites?q=.test&sort=risk_level&desc=1").text
        assert "s07.test" in rows_of(by_risk, "Sites")[0]

    @pytest.mark.parametrize("asked", ["sort=1;DROP", "page=0", "page=x", "paused=maybe"])
    def test_a_wrong_filter_is_named(self, crawled: RealDashboard, asked: str) -> None:
        answer = crawled.get(f"/sites?{asked}")
        assert answer.status_code == 400
        assert f"{asked.partition('=')[0]}: " in answer.text

    def test_an_empty_project_says_what_records_sites(self, dashboard: RealDashboard) -> None:
        assert "WIKICRAWLER_RECORD_ATTEMPTS" in dashboard.get("/sites").text
        assert "No site matches" in dashboard.get("/sites?q=x").text
        assert dashboard.get("/sites/example.org").status_code == 404
        assert "estimates come from other domains" in why(dashboard, "https://example.org/")


class TestSite:
    def test_it_has_attempts_in_time_latencies_and_its_turn(self, crawled: RealDashboard) -> None:
        page = crawled.get(f"/sites/{SITE}").text
        assert "10, the last" in html.fromstring(page).text_content().replace("\n", " ")
        assert rows_of(page, "Tiers") == ["http 6 2 33 % 60 %", "firecrawl 4 4 100 % 40 %"]
        kinds = re.findall(r'<figure class="picture picture-([a-z-]+)', page)
        assert kinds == ["shares", "shares-over-time", "timeline", "histogram", "histogram"]
        assert "last request of a watched source" in page
        assert "not before" in page

    def test_what_was_learned_has_estimates_results_and_attempts(
        self, crawled: RealDashboard
    ) -> None:
        page = crawled.get(f"/sites/{SITE}/learned").text
        estimates = rows_of(page, "P(success) of each tier")
        assert {row.split()[0] for row in estimates} == {"http", "firecrawl"}
        results = rows_of(page, "Results by tier")
        assert any(row.startswith("firecrawl ● page 4 ") for row in results)
        assert any("http" in row and "js_shell 4" in row for row in results)
        assert len(rows_of(page, "Last attempts")) == 10

    def test_it_is_as_the_command_says_it(
        self, crawled: RealDashboard, site: ScriptedServer
    ) -> None:
        url = site.url("/app-1")
        before = len(site.exchanges)
        page = why(crawled, url)
        order = html.fromstring(page).xpath("//ol[@class='steps']/li")
        steps = [" ".join(one.text_content().split()) for one in order]
        assert [step.split()[:3] for step in steps] == [
            ["http", "●", "tried"],
            ["firecrawl", "●", "tried"],
        ]
        assert "of such pages, at" in steps[0]
        assert len(rows_of(page, "Recorded attempts")) == 10
        printed = escaping.unescape(
            page.partition("scrapy explain</code>")[2].partition("<pre")[2].partition(">")[2]
        )
        said = crawled.scrapy("explain", url, "--attempts", "20")
        for line in said.splitlines():
            if line.strip().startswith(("policy", "choice", "left out", "heuristics")):
                assert line in printed
        assert len(site.exchanges) == before, "nothing is requested"

    def test_a_tier_that_cannot_be_used_says_why(
        self, site: ScriptedServer, firecrawl: ScriptedFirecrawl, tmp_path: Path
    ) -> None:
        made = project_of(tmp_path / "project", site, firecrawl)
        made.settings["WIKICRAWLER_TIERS"] = "mediawiki,browser,http"
        with made as running:
            page = why(running, "https://example.org/wiki/Amber")
        steps = [
            " ".join(one.text_content().split())
            for one in html.fromstring(page).xpath("//ol[@class='steps']/li")
        ]
        assert any(
            step.startswith("browser ! left out no crawl4ai is configured") for step in steps
        ), steps
        assert any(step.startswith("http ● tried") for step in steps)
        assert "mediawiki: no wiki is known here" in page

    def test_the_number_of_attempts_is_bounded(
        self, crawled: RealDashboard, site: ScriptedServer
    ) -> None:
        url = site.url("/well")
        assert len(rows_of(why(crawled, url, query="&attempts=3"), "Recorded attempts")) == 3
        for wrong in ("201", "-1", "many"):
            answer = crawled.get(f"/sites/why?url={quote(url)}&attempts={wrong}")
            assert answer.status_code == 400
            assert "attempts: " in answer.text

    def test_a_later_crawl_changes_the_answer(
        self, crawled: RealDashboard, site: ScriptedServer
    ) -> None:
        host = "later.test"
        assert "estimates come from other domains" in why(crawled, f"https://{host}/a")
        database = database_of(crawled)
        now = time.time()
        made = [
            attempt(
                at=now - number,
                url=f"https://{host}/a",
                domain=host,
                registered_domain=host,
                shape="/*",
                tier="http",
                ok=False,
                reason="blocked",
                is_banned=True,
                heuristics=(),
            )
            for number in range(8)
        ]
        with database.write() as connection:
            add_attempts(connection, 99, enumerate(made, 1))
            change = TierChange(now, host, host, "http", 0.25, better=False)
            add_changes(connection, 99, [(1, change)])
        database.close()
        page = why(crawled, f"https://{host}/a")
        assert len(rows_of(page, "Recorded attempts")) == 8
        assert "✖ blocked" in rows_of(page, "Recorded attempts")[0]
        (changed,) = rows_of(crawled.get(f"/sites/{host}").text, "Changes one by one")
        assert "http ✖ fails now 25 %" in changed


class TestPauses:
    def test_the_next_crawl_asks_nothing_of_a_paused_site_until_it_is_released(
        self, site: ScriptedServer, firecrawl: ScriptedFirecrawl, tmp_path: Path
    ) -> None:
        made = project_of(tmp_path / "project", site, firecrawl)
        crawl(made, PLAIN)
        with made as running:
            page = running.get(f"/sites/{SITE}").text
            form = html.fromstring(page).xpath("//form[@action='/runs/sites/pause']")[0]
            fields = {one.name: one.value for one in form.xpath(".//input[@name]")}
            answer = running.post(
                form.get("action"), fields | {"seconds": "3600", "reason": "<b>busy</b>"}
            )
            assert answer.headers["location"] == f"/sites/{SITE}"
            page = running.get(f"/sites/{SITE}").text
            assert "paused by a person" in page
            assert "&lt;b&gt;busy&lt;/b&gt;" in page
            assert SITE in rows_of(running.get("/sites?paused=1").text, "Sites")[0]
            assert "Nothing is asked of" in why(running, site.url("/app-1"))
            before = len(site.exchanges)
            crawl(made, force=False)
            assert [one.path for one in site.exchanges[before:]] == []
            form = html.fromstring(page).xpath("//form[@action='/runs/sites/release']")[0]
            fields = {one.name: one.value for one in form.xpath(".//input[@name]")}
            answer = running.post(form.get("action"), fields)
            assert answer.headers["location"] == f"/sites/{SITE}"
            assert "not paused" in running.get(f"/sites/{SITE}").text
            crawl(made, force=False)
            asked = {one.path for one in site.exchanges[before:]}
            assert {f"/{name}" for name in SHELLS} <= asked
        database = database_of(made)
        with database.read() as connection:
            found = find_controls(connection, Wanted(), 10)
            controls = [(fields["action"], fields["via"]) for _, fields in found]
        database.close()
        assert controls[:2] == [("site.release", "dashboard"), ("site.pause", "dashboard")]

    def test_a_read_only_dashboard_has_no_buttons(
        self, site: ScriptedServer, firecrawl: ScriptedFirecrawl, tmp_path: Path
    ) -> None:
        made = project_of(tmp_path / "project", site, firecrawl, "--read-only")
        run(made, "sites", "pause", "example.org", "--for", "1h", "--why", "maintenance")
        with made as running:
            page = running.get("/sites/example.org")
            assert page.status_code == 200
            assert "maintenance" in page.text
            assert 'action="/runs/sites' not in page.text
            assert 'action="/runs/sites' not in running.get("/sites").text


class TestStrangers:
    @pytest.mark.parametrize("text", [*HOSTILE, "javascript:alert(1)", "http://", "x" * 9000])
    def test_what_is_no_url_is_said_in_a_sentence(self, crawled: RealDashboard, text: str) -> None:
        answer = crawled.get(f"/sites/why?url={quote(text, safe='')}")
        assert answer.status_code == 400
        page = html.fromstring(answer.text)
        said = page.xpath("//*[@role='alert']")[0].text_content()
        assert len(said) < 500
        assert said.strip().endswith(".")
        assert page.xpath("//img | //script[not(@src)]") == []
        assert page.xpath("string(//input[@name='url']/@value)")[:20] == text.strip()[:20]

    def test_a_password_in_a_url_is_not_shown_in_the_message(self, crawled: RealDashboard) -> None:
        answer = crawled.get(f"/sites/why?url={quote('http://ann:secret@[::1/')}")
        assert answer.status_code == 400
        said = html.fromstring(answer.text).xpath("//*[@role='alert']")[0].text_content()
        assert "secret" not in said

    def test_hostile_paths_are_explained_as_text(self, crawled: RealDashboard) -> None:
        for text in HOSTILE:
            page = why(crawled, f"https://evil.test/{quote(text)}?q={quote(text)}")
            found = html.fromstring(page)
            assert found.xpath("//img | //script[not(@src)]") == []
            assert "\x1b" not in page
            assert "\u202e" not in page

    def test_hostile_names_of_sites_are_text_and_their_links_work(
        self, crawled: RealDashboard
    ) -> None:
        now = time.time()
        database = database_of(crawled)
        names = [f"{text} zz" for text in HOSTILE]
        with database.write() as connection:
            pauses = [SitePause(now, name, now + 900, 1, HOSTILE[1]) for name in names]
            note_sites(connection, [(name, now) for name in names], pauses)
        database.close()
        page = crawled.get("/sites?q=zz").text
        found = html.fromstring(page)
        assert found.xpath("//img | //script[not(@src)]") == []
        assert "\u202e" not in found.xpath("//main")[0].text_content()
        links = found.xpath("//div[@aria-label='Sites']//tbody//th/a/@href")
        assert len(links) == len(names)
        for link in links:
            assert link.startswith("/sites/")
            assert "/" not in link.removeprefix("/sites/")
            assert "?" not in link
            answer = crawled.get(link)
            if "%2F" not in link:  # no host has a slash, and paths are decoded before they match
                assert answer.status_code == 200
                shown = html.fromstring(answer.text)
                assert shown.xpath("//img | //script[not(@src)]") == []
                assert "zz" in shown.xpath("//h1")[0].text_content()
