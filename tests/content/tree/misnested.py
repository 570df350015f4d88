"""Misnested pages, by families of mistakes."""

from __future__ import annotations

import random

CASES = {
    "nav over an open div": (
        "<nav><div><a>Menu</a></nav><main>ARTICLE</main>",
        ["nav div: Menu", "main: ARTICLE"],
    ),
    "header over an open div": (
        "<header><div>Top</header><main><p>ARTICLE</main>",
        ["header div: Top", "main: ARTICLE"],
    ),
    "aside over open divs": (
        "<aside><div><div>side</aside><p>text<footer>foot</footer>",
        ["aside div div: side", ": text", "footer: foot"],
    ),
    "section over an open span": (
        "<section><span>one</section><section>two</section>",
        ["section: onetwo"],
    ),
    "section over bold and div": (
        "<section><div><b>one</section>two",
        ["section div: one", ": two"],
    ),
    "article over an open list": (
        "<article><ul><li>one</article><p>two",
        ["article ul li: one", ": two"],
    ),
    "main over an open form": ("<main><form>one</main>two", ["main form: one", ": two"]),
    "figure over an open div": (
        "<figure><div>one<figcaption>two</figure>three",
        ["figure div: one", "figure div figcaption: two", ": three"],
    ),
    "blockquote over an open div": (
        "<blockquote><div>one</blockquote>two",
        ["blockquote div: one", ": two"],
    ),
    "list over an open div": ("<ul><li><div>one</ul>two", ["ul li div: one", ": two"]),
    "item over an open div": (
        "<ul><li><div>one</li><li>two</li></ul>three",
        ["ul li div: one", "ul li: two", ": three"],
    ),
    "item in an open div": (
        "<ul><li><div>one<li>two</ul>three",
        ["ul li div: one", "ul li: two", ": three"],
    ),
    "item in an open span": ("<ul><li><span>one<li>two</ul>three", ["ul li: onetwo", ": three"]),
    "nested list without ends": (
        "<ul><li>one<ul><li>two<li>three</ul><li>four</ul>five",
        ["ul li: one", "ul li ul li: twothree", "ul li: four", ": five"],
    ),
    "terms without ends": (
        "<dl><dt>one<dd>two<dt>three<dd>four</dl>five",
        ["dl dt: one", "dl dd: two", "dl dt: three", "dl dd: four", ": five"],
    ),
    "term in an open span": (
        "<dl><dt><span>one<dd>two<dt>three</dl>four",
        ["dl dt: one", "dl dd: two", "dl dt: three", ": four"],
    ),
    "definition over an open div": (
        "<dl><dd><div>one</dd><dt>two</dl>three",
        ["dl dd div: one", "dl dt: two", ": three"],
    ),
    "heading with the wrong end": ("<h1>one</h2><p>two", ["h1: one", ": two"]),
    "heading in a heading": ("<h2>one<h3>two</h3></h2>three", ["h2: one", "h3: two", ": three"]),
    "heading over an open div": ("<h2><div>one</h2>two", ["h2 div: one", ": two"]),
    "paragraph in a heading": ("<h1>one<p>two</p></h1>three", ["h1: onetwo", ": three"]),
    "paragraph over a section": (
        "<p>one<section>two</p>three</section>four",
        [": one", "section: twothree", ": four"],
    ),
    "list in a paragraph": (
        "<p>one<ul><li>two</ul>three</p>four",
        [": one", "ul li: two", ": threefour"],
    ),
    "table in a paragraph": (
        "<!DOCTYPE html><p>one<table><tr><td>two</table>three",
        [": one", "table tr td: two", ": three"],
    ),
    "end of a paragraph alone": ("<div>one</p>two</div>three", ["div: onetwo", ": three"]),
    "end of a line break": ("one</br>two<div>three</div>", [": onetwo", "div: three"]),
    "text in a table": (
        "<table>one<tr><td>two</table>three",
        [": one", "table tr td: two", ": three"],
    ),
    "block in a table": (
        "<table><div>one</div><tr><td>two</table>three",
        ["div: one", "table tr td: two", ": three"],
    ),
    "block in a row": (
        "<table><tr><td>one</td><div>two</div></tr></table>three",
        ["div: two", "table tr td: one", ": three"],
    ),
    "paragraph between rows": (
        "<table><tr><td>one</tr><p>two</p><tr><td>three</table>four",
        [": two", "table tr td: onethree", ": four"],
    ),
    "link between rows": (
        "<table><a>one</a><tr><td>two</table>three",
        [": one", "table tr td: two", ": three"],
    ),
    "heading in a table": (
        "<table><h2>one</h2><tr><td>two</table>three",
        ["h2: one", "table tr td: two", ": three"],
    ),
    "form around rows": (
        "<table><form><tr><td>one</form></table>two",
        ["table tr td: one", ": two"],
    ),
    "cell without row": ("<table><td>one<td>two</table>three", ["table tr td: onetwo", ": three"]),
    "table in a row": (
        "<table><tr><table><tr><td>one</table></table>two",
        ["table tr td: one", ": two"],
    ),
    "table in a table": (
        "<table><tr><td><table><tr><td>one</td></tr></td></tr></table>two",
        ["table tr td table tr td: one", "table tr td: two"],
    ),
    "section over an open table": (
        "<section><table><tr><td>one</section>two</table>three",
        ["section table tr td: onetwo", "section: three"],
    ),
    "cell over an open div": (
        "<table><tr><td><div>one</td><td>two</table>three",
        ["table tr td div: one", "table tr td: two", ": three"],
    ),
    "caption over an open div": (
        "<table><caption><div>one<tr><td>two</table>three",
        ["table caption div: one", "table tr td: two", ": three"],
    ),
    "bold over a paragraph": ("<b><p>one</b>two", [": onetwo"]),
    "bold over a div": (
        "<div><b><div>one</b>two</div>three</div>four",
        ["div div: onetwo", "div: three", ": four"],
    ),
    "bold over a list": ("<b><ul><li>one</b>two</li></ul>three", ["ul li: onetwo", ": three"]),
    "link over a div": ("<a href=x><div>one</a>two</div>three", ["div: onetwo", ": three"]),
    "link in a link": (
        "<a href=x>one<div><a href=y>two</a></div>three</a>four",
        [": one", "div: two", ": threefour"],
    ),
    "link over a heading": ("<a href=x><h2>one</a>two</h2>three", ["h2: onetwo", ": three"]),
    "link around a table": (
        "<a href=x><table><tr><td>one</table></a>two",
        ["table tr td: one", ": two"],
    ),
    "span over a div": ("<span><div>one</span>two</div>three", ["div: onetwo", ": three"]),
    "span over a list": ("<span><ul><li>one</span>two</ul>three", ["ul li: onetwo", ": three"]),
    "italic and bold crossed": (
        "<p><i>one<b>two</i>three</b>four<div>five",
        [": onetwothreefour", "div: five"],
    ),
    "form over a div": ("<form><div>one</form>two</div>three", ["form div: onetwo", ": three"]),
    "list closed by a form": (
        "<ul><form>one</form><li>two</ul>three",
        ["ul form: one", "ul li: two", ": three"],
    ),
    "listing closed by a list": (
        "<pre>one<ul><li>two</ul>three</pre>four",
        ["pre: one", "pre ul li: two", "pre: three", ": four"],
    ),
    "select with an input": (
        "<div><select><option>one<input>two</div>three",
        ["div select: one", "div: two", ": three"],
    ),
    "select in a select": ("<select><option>one<select>two", ["select: one", ": two"]),
    "button in a button": ("<button>one<button>two</button>three", [": onetwothree"]),
    "drawing without end": ("<svg><path d=x><p>one</p></svg><p>two", [": onetwo"]),
    "drawing with text of HTML": (
        "<svg><foreignObject><p>one</p></foreignObject></svg>two",
        ["svg: one", ": two"],
    ),
    "heading in an open drawing": ("<div><svg><g><h2>one</h2></div>two", ["div h2: one", ": two"]),
    "details over a div": (
        "<details><summary><div>one</summary>two</details>three",
        ["details summary div: one", "details: two", ": three"],
    ),
    "fieldset over a div": ("<fieldset><div>one</fieldset>two", ["fieldset div: one", ": two"]),
    "centre over a div": ("<center><div>one</center>two", ["center div: one", ": two"]),
    "template over a div": ("<template><div>one</template>two", ["template div: one", ": two"]),
    "noscript over a div": ("<body><noscript><div>one</noscript>two", ["noscript div: onetwo"]),
    "end of the body early": (
        "<body>one</body>two<div>three</div></html>four",
        [": onetwo", "div: three", ": four"],
    ),
    "title without end": ("<title>one<p>two", ["title: one<p>two"]),
    "field without end": (
        "<div>one</div><textarea>two<p>three",
        ["div: one", "textarea: two<p>three"],
    ),
    "script without end": ("<p>one<script>two<p>three", [": one"]),
    "plaintext": ("<div>one<plaintext>two</div><p>three", ["div: onetwo</div><p>three"]),
    "head after the body": (
        "<p>one<head><title>two</title></head>three",
        [": one", "title: two", ": three"],
    ),
}
"""Pages, and what their blocks say in a browser."""

