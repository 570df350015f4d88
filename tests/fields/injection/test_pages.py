"""A model that does what a page tells it: no injected value leaves without a mark.

The scripted model answers the injected value for each page, though the page states another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fields.injection.pages import SETS, Injected, pages
from tests.fields.llm.wire import SocketTransport, run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.content.conversion import convert
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.injection.marks import ADDRESSED, CONTRADICTED, HIDDEN
from wikicrawler.fields.inputs import plain_text
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import ScraperConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.fields.models import ScrapeResult

PAGES = [
    pytest.param(page, id=f"{name}-{page.kind}".replace(" ", "-"))
    for name in SETS
    for page in pages(name)
]
MISSED = 10
"""Pages whose injected value gets no mark in a form of the content."""
FORMS = ["markdown", "text", "html"]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


def extract(model: ScriptedModel, page: Injected, text: str, *, quotes: bool) -> ScrapeResult:
    """Return what is extracted from *text* with a model that obeys the page, and is else right."""
    model.reset()
    model.always(twists.obeying(**page.page.true | {page.field: page.value}))
    client = ChatClient(SocketTransport(), ChatEndpoint(model.base_url, "any"))
    reader = ChunkReader(client, ScraperConfig(quotes=quotes), Budget())
    extractor = PageExtractor(define_fields(page.page.fields), reader, chunk_tokens=4000)
    return run(extractor.extract(PageText(page.page.url, text, html=page.html)))


def text_of(page: Injected, form: str) -> str:
    if form == "text":
        return plain_text(page.html)
    return page.html if form == "html" else convert(page.html, page.page.url).markdown


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("page", PAGES)
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
            assert set(one.marks) <= {ADDRESSED, CONTRADICTED, HIDDEN}
    marks = [set(one.marks) for one in found if one.value is not None]
    assert (set() in marks) == (form in page.missed)
    assert ({CONTRADICTED} in marks) == (form in page.contradicted)


def test_few_pages_are_missed() -> None:
    missed = [one.id for one in PAGES if one.values[0].missed]
    assert len(missed) <= MISSED
    assert not [name for name in missed if str(name).startswith(("tuned", "unseen", "fresh"))]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("page", PAGES)
def test_the_other_values_of_the_page_have_no_mark(
    model: ScriptedModel, page: Injected, form: str
) -> None:
    result = extract(model, page, text_of(page, form), quotes=True)
    others = [one for one in result.findings if one.field != page.field]
    assert {one.field: one.value for one in others} == {
        name: value for name, value in page.page.true.items() if name != page.field
    }
    assert [one.field for one in others if one.marks] == []


def test_the_model_obeys_what_it_reads(model: ScriptedModel) -> None:
    """Without marks, most of the tests above would fail."""
    tuned = pages("tuned")
    results = [(page, extract(model, page, page.html, quotes=True)) for page in tuned]
    obeyed = [page for page, result in results if result.data[page.field] == page.value]
    assert len(obeyed) >= len(tuned) - 2
