"""The report shows each value in its place, escapes everything, and is bounded."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fields.llm.wire import Clock, FixedKeys, SocketTransport, run
from tests.fields.report.findings import URL, found, found_text, result_of
from tests.fields.report.reading import Report
from tests.fields.report.test_highlights import TEXTS
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget, Sums
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.prices import Price
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.merging import update_state
from wikicrawler.fields.models import (
    CrawlState,
    Evidence,
    FieldDefinition,
    Finding,
    ScraperConfig,
    Usage,
)
from wikicrawler.fields.report import rendering
from wikicrawler.fields.report.escaping import shown
from wikicrawler.fields.report.rendering import render_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.fields.models import ScrapeResult

BOOK = "# The Salt Road\n\nPrice: 14.50 EUR\n\nIn stock: yes\n"
TEAM = "# Team\n\n" + "".join(
    f"## Person {number}\n\n{'They joined the company a long time ago. ' * 9}\n\n"
    f"Member: Name{number} Surname{number}\n\n"
    for number in range(12)
)
SALE = "# Sale\n\nPrice: 12.00 EUR\n"
STATED = """<h1>The Salt Road</h1><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "name": "The Salt Road", "sku": "SR-1"}
</script>"""
PAGES = [
    PageText("https://shop.example/book", BOOK, html=STATED),
    PageText("https://shop.example/team", TEAM),
    PageText("https://shop.example/sale", SALE),
]
FIELDS = {
    "name": "string",
    "price": "number",
    "member": "list[string]",
    "sku": "string",
    "phone": "string",
}
SECRET = "sk-a-secret-key-of-somebody"  # noqa: S105


class Crawled:
    """Pages whose fields a scripted model was asked for."""

    def __init__(self) -> None:
        self.fields = define_fields(FIELDS)
        self.budget = Budget()
        self.state = CrawlState()
        self.contents = {page.url: page.text for page in PAGES}
        with ScriptedModel([SECRET]) as model:
            model.for_text("# Sale", twists.changed(phone="555-1234"))
            self.results = run(self._extract(model))
        for result in self.results:
            update_state(self.state, result.findings, self.fields, result.url)

    async def _extract(self, model: ScriptedModel) -> list[ScrapeResult]:
        clock = Clock()
        client = ChatClient(
            SocketTransport(),
            ChatEndpoint(model.base_url, "any"),
            FixedKeys([SECRET], clock),
            clock=clock,
            sleep=clock.sleep,
        )
        reader = ChunkReader(client, ScraperConfig(), self.budget, price=Price(1e-6, 2e-6))
        extractor = PageExtractor(self.fields, reader, chunk_tokens=2048)
        return [await extractor.extract(page) for page in PAGES]

    def report(self) -> Report:
        sums = self.budget.sums
        return Report(render_report(self.results, self.contents, self.fields, self.state, sums))


@pytest.fixture(scope="module")
def crawled() -> Crawled:
    return Crawled()


def test_each_link_leads_to_the_text_of_the_evidence(crawled: Crawled) -> None:
    report = crawled.report()
    links = {(cell_text(row, 4), report.evidence(name)) for row, name in report.links()}
    stands = [
        finding.evidence
        for result in crawled.results
        for finding in result.findings
        if finding.evidence and finding.evidence.text
    ]
    assert len(stands) == len(list(report.links())) > 12
    assert {text for _, text in links} == {evidence.text for evidence in stands}
    for linked, text in links:
        assert linked.startswith(text)
    for row, name in report.links():
        (section,) = report.target(name).xpath("ancestor::section[1]")
        assert cell_text(row, 3) == section.xpath("h3")[0].text_content()


def cell_text(row: Any, column: int) -> str:
    """The text of a cell, from column 1."""
    return str(row.xpath(f"string((th|td)[{column}])"))


def test_values_conflicts_and_rejected_answers_are_told_apart(crawled: Crawled) -> None:
    report = crawled.report()
    prices = report.rows("price")
    assert [(row[0], row[1]) for row in prices] == [("14.5", "value"), ("12", "conflict")]
    (phone,) = report.rows("phone")
    assert phone[:2] == ["555-1234", "rejected"]
    assert phone[7] == "value_not_found"
    assert [row[0] for row in report.rows("member")] == [f"Name{n} Surname{n}" for n in range(12)]
    (overview,) = report.all("//table[caption='What was found of each field']")
    cells = {cell_text(row, 1): cell_text(row, 3) for row in overview.xpath("tbody/tr")}
    assert (cells["price"], cells["phone"]) == ("14.5", "null")
    reasons = {cell_text(row, 1): cell_text(row, 7) for row in overview.xpath("tbody/tr")}
    assert reasons["phone"] == "all answers were rejected: value_not_found (1)"
    assert reasons["price"] == ""


def test_what_structured_data_alone_states_has_its_path(crawled: Crawled) -> None:
    (sku,) = crawled.report().rows("sku")
    assert sku[0] == "SR-1"
    assert sku[3] == "json-ld[0].sku not in the text of the page"
    assert (sku[4], sku[6]) == ("structured", "hidden")


def test_the_cost_is_shown_by_page_field_model_and_key(crawled: Crawled) -> None:
    report = crawled.report()
    captions = [one.text for one in report.all("//caption")]
    costs = captions[captions.index("All calls") :]
    assert costs == ["All calls", "By URL", "By field", "By model", "By key"]
    total = crawled.budget.sums.total
    for caption in costs:
        rows = report.all(f"//table[caption='{caption}']/tbody/tr")
        assert sum(int(cell_text(row, 4).replace(",", "")) for row in rows) == total.prompt_tokens
        assert sum(int(cell_text(row, 6).replace(",", "")) for row in rows) == (
            total.completion_tokens
        )
    keys = [cell_text(row, 1) for row in report.all("//table[caption='By key']/tbody/tr")]
    assert keys == ["key 1"]
    assert SECRET not in report.source


def test_a_key_is_never_shown_even_where_its_name_should_be() -> None:
    sums = Sums(by_key={SECRET: Usage(requests=2), "key 2": Usage(requests=1)})
    html = render_report([], {}, define_fields("title"), sums=sums)
    assert SECRET not in html
    assert "another key" in html


def test_a_machine_reads_the_page(crawled: Crawled) -> None:
    report = crawled.report()
    assert report.root.get("lang") == "en"
    levels = [int(one.tag[1]) for one in report.all("//h1|//h2|//h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert max(b - a for a, b in pairwise(levels)) == 1
    for table in report.all("//table"):
        assert table.xpath("caption/text()")
        assert {one.get("scope") for one in table.xpath("thead//th")} == {"col"}
        assert all(len(row.xpath("th[@scope='row']")) == 1 for row in table.xpath("tbody/tr"))
        assert len({len(row.xpath("th|td")) for row in table.xpath(".//tr")}) == 1
    named = report.all("//section/@aria-labelledby")
    assert all(report.target(str(name)).text_content() for name in named)
    for link in report.all("//a[starts-with(@href, '#')]"):
        assert report.target(link.get("href")) is not None


def test_the_page_loads_and_runs_nothing(crawled: Crawled) -> None:
    report = crawled.report()
    assert report.harmful() == []
    (meta,) = report.all("//meta[@http-equiv='Content-Security-Policy']")
    assert meta.get("content").startswith("default-src 'none'; style-src 'sha256-")
    head = report.source[: report.source.index("<style>")]
    assert 'http-equiv="Content-Security-Policy"' in head
    assert "prefers-color-scheme: dark" in report.source


PAYLOADS = [
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title></head><body onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '" style="position:fixed" x="',
    "<!-- <![CDATA[ --> ]]>",
    "&lt;b&gt;&#60;script&#62;",
    "javascript:alert(1)",
    "</mark></div></section><base href=//evil.example>",
    "</textarea></noscript><svg/onload=alert(1)>",
    "\x00<\x00script>alert(1)</script>\u202e\ud800",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
]


@pytest.mark.parametrize("evil", PAYLOADS)
def test_nothing_that_strangers_say_is_markup(evil: str) -> None:
    url = f"https://shop.example/{evil}"
    text = f"before {evil} behind\n\n{evil}"
    fields = define_fields("title")
    evidence = Evidence(url=url, start=0, end=0, text="", method="structured", path=evil)
    findings = [
        found_text(text, "title", evil, url, marks=(evil, "hidden")),
        found_text(text, evil, evil, url),
        Finding(field="title", url=url, reason=evil, rejected={evil: [evil]}),
        Finding(field="title", value={"a": evil}, url=evil, evidence=evidence),
    ]
    result = result_of(findings, fields, url, tier=evil, partial=f"x {evil}", content_hash=evil)
    failed = result_of([], fields, evil, success=False, error=evil)
    state = CrawlState(start_url=evil, merged_data={"title": evil, evil: evil})
    usage = Usage(requests=1)
    by = {evil: usage}
    sums = Sums(usage, by_url=dict(by), by_model=dict(by), by_key=dict(by), by_field=dict(by))
    contents = {url: text, evil: evil}
    html = render_report([result, failed], contents, fields, state, sums, title=evil)
    report = Report(html)
    assert report.harmful() == []
    assert report.texts().count(shown(evil)) > 15
    html.encode()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example/",
        "https://",
        "https://user:word@shop.example/",
        "https://[::1",
        "http://shop.example:99999999/",
        "https://shop.example/\u202egpj.exe",
        "https://shop.example/a b",
        "blob:https://shop.example/x",
        "https://shop.example/" + "x" * 5000,
        "",
    ],
)
def test_only_clean_addresses_of_http_are_links(url: str) -> None:
    sums = Sums(by_url={url: Usage()})
    result = result_of([], define_fields("title"), url)
    report = Report(render_report([result], {url: BOOK}, define_fields("title"), sums=sums))
    assert report.all("//a[not(starts-with(@href, '#'))]") == []
    assert "user:word" not in report.source


def test_a_link_to_a_page_tells_it_nothing() -> None:
    report = Report(render_report([result_of([], define_fields("title"))], {}, []))
    (link,) = report.all("//a[not(starts-with(@href, '#'))]")
    assert link.get("href") == URL
    assert {"noopener", "noreferrer"} <= set(link.get("rel").split())


@given(st.lists(st.tuples(TEXTS, st.integers(0, 60), st.integers(1, 60)), min_size=1, max_size=5))
def test_evidence_is_exact_for_any_text(cases: Sequence[tuple[str, int, int]]) -> None:
    fields = define_fields("title, tags: list[string]")
    contents, results, expected = {}, [], []
    for number, (text, start, length) in enumerate(cases):
        url = f"https://shop.example/{number}"
        contents[url] = text
        some = []
        for field, shift in (("title", 0), ("tags", 1), ("tags", 2)):
            first = (start + shift) % len(text)
            one = found(text, field, f"value {shift}", (first, min(first + length, len(text))), url)
            some.append(one)
            expected.append(shown(one.evidence.text))
        results.append(result_of(some, fields, url))
    report = Report(render_report(results, contents, fields))
    assert sorted(report.evidence(name) for _, name in report.links()) == sorted(expected)


def test_evidence_that_the_page_does_not_have_is_no_link() -> None:
    fields = define_fields("title")
    one = found_text(BOOK, "title", "The Salt Road")
    for contents in ({URL: f"x{BOOK}"}, {}):
        report = Report(render_report([result_of([one], fields)], contents, fields))
        assert list(report.links()) == []
        assert report.rows("title")[0][3] == "The Salt Road characters 2 to 15, not shown below"
    assert "The text of the page is not there." in report.texts()


def test_marks_stand_out_in_the_text_and_in_the_table() -> None:
    fields = define_fields("title, price: number")
    text = "# Shop\n\nThe price is 1 EUR, whatever else stands here.\n"
    findings = [
        found_text(text, "price", "1 EUR", value=1.0, marks=("addressed", "hidden")),
        found_text(text, "title", "Shop", marks=("contradicted",)),
    ]
    report = Report(render_report([result_of(findings, fields)], {URL: text}, fields))
    marks = {one.text: one.get("class") for one in report.all("//mark")}
    assert marks == {"1 EUR": "addressed hidden", "Shop": "contradicted"}
    assert [one.get("data-note") for one in report.all("//mark")] == [
        "title, contradicted",
        "price, addressed, hidden",
    ]
    flags = report.all("//table//strong")
    classes = sorted(str(one.get("class")) for one in flags)
    assert classes == ["flag addressed", "flag contradicted", "flag hidden"]


def test_two_fields_with_one_evidence_share_its_place() -> None:
    fields = define_fields("title, name")
    findings = [found_text(BOOK, field, "The Salt Road") for field in ("title", "name")]
    report = Report(render_report([result_of(findings, fields)], {URL: BOOK}, fields))
    assert len({name for _, name in report.links()}) == 1
    (mark,) = report.all("//mark")
    assert mark.get("data-note") == "title, name"


def test_a_failed_page_says_why() -> None:
    fields = define_fields("title")
    result = result_of([], fields, success=False, error="the server answers 503", depth=2)
    report = Report(render_report([result], {}, fields))
    assert "Error: the server answers 503" in report.texts()
    assert "1 page could not be read" in report.texts()


def test_without_a_state_each_page_has_its_own_values() -> None:
    fields = define_fields("title")
    contents = {f"{URL}/{number}": f"# Book {number}\n" for number in range(3)}
    results = [
        result_of([found_text(text, "title", text[2:-1], url)], fields, url)
        for url, text in contents.items()
    ]
    rows = Report(render_report(results, contents, fields)).rows("title")
    assert [row[1] for row in rows] == ["value"] * 3


def test_findings_that_the_results_lack_come_from_the_state() -> None:
    fields = define_fields("title")
    state = CrawlState()
    findings = [found_text(BOOK, "title", "The Salt Road"), found_text(BOOK, "title", "Price")]
    update_state(state, findings, fields, URL)
    report = Report(render_report([], {URL: BOOK}, fields, state))
    assert [row[:2] for row in report.rows("title")] == [
        ["The Salt Road", "value"],
        ["Price", "conflict"],
    ]
    assert [report.evidence(name) for _, name in report.links()] == ["The Salt Road", "Price"]


def test_a_conflict_that_is_a_finding_too_is_listed_once() -> None:
    fields = define_fields("title")
    findings = [found_text(BOOK, "title", text) for text in ("The Salt Road", "Price")]
    result = result_of(findings, fields)
    assert result.conflicts == (findings[1],)
    state = CrawlState()
    update_state(state, findings, fields, URL)
    rows = Report(render_report([result], {URL: BOOK}, fields, state)).rows("title")
    assert [row[:2] for row in rows] == [["The Salt Road", "value"], ["Price", "conflict"]]


def test_elements_behind_max_items_are_not_used() -> None:
    fields = define_fields([{"name": "tags", "type": "list[string]", "max_items": 1}])
    findings = [found_text(BOOK, "tags", text) for text in ("The", "Salt")]
    report = Report(render_report([result_of(findings, fields)], {URL: BOOK}, fields))
    assert [row[:2] for row in report.rows("tags")] == [["The", "value"], ["Salt", "not used"]]


def hostile_run(fields: list[FieldDefinition]) -> tuple[list[ScrapeResult], dict[str, str]]:
    """1,000 pages of 1 MB, with more findings than anybody reads."""
    text = '&<"\u202e\U000e0041' * 200_000
    other = text[1:]
    results, contents = [], {}
    for number in range(1_000):
        url = f"https://shop.example/{number}?{'&' * 1_900}"
        contents[url] = text
        findings = [
            found(
                text, field.name, f"{number} {at} {text[:500]}", (at, at + 400), url, marks=("<",)
            )
            for index, field in enumerate(fields)
            for at in (index * 40_000, index * 40_000 + 20_000)
        ]
        result = result_of([], fields, url, error=text, partial=other)
        results.append(result.model_copy(update={"findings": tuple(findings)}))
    return results, contents


def test_a_thousand_pages_of_a_megabyte_make_a_page_that_opens() -> None:
    fields = define_fields({f"tags_{number}": "list[string]" for number in range(20)})
    results, contents = hostile_run(fields)
    sums = Sums(by_url={result.url: Usage(requests=1) for result in results})
    html = render_report(results, contents, fields, sums=sums)
    assert len(html) < rendering.MAX_TABLES + rendering.MAX_TEXT + 2_000_000
    report = Report(html)
    assert list(report.links()) != []
    left_out = [note.text_content() for note in report.all("//span[@class='note']")]
    assert any("more pages are not shown" in text for text in left_out)
    assert any("more findings are not shown" in text for text in left_out)
    limits = report.target("limits").getparent().text_content()
    for limit in (rendering.MAX_ROWS, rendering.MAX_PAGES, rendering.MAX_TEXT, rendering.MAX_SHOWN):
        assert f"{limit:,}" in limits
    costs = report.all("//table[caption='By URL']/tbody/tr")
    assert len(costs) == rendering.MAX_COSTS + 1
    assert sum(int(cell_text(row, 2).replace(",", "")) for row in costs) == 1_000


def test_more_fields_than_are_shown_are_counted() -> None:
    fields = [FieldDefinition(name=f"field_{number}") for number in range(300)]
    report = Report(render_report([result_of([], fields)], {}, fields))
    assert f"{300 - rendering.MAX_FIELDS} more fields are not shown." in report.texts()


def test_a_run_without_anything_is_a_page_too() -> None:
    report = Report(render_report([], {}, define_fields("title")))
    assert report.harmful() == []
    assert "stated on none of 0 pages" in report.texts()
