"""Documents that cost a parser most, or break it: nothing that a reader would see is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.servers.hostile.answers import html, page
from tests.servers.hostile.fault import Fault, item, skip
from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from tests.servers.hostile.fault import Expect

NESTED = "nested tags"
COSTLY = "costly markup"
BROKEN = "broken markup"

TOP, END = "the first words", "the last words"
BEYOND = skip(Reason.CPU_LIMIT, Reason.MEMORY_LIMIT)
IN_A_WORKER = {"WIKICRAWLER_CONTENT_WORKERS": 1}
_FIRST, _LAST = f"<p>These are {TOP} of it.", f"<p>These are {END} of it."


def _framed(name: str, group: str, inner: str, *has: str, expect: Expect | None = None) -> Fault:
    body = html(f"{_FIRST}</p>{inner}{_LAST}</p>")
    return Fault(name, group, page(body), expect or item(TOP, *has, END))


def _nested(tag: str, count: int) -> Fault:
    inner = f"<{tag}>" * count + "the deepest words" + f"</{tag}>" * count
    return _framed(f"nested-{tag}-{count}", NESTED, inner, "the deepest words")


def _rows(count: int) -> str:
    return "<table>" + "".join(f"<tr><td>row {n}<td>b" for n in range(count)) + "</table>"


def _links(count: int) -> str:
    return "".join(f'<a href="//elsewhere.test/{n}">link {n}</a> ' for n in range(count))


_LOL = '<!DOCTYPE lolz [<!ENTITY lol "lol">' + "".join(
    f'<!ENTITY lol{n + 1} "{f"&lol{n or str()};" * 10}">' for n in range(9)
)
_XXE = '<!DOCTYPE html [<!ENTITY xxe SYSTEM "{}">]>'


FAULTS = (
    *(_nested(tag, count) for tag in ("div", "b", "blockquote") for count in (256, 300, 1000)),
    *(_nested(tag, 1000) for tag in ("font", "span", "section")),
    # an inline tag that is never closed is what makes real pages so deep
    _nested("font", 20_000),
    Fault(
        "nested-div-20000",
        NESTED,
        page(html(f"{_FIRST}{'<div>' * 20_000}the deepest words{'</div>' * 20_000}{_LAST}")),
        item("the deepest words"),
    ),
    _framed(
        "nested-lists-300", NESTED, "<ul><li>" * 300 + "the deepest words", "the deepest words"
    ),
    _framed(
        "nested-tables-300",
        NESTED,
        "<table><tr><td>" * 300 + "the deepest words" + "</table>" * 300,
        "the deepest words",
    ),
    _framed(
        "attributes-200000",
        COSTLY,
        f"<p {' '.join(f'a{n}=x' for n in range(200_000))}>the words within</p>",
        "the words within",
    ),
    _framed("rows-20000", COSTLY, _rows(20_000), "row 0 |", "row 19999 |"),
    _framed("links-40000", COSTLY, _links(40_000), "[link 39999](http://elsewhere.test/39999)"),
    # beyond the budget of a page: given up, and the crawl goes on
    *(
        Fault(name, COSTLY, page(html(inner)), BEYOND, settings=IN_A_WORKER)
        for name, inner in {
            "rows-400000": _rows(400_000),
            "links-400000": _links(400_000),
        }.items()
    ),
    _framed("one-line-10mb", COSTLY, f"<p>{'word ' * 2_000_000}"),
    _framed("one-word-5mb", COSTLY, f"<p>{'w' * 5_000_000}"),
    _framed("references-1000000", COSTLY, f"<p>{'&amp;' * 1_000_000}"),
    _framed("references-unknown", COSTLY, f"<p>{'&nosuch;' * 100_000}", "&nosuch;"),
    _framed("numeric-references", COSTLY, "<p>&#99999999999; &#x0; &#xD800; &#128512; x", "😀 x"),
    _framed("cells-wide", COSTLY, "<table><tr>" + "<td colspan=65534>wide" * 1000 + "</table>"),
    _framed("comment-10mb", COSTLY, f"<!--{'- ' * 5_000_000}-->"),
    _framed("style-10mb", COSTLY, f"<style>{'a{b:c}' * 1_500_000}</style>"),
    _framed("script-with-tags", BROKEN, "<script>document.write('<p>'+'</div>')</script>"),
    Fault(
        "xxe-file",
        COSTLY,
        page(_XXE.format("file:///etc/passwd") + html(f"{_FIRST}<p>&xxe;</p>{_LAST}")),
        item(TOP, END, lacks=["root:"]),
    ),
    Fault(
        "xxe-http",
        COSTLY,
        page(_XXE.format("{victim}/") + html(f"{_FIRST}<p>&xxe;</p>{_LAST}")),
        item(TOP, END),
    ),
    Fault(
        "xxe-parameter",
        COSTLY,
        page(
            '<!DOCTYPE html [<!ENTITY % p SYSTEM "{victim}/p.dtd"> %p;]>' + html(_FIRST + _LAST),
            headers={"Content-Type": "application/xhtml+xml"},
        ),
        item(TOP, END),
    ),
    Fault(
        "billion-laughs",
        COSTLY,
        page(f"{_LOL}]>" + html(f"{_FIRST}<p>&lol9;</p>{_LAST}")),
        item(TOP, END, lacks=["lollollol"]),
    ),
    _framed(
        "unclosed", BROKEN, "<div><p><b><table><tr><td><ul><li><a href=//x.test/>in it", "in it"
    ),
    _framed("closed-before-opened", BROKEN, "</body></html></div></p></table><p>in it", "in it"),
    *(
        _framed(f"in-the-middle-{name}", BROKEN, tag)
        for name, tag in {
            "body-ends": "</body>",
            "html-ends": "</html>",
            "body-closed": "<body/>",
            "html-closed": "<html xmlns=x />",
            "head": "<head/>",
        }.items()
    ),
    _framed("overlapping", BROKEN, "<b><i><p>in it</b></i></p><table><b>", "in it"),
    _framed("nul-in-tag", BROKEN, "<\0p><p\0>in\0 it</\0p>", "in it"),
    _framed("controls", BROKEN, "<p>a\1b\x1b[31mc\x7fd\x08e\x0cf", "ab[31mcde"),
    _framed("form-feeds", BROKEN, "<ruby>in\f<rt>it\f</ruby>\f<ruby>b<rt>c&#12;</ruby>", "in"),
    _framed(
        "form-feed-in-infobox", BROKEN, "<aside class=portable-infobox>\f<h2>in it</h2></aside>"
    ),
    _framed("non-characters", BROKEN, "<p>a\ufffeb\uffffc &#xFFFE; &#xFFFF;", "abc"),
    _framed("stray-ends", BROKEN, "</p>" * 100_000, ""),
    _framed("quote-never-ends", BROKEN, '<p>in it</p><p title="', expect=item(TOP, "in it")),
    _framed("comment-never-ends", BROKEN, "<p>in it</p><!-- ", expect=item(TOP, "in it")),
    _framed("frames", BROKEN, "<iframe src='{victim}/'></iframe><embed src='{victim}/'>"),
    *(
        _framed(f"void-{tag}", BROKEN, f"<p>in<{tag} src=x>it", "it")
        for tag in ("embed", "source", "track", "wbr", "keygen", "bgsound", "param", "area")
    ),
    _framed("two-documents", BROKEN, "</main></body></html><!doctype html><html><body><p>x", "x"),
    _framed("plaintext", BROKEN, "<p>in it</p>", "in it"),
    Fault(
        "no-tags",
        BROKEN,
        page(f"These are {TOP} of it, and these are {END} of it. " * 20),
        item(TOP, END),
    ),
    Fault(
        "cut-in-a-tag",
        BROKEN,
        page(html(_FIRST + _LAST).partition("</main")[0] + "<a href='http://x.test/a"),
        item(TOP, END),
    ),
)
