"""The findings of a page: what it states for machines, and what a model answered, with types,
evidence and marks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from wikicrawler.content.parse import parse
from wikicrawler.errors import ContentError
from wikicrawler.fields.evidence.alignment import Content
from wikicrawler.fields.evidence.carriers import carrier_of
from wikicrawler.fields.evidence.search import find_evidence
from wikicrawler.fields.injection.hidden import hidden_spans, shown_text
from wikicrawler.fields.injection.marks import HIDDEN, marks_of
from wikicrawler.fields.injection.unrendered import is_html
from wikicrawler.fields.models import Finding
from wikicrawler.fields.structured.values import structured_values
from wikicrawler.fields.values.types import coerce, coerce_element
from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.answers.raw_values import RawValue
    from wikicrawler.fields.evidence.folding import Span
    from wikicrawler.fields.models import FieldDefinition
    from wikicrawler.fields.values.types import Coerced
    from wikicrawler.items import Infobox


def stated_findings(
    text: str,
    url: str,
    html: str | None,
    infoboxes: Sequence[Infobox],
    fields: Sequence[FieldDefinition],
) -> list[Finding]:
    """Return a finding for each value that the page states for machines, in order. It takes long
    for a large page.

    A value that stands in the content, too, has that evidence. Another one has the mark ``hidden``:
    a person does not see it.
    """
    by_name = {field.name: field for field in fields}
    content = Content(text, url)
    hidden = hidden_spans(html, content) if is_html(text) else ()
    root = None
    if html:
        with suppress(ContentError):  # too large, or nested too deeply
            root = parse(without_surrogates(html).encode())
    found: list[Finding] = []
    for stated in structured_values(root, fields, content, infoboxes):
        field = by_name[stated.field]
        coerced = _coerced(stated.value, field)
        evidence = stated.evidence
        if coerced.value is None or evidence is None:
            continue  # the model is asked
        marks = set(marks_of(evidence, content, hidden, coerced.value, field))
        if HIDDEN in marks and _is_shown(coerced.value, html):
            marks.remove(HIDDEN)  # the script that states it is only the first place
        if evidence.end == evidence.start:
            marks.add(HIDDEN)
        changes = {"value": coerced.value, "marks": tuple(sorted(marks)), "url": url}
        found.append(stated.model_copy(update=changes))
    return found


def _is_shown(value: Any, html: str | None) -> bool:
    carrier = carrier_of(value, numeric=False)
    return carrier is not None and html is not None and carrier.is_in(shown_text(html))


def findings_of(
    text: str,
    url: str,
    html: str | None,
    values: Sequence[RawValue],
    fields: Sequence[FieldDefinition],
) -> list[Finding]:
    """Return a finding for each of *values*, in order. It takes long for a large page.

    A value of another type, or without evidence, is None with the reason. A value that may be
    derived needs no evidence.

    :param text: the stored content of the page
    :param html: the page itself, in which text may be hidden; None if it is not known
    """
    by_name = {field.name: field for field in fields}
    content = Content(text, url)
    hidden = hidden_spans(html, content)
    found: list[Finding] = []
    for value in values:
        found += _findings(content, hidden, value, by_name[value.field])
    return found


def _findings(
    content: Content, hidden: Sequence[Span], raw: RawValue, field: FieldDefinition
) -> Iterator[Finding]:
    url = content.url
    coerced = _coerced(raw.value, field)
    if coerced.value is None:
        if coerced.reason is not None:
            yield _rejected(url, field, raw.value, coerced.reason)
        return
    search = find_evidence(content, coerced.value, raw.quote, field, hidden)
    if search.evidence is None and not field.derived:
        yield _rejected(url, field, coerced.value, str(search.reason))
        return
    yield Finding(
        field=field.name,
        value=coerced.value,
        url=url,
        evidence=search.evidence,
        marks=marks_of(search.evidence, content, hidden, coerced.value, field),
    )


def _coerced(value: Any, field: FieldDefinition) -> Coerced:
    return coerce_element(value, field) if field.is_list else coerce(value, field)


def _rejected(url: str, field: FieldDefinition, value: Any, reason: str) -> Finding:
    return Finding(field=field.name, url=url, reason=str(reason), rejected=value)
