"""The systems whose choice of content is compared, and the plain text of what they find."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unittest import mock

from lxml import html as lxml_html
from markdown_it import MarkdownIt

from wikicrawler.content import convert
from wikicrawler.content.article import opinions
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

_GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_NOT_TEXT = ("script", "style", "template")


def ours(body: bytes, url: str) -> str:
    """Ours, which asks trafilatura where it is installed."""
    try:
        return plain(convert(body, url, wiki=False).markdown)
    except ContentError as error:
        if error.reason is not Reason.EMPTY:
            raise
        return ""


def ours_alone(body: bytes, url: str) -> str:
    """Ours as if trafilatura were not installed."""
    with mock.patch.object(opinions, "_trafilatura", return_value=None):
        return ours(body, url)


def ours_with_extra(body: bytes, url: str) -> str:
    import trafilatura  # noqa: F401, PLC0415 - may be missing

    return ours(body, url)


def readability(body: bytes, url: str) -> str:
    from readability import Document  # noqa: PLC0415 - may be missing

    return text_of(Document(body.decode("utf-8", "replace")).summary())


def trafilatura(body: bytes, url: str) -> str:
    from trafilatura import extract  # noqa: PLC0415 - may be missing

    return plain(extract(body, url=url, output_format="markdown", include_comments=False) or "")


def trafilatura_precision(body: bytes, url: str) -> str:
    from trafilatura import extract  # noqa: PLC0415 - may be missing

    return extract(body, url=url, favor_precision=True, include_comments=False) or ""


def html_to_markdown(body: bytes, url: str) -> str:
    from html_to_markdown import convert as other  # noqa: PLC0415 - may be missing

    return plain(_FRONT_MATTER.sub("", other(body.decode("utf-8", "replace")).content))


def whole_page(body: bytes, url: str) -> str:
    """All text that the page has."""
    return text_of(body.decode("utf-8", "replace"))


FOR_ARTICLES: dict[str, Callable[[bytes, str], str]] = {
    "ours": ours,
    "readability": readability,
    "trafilatura": trafilatura,
    "trafilatura precision": trafilatura_precision,
}
FOR_SHAPES: dict[str, Callable[[bytes, str], str]] = {
    "ours": ours_alone,
    "ours with extra": ours_with_extra,
    "readability": readability,
    "trafilatura": trafilatura,
    "trafilatura precision": trafilatura_precision,
    "html-to-markdown": html_to_markdown,
    "whole page": whole_page,
}


def plain(markdown: str) -> str:
    """The text that a reader of *markdown* sees."""
    return text_of(_GFM.render(markdown))


def text_of(html: str) -> str:
    """The text of *html*, where one block does not run into the next."""
    apart = re.sub(
        r"<(?=/?(?:p|h\d|li|[uod]l|t[dhr]|pre|br|hr|div|blockquote|d[dt]|table|caption|section"
        r"|article|main|aside|nav|header|footer|form|button|label|option|fig\w+|summary|sup)\b)",
        " <",
        html,
        flags=re.IGNORECASE,
    )
    if "<body" not in html.casefold():
        return _text(lxml_html.fromstring(f"<div>{apart}</div>"))
    body = lxml_html.document_fromstring(apart.encode(), parser=_UTF8).find("body")
    return "" if body is None else _text(body)


_UTF8 = lxml_html.HTMLParser(encoding="utf-8")


def _text(root: lxml_html.HtmlElement) -> str:
    for el in list(root.iter(*_NOT_TEXT)):
        el.drop_tree()
    return root.text_content()