HARMLESS = {
    "unknown element": ("<x-card>one</x-card><main>two</main>", [": one", "main: two"]),
    "bare ampersand": ("<p>a & b &c; d</p>", [": a&b&c;d"]),
    "attribute twice": ("<p id=a id=b>one</p>", [": one"]),
    "end of a paragraph alone": ("<div>one</p>two</div>", ["div: onetwo"]),
    "end of a span alone": ("<div>one</span>two</div>", ["div: onetwo"]),
    "end of a div alone": ("<div>one</div></div><p>two", ["div: one", ": two"]),
    "end of a section alone": ("<section>one</section></section><p>two", ["section: one", ": two"]),
    "end of a list alone": ("<div></ul>one</div>", ["div: one"]),
    "end of a heading alone": ("<h2>one</h2></h2>two", ["h2: one", ": two"]),
    "list in a paragraph": ("<p>one<ul><li>two</ul></p>three", [": one", "ul li: two", ": three"]),
    "bold over a cell": (
        "<table><tr><td><b>one</td><td>two</td></tr></table>",
        ["table tr td: onetwo"],
    ),
    "bold over an item": ("<ul><li><b>one</li><li>two</li></ul>", ["ul li: onetwo"]),
    "span over a div": ("<span><div>one</span>two</div>", ["div: onetwo"]),
    "form in a table": ("<table><form></form><tr><td>one</td></tr></table>", ["table tr td: one"]),
    "list without ends": (
        "<ul><li>one<li>two<ul><li>three</ul></ul>",
        ["ul li: onetwo", "ul li ul li: three"],
    ),
    "grouped terms": (
        "<dl><div><dt>one<dd>two</div><div><dt>three<dd>four</div></dl>",
        ["dl div dt: one", "dl div dd: two", "dl div dt: three", "dl div dd: four"],
    ),
    "items without list": ("<div><li>one</li><li>two</li></div>", ["div li: onetwo"]),
    "drawings": (
        "<a href=x><svg><title>x</title><path d=x /></svg></a><h2>one</h2>",
        ["svg title: x", "h2: one"],
    ),
    "drawn paragraph": (
        "<svg><foreignObject><div><p>one</div></foreignObject></svg><p>two",
        ["svg div: one", ": two"],
    ),
    "fields": (
        "<form><select><option>one</select><input><textarea></textarea></form><h2>two</h2>",
        ["form select: one", "h2: two"],
    ),
    "template": ("<template><li>one</li></template><p>two", ["template li: one", ": two"]),
}
"""The same of pages that libxml2 parses as browsers do, with mistakes or without."""

