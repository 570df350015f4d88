"""``scrapy crawl sources``: what is staged of a site whose documents change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.pdfs import pdf_of
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply
from tests.sources.watching import Watch, changes, source, summaries
from wikicrawler.errors import ConfigError
from wikicrawler.store.audit_queries import Wanted, find
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PDF = pdf_of("Section 1024.5", "Section 1024.6")


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite() as server:
        yield server


def watch(folder: Path, site: RegulationSite, **fields: Any) -> Watch:
    return Watch(folder, source(site.url("/"), **fields))


@deferred_f_from_coro_f
async def test_the_first_visit_stages_every_document(site: RegulationSite, tmp_path: Path) -> None:
    watched = watch(tmp_path, site)
    done = await watched.crawl()
    assert set(changes(done).values()) == {"new"}
    assert len(watched.envelopes()) == 7
    first = watched.envelopes()[0]
    assert first["source"]["url"] == site.url("/")
    assert first["source"]["agency"] == "CFPB"
    assert first["integrity"]["previous_content_hash"] is None
    assert summaries(done)["reg-x"]["new"] == 7


@deferred_f_from_coro_f
async def test_the_second_visit_asks_whether_they_changed_and_stages_nothing(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site)
    await watched.crawl()
    site.documents_asked()
    done = await watched.crawl()
    assert set(changes(done).values()) == {"unchanged"}
    assert set(site.documents_asked().values()) == {304}
    assert len(watched.index()) == 7


@deferred_f_from_coro_f
async def test_exactly_what_changed_is_staged(site: RegulationSite, tmp_path: Path) -> None:
    watched = watch(tmp_path, site)
    await watched.crawl()
    site.put("/1024/2/", section(2, days=3))
    site.remove("/1024/3/", 404)
    site.remove("/1024/4/", 410)
    done = await watched.crawl()
    expected = {"/1024/2/": "modified", "/1024/3/": "deleted", "/1024/4/": "deleted"}
    found = changes(done)
    assert {path: how for path, how in found.items() if how != "unchanged"} == expected
    new = {e["source"]["url"]: e for e in watched.envelopes()[7:]}
    assert len(new) == 3
    old = {e["source"]["url"]: e for e in watched.envelopes()[:7]}
    for url, envelope in new.items():
        before = old[url]
        integrity = envelope["integrity"]
        assert integrity["previous_content_hash"] == before["integrity"]["content_hash"]
        assert integrity["previous_envelope_id"] == before["envelope_id"]
    changed = new[site.url("/1024/2/")]["integrity"]["change"]
    assert changed["kind"] == "substantive"
    assert new[site.url("/1024/3/")]["content"]["body"] == ""


@deferred_f_from_coro_f
async def test_what_was_deleted_is_asked_for_where_it_is_linked_and_may_come_back(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site)
    await watched.crawl()
    site.remove("/1024/3/")
    await watched.crawl()
    done = await watched.crawl()
    assert "/1024/3/" not in changes(done)  # the page that links to it did not change
    site.put("/", str(site.documents["/"].body) + "<p>Section 3 was never in force at all.</p>")
    done = await watched.crawl()
    assert changes(done)["/1024/3/"] == "unchanged"
    assert summaries(done)["reg-x"]["failed"] == 0
    assert watched.errors() == []
    site.put("/1024/3/", section(3))
    site.put("/", str(site.documents["/"].body) + "<p>Section 3 is back in force again.</p>")
    done = await watched.crawl()
    assert changes(done)["/1024/3/"] == "new"


@deferred_f_from_coro_f
async def test_noise_is_no_change(site: RegulationSite, tmp_path: Path) -> None:
    watched = watch(tmp_path, site)
    site.put("/1024/1/", section(1, rest="<p>Last updated: March 3, 2026</p>"))
    await watched.crawl()
    site.put("/1024/1/", section(1, rest="<p>Last updated: March 9, 2026</p>"))
    done = await watched.crawl()
    assert changes(done)["/1024/1/"] == "unchanged"


@deferred_f_from_coro_f
async def test_validators_that_lie_are_found_out(site: RegulationSite, tmp_path: Path) -> None:
    watched = watch(tmp_path, site)
    site.freeze("/1024/1/")
    await watched.crawl()
    frozen = site.documents["/1024/1/"]
    site.documents["/1024/1/"] = type(frozen)(section(1, days=9), etag=frozen.etag)
    found = [
        changes(await watched.crawl(settings={"WIKICRAWLER_SOURCE_FULL_GET": 3}))["/1024/1/"]
        for _ in range(3)
    ]
    assert found == ["unchanged", "unchanged", "modified"]


@deferred_f_from_coro_f
async def test_documents_that_are_not_html_are_staged_as_what_they_are(
    site: RegulationSite, tmp_path: Path
) -> None:
    files = {
        "/rule.pdf": (PDF, "application/pdf", "pdf_text"),
        "/api.json": (b'{"rules": [1, 2]}', "application/json", "raw"),
        "/feed.xml": (b"<?xml version='1.0'?><rules><rule>1</rule></rules>", "text/xml", "raw"),
        "/spec.yaml": (b"rules:\n  - 1\n", "application/yaml", "raw"),
    }
    for path, (body, kind, _) in files.items():
        site.put(path, body, kind)
    links = "".join(f"<a href='{path}'>a file</a> " for path in files)
    site.put("/", str(site.documents["/"].body) + links)
    watched = watch(tmp_path, site)
    done = await watched.crawl()
    assert {changes(done)[path] for path in files} == {"new"}
    for envelope in watched.envelopes():
        path = "/" + envelope["source"]["url"].split("/", 3)[3]
        if path in files:
            assert envelope["content"]["format"] == files[path][2]
            assert envelope["content"]["encoding"] in {"utf-8", None}
            assert envelope["content"]["body_base64"]
    (pdf,) = [e for e in watched.envelopes() if e["content"]["format"] == "pdf_text"]
    assert pdf["content"]["body"].startswith("[page 1]\n")
    assert "[page 2]\n" in pdf["content"]["body"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html><body>Not a PDF at all", "application/pdf"),
        (b"{broken", "application/json"),
        (b"<a><b></a>", "text/xml"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png"),
    ],
)
@deferred_f_from_coro_f
async def test_a_file_that_is_not_what_it_claims_is_an_error(
    site: RegulationSite, tmp_path: Path, body: bytes, kind: str
) -> None:
    site.put("/file", body, kind)
    watched = Watch(tmp_path, source(site.url("/file"), method="scrape"))
    done = await watched.crawl()
    assert changes(done) == {"/file": "not_html"}
    assert watched.index() == []
    (error,) = watched.errors()
    assert error["url"] == site.url("/file")
    assert summaries(done)["reg-x"]["error"]


@pytest.mark.parametrize(
    ("status", "reason"), [(403, "blocked"), (500, "http_error"), (404, "missing")]
)
@deferred_f_from_coro_f
async def test_an_error_page_is_never_a_version(
    site: RegulationSite, tmp_path: Path, status: int, reason: str
) -> None:
    site.remove("/1024/2/", status)
    watched = watch(tmp_path, site)
    done = await watched.crawl()
    assert changes(done)["/1024/2/"] == reason
    assert len(watched.envelopes()) == 6
    assert [error["url"] for error in watched.errors()] == [site.url("/1024/2/")]


@deferred_f_from_coro_f
async def test_patterns_depth_and_domain_bound_a_source(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.put(
        "/1024/1/", section(1, rest="<a href='/deep/'>deep</a><a href='/1024/9/interp/'>x</a>")
    )
    site.put("/deep/", section(40))
    site.put("/1024/9/interp/", section(41))
    config = {"include_patterns": ["/1024/*"], "exclude_patterns": ["/1024/*/interp"]}
    watched = watch(tmp_path, site, scrape_config=config)
    done = await watched.crawl()
    assert set(changes(done)) == {"/", *(f"/1024/{n}/" for n in range(1, 7))}
    dropped = summaries(done)["reg-x"]["dropped"]
    assert dropped["not_included"] == 1
    assert dropped["excluded"] == 1


class DropsSecond:
    """A spider middleware that drops a request without a word."""

    async def process_spider_output(self, response: Any, result: Any) -> Any:
        async for one in result:
            if not (isinstance(one, Request) and one.url.endswith("/1024/2/")):
                yield one


@deferred_f_from_coro_f
async def test_requests_that_are_dropped_end_their_visit_alone(
    site: RegulationSite, tmp_path: Path
) -> None:
    alone = source(site.url("/1024/6/"), "second", method="scrape")
    watched = Watch(tmp_path, source(site.url("/"), "first"), alone)
    settings = {"WIKICRAWLER_SOURCES_AT_ONCE": 1, "SPIDER_MIDDLEWARES": {DropsSecond: 1}}
    done = await watched.crawl(settings=settings)
    found = summaries(done)
    assert found["second"]["new"] == 1
    assert found["first"]["error"] == "requests were dropped"
    assert len(watched.index()) == 7


@deferred_f_from_coro_f
async def test_a_url_that_is_too_long_is_left_out(site: RegulationSite, tmp_path: Path) -> None:
    link = f"<a href='/1024/{'x' * 9000}'>too long</a>"
    site.put("/", str(site.documents["/"].body) + link)
    done = await watch(tmp_path, site).crawl()
    assert summaries(done)["reg-x"]["dropped"]["length"] == 1
    assert summaries(done)["reg-x"]["new"] == 7


@deferred_f_from_coro_f
async def test_sitemaps_of_robots_txt_are_read_the_latest_first(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.put("/", "<title>Part</title><main>" + "<p>The sections of this part are listed.</p>" * 9)
    site.on("/robots.txt", Reply(body=f"User-agent: *\nSitemap: {site.url('/map.xml')}\n"))
    entries = "".join(
        f"<url><loc>{site.url(f'/1024/{n}/')}</loc><lastmod>2026-0{n}-01</lastmod></url>"
        for n in range(1, 7)
    )
    site.put("/map.xml", f"<urlset>{entries}</urlset>", "application/xml")
    watched = watch(tmp_path, site)
    done = await watched.crawl(settings={"CONCURRENT_REQUESTS_PER_DOMAIN": 1})
    assert len(changes(done)) == 7
    sections = [path for path in site.paths() if path.startswith("/1024/")]
    assert sections == [f"/1024/{n}/" for n in range(6, 0, -1)]


@deferred_f_from_coro_f
async def test_a_robots_txt_may_name_sitemaps_by_relative_and_wrong_urls(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.put("/", "<title>Part</title><main>" + "<p>The sections of this part are listed.</p>" * 9)
    named = "Sitemap: no url\nSitemap: http://[::\nSitemap: /map.xml # all\n"
    site.on("/robots.txt", Reply(body=f"User-agent: *\nDisallow: /no/\n{named}"))
    entry = f"<url><loc>{site.url('/1024/1/')}</loc></url>"
    site.put("/map.xml", f"<urlset>{entry}</urlset>", "application/xml")
    done = await watch(tmp_path, site).crawl()
    assert "/1024/1/" in changes(done)
    assert summaries(done)["reg-x"]["error"] is None


@deferred_f_from_coro_f
async def test_what_a_robots_txt_forbids_is_not_fetched(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /1024/5/\n"))
    watched = watch(tmp_path, site)
    done = await watched.crawl()
    assert changes(done)["/1024/5/"] == "robots"
    assert "/1024/5/" not in site.paths()


@deferred_f_from_coro_f
async def test_headers_of_a_source_are_sent_with_its_pages(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = watch(
        tmp_path, site, method="scrape", scrape_config={"custom_headers": {"X-Purpose": "research"}}
    )
    await watched.crawl()
    (page,) = [x for x in site.exchanges if x.path == "/"]
    assert page.headers["X-Purpose"] == "research"


@deferred_f_from_coro_f
async def test_two_sources_may_have_the_same_document(site: RegulationSite, tmp_path: Path) -> None:
    watched = Watch(
        tmp_path,
        source(site.url("/1024/1/"), "one", method="scrape"),
        source(site.url("/1024/1/"), "two", method="scrape"),
    )
    await watched.crawl()
    assert {line["manifest_id"] for line in watched.index()} == {"one", "two"}


@deferred_f_from_coro_f
async def test_more_sources_than_are_visited_at_once(site: RegulationSite, tmp_path: Path) -> None:
    sources = [source(site.url(f"/1024/{n}/"), f"s{n}", method="scrape") for n in range(1, 7)]
    watched = Watch(tmp_path, *sources)
    done = await watched.crawl(settings={"WIKICRAWLER_SOURCES_AT_ONCE": 2})
    assert set(summaries(done)) == {f"s{n}" for n in range(1, 7)}


@deferred_f_from_coro_f
async def test_a_source_on_a_private_address_that_is_visited_later_is_allowed(
    tmp_path: Path,
) -> None:
    with RegulationSite("127.0.0.41", 1) as first, RegulationSite("127.0.0.42", 1) as second:
        sources = [source(site.url("/"), f"s{n}") for n, site in enumerate((first, second))]
        settings = {"WIKICRAWLER_SOURCES_AT_ONCE": 1, "WIKICRAWLER_PRIVATE_HOSTS": []}
        done = await Watch(tmp_path, *sources).crawl(settings=settings)
    assert set(changes(done).values()) == {"new"}
    assert set(summaries(done)) == {"s0", "s1"}


@deferred_f_from_coro_f
async def test_a_source_is_visited_once_in_its_window_unless_forced(
    site: RegulationSite, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site)
    assert changes(await watched.crawl(force="false"))
    assert changes(await watched.crawl(force="false")) == {}
    assert changes(await watched.crawl(force="true"))


@deferred_f_from_coro_f
async def test_documents_converted_by_another_version_are_no_change(
    site: RegulationSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = watch(tmp_path, site)
    await watched.crawl()
    monkeypatch.setattr("wikicrawler.sources.staging.stager.RULES", "2/next")
    site.documents_asked()
    done = await watched.crawl()
    assert set(changes(done).values()) == {"unchanged"}
    assert set(site.documents_asked().values()) == {200}, "each is read once again"
    assert set(changes(await watched.crawl()).values()) == {"unchanged"}
    assert set(site.documents_asked().values()) == {304}


@deferred_f_from_coro_f
async def test_the_audit_log_has_each_request_that_the_server_saw(
    site: RegulationSite, tmp_path: Path
) -> None:
    site.moved["/1024/1/"] = "/1024/6/"
    site.remove("/1024/2/", 500)
    site.remove("/1024/3/", 404)
    watched = watch(tmp_path, site)
    await watched.crawl()
    site.put("/1024/4/", section(4, days=2))
    await watched.crawl()
    with Database(watched.database_url).read() as connection:
        found = list(find(connection, Wanted()))
    seen = Counter((x.path, x.status) for x in site.exchanges)
    recorded = Counter(
        (operation.fields["url"].removeprefix(site.url("")), operation.fields["http_status"])
        for operation in found
    )
    assert recorded == seen
    runs = {operation.fields["run_id"] for operation in found}
    assert {e["audit"]["scrape_run_id"] for e in watched.envelopes()} == runs
    staged = {o.outcome["staged_path"] for o in found if o.outcome and o.outcome["staged_path"]}
    assert staged == {line["path"] for line in watched.index()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"only": "nobody"}, "'nobody': there is no such source in the manifest"),
        ({"manifest": "missing.json"}, "missing.json: cannot be read"),
    ],
)
@deferred_f_from_coro_f
async def test_wrong_arguments_end_the_start(
    site: RegulationSite, tmp_path: Path, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        await watch(tmp_path, site).crawl(**arguments)


@deferred_f_from_coro_f
async def test_a_manifest_with_faults_ends_the_start(site: RegulationSite, tmp_path: Path) -> None:
    watched = watch(tmp_path, site, frequency="dayly")
    with pytest.raises(ConfigError, match=r"/sources/0/frequency.*did you mean daily"):
        await watched.crawl()


@deferred_f_from_coro_f
async def test_nothing_is_active_without_a_manifest(tmp_path: Path, site: RegulationSite) -> None:
    watched = watch(tmp_path, site)
    with pytest.raises(ConfigError, match="no manifest is active"):
        await watched.crawl(manifest=None)  # type: ignore[arg-type]


@deferred_f_from_coro_f
async def test_a_document_that_takes_too_long_to_compare_is_staged_all_the_same(
    site: RegulationSite, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watch(tmp_path, source(site.url("/1024/1/"), method="scrape"))
    watched.settings |= {
        "WIKICRAWLER_CONTENT_WORKERS": 1,
        "WIKICRAWLER_PAGE_CPU_SECONDS": 1,
        "WIKICRAWLER_SOURCE_FULL_GET": 1,
    }
    hostile = "* [a](http://b/c) | * _x_ \n" * 80_000
    found = []
    for text in (hostile, hostile, hostile + "b"):
        site.put("/1024/1/", text, "text/plain")
        found.append(changes(await watched.crawl())["/1024/1/"])
    assert found == ["new", "unchanged", "modified"]
    for envelope in watched.envelopes():
        integrity = envelope["integrity"]
        assert integrity["change_hash"] == integrity["content_hash"]
        assert integrity["change"] is None
    assert "noise is not told from changes (cpu_limit)" in caplog.text
