"""Reading of HTML documents, in a worker process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from wikicrawler.content import convert
from wikicrawler.content.parse import parse, utf8
from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.documents.judgement import Judgement, judge, refused
from wikicrawler.reports.documents.text import MAX_TEXT, DocumentText, word_set
from wikicrawler.reports.errors import Outcome
from wikicrawler.tiers.verdict.judge import explain_page

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.reports.models import CompanyRef, SourceRef

_SKIPPED = frozenset({"script", "style", "noscript", "template", "nav", "footer", "head", "title"})
_INLINE = word_set(
    "a abbr b big cite code em font i ins kbd mark q s small span strike strong sub sup tt u "
    "td th ix:nonnumeric ix:nonfraction ix:continuation"
)
_FACT = "ix:nonnumeric"
_FACTS = frozenset(
    {
        "AmendmentFlag",
        "DocumentFiscalYearFocus",
        "DocumentPeriodEndDate",
        "DocumentType",
        "EntityCentralIndexKey",
        "EntityRegistrantName",
        "TradingSymbol",
    }
)
_MAX_FACT = 300
_ENDINGS = {Reason.CPU_LIMIT, Reason.MEMORY_LIMIT}


class HtmlJudgement(NamedTuple):
    """The judgement on an HTML document, and its text."""

    judgement: Judgement
    text: str
    """Lines without markup, for a document whose conversion fails."""


def judge_html(
    path: str, source: SourceRef, company: CompanyRef, year: int, floor: int
) -> HtmlJudgement:
    """Read and judge the HTML document in the file *path*.

    :raises ContentError: it cannot be parsed
    """
    body = Path(path).read_bytes()
    document = read_html(body)
    verdict = explain_page(200, {"content-type": "text/html"}, body, document.text)
    if verdict.reason is not None:
        what = ", ".join(verdict.evidence) or verdict.rule
        found = refused(Outcome.ERROR_PAGE, f"the page is no document ({verdict.reason}: {what})")
        return HtmlJudgement(found, "")
    return HtmlJudgement(judge(document, source, company, year, floor), document.text)


def html_markdown(path: str, url: str) -> str:
    """Return the HTML document in the file *path* as Markdown.

    :raises ContentError: it cannot be converted
    """
    return convert(Path(path).read_bytes(), url).markdown


def read_html(body: bytes) -> DocumentText:
    """Return the text, the title and the facts of an HTML document.

    :raises ContentError: it cannot be parsed
    """
    root = parse(utf8(body))
    if root is None:
        raise ContentError(Reason.EMPTY, "no element in the document")
    title = root.findtext(".//title") or ""
    first = root.find(".//h1")
    heading = "" if first is None else "".join(first.itertext())
    facts = _read_facts(root)
    return DocumentText(
        _text_of(root), " ".join(title.split())[:300], " ".join(heading.split())[:300], facts
    )


def _read_facts(root: HtmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter(_FACT):
        name = (element.get("name") or "").removeprefix("dei:")
        if name in _FACTS and name not in found:
            found[name] = " ".join("".join(element.itertext()).split())[:_MAX_FACT]
    return found


def _text_of(root: HtmlElement) -> str:
    """Return the text that a reader sees, a line for each block."""
    pieces: list[str] = []
    size = 0
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in _SKIPPED or _is_hidden(element):
                walk.skip_subtree()
                continue
            text = element.text
        else:
            text = element.tail
        gap = " " if tag in {"td", "th"} else "" if tag in _INLINE else "\n"
        piece = gap + (text or "").replace("\n", " ")
        size += len(piece)
        pieces.append(piece)
        if size > MAX_TEXT:
            break
    return "".join(pieces).strip()


def _is_hidden(element: HtmlElement) -> bool:
    style = element.get("style")
    return style is not None and "display:none" in style.replace(" ", "").lower()
