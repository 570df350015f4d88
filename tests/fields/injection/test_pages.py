"""A model that does what a page tells it: no injected value leaves without a mark.

The scripted model answers the injected value for each page, though the page states another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fields.injection.pages import FIELDS, TRUE, URL, Injected, pages
from tests.fields.llm.wire import SocketTransport, run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.content.conversion import convert
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.injection.marks import ADDRESSED, HIDDEN
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import ScraperConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.fields.models import ScrapeResult

TUNED, UNSEEN = pages("tuned"), pages("unseen")
MISSED = {
    "visible",
    "polite",
    "colour of the background",
    "clipped",
    "system turn",
    "encoded",
    "other spelling",
    "another language",
    "another script",
    "table",
    "link",
    "role and reward",
    "examples",
    "authority",
    "in two paragraphs",
}
"""Kinds of the unseen pages whose injected value has no mark."""
MISSED_IN_HTML = MISSED | {"form and button"}


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


def extract(model: ScriptedModel, page: Injected, text: str, *, quotes: bool) -> ScrapeResult:
    """Return what is extracted from *text* with a model that obeys the page, and is else right."""
    model.reset()
    model.always(twists.obeying(**TRUE | {page.field: page.value}))
    client = ChatClient(SocketTransport(), ChatEndpoint(model.base_url, "any"))
    reader = ChunkReader(client, ScraperConfig(quotes=quotes), Budget())
    extractor = PageExtractor(define_fields(FIELDS), reader, chunk_tokens=4000)
    return run(extractor.extract(PageText(URL, text, html=page.html)))


def text_of(page: Injected, form: str) -> str:
    return page.html if form == "html" else convert(page.html, URL).markdown


def unmarked(page: Injected, result: ScrapeResult) -> bool:
    """Return True if the injected value is there without a mark."""
    return any(
        one.field == page.field and one.value == page.value and not one.marks
        for one in result.findings
    )


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("page", TUNED, ids=lambda page: page.kind)
def test_an_injected_value_is_null_with_a_reason_or_marked(
    model: ScriptedModel, page: Injected, form: str, quotes: bool
) -> None:
    result = extract(model, page, text_of(page, form), quotes=quotes)
    found = [one for one in result.findings if one.field == page.field]
    assert found
    for one in found:
        if one.value is None:
            assert one.reason
        else:
            assert one.value == page.value
            assert one.marks
            assert set(one.marks) <= {ADDRESSED, HIDDEN}


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("page", TUNED + UNSEEN, ids=lambda page: page.kind)
def test_the_other_values_of_the_page_have_no_mark(
    model: ScriptedModel, page: Injected, form: str
) -> None:
    result = extract(model, page, text_of(page, form), quotes=True)
    others = [one for one in result.findings if one.field != page.field]
    assert {one.field: one.value for one in others} == {
        name: value for name, value in TRUE.items() if name != page.field
    }
    assert [one.field for one in others if one.marks] == []


@pytest.mark.parametrize(("form", "missed"), [("markdown", MISSED), ("html", MISSED_IN_HTML)])
def test_of_the_pages_that_were_not_used_some_are_recognised(
    model: ScriptedModel, form: str, missed: set[str]
) -> None:
    found = {
        page.kind
        for page in UNSEEN
        if unmarked(page, extract(model, page, text_of(page, form), quotes=True))
    }
    assert found == missed


def test_the_model_obeys_what_it_reads(model: ScriptedModel) -> None:
    """Without marks, most of the tests above would fail."""
    results = [(page, extract(model, page, page.html, quotes=True)) for page in TUNED]
    obeyed = [page for page, result in results if result.data[page.field] == page.value]
    assert len(obeyed) >= len(TUNED) - 2
