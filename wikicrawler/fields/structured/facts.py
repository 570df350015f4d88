"""What a page states about its subject in JSON-LD, microdata and ``<meta>``, as nodes."""

from __future__ import annotations

import json
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.linked_data import MAX_CHARS
from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_NODES = 2000
MAX_VALUE = 5000
"""Characters of a value; a longer one is left out."""
_MAX_DEPTH = 6
_MAX_SCRIPTS = 50
_VALUE_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "video"), "src"),
    **dict.fromkeys(("data", "meter"), "value"),
    "meta": "content",
    "object": "data",
    "time": "datetime",
}

# The subject of a page is what stands first here; furniture of sites is never one.
_RANKS = (
    frozenset({"Product", "ProductGroup", "IndividualProduct", "Event", "Recipe", "Book", "Movie"})
    | {
        "JobPosting",
        "Course",
        "SoftwareApplication",
        "MusicAlbum",
        "TVSeries",
        "Dataset",
        "Vehicle",
    }
    | {"Car", "Offer", "Apartment", "House", "MusicEvent", "Podcast", "VideoGame", "Service"},
    frozenset(
        {"Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ScholarlyArticle"}
    ),
    frozenset({"Person", "Organization", "Corporation", "LocalBusiness", "Restaurant", "Hotel"})
    | {"Store", "Place", "NGO", "EducationalOrganization", "CollegeOrUniversity", "Museum"}
    | {
        "Dentist",
        "Physician",
        "Hospital",
        "NewsMediaOrganization",
        "MusicGroup",
        "LodgingBusiness",
    },
)
_FURNITURE = frozenset(
    {"WebSite", "WebPage", "BreadcrumbList", "ListItem", "ImageObject", "SearchAction", "ItemList"}
    | {"SiteNavigationElement", "WPHeader", "WPFooter", "CollectionPage", "AboutPage", "FAQPage"}
    | {"Review", "Comment", "Question", "Answer", "VideoObject", "ContactPage", "ProfilePage"}
)


class Subject(NamedTuple):
    """The node of a page's subject."""

    node: dict[str, Any]
    path: str
    """Where the node stands: ``json-ld[2]``, ``microdata[0]``."""
    by_id: dict[str, dict[str, Any]]
    """Nodes that others may refer to."""

    @property
    def kinds(self) -> frozenset[str]:
        """Types of the node, without the vocabulary: ``Product``."""
        return _kinds(self.node)

    def values(self, path: tuple[str, ...]) -> list[Any]:
        """Return the scalars at *path*, the names of properties."""
        found: list[Any] = [self.node]
        for name in path:
            nodes = [self._resolved(item) for item in found]
            found = [
                item for node in nodes if isinstance(node, dict) for item in _many(node.get(name))
            ]
            del found[MAX_NODES:]
        scalars = (_scalar(self._resolved(item)) for item in found)
        return [item for item in scalars if item is not None]

    def _resolved(self, item: Any) -> Any:
        """Return the node that *item* refers to: one step, so that no circle matters."""
        if isinstance(item, dict) and set(item) == {"@id"}:
            named = item["@id"]
            return self.by_id.get(named, item) if isinstance(named, str) else item
        return item


def subject_of(nodes: list[tuple[str, dict[str, Any]]]) -> Subject | None:
    """Return the subject among *nodes*, with their paths; None if it is not clear which one it is.

    It is the only one of the first kind that the page has: a thing (product, event, recipe …), an
    article, a person or organisation.
    """
    by_id = {node["@id"]: node for _, node in reversed(nodes) if isinstance(node.get("@id"), str)}
    ranked = [(rank, path, node) for path, node in nodes if (rank := _rank(node)) is not None]
    if not ranked:
        return None
    first = min(rank for rank, _, _ in ranked)
    best = [(path, node) for rank, path, node in ranked if rank == first]
    try:  # the same node may be stated twice
        different = {json.dumps(node, sort_keys=True, default=str) for _, node in best[:20]}
    except RecursionError:
        return None
    if len(different) != 1:
        return None
    path, node = best[0]
    return Subject(node, path, by_id)


