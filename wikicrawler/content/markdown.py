"""One lxml tree to GitHub-flavoured Markdown.

The rules are markdownify's: :class:`Converter` is a ``MarkdownConverter``, and what becomes of a
heading, paragraph, quotation, list or link is looked up and answered there. What differs is the
walk. markdownify recurses over a BeautifulSoup tree and its rules for lists, tables and ``<pre>``
look around in it; here lxml's own ``iterwalk`` goes over the tree that was parsed, without
recursion, and the state that those rules need is kept on the way.

Chosen forms: footnote marks stay ``[1]`` and their list numbered, because ``[^1]`` is not in the
GFM specification and one-word notes would be read as link definitions; places on the page itself
(``#History``) are text; ``<sup>`` and ``<sub>`` are kept as the inline HTML that GFM renders, for
``10<sup>6</sup>`` is not 106; terms of definition lists are bold list items.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from wikicrawler.content import emphasis, escape, tables
from wikicrawler.content.emphasis import BREAK
from wikicrawler.content.links import markdown_url
from wikicrawler.content.lists import Definitions, List
from wikicrawler.content.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement

    from wikicrawler.content.links import Resolver
    from wikicrawler.content.walk import Closer

_EMPHASIS = {
    **dict.fromkeys(("b", "strong"), emphasis.STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), emphasis.EM),
    **dict.fromkeys(("s", "strike", "del"), emphasis.DEL),
}
_BLOCKS = re.findall(
    r"\w+",
    "address article aside body center details dialog div fieldset figcaption figure footer form "
    "header hgroup html legend main nav optgroup option search section summary",
)
_RULES = ["p", "blockquote", "hr", *(f"h{level}" for level in range(1, 7))]

_LANGUAGE = re.compile(
    r"(?:mw-highlight-lang-|language-|lang-|highlight-(?:source-)?|brush:\s*)([\w#+.-]{1,32})"
)
_LINK_LINE = re.compile(r"(#{1,6} )?(?![|>`]|[-+*] |\d+\. )(.+)")
_DEFINITION = re.compile(r"(?:[^][\\]|\\.)*\]:")
_BREAKS = re.compile(f" *{BREAK}[{BREAK} ]*")
_BREAK_BEFORE_BRACKET = re.compile(f"{BREAK}(?=[{''.join(emphasis.MARKS)} ]*\\[)")
_BRACKET = re.compile(r"(`+).*?\1|\\.|[][]")


class _LinkedCode(str):
    """A link inside code, as Markdown has it: code inside a link, between spans of code."""

    text: str

    def __new__(cls, markdown: str, text: str) -> _LinkedCode:
        self = super().__new__(cls, markdown)
        self.text = text
        return self


class Converter(Walk):
    """Converts one page; not to be used twice."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__()
        self._resolver = resolver
        self._open_emphasis: set[str] = set()
        self._tables: list[tables.Table] = []
        self._lists: list[List | Definitions] = []
        self._last_list: tuple[HtmlElement | None, str] = None, ""
        self._link = self._item = 0  # depth
        self._starts = {
            **dict.fromkeys(_EMPHASIS, self._start_emphasis),
            **dict.fromkeys(_BLOCKS, self._start_block),
            **dict.fromkeys(_RULES, self._start_rule),
            **dict.fromkeys(("code", "kbd", "samp", "tt"), self._start_code),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._start_pre),
            **dict.fromkeys(("sup", "sub"), self._start_script),
            **dict.fromkeys(("ul", "ol", "menu", "dir"), self._start_list),
            **dict.fromkeys(("dt", "dd"), self._start_definition),
            **dict.fromkeys(("thead", "tbody", "tfoot"), self._start_group),
            **dict.fromkeys(("td", "th"), self._start_cell),
            "a": self._start_link,
            "br": self._start_break,
            "caption": self._start_caption,
            "dl": self._start_definitions,
            "li": self._start_item,
            "q": self._start_quote,
            "table": self._start_table,
            "tr": self._start_row,
        }

    # -- blocks -------------------------------------------------------------------------------

    def _start_block(self, _el: HtmlElement) -> Closer | None:
        return self._start_div if self._pre else self._open(self._end_block)

    def _open(self, closer: Closer) -> Closer:
        self._push()
        return closer

    def _open_bold(self, finish: Callable[[str], None]) -> Closer:
        """A line in bold, as terms and captions are."""
        outer, self._open_emphasis = self._open_emphasis, {emphasis.STRONG}
        self._heading += 1
        self._push()
        self._out.append(emphasis.STRONG)

        def close(_el: HtmlElement) -> None:
            self._out.append(emphasis.closer(emphasis.STRONG))
            text = " ".join(self._join(self._pop()).split())
            self._heading -= 1
            self._open_emphasis = outer
            finish(text)

        return close

    def _start_div(self, _el: HtmlElement) -> None:
        """A block inside ``<pre>`` is a line."""
        if self._out and not self._out[-1].endswith("\n"):
            self._out.append("\n")

    def _end_block(self, el: HtmlElement) -> None:
        self._add(self._apply("div", el, self._join(self._pop())))

    def _start_rule(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return self._start_div
        closer = self._open(self._end_heading if el.tag[0] == "h" else self._end_rule)
        if el.tag[0] == "h" and el.tag != "hr":
            self._heading += 1
        return closer

    def _end_rule(self, el: HtmlElement) -> None:
        text = self._join(self._pop())
        if self._cell and el.tag != "p":
            self._add(f"\n{text}\n")
        elif text:
            self._add("\n" + self._apply(el.tag, el, text))

    def _end_heading(self, el: HtmlElement) -> None:
        text = self._join(self._pop())
        if el.tag == "hr":
            self._add("\n" if self._cell or self._heading else self._apply("hr", el, text))
            return
        self._heading -= 1
        if not text or self._heading:
            self._add(text)
        elif self._cell or self._item_of_definitions():
            self._add(f"\n{text}\n")
        else:
            # A closing sequence of hashes would be cut off.
            text = re.sub(r"(?<=\s)(#+)$|^(#+)$", r"\\\g<0>", " ".join(text.split()))
            self._add(self._apply(el.tag, el, text))

    def _item_of_definitions(self) -> bool:
        return bool(self._lists) and isinstance(self._lists[-1], Definitions)

    def _start_break(self, _el: HtmlElement) -> None:
        self._out.append("\n" if self._pre else BREAK)

    # -- inline -------------------------------------------------------------------------------

    def _start_emphasis(self, el: HtmlElement) -> Closer | None:
        kind = _EMPHASIS[el.tag]
        if self._pre or self._code or kind in self._open_emphasis:
            return None
        if el.tag == "cite" and "citation" in (el.get("class") or ""):
            return None  # a wiki's whole reference, in which the title is in italics
        self._open_emphasis.add(kind)
        self._out.append(kind)
        return self._end_emphasis

    def _end_emphasis(self, el: HtmlElement) -> None:
        kind = _EMPHASIS[el.tag]
        self._open_emphasis.discard(kind)
        self._out.append(emphasis.closer(kind))

    def _start_quote(self, _el: HtmlElement) -> Closer:
        self._out.append('"')
        return lambda _el: self._out.append('"')

    def _start_script(self, el: HtmlElement) -> Closer | None:
        if self._pre or self._code:
            return None
        text = "".join(el.itertext()).strip()
        if not text or text.startswith("["):  # a footnote mark
            return None
        self._out.append(f"<{el.tag}>")
        return lambda el: self._out.append(f"</{el.tag}>")

    def _start_code(self, _el: HtmlElement) -> Closer | None:
        if self._pre or self._code:
            return None
        self._code += 1
        return self._open(self._end_code)

    def _end_code(self, el: HtmlElement) -> None:
        self._code -= 1
        pieces = self._pop()
        text = "".join(getattr(piece, "text", piece) for piece in pieces)
        if "\n" in text:  # blocks inside: a listing
            self._add(self._fence(el, text.replace(BREAK, "\n")))
            return
        for linked, run in groupby(pieces, lambda piece: isinstance(piece, _LinkedCode)):
            if linked:
                self._no_image()
                self._out.extend(run)
            else:
                self._add_span("".join(run))

    def _add_span(self, text: str) -> None:
        lead = " " if text[:1] == " " else ""
        trail = " " if text[-1:] == " " else ""
        spans = BREAK.join(filter(None, map(escape.code_span, text.split(BREAK))))
        if spans and self._before().lstrip(" ").startswith("`"):
            lead = " "  # two spans of code would be read as one
        self._add(lead + spans + trail)

    def _start_link(self, el: HtmlElement) -> Closer | None:
        href = el.get("href")
        if not href or self._pre or self._link or not (el.text or len(el)):
            return None
        if "new" in (el.get("class") or "").split():
            return None
        url = self._resolver.resolve(href)
        if not url or self._resolver.is_page(url):
            return None
        self._link += 1
        return self._open(lambda el: self._end_link(el, url))

    def _end_link(self, _el: HtmlElement, url: str) -> None:
        self._link -= 1
        pieces = self._pop()
        if self._code:
            text = "".join(pieces)
            span = "" if "\n" in text else escape.code_span(text.replace(BREAK, " "))
            self._add(_LinkedCode(self._link_markup(span, url), text) if span else text)
            return
        if any(piece[0] == "\n" for piece in pieces):
            self._add_block_link(self._join(pieces), url)
            return
        text = "".join(pieces)
        shown = text.strip()  # of breaks, too
        if not emphasis.strip_marks(shown).strip():
            self._add_gap(text)
            return
        start = text.index(shown)
        self._add_gap(text[:start])
        self._no_image()
        # A blank line would end the link; a bracket that starts a line may be escaped, alone.
        shown = _BREAK_BEFORE_BRACKET.sub(" ", _BREAKS.sub(BREAK, shown))
        self._out.append(self._link_markup(shown, url))
        self._add_gap(text[start + len(shown) :])

    def _add_gap(self, space: str) -> None:
        self._add(BREAK if BREAK in space else " " if space else "")

    def _no_image(self) -> None:
        """Escapes an exclamation mark that would make an image of the link after it."""
        for place in range(len(self._out) - 1, -1, -1):
            if self._out[place] not in emphasis.MARKS:
                if self._out[place].endswith("!"):
                    self._out[place] = self._out[place][:-1] + "\\!"
                return

    def _add_block_link(self, text: str, url: str) -> None:
        """A link around blocks: its first line carries it, where that can be."""
        first, newline, rest = text.partition("\n")
        match = _LINK_LINE.fullmatch(first.rstrip())
        if match and not self._heading and not match[2].startswith("["):
            first = (match[1] or "") + self._link_markup(match[2], url)
        self._add(f"\n\n{first}{newline}{rest}\n\n")

    def _link_markup(self, text: str, url: str) -> str:
        if text.replace("\\", "") in {url, url.removesuffix("/")} and not re.search(r"[\s<>]", url):
            return f"<{url}>"
        text = _balance(text)
        if _DEFINITION.match(text) and self._at_line_start():
            return text  # brackets inside code; here it would define a link
        return f"[{text}]({markdown_url(url)})"

    def _at_line_start(self) -> bool:
        before = self._before().rstrip(" ")
        return not (self._cell or self._heading) and before[-1:] in {"", "\n", BREAK}

    # -- code blocks --------------------------------------------------------------------------

    def _start_pre(self, _el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._pre += 1
        return self._open(self._end_pre)

    def _end_pre(self, el: HtmlElement) -> None:
        self._pre -= 1
        self._add(self._fence(el, "".join(self._pop())))

    def _fence(self, el: HtmlElement, text: str) -> str:
        text = text.strip("\n").rstrip()
        if not text.strip():
            return ""
        if self._cell or self._heading:
            lines = filter(None, map(escape.code_span, text.split("\n")))
            return " ".join(lines) if self._heading else "\n" + "\n".join(lines) + "\n"
        fence = "`" * max(3, escape.longest_run(text) + 1)
        return f"\n\n{fence}{_language(el)}\n{text}\n{fence}\n\n"

    # -- lists --------------------------------------------------------------------------------

    def _start_list(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._lists.append(List.of(el, self._mark_before(el)))
        return self._open(self._end_list)

    def _mark_before(self, el: HtmlElement) -> str:
        """The mark of a list that *el* follows at once: with its own, they would be one list."""
        before, mark = self._last_list
        follows = before is not None and el.getprevious() is before and not _text(before.tail)
        return mark if follows else ""

    def _end_list(self, el: HtmlElement) -> None:
        text = self._join(self._pop())
        current = self._lists.pop()
        if isinstance(current, List):
            self._last_list = el, current.mark
        if not text:
            return
        if el.getparent() is not None and el.getparent().tag in {"ul", "ol"}:
            # A list straight inside a list belongs to the item before it.
            self._add("\n" + List.indent(text, 2) + "\n")
        elif self._item and not text.startswith(tuple("023456789")):
            self._add(f"\n{text}\n")
        else:
            self._add(f"\n\n{text}\n\n")

    def _start_item(self, _el: HtmlElement) -> Closer | None:
        if self._pre:
            return self._start_div
        self._item += 1
        return self._open(self._end_item)

    def _end_item(self, el: HtmlElement) -> None:
        self._item -= 1
        text = self._join(self._pop())
        current = self._lists[-1] if self._lists else None
        if not isinstance(current, List):
            current = List()
        if text:
            deep = len(self._lists)
            self._add(f"\n{current.item(text, el.get('value'), indented=deep <= List.MAX_DEPTH)}\n")

    def _start_definitions(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._lists.append(Definitions(mark="*" if self._mark_before(el) == "-" else "-"))
        return self._open(self._end_definitions)

    def _end_definitions(self, el: HtmlElement) -> None:
        stray = self._join(self._pop())
        current = self._lists.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if isinstance(current, Definitions):
            self._last_list = el, current.mark
            self._add(current.render(in_item=bool(self._item), in_cell=bool(self._cell)))

    def _start_definition(self, el: HtmlElement) -> Closer | None:
        if self._pre or not self._item_of_definitions():
            return self._start_block(el)
        if el.tag == "dd":
            self._item += 1
            return self._open(self._end_definition)
        return self._open_bold(self._end_term)

    def _end_definition(self, _el: HtmlElement) -> None:
        self._item -= 1
        text = self._join(self._pop())
        current = self._lists[-1]
        if text and isinstance(current, Definitions):
            current.add_definition(text)

    def _end_term(self, text: str) -> None:
        current = self._lists[-1]
        if text and isinstance(current, Definitions):
            current.add_term(text)

    # -- tables -------------------------------------------------------------------------------

    def _start_table(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._tables.append(
            tables.Table(
                layout=not self._cell and tables.is_layout(el),
                infobox="infobox" in (el.get("class") or ""),
            )
        )
        return self._open(self._end_table)

    def _end_table(self, _el: HtmlElement) -> None:
        stray = self._join(self._pop())
        table = self._tables.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if table.layout:
            return
        text = tables.flatten(table) if self._cell else tables.render(table)
        self._add(f"\n\n{text}\n\n" if text else "")

    def _start_group(self, el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_group(head=el.tag == "thead")

    def _start_row(self, _el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_row()

    def _start_caption(self, el: HtmlElement) -> Closer | None:
        if not self._tables or self._tables[-1].layout:
            return self._start_block(el)
        return self._open_bold(self._end_caption)

    def _end_caption(self, text: str) -> None:
        self._tables[-1].caption = text

    def _start_cell(self, el: HtmlElement) -> Closer | None:
        if self._pre or not self._tables or self._tables[-1].layout:
            return self._start_block(el)
        self._cell += 1
        outer = self._open_emphasis
        self._open_emphasis = {emphasis.STRONG} if el.tag == "th" else set()
        return self._open(lambda el: self._end_cell(el, outer))

    def _end_cell(self, el: HtmlElement, outer: set[str]) -> None:
        text = self._join(self._pop())
        if "\n" in text:
            text = "<br>".join(filter(None, map(str.strip, text.split("\n"))))
        self._cell -= 1
        self._open_emphasis = outer
        self._tables[-1].add(
            tables.Cell(
                text,
                header=el.tag == "th",
                colspan=tables.span(el.get("colspan")),
                rowspan=tables.span(el.get("rowspan")),
            )
        )


def _text(text: str | None) -> str:
    return (text or "").strip()


def _language(el: Any) -> str:
    """The language of a listing: of its own class, its code's, or its wrapper's."""
    around = list(el.iterancestors())[:2]
    for place in [el, *el.iterchildren("code"), *around]:
        classes = place.get("class")
        match = _LANGUAGE.search(classes) if classes else None
        if match:
            return match[1].strip(".-")
    return ""


def _balance(text: str) -> str:
    """Link text in which no bracket ends the link."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth < 0:
            break
    if depth == 0:
        return text
    return _BRACKET.sub(lambda m: "\\" + m[0] if m[0] in "[]" else m[0], text)