LEFT = {
    "form in a form": (
        "<form><div>one<form>two</form>three</div></form>four",
        ["form div: onetwothree", ": four"],
    ),
    "row without table": ("<div><tr><td>one</td></tr></div>two", ["div: one", ": two"]),
    "heading without end": ("<h2>one<p>two</p>three", ["h2: onetwothree"]),
}
"""The same of pages that are left as libxml2 parses them. Their text is the same."""

_PARTS = ("div", "section", "article", "nav", "header", "aside", "footer", "main", "figure")
_INLINE = ("b", "em", "span", "a", "code", "font")


def random_page(seed: int) -> str:
    """Return a page with one mistake of nesting; of the same *seed*, the same page."""
    rng = random.Random(seed)  # noqa: S311
    tags = _Page(rng).tags
    _spoil(rng, tags)
    return "<!DOCTYPE html><body>" + "".join(tags)


class _Page:
    """A well-nested page as a list of tags and words."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.tags: list[str] = []
        self._words = 0
        for _ in range(rng.randint(2, 4)):
            self._block(0)

    def _element(self, name: str, *parts: tuple[str, int]) -> None:
        self.tags.append(f"<{name}>")
        for kind, depth in parts:
            getattr(self, kind)(depth)
        self.tags.append(f"</{name}>")

    def _block(self, depth: int) -> None:
        kind = self._rng.choice(("part", "part", "p", "h2", "list", "table", "dl"))
        if kind == "part" and depth < 4:
            inside = [("_block", depth + 1)] * self._rng.randint(1, 3)
            self._element(self._rng.choice(_PARTS), *inside)
        elif kind == "list":
            self._element("ul", *[("_item", depth)] * self._rng.randint(1, 3))
        elif kind == "table":
            self._element("table", *[("_row", depth)] * self._rng.randint(1, 2))
        elif kind == "dl":
            self._element("dl", ("_term", depth), ("_definition", depth))
        else:
            self._element("h2" if kind == "h2" else "p", ("_inline", 0))

    def _item(self, depth: int) -> None:
        self._element("li", ("_content", depth))

    def _row(self, depth: int) -> None:
        self._element("tr", *[("_cell", depth)] * self._rng.randint(1, 2))

    def _cell(self, depth: int) -> None:
        self._element("td", ("_content", depth))

    def _term(self, _: int) -> None:
        self._element("dt", ("_inline", 0))

    def _definition(self, depth: int) -> None:
        self._element("dd", ("_content", depth))

    def _content(self, depth: int) -> None:
        if depth > 3 or self._rng.random() < 0.6:
            self._inline(0)
        else:
            self._block(depth + 1)

    def _inline(self, depth: int) -> None:
        for _ in range(self._rng.randint(1, 3)):
            if depth > 2 or self._rng.random() < 0.7:
                self._words += 1
                self.tags.append(f"w{self._words} ")
            else:
                self._element(self._rng.choice(_INLINE), ("_inline", depth + 1))


def _spoil(rng: random.Random, tags: list[str]) -> None:
    """Make one mistake: leave out an end tag, swap two, or add a stray one or a misplaced text."""
    ends = [place for place, tag in enumerate(tags) if tag.startswith("</")]
    kind = rng.random()
    if kind < 0.5:
        tags.pop(rng.choice(ends))
    elif kind < 0.75:
        first = rng.randrange(len(ends) - 1)
        one, other = ends[first], ends[first + 1]
        tags[one], tags[other] = tags[other], tags[one]
    elif kind < 0.9:
        tags.insert(rng.choice(ends), f"</{rng.choice((*_PARTS, *_INLINE, 'p', 'ul', 'h2'))}>")
    else:
        rows = [place for place, tag in enumerate(tags) if tag in {"<tr>", "</tr>", "</ul>"}]
        tags.insert(rng.choice(rows or ends), "stray ")
