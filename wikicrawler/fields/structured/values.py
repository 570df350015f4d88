"""Values that a page states itself, for machines: JSON-LD, microdata, ``<meta>``, infoboxes, and
links to the author.

They cost no token. A value counts only if it is clear that the field is this property, that the
page has one subject, and that its sources agree. Everything else is left to the model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.fields.evidence.folding import fold
from wikicrawler.fields.evidence.search import find_evidence
from wikicrawler.fields.evidence.spellings import decimal_of, number_spans
from wikicrawler.fields.models import Evidence, Finding
from wikicrawler.fields.structured.facts import (
    linked_authors,
    linked_nodes,
    meta_values,
    microdata_nodes,
    subject_of,
)
from wikicrawler.fields.structured.properties import Property, is_about, normalised, property_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.html import HtmlElement

    from wikicrawler.fields.evidence.alignment import Content
    from wikicrawler.fields.models import FieldDefinition
    from wikicrawler.fields.structured.facts import Subject
    from wikicrawler.items import Infobox

_MAX_ELEMENTS = 100
_NO_DATE = re.compile(r"000\d-\d\d-\d\d|1970-01-01T00:00:00")
"""Dates that programs write where they have none."""
_ARTICLE = frozenset({"Article"})
_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")


class _Stated(NamedTuple):
    """What one source states about a field."""

    path: str
    values: list[Any]


def structured_values(
    root: HtmlElement | None,
    fields: Sequence[FieldDefinition],
    content: Content,
    infoboxes: Sequence[Infobox] = (),
) -> list[Finding]:
    """Return the values that the page states for *fields*: one for a scalar, one for each element
    of a list. Never raises.

    The values are strings, numbers and booleans as stated, to be coerced by the caller. Evidence
    has the method ``structured`` and the path of the value: ``json-ld[0].offers.price``,
    ``meta.og:title``, ``infobox[0].population``. If the value stands in *content*, too, the span is
    that place; otherwise it is empty, at 0.

    :param root: the page, as :func:`wikicrawler.content.parse.parse` returns it
    :param infoboxes: of the page's record
    """
    page = _Page(root, infoboxes)
    return [finding for field in fields for finding in _findings(page, field, content)]


class _Page:
    """What a page states, read once."""

    def __init__(self, root: HtmlElement | None, infoboxes: Sequence[Infobox]) -> None:
        self.infoboxes = infoboxes
        self.meta = meta_values(root) if root is not None else {}
        nodes = (linked_nodes(root), microdata_nodes(root)) if root is not None else ()
        self.subjects = [subject for of in nodes if (subject := subject_of(of)) is not None]
        # A page about several things may have a <meta> for one of them.
        self.is_unclear = any(nodes) and not self.subjects and _has_things(nodes)
        self._root = root

    def stated(self, field: FieldDefinition) -> Iterator[_Stated]:
        for subject in self.subjects:
            keys = frozenset(map(str, subject.node))
            found = property_of(field, keys)
            if found is not None and is_about(field, subject.kinds):
                yield from _in_subject(subject, found, field)
        kinds = self.subjects[0].kinds if self.subjects else frozenset[str]()
        if (found := property_of(field)) is None or not is_about(field, kinds):
            return
        if not self.is_unclear:
            names = [name for name in found.meta if name in self.meta]
            names = [name for name in names if name != "author" or "://" not in self.meta[name]]
            yield from (_Stated(f"meta.{name}", [self.meta[name]]) for name in names)
        yield from self._in_infobox(found, field)

    def linked(self, field: FieldDefinition) -> Iterator[_Stated]:
        """Yield the author to whom the page links as such, if there is one."""
        found = property_of(field)
        if self._root is None or found is None or ("author",) not in found.paths:
            return
        if is_about(field, _ARTICLE) and len(names := linked_authors(self._root)) == 1:
            yield _Stated("a[rel=author]", list(names))

    def _in_infobox(self, found: Property, field: FieldDefinition) -> Iterator[_Stated]:
        if len(self.infoboxes) != 1:
            return
        rows = list(self.infoboxes[0]["fields"].items())[:500]
        values = [value for label, value in rows if normalised(label) in found.labels]
        if len(values) == 1 and len(values[0]) <= 5000:
            lines = [line for line in values[0].split("\n") if line.strip()]
            if len(lines) == 1 or field.is_list:
                yield _Stated(f"infobox[0].{normalised(field.name)}", list(lines))


def _has_things(nodes: tuple[list[Any], ...]) -> bool:
    return any(subject_of([node]) is not None for of in nodes for node in of[:200])


def _in_subject(subject: Subject, found: Property, field: FieldDefinition) -> Iterator[_Stated]:
    for path in found.paths:
        values = subject.values(path)
        if path == ("address",):
            values = _address(subject) or values
        if values:
            different: dict[Any, Any] = {}
            for value in map(_plain, values):
                different.setdefault(_key(value), value)
            yield _Stated(".".join((subject.path, *path)), list(different.values()))
            return


def _address(subject: Subject) -> list[Any]:
    """Return the parts of an address in one line."""
    parts = [subject.values(("address", name)) for name in _ADDRESS]
    if any(len(part) > 1 for part in parts):
        return []
    line = ", ".join(str(part[0]) for part in parts if part)
    return [line] if line else []


def _plain(value: Any) -> Any:
    """Return a value without what only machines read: ``mailto:``, the address of a term."""
    if isinstance(value, str):
        for prefix in ("mailto:", "tel:", "http://schema.org/", "https://schema.org/"):
            value = value.removeprefix(prefix)
    return value


def _findings(page: _Page, field: FieldDefinition, content: Content) -> Iterator[Finding]:
    if field.element_type == "object":
        return
    stated = [one for one in page.stated(field) if not any(map(_is_no_date, one.values))]
    stated = stated or list(page.linked(field))
    if not stated:
        return
    first = stated[0]
    if field.is_list:
        values = first.values[:_MAX_ELEMENTS]
    elif len(first.values) == 1 and all(_agree(first, other) for other in stated[1:]):
        values = first.values
    else:
        return
    for value in values:
        yield Finding(
            field=field.name,
            value=value,
            url=content.url,
            evidence=_evidence(value, first.path, field, content),
        )


def _is_no_date(value: Any) -> bool:
    return isinstance(value, str) and _NO_DATE.match(value) is not None


def _agree(one: _Stated, other: _Stated) -> bool:
    """Return True if two sources state the same, or one states more of it than the other."""
    mine, theirs = ({_key(value) for value in stated.values} for stated in (one, other))
    if mine & theirs:
        return True
    texts = [str(next(iter(of))) for of in (mine, theirs)]
    return min(map(len, texts)) > 3 and (texts[0] in texts[1] or texts[1] in texts[0])


def _key(value: Any) -> Any:
    number = decimal_of(value)
    if number is None and isinstance(value, str) and len(value) <= 40:
        numbers = list(number_spans(value))
        number = numbers[0] if len(numbers) == 1 and value.strip()[:1].isdigit() else None
    return number if number is not None else fold(str(value))


def _evidence(value: Any, path: str, field: FieldDefinition, content: Content) -> Evidence:
    found = find_evidence(content, value, None, field).evidence
    if found is None or isinstance(value, bool):
        return Evidence(url=content.url, start=0, end=0, text="", method="structured", path=path)
    return found.model_copy(update={"method": "structured", "path": path})
