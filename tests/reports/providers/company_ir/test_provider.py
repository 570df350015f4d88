"""The search of a site: what it asks for, what it returns, and what it says of failures."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.ir_fetcher import IrFetcher
from tests.reports.providers.company_ir.finding import HOME, company, find, provider, site
from tests.servers.ir_sites.server import IrSite
from tests.servers.ir_sites.shape import (
    FORBIDDEN,
    JSON,
    PDF,
    PDF_BODY,
    WWW,
    Reply,
    Shape,
    links,
    moved,
    page,
    sitemap,
)
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ConfigError, ContentError, Reason, TierInterruptedError
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    RateLimitExceededError,
    RequestTimeoutError,
)
from wikicrawler.reports.fetching import WebPage
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.company_ir.feeds import feed_of, read_feed
from wikicrawler.reports.providers.company_ir.maps import read_map

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from wikicrawler.reports.fetching import Answer

REPORTS = page(
    "Reports",
    links(
        ("/ar23.pdf", "Annual Report 2023"),
        ("/ar22.pdf", "Annual Report 2022"),
        ("/q3-23.pdf", "Quarterly report Q3 2023"),
        ("/sr23.pdf", "Sustainability Report 2023"),
        ("/ar23-summary.pdf", "Summary Annual Report 2023"),
        ("/ar23-de.pdf", "Annual Report 2023 (German)"),
        ("/ar23.html", "Annual Report 2023 online"),
    ),
)
SIMPLE = site(home=HOME, investors=REPORTS, **{"ar23.html": page("Annual Report 2023", "Text")})


@deferred_f_from_coro_f
async def test_candidates_are_offered_best_first_with_reasons() -> None:
    with IrSite(SIMPLE) as server:
        found = await find(provider(), IrFetcher(server))
    assert [(str(one.url), one.priority_score) for one in found] == [
        (f"{WWW}/ar23.pdf", 50),
        (f"{WWW}/ar23.html", 60),
        (f"{WWW}/ar23-de.pdf", 66),
        (f"{WWW}/ar23-summary.pdf", 76),
    ]
    best, _, german, summary = found
    assert (best.provider, best.tier, best.access) == ("company_ir", 3, "scrape")
    assert (best.form, best.fiscal_year, best.fiscal_period) == ("annual", 2023, "FY")
    assert best.note == (
        "annual by the link's text; fiscal 2023 by the link's text; linked on "
        "https://www.example.com/investors"
    )
    assert german.language == "de"
    assert "in another language (de)" in german.note
    assert "a part or a summary of the report" in summary.note


@pytest.mark.parametrize(
    ("forms", "name"),
    [
        (("sustainability",), "sr23.pdf"),
        (("quarterly",), "q3-23.pdf"),
        (("10-Q",), "q3-23.pdf"),
        (("20-F",), "ar23.pdf"),
    ],
)
@deferred_f_from_coro_f
async def test_other_kinds_are_offered_where_they_are_asked_for(
    forms: tuple[str, ...], name: str
) -> None:
    with IrSite(SIMPLE) as server:
        found = await find(provider(), IrFetcher(server), forms=forms)
    assert str(found[0].url) == f"{WWW}/{name}"


@deferred_f_from_coro_f
async def test_the_wanted_language_is_an_option() -> None:
    with IrSite(SIMPLE) as server:
        found = await find(provider(languages=["de-CH", "en"]), IrFetcher(server))
    german = next(one for one in found if one.language == "de")
    assert german.priority_score == 50


@deferred_f_from_coro_f
async def test_no_page_is_requested_twice_for_several_years() -> None:
    asked = provider()
    with IrSite(SIMPLE) as server:
        fetcher = IrFetcher(server)
        both = await asyncio.gather(find(asked, fetcher), find(asked, fetcher, 2022))
        again = await find(asked, fetcher)
        requested = fetcher.pages + fetcher.gets
    assert [str(found[0].url) for found in both] == [f"{WWW}/ar23.pdf", f"{WWW}/ar22.pdf"]
    assert again == both[0]
    assert len(requested) == len(set(requested)) == 2


@deferred_f_from_coro_f
async def test_a_missing_year_names_the_years_that_are_there() -> None:
    with IrSite(SIMPLE) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError) as failure:
            await find(provider(), fetcher, 2010)
    assert "no report of fiscal 2010 among 7 documents on 3 pages" in str(failure.value)
    assert "(annual reports of 2023, 2022)" in str(failure.value)
    assert len(fetcher.pages) <= 12


@deferred_f_from_coro_f
async def test_a_company_without_a_homepage_says_what_to_give() -> None:
    with IrSite(SIMPLE) as server:
        fetcher = IrFetcher(server)
        unknown = CompanyRef.model_validate({"ticker": "EXM"})
        with pytest.raises(DocumentNotFoundError, match="EXM is not known: give its website"):
            await provider().find(unknown, 2023, ("10-K",), fetcher)
        named = provider(websites={"EXM": "www.example.com"})
        found = await named.find(unknown, 2023, ("10-K",), fetcher)
    assert str(found[0].url) == f"{WWW}/ar23.pdf"


@deferred_f_from_coro_f
async def test_a_site_that_cannot_be_read_is_its_first_failure() -> None:
    with IrSite(site(home=FORBIDDEN, missing=FORBIDDEN)) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(RateLimitExceededError):
            await find(provider(), fetcher)
    with IrSite(SIMPLE) as server:
        fetcher = IrFetcher(server)
        other = company(website="https://other.example.org/")
        with pytest.raises(FetchError, match="cannot be resolved"):
            await provider().find(other, 2023, ("10-K",), fetcher)


@deferred_f_from_coro_f
async def test_failures_of_pages_are_notes() -> None:
    broken = site(
        home=page("Example", links(("/investors", "Investors"), ("/reports", "Annual reports"))),
        investors=Reply("", status=500),
        reports=page("Reports", links(("/ar22.pdf", "Annual Report 2022"))),
    )
    with IrSite(broken) as server:
        fetcher = IrFetcher(server)
        assert await find(provider(), fetcher, 2022)
        with pytest.raises(DocumentNotFoundError, match="investors: status 500"):
            await find(provider(), fetcher)  # another survey, so that the page is asked for
        with pytest.raises(DocumentNotFoundError, match="investors: status 500"):
            await find(provider(), fetcher, 2021)


@pytest.mark.parametrize("most", [1, 2, 3, 5])
@deferred_f_from_coro_f
async def test_the_bound_on_pages_holds(most: int) -> None:
    endless = site(
        missing=page("Reports", links(*((f"/reports/{n}/x", "Annual reports") for n in range(50)))),
        home=HOME,
    )
    with IrSite(endless) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(max_pages=most), fetcher)
    assert len(fetcher.pages) == most


@deferred_f_from_coro_f
async def test_pages_alike_but_for_numbers_do_not_use_up_the_bound() -> None:
    lists = links(*((f"/reports/page/{n}", "Annual reports") for n in range(50)))
    many = site(
        home=page("Example", lists + links(("/about/investor", "Group"))),
        about__investor=page("Investor", links(("/ar23.pdf", "Annual Report 2023"))),
        **{f"reports__page__{n}": page("Reports", lists) for n in range(50)},
    )
    with IrSite(many) as server:
        fetcher = IrFetcher(server)
        found = await find(provider(), fetcher)
    assert str(found[0].url) == f"{WWW}/ar23.pdf"
    assert sum("/page/" in url for url in fetcher.pages) == 3


@pytest.mark.parametrize(
    "body",
    [
        "no JSON",
        "[" * 100_000,
        "[]",
        '{"GetFinancialReportListResult": 5}',
        '{"GetFinancialReportListResult": [5, {}, {"Documents": 5}, {"Documents": [5, {}]}]}',
        json.dumps(
            {
                "GetFinancialReportListResult": [
                    {
                        "ReportYear": "2023",
                        "ReportTitle": None,
                        "Documents": [
                            {"DocumentTitle": 7, "DocumentPath": "http://["},
                            {"DocumentTitle": "Annual Report", "DocumentPath": "javascript:x"},
                            {"DocumentTitle": "Webcast", "DocumentPath": "/x"},
                        ],
                    }
                ]
            }
        ),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_feed_ends_nothing(body: str) -> None:
    home = page("Example", "<script src='https://widgets.q4app.com/x.js'></script>")
    feed = (
        "feed/FinancialReport.svc/GetFinancialReportList"
        "?LanguageId=1&pageSize=-1&pageNumber=0&year=-1&reportTypes=Annual%20Report"
    )
    with IrSite(site(home=home, ir=REPORTS, **{feed: Reply(body, JSON)})) as server:
        found = await find(provider(), IrFetcher(server))
        assert "www.example.com/" + feed in server.asked
    assert str(found[0].url) == f"{WWW}/ar23.pdf"


@deferred_f_from_coro_f
async def test_a_feed_is_requested_once() -> None:
    q4 = "<script src='https://widgets.q4app.com/x.js'></script>"
    home = page("Example", q4 + links(("/a", "Annual reports"), ("/b", "Investors")))
    pages = {"home": home, "a": page("A", q4), "b": page("B", q4)}
    with IrSite(site(**pages)) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), fetcher)
    assert sum("/feed/" in url for url in fetcher.gets) == 1


@deferred_f_from_coro_f
async def test_a_page_that_is_missing_with_status_200_is_no_candidate() -> None:
    lost = page("Example", "<h1>Sorry</h1><p>Nothing to see, look elsewhere on our site.</p>")
    home = page("Example", links(("/annual-report-2023", "Annual Report 2023")))
    with IrSite(site(home=home, missing=lost)) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), fetcher)
    assert sum("does-not-exist" in url for url in fetcher.pages) == 1


@deferred_f_from_coro_f
async def test_a_report_page_that_is_gone_is_no_candidate() -> None:
    home = page("Example", links(("/annual-report-2023", "Annual Report 2023")))
    with IrSite(site(home=home)) as server, pytest.raises(DocumentNotFoundError):
        await find(provider(), IrFetcher(server))


@deferred_f_from_coro_f
async def test_a_link_that_leads_to_a_file_is_offered_as_one() -> None:
    home = page("Example", links(("/go/ar", "Annual Report 2023")))
    with IrSite(site(home=home, go__ar=Reply(PDF_BODY, PDF))) as server:
        (found,) = await find(provider(), IrFetcher(server))
    assert (found.content_type, found.priority_score) == ("application/pdf", 50)
    assert "the type of the file is not known" in found.note


class Rendering(IrFetcher):
    """A fetcher whose page at ``/go/ar`` is what *reply* returns."""

    reply: Callable[[], WebPage]

    async def page(self, url: str) -> WebPage:
        return self.reply() if url.endswith("/go/ar") else await super().page(url)


@pytest.mark.parametrize(
    ("html", "markdown"), [("%PDF-1.7 and so on", ""), ("", "# The report as text")]
)
@deferred_f_from_coro_f
async def test_a_file_that_was_fetched_as_a_page_is_offered_as_a_file(
    html: str, markdown: str
) -> None:
    home = page("Example", links(("/go/ar", "Annual Report 2023")))
    with IrSite(site(home=home)) as server:
        fetcher = Rendering(server)
        fetcher.reply = lambda: WebPage(f"{WWW}/go/ar", "", html, markdown)
        (found,) = await find(provider(), fetcher)
    assert found.content_type == "application/pdf"


@deferred_f_from_coro_f
async def test_a_page_that_was_interrupted_is_read_by_a_later_search() -> None:
    def interrupt() -> WebPage:
        raise TierInterruptedError

    asked = provider()
    home = page("Example", links(("/go/ar", "Annual Reports")))
    with IrSite(site(home=home)) as server:
        fetcher = Rendering(server)
        fetcher.reply = interrupt
        with pytest.raises(TierInterruptedError):
            await find(asked, fetcher)
        html = "<a href=/ar23.pdf>Annual Report 2023</a>"
        fetcher.reply = lambda: WebPage(f"{WWW}/go/ar", "", html, "")
        (found,) = await find(asked, fetcher)
    assert str(found.url) == f"{WWW}/ar23.pdf"


@deferred_f_from_coro_f
async def test_pages_and_sitemaps_that_time_out_are_notes() -> None:
    class Slow(IrFetcher):
        async def get(self, url: str, **_: Any) -> Answer:
            raise RequestTimeoutError("no answer in 30 s")

    with (
        IrSite(site(home=page("Example", ""))) as server,
        pytest.raises(DocumentNotFoundError, match=r"robots\.txt: no answer in 30 s"),
    ):
        await find(provider(), Slow(server))


@deferred_f_from_coro_f
async def test_a_sitemap_of_another_site_is_not_requested() -> None:
    robots = Reply("Sitemap: https://evil.example.org/a.xml\nSitemap: x\n", "text/plain")
    with IrSite(site(home=page("Example", ""), **{"robots.txt": robots})) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), fetcher)
    assert fetcher.gets == [f"{WWW}/robots.txt"]


@deferred_f_from_coro_f
async def test_maps_and_feeds_that_cost_too_much_are_notes() -> None:
    class Limited(IrFetcher):
        async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
            if function in {read_map, read_feed}:
                raise ContentError(Reason.CPU_LIMIT)
            return await super().run(function, *arguments)

    q4 = page("Example", "<script src='https://widgets.q4app.com/x.js'></script>")
    feed = feed_of(f"{WWW}/").removeprefix(f"{WWW}/")
    pages = {"home": q4, feed: Reply("{}", JSON), "sitemap.xml": sitemap(f"{WWW}/x")}
    with (
        IrSite(site(**pages)) as server,
        pytest.raises(DocumentNotFoundError, match=r"cpu_limit; .*sitemap\.xml: cpu_limit"),
    ):
        await find(provider(), Limited(server))


@deferred_f_from_coro_f
async def test_only_two_hosts_are_asked_for_a_feed() -> None:
    q4 = "<script src='https://widgets.q4app.com/x.js'></script>"
    hosts = [f"{name}.example.com" for name in ("www", "ir", "investors", "investor")]
    found = links(*((f"https://{host}/", "Investors") for host in hosts))
    shape = Shape("feeds", "", {f"{host}/": page("Example", q4 + found) for host in hosts}, {})
    with IrSite(shape) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), fetcher)
    assert sum("/feed/" in url for url in fetcher.gets) == 2


@deferred_f_from_coro_f
async def test_at_most_five_sitemaps_are_requested() -> None:
    maps = {f"m{n}.xml": sitemap(f"{WWW}/m{n + 1}.xml", index=True) for n in range(20)}
    with IrSite(
        site(
            home=page("Example", ""),
            **{"sitemap.xml": sitemap(f"{WWW}/m0.xml", index=True)},
            **maps,
        )
    ) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), fetcher)
    assert len(fetcher.gets) == 6  # with robots.txt


@deferred_f_from_coro_f
async def test_only_few_other_sites_are_visited() -> None:
    others = links(*((f"https://host{n}.example/", "Annual reports") for n in range(20)))
    with IrSite(site(home=page("Example", others))) as server:
        fetcher = IrFetcher(server)
        with pytest.raises(DocumentNotFoundError):
            await find(provider(max_pages=40), fetcher)
    visited = {url.split("/")[2] for url in fetcher.pages if ".example/" in url}
    assert len(visited) <= 4


@deferred_f_from_coro_f
async def test_a_homepage_by_its_address_is_searched_without_subdomains() -> None:
    plain = site(home=page("Example", "")).pages["www.example.com/"]
    shape = site()
    shape = type(shape)("ip", "", {"192.0.2.7/": plain, "192.0.2.7/investors": REPORTS}, {})
    with IrSite(shape) as server:
        fetcher = IrFetcher(server)
        found = await provider().find(
            company(website="http://192.0.2.7/"), 2023, ("10-K",), fetcher
        )
    assert str(found[0].url) == "http://192.0.2.7/ar23.pdf"
    assert all(url.startswith("http://192.0.2.7/") for url in fetcher.pages)


@deferred_f_from_coro_f
async def test_undated_reports_come_last_and_are_few() -> None:
    undated = links(*((f"/r{n}.pdf", f"Our {n}th annual report") for n in range(30, 36)))
    home = page("Example", undated + links(("/ar.pdf", "Annual Report 2023")))
    with IrSite(site(home=home)) as server:
        found = await find(provider(), IrFetcher(server))
    assert [one.priority_score for one in found] == [50, 91, 91]


@deferred_f_from_coro_f
async def test_a_redirect_is_read_once() -> None:
    home = page("Example", links(("/ir", "Annual reports"), ("/reports", "Reports")))
    shape = site(home=home, ir=moved("/reports"), reports=page("Annual reports", "<p>None</p>"))
    with IrSite(shape) as server:
        with pytest.raises(DocumentNotFoundError):
            await find(provider(), IrFetcher(server))
        assert server.asked.count("www.example.com/reports") == 1


@deferred_f_from_coro_f
async def test_the_work_on_a_page_runs_in_a_real_worker() -> None:
    class Working(IrFetcher):
        def __init__(self, server: IrSite, pool: ConversionPool) -> None:
            super().__init__(server)
            self._pool = pool

        async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
            return await self._pool.run("", function, *arguments)

    pool = ConversionPool(1, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    maps = sitemap(f"{WWW}/ar21-annual-report-2021.pdf")
    try:
        with IrSite(site(home=HOME, investors=REPORTS, **{"sitemap.xml": maps})) as server:
            asked, fetcher = provider(), Working(server, pool)
            assert str((await find(asked, fetcher))[0].url) == f"{WWW}/ar23.pdf"
            found = await find(asked, fetcher, 2021)
            assert str(found[0].url) == f"{WWW}/ar21-annual-report-2021.pdf"
    finally:
        await pool.close()


def test_only_so_many_sites_are_remembered() -> None:
    asked = provider()
    for number in range(150):
        asked._survey(f"https://www{number}.example.com/")
    assert len(asked._surveys) == 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"website": {}}, "'website' is not an option (write websites)"),
        ({"zzz": 1}, "is not an option (write one of websites, max_pages, languages)"),
        ({"websites": ["x"]}, "websites: is not a mapping"),
        ({"websites": {"AAPL": 5}}, "websites: 'AAPL'"),
        ({"websites": {"AAPL": "not a host/"}}, "websites: 'AAPL': 'not a host/'"),
        ({"websites": {"AAPL": "ftp://example.com/"}}, "only http:// and https://"),
        ({"websites": {"": "example.com"}}, "an empty key"),
        ({"max_pages": 0}, "max_pages: '0' is not a number of pages (1 to 500)"),
        ({"max_pages": True}, "max_pages"),
        ({"max_pages": "12"}, "max_pages"),
        ({"languages": "en"}, "languages: is not a list"),
        ({"languages": []}, "languages: is not a list"),
        ({"languages": ["english"]}, "languages: 'english' is not a language"),
        ({"languages": [5]}, "languages: '5'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as failure:
        provider(**options)
    assert message in str(failure.value)


@pytest.mark.parametrize(
    ("key", "reference"),
    [
        ("320193", {"cik": "0000320193"}),
        ("CIK0000320193", {"cik": 320193}),
        ("brk.b", {"ticker": "BRK-B"}),
        ("The Example Company", {"name": "EXAMPLE CO."}),
    ],
)
def test_homepages_are_found_by_cik_ticker_or_name(key: str, reference: dict[str, Any]) -> None:
    found = provider(websites={key: "https://example.com"})._options.homepage_of(
        CompanyRef.model_validate(reference)
    )
    assert found == "https://example.com/"