def linked_nodes(root: HtmlElement) -> list[tuple[str, dict[str, Any]]]:
    """Return the nodes of JSON-LD at the top of each script, in lists and in ``@graph``, and the
    main entities of those. Invalid, long and deep scripts are left out."""
    found: list[tuple[str, dict[str, Any]]] = []
    scripts = (s for s in root.iter("script") if _is_linked_data(s))
    for script in islice(scripts, _MAX_SCRIPTS):
        text = without_surrogates(script.text or "")
        if len(text) > MAX_CHARS:
            continue
        try:
            data = json.loads(text, strict=False, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            continue
        for node in _top_nodes(data, 4):
            found.append((f"json-ld[{len(found)}]", node))
            if len(found) >= MAX_NODES:
                return found
    return found


def microdata_nodes(root: HtmlElement) -> list[tuple[str, dict[str, Any]]]:
    """Return the items of microdata that are no property of another one."""
    items = (el for el in root.iterfind(".//*[@itemscope]") if el.get("itemprop") is None)
    return [
        (f"microdata[{index}]", _item(el, _MAX_DEPTH))
        for index, el in enumerate(islice(items, 200))
    ]


def meta_values(root: HtmlElement) -> dict[str, str]:
    """Return the content of each ``<meta>`` by lower-case name; of duplicates, the first."""
    found: dict[str, str] = {}
    for el in islice(root.iter("meta"), MAX_NODES):
        name = (el.get("property") or el.get("name") or "").strip().lower()
        content = " ".join((el.get("content") or "")[: MAX_VALUE + 1].split())
        if name and content and len(content) <= MAX_VALUE:
            found.setdefault(name, content)
    return found


def linked_authors(root: HtmlElement) -> list[str]:
    """Return the different texts of links to authors (``rel="author"``), outside of menus and
    asides."""
    found: dict[str, str] = {}
    for link in islice(root.iterfind(".//a[@rel]"), MAX_NODES):
        if "author" not in (link.get("rel") or "").lower().split():
            continue
        if next(link.iterancestors("aside", "footer", "nav"), None) is None:
            text = _property_text(link)
            if text and "://" not in text:
                found.setdefault(text.casefold(), text)
    return list(found.values())


def _is_linked_data(script: HtmlElement) -> bool:
    kind = (script.get("type") or "").partition(";")[0].strip().lower()
    return kind == "application/ld+json" and bool(script.text)


def _top_nodes(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(value, list) and depth:
        for item in value[:MAX_NODES]:
            yield from _top_nodes(item, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity"):
            if name in value and depth:
                yield from _top_nodes(value[name], depth - 1)


def _item(el: HtmlElement, depth: int) -> dict[str, Any]:
    """Return an item of microdata in the form of JSON-LD."""
    node: dict[str, Any] = {"@type": (el.get("itemtype") or "").split()[:5]}
    stack = list(reversed(el))
    steps = 0
    while stack and (steps := steps + 1) < MAX_NODES:
        child = stack.pop()
        if not isinstance(child.tag, str):
            continue
        is_item = child.get("itemscope") is not None
        names = (child.get("itemprop") or "").split()[:10]
        if names and (depth or not is_item):
            value = _item(child, depth - 1) if is_item else _property(child)
            for name in names:
                node.setdefault(name, []).append(value)
        if not is_item:
            stack.extend(reversed(child))
    return node


def _property(el: HtmlElement) -> str:
    content = el.get("content")
    if content is None and el.tag in _VALUE_ATTRIBUTES:
        content = el.get(_VALUE_ATTRIBUTES[el.tag])
    return _property_text(el) if content is None else " ".join(content[: MAX_VALUE + 1].split())


def _property_text(el: HtmlElement) -> str:
    parts, size = [], 0
    for part in islice(el.itertext(), 1000):
        parts.append(part[: MAX_VALUE + 1])
        size += len(part)
        if size > MAX_VALUE:
            break
    return " ".join("".join(parts)[: MAX_VALUE + 1].split())


def _rank(node: dict[str, Any]) -> int | None:
    names = _kinds(node)
    if not names or names & _FURNITURE:
        return None
    return next((rank for rank, kinds in enumerate(_RANKS) if names & kinds), len(_RANKS))


def _kinds(node: dict[str, Any]) -> frozenset[str]:
    kinds = [kind for kind in _many(node.get("@type")) if isinstance(kind, str)]
    return frozenset(kind.rpartition("/")[2] for kind in kinds if kind)


def _many(value: Any) -> list[Any]:
    if value is None:
        return []
    return value[:MAX_NODES] if isinstance(value, list) else [value]


def _scalar(item: Any) -> str | int | float | bool | None:
    """Return a value: a scalar, or what a node says it is called; None for any other node."""
    if isinstance(item, dict):
        item = item.get("@value", item.get("name"))
    if isinstance(item, str):
        text = " ".join(item[: MAX_VALUE + 1].split())
        return text if 0 < len(text) <= MAX_VALUE else None
    if isinstance(item, float) and not isfinite(item):
        return None
    return item if isinstance(item, bool | int | float) else None
