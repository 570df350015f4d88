"""A source and the pages below it, in a real browser, after real visits to a site that changes."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from selenium.webdriver.common.by import By

from tests.dashboard.screens.sources_project import PAYLOAD, watched
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply
from tests.sources.watching import source
from wikicrawler.audit.proof import check_proof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

NAUGHTY = json.loads(
    (Path(__file__).parents[2] / "data" / "suites" / "naughty_strings.json").read_text("utf-8")
)
TABS = ("", "/documents", "/versions", "/calendar", "/errors", "/schedule", "/entry")


@pytest.fixture(scope="module")
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=3) as server:
        text = "".join(f"<p>{html.escape(text)}</p>" for text in NAUGHTY)
        server.put("/1024/3/", section(3, rest=f"<script>window.ran=1</script>{text}"))
        server.put(
            "/titled/",
            section(9).replace("§ 1024.9 Rules", html.escape(PAYLOAD)),
        )
        server.on("/blocked/", Reply(403, {"X-Why": PAYLOAD, "Server": PAYLOAD}, PAYLOAD))
        yield server


@pytest.fixture(scope="module")
def visited(
    site: RegulationSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """Three sources after two visits each: ``reg-x``, of which one section has changed and one has
    gone, ``titled``, and ``blocked``, which answers 403."""
    dashboard = watched(
        tmp_path_factory.mktemp("visited") / "project",
        source(site.url("/")),
        source(site.url("/titled/"), "titled", name=PAYLOAD, method="scrape"),
        source(site.url("/blocked/"), "blocked", method="scrape"),
    )
    dashboard.scrapy("sources", "run", "--all")
    site.put("/1024/1/", section(1, days=10))
    site.remove("/1024/2/")
    dashboard.scrapy("sources", "run", "--all")
    with dashboard:
        yield dashboard


def link_of(page: str, words: str) -> str:
    """The path of the first link of *page* to something with *words* in its address."""
    found = re.search(rf'href="([^"]*{re.escape(words)}[^"]*)"', page)
    assert found, f"no link has {words}"
    return html.unescape(found[1])


def document_path(visited: RealDashboard, site: RegulationSite) -> str:
    return f"/sources/reg-x/document?url={quote(site.url('/1024/1/'), safe='')}"


def version_path(visited: RealDashboard, source_id: str = "reg-x") -> str:
    """The path of the last version of a source that has a text: which of the documents of one visit
    is staged last is open."""
    page = visited.get(f"/sources/{source_id}/versions").text
    path = f"/sources/{source_id}/versions/"
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)
    return link_of(next(row for row in rows if path in row and ">deleted<" not in row), path)


def text_of(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_the_overview_shows_what_the_visits_found(visited: RealDashboard) -> None:
    page = visited.get("/").text
    rows = {
        found[1]: text_of(found[0])
        for found in re.findall(r'(<tr>\s*<td>.*?/sources/([\w-]+)".*?</tr>)', page, re.DOTALL)
    }
    assert "▲ changed" in rows["reg-x"]
    assert "✖ failed" in rows["blocked"]
    assert "403" in rows["blocked"]
    assert re.search(r"\b[0-9a-f]{12}\b http 0 6 ", rows["reg-x"])  # hash, engine, credits, changes
    assert 'id="changes-reg-x-title"' in page


def test_the_runs_say_what_each_visit_found(visited: RealDashboard) -> None:
    page = visited.get("/sources/reg-x").text
    rows = re.findall(r'<td class="number">(\d+)</td>', page)
    # found, fetched, new, modified, unchanged, deleted, failed; the last visit first
    assert rows[2:7] == ["0", "1", "2", "1", "0"]
    assert rows[9:14] == ["4", "0", "0", "0", "0"]


def test_the_runs_are_paged(visited: RealDashboard) -> None:
    page = visited.get("/sources/reg-x").text
    run = re.findall(r'class="mono"><bdi>([0-9a-f-]{36})', page)[0]
    assert visited.get("/sources/reg-x?before=nan~x").status_code == 400
    assert visited.get("/sources/reg-x?before=1.0~x").status_code == 200
    later = visited.get(f"/sources/reg-x?before=9999999999.0~{run}").text
    assert run in later
    assert "Latest" in later


def test_documents_are_found_by_the_beginning_of_their_url(
    visited: RealDashboard, site: RegulationSite
) -> None:
    page = text_of(visited.get("/sources/reg-x/documents").text)
    assert "4 known documents, of which the server has 3." in page
    assert "✖ gone" in page
    prefix = quote(site.url("/1024/1"), safe="")
    found = visited.get(f"/sources/reg-x/documents?prefix={prefix}").text
    assert len(re.findall(r"/sources/reg-x/document\?", found)) == 1
    nothing = text_of(visited.get("/sources/reg-x/documents?prefix=ftp").text)
    assert "Show all documents" in nothing


@pytest.mark.parametrize("layout", ["side", "inline"])
def test_two_versions_are_compared_by_words(
    visited: RealDashboard, site: RegulationSite, layout: str
) -> None:
    page = visited.get(f"{document_path(visited, site)}&layout={layout}").text
    assert f"difference-{layout}" in page
    text = text_of(page)
    assert "removed: 5 (end)" in text
    assert "added: 10 (end)" in text


def test_any_two_versions_can_be_chosen(visited: RealDashboard, site: RegulationSite) -> None:
    path = document_path(visited, site)
    new, old = re.findall(r'name="old" value="([^"]+)"', visited.get(path).text)
    turned = text_of(visited.get(f"{path}&old={new}&new={old}").text)
    assert "removed: 10 (end)" in turned
    assert visited.get(f"{path}&old=../../etc").status_code == 404
    assert visited.get(f"{path}&layout=sideways").status_code == 400
    assert visited.get("/sources/reg-x/document?url=http://nobody.example/").status_code == 404


def test_a_version_has_its_place_in_the_chain_and_a_proof(visited: RealDashboard) -> None:
    path = version_path(visited)
    page = visited.get(path).text
    assert "● linked" in text_of(page)
    checked = text_of(visited.get(f"{path}/proof").text)
    assert "The proof verifies" in checked
    assert "Among them is the operation that brought this version." in checked
    answer = visited.get(link_of(page, "/proofs/"))
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="reg-x-20')
    assert check_proof(answer.content).source == "reg-x"
    assert visited.get("/sources/reg-x/proofs/2001-01-01.json").status_code == 404
    assert visited.get("/sources/reg-x/proofs/x.json").status_code == 404


def test_the_calendar_has_the_changes_of_each_day(visited: RealDashboard) -> None:
    page = visited.get("/sources/reg-x/calendar").text
    assert "picture-calendar" in page
    # Four new documents, one modified, one deleted. Midnight may be between the two visits.
    assert sum(int(count) for count in re.findall(r"(\d+) changes? on", page)) == 6
    assert "no failed visits" in page
    blocked = visited.get("/sources/blocked/calendar").text
    assert sum(int(count) for count in re.findall(r"(\d+) failed visits? on", blocked)) == 2


def test_an_error_has_the_response_that_was_kept(visited: RealDashboard) -> None:
    page = visited.get("/sources/blocked/errors").text
    assert "forbidden" in text_of(page)
    for path in (link_of(page, "/errors/kept/"), link_of(page, "/errors/recorded/")):
        answer = visited.get(path)
        text = text_of(answer.text)
        assert "server " + PAYLOAD in text  # a header
        assert text.count(PAYLOAD) == 2  # and the body
        assert PAYLOAD not in answer.text


def test_a_response_of_another_source_is_not_shown(visited: RealDashboard) -> None:
    page = visited.get("/sources/blocked/errors").text
    for path in (link_of(page, "/errors/kept/"), link_of(page, "/errors/recorded/")):
        assert visited.get(path.replace("/blocked/", "/reg-x/", 1)).status_code == 404


def test_the_schedule_says_why(visited: RealDashboard) -> None:
    page = text_of(visited.get("/sources/reg-x/schedule").text)
    assert "It is visited once in each week" in page


def test_the_entry_has_all_fields_of_the_manifest(visited: RealDashboard) -> None:
    page = text_of(visited.get("/sources/titled/entry").text)
    assert "metadata.agency CFPB" in page
    assert f"name {PAYLOAD}" in page


def test_an_unknown_source_is_not_found(visited: RealDashboard) -> None:
    for path in ("/sources/nobody", "/sources/..%2fx", "/sources/a%00b/errors"):
        answer = visited.get(path)
        assert answer.status_code == 404
    assert visited.get("/sources/reg-x/versions/../../x").status_code == 404
    assert visited.get("/sources/reg-x/versions/%2e%2e%2f_index.jsonl").status_code == 404
    assert visited.get("/preview/reg-x/%2e%2e/rendered").status_code == 404


@pytest.mark.parametrize("kind", ["rendered", "original"])
def test_a_preview_is_a_sandbox_of_its_own(visited: RealDashboard, kind: str) -> None:
    path = version_path(visited).replace("/sources/", "/preview/").replace("/versions/", "/")
    answer = visited.get(f"{path}/{kind}")
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert answer.status_code == 200
    assert "§ 1024" in answer.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_all_pages_are_accessible(
    visited: RealDashboard, site: RegulationSite, axe: Chromium, scheme: str, width: int
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    errors = visited.get("/sources/blocked/errors").text
    version = version_path(visited)
    paths = [
        *(f"/sources/reg-x{tab}" for tab in TABS),
        "/sources/blocked/errors",
        link_of(errors, "/errors/kept/"),
        link_of(errors, "/errors/recorded/"),
        version,
        f"{version}?view=original",
        f"{version}?view=raw",
        f"{version}/proof",
        document_path(visited, site),
        document_path(visited, site) + "&layout=inline",
    ]
    for path in paths:
        axe.driver.get(visited.url + path)
        assert (path, axe.axe()) == (path, [])
        assert (path, axe.violations()) == (path, [])
        scrolled = axe.driver.execute_script("return document.documentElement.scrollWidth")
        assert (path, scrolled) <= (path, width)


def test_nothing_that_strangers_wrote_runs(
    visited: RealDashboard, site: RegulationSite, chromium: Chromium
) -> None:
    errors = visited.get("/sources/blocked/errors").text
    titled = version_path(visited, "titled")
    naughty = link_of(
        visited.get(f"/sources/reg-x/document?url={quote(site.url('/1024/3/'), safe='')}").text,
        "/sources/reg-x/versions/",
    )
    paths = [
        *(f"/sources/titled{tab}" for tab in TABS),
        link_of(errors, "/errors/kept/"),
        link_of(errors, "/errors/recorded/"),
        *(f"{path}?view={view}" for path in (titled, naughty) for view in ("rendered", "raw")),
        *(f"{path}?view=original" for path in (titled, naughty)),
    ]
    driver = chromium.driver
    chromium.violations()  # those of the pages before
    for path in paths:
        driver.get(visited.url + path)
        assert (path, driver.execute_script("return window.ran")) == (path, None)
        assert (path, chromium.violations()) == (path, [])
        for frame in driver.find_elements(By.TAG_NAME, "iframe"):
            driver.get(frame.get_attribute("src"))  # without the frame
            assert (path, driver.execute_script("return window.ran")) == (path, None)


def test_the_tabs_are_links_that_work_without_scripts(
    visited: RealDashboard, chromium: Chromium
) -> None:
    driver = chromium.driver

    def current() -> list[str]:
        return [one.text for one in driver.find_elements(By.CSS_SELECTOR, ".tabs [aria-current]")]

    chromium.scripts(enabled=False)
    try:
        driver.get(visited.url + "/sources/reg-x")
        assert current() == ["Runs"]
        for title in ("Documents", "Versions", "Calendar", "Errors", "Schedule", "Manifest entry"):
            tabs = driver.find_element(By.CLASS_NAME, "tabs")
            tabs.find_element(By.LINK_TEXT, title).click()
            chromium.until(lambda title=title: current() == [title])
    finally:
        chromium.scripts(enabled=True)
