"""How links are written: inline, with references, relative to the page, or as their text."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from wikicrawler.content.links import markdown_url
from wikicrawler.content.markdown.code_spans import CodeSpans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MARK = "\x07"
"""Encloses the number of a link until the text is whole. The text of a page never contains it."""
_LINK = rf"\[{_MARK}(?P<link>[0-9]+){_MARK}\]"
_IN_CODE = re.compile(_LINK)
_TOKEN = re.compile(
    rf"\\.|(?P<ticks>`++)|{_LINK}"
    # White space and the marks of quotations may stand beside a label.
    rf"|\[(?P<label>[\s>]*+(?P<number>[0-9]{{1,9}})\s*+)\](?!\(|\[{_MARK})"
    # Behind other brackets the text of a link would be read as their label.
    rf"|(?P<before>\])(?=\[[0-9]{{1,9}}\]\[{_MARK})",
    re.DOTALL,
)


class InlineLinks:
    """Links as ``[text](URL)``."""

    def link(self, text: str, url: str) -> str:
        """Return the link of *text*, which is Markdown, to *url*."""
        return f"[{text}]({markdown_url(url)})"

    def finish(self, markdown: str) -> str:
        """Return the whole text, of which *markdown* is all but what stands behind it."""
        return markdown


class RelativeLinks(InlineLinks):
    """Links to the host of *page_url* as ``[text](/path)``, others inline."""

    def __init__(self, page_url: str) -> None:
        self._page_url = page_url
        self._origin = origin_of(page_url)

    def link(self, text: str, url: str) -> str:
        return super().link(text, self._relative(url))

    def _relative(self, url: str) -> str:
        path = url.removeprefix(self._origin)
        if not self._origin or path[:1] != "/" or path[:2] == "//":  # which would begin a host
            return url
        return path if urljoin(self._page_url, path) == url else url


class ReferenceLinks(InlineLinks):
    """Links as ``[text][1]``, with the definitions ``[1]: URL`` at the end.

    The numbers are in the order of the text, and the same for the same URL. Brackets around such a
    number in the text of the page are escaped, because they would be links.
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def link(self, text: str, url: str) -> str:
        return f"[{text}][{_MARK}{self._places.setdefault(url, len(self._places))}{_MARK}]"

    def finish(self, markdown: str) -> str:
        code = CodeSpans(markdown, 0, len(markdown))
        # Not all links that were written are in the text: some elements are left out later.
        numbers: dict[int, int] = {}
        for bracket, in_code in _brackets(markdown, code):
            if bracket["link"] and not in_code:
                numbers.setdefault(int(bracket["link"]), len(numbers) + 1)
        targets = [markdown_url(url) for url in self._places]
        text = StringIO()  # a list of pieces would take many times the memory of the text
        written = 0
        for bracket, in_code in _brackets(markdown, code):
            if in_code:  # it is no link
                new = f"({targets[int(bracket['link'])]})"
            elif bracket["before"]:
                new = r"\]"
            elif bracket["link"]:
                new = f"[{numbers[int(bracket['link'])]}]"
            elif 0 < int(bracket["number"]) <= len(numbers):
                new = rf"\[{bracket['label']}\]"
            else:
                continue
            text.write(markdown[written : bracket.start()])
            text.write(new)
            written = bracket.end()
        text.write(markdown[written:])
        lines = [f"[{number}]: {targets[place]}" for place, number in numbers.items()]
        return "\n".join((text.getvalue(), "", *lines)) if lines else text.getvalue()


def _brackets(markdown: str, code: CodeSpans) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the numbers in brackets of *markdown*, those of links and others, and the brackets
    before such; and whether they are in code, of which only the numbers of links are yielded."""
    at = 0
    while found := _TOKEN.search(markdown, at):
        start, at = found.span()
        if found["ticks"]:
            at = code.end_of(start, at)
            yield from ((inside, True) for inside in _IN_CODE.finditer(markdown, start, at))
        elif found.lastgroup:
            yield found, False


def origin_of(url: str) -> str:
    """Return scheme, host and port of *url*; an empty string if it has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


LINK_FORMS: dict[str, Callable[[str], InlineLinks | None]] = {
    "inline": lambda _: InlineLinks(),
    "references": lambda _: ReferenceLinks(),
    "relative": RelativeLinks,
    "text": lambda _: None,
}
"""By name: what makes the form of the links of a page from its URL; None for no links."""
