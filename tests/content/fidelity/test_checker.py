"""The checker detects errors that converters have made."""

from __future__ import annotations

import pytest

from tests.content.fidelity import KINDS, check, check_fragment, table
from tests.content.fidelity.score import total

URL = "https://wiki.example/wiki/T"
PAGE = """
<h2>Prices <span class="mw-editsection">[edit source of this section]</span></h2>
<p>Text with a <a href="/wiki/Sword">sword</a>, 2*3*4, a|b and &lt;b&gt;; see
<a href="/wiki/Shield#Old">the shield</a>.<br>A second line.</p>
<table class="wikitable"><caption>Gold</caption>
<tr><th>Item</th><th colspan="2">Price</th></tr>
<tr><td rowspan="2">Sword</td><td>10</td><td>5|6</td></tr>
<tr><td>none</td><td><ul><li>one</li><li>two</li></ul></td></tr></table>
<h3>Use</h3>
<ul><li>outer<ul><li>inner</li></ul></li></ul><ol><li>first</li></ol>
<dl><dt>Term</dt><dd>what it means</dd></dl>
<div class="mw-highlight mw-highlight-lang-lua"><pre>local x = 1\n  y()</pre></div>
<div class="navbox"><a href="/wiki/N">A box of links to other pages</a></div>
<div style="display:none">7003100000000000000</div>
"""
MARKDOWN = """\
## Prices

Text with a [sword](https://wiki.example/wiki/Sword), 2\\*3\\*4, a|b and \\<b>; see \
[the shield](https://wiki.example/wiki/Shield#Old).  
A second line.

**Gold**

| Item | Price | Price |
| --- | --- | --- |
| Sword | 10 | 5\\|6 |
| Sword | none | - one<br>- two |

### Use

- outer
  - inner

1. first

- **Term**: what it means

```lua
local x = 1
  y()
```
"""  # noqa: W291 - a line break


def test_correct_markdown_is_perfect():
    report = check_fragment(PAGE, MARKDOWN, URL)
    # The list marks in a cell are added by the Markdown.
    assert report.perfect(*(kind for kind in KINDS if kind != "symbols")), report.describe()
    assert report.extra["symbols"] == ["'-'", "'-'"]
    assert not report.missing["symbols"]


@pytest.mark.parametrize(
    ("right", "wrong", "kinds"),
    [
        ("## Prices", "### Prices", ["headings"]),
        ("### Use", "**Use**", ["headings"]),
        ("## Prices", "## Prices\n\n## Prices", ["headings", "words"]),
        ("| Sword | 10 |", "| Sword | |", ["cells", "words"]),
        ("| Sword | none |", "| none | |", ["cells"]),
        ("| Sword | 10 | 5\\|6 |", "| Sword | 10 | 5|6 |", ["cells", "symbols"]),
        ("| Item | Price | Price |", "| Item | Price | |", ["cells"]),
        ("| Sword | 10 |", "| 10 | Sword |", ["cells"]),
        ("| - one<br>- two |", "| - two<br>- one |", ["cells"]),
        ("| - one<br>- two |", "| - one |", ["cells", "words"]),
        ("| --- | --- | --- |\n", "", ["cells"]),
        ("wiki/Sword)", "wiki/Swords)", ["links"]),
        ("(https://wiki.example/wiki/Sword)", "(/wiki/sword)", ["links"]),
        ("[sword](https://wiki.example/wiki/Sword)", "sword", ["links"]),
        ("#Old)", ")", ["links"]),
        ("  - inner", "- inner", ["lists"]),
        ("1. first", "- first", ["lists"]),
        ("- outer\n  - inner", "outer\n\n- inner", ["lists"]),
        ("what it means", "what", ["definitions", "words"]),
        ("```lua", "```", ["code"]),
        ("  y()", "y()", ["code"]),
        ("  \nA second", " A second", ["breaks"]),
        ("2\\*3\\*4", "2*3*4", ["symbols"]),
        ("\\<b>", "<b>", ["symbols", "words"]),
        ("\\<b>", "\\\\<b>", ["symbols"]),
        ("a|b", "b|a", ["shingles"]),
        ("A second line.", "A line.", ["words", "shingles"]),
        ("### Use", "A box of links to other pages\n\n### Use", ["words", "chrome"]),
        ("## Prices", "## Prices [edit source of this section]", ["headings", "chrome"]),
        ("### Use", "7003100000000000000\n\n### Use", ["chrome"]),
    ],
)
def test_each_error_lowers_the_score_of_its_kind(right, wrong, kinds):
    assert MARKDOWN.count(right) >= 1
    report = check_fragment(PAGE, MARKDOWN.replace(right, wrong, 1), URL)
    for kind in kinds:
        score = report.scores[kind]
        if kind == "chrome":
            assert score.leaked > 0
        else:
            assert min(score.recall, score.precision) < 1, report.describe()
            assert not report.perfect(kind)


def test_empty_markdown_has_no_recall_but_full_precision():
    report = check_fragment(PAGE, "", URL)
    for kind in set(KINDS) - {"chrome"}:
        assert report.scores[kind].recall == 0, kind
        assert report.scores[kind].precision == 1, kind
    assert report.scores["chrome"].leaked == 0


def test_spanned_text_may_be_repeated_in_each_place():
    html = (
        '<table class="wikitable"><tr><td rowspan="2"><a href="/wiki/A">a b</a></td><td>1</td></tr>'
        "<tr><td>2</td></tr></table>"
    )
    link = "[a b](https://wiki.example/wiki/A)"
    head = "|  |  |\n| --- | --- |\n"
    everywhere = check_fragment(html, f"{head}| {link} | 1 |\n| {link} | 2 |", URL)
    once = check_fragment(html, f"{head}| {link} | 1 |\n| | 2 |", URL)
    assert everywhere.perfect()
    assert once.perfect("links", "words")
    assert once.missing["cells"] == ["ab"]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><tr><td><h2>a</h2></td><td>b</td></tr></table>", "## a\n\nb"),
        ('<table role="presentation"><tr><td>a</td><td>b</td></tr></table>', "a\n\nb"),
        ("<table><tr><td>alone</td></tr></table>", "alone"),
        (
            '<aside class="portable-infobox"><h2 class="pi-title">T</h2><div class="pi-data">'
            '<h3 class="pi-data-label">k</h3><div class="pi-data-value">v</div></div></aside>',
            "| T | |\n| --- | --- |\n| k | v |",
        ),
    ],
)
def test_layout_tables_are_no_grids_and_infoboxes_have_no_headings(html, markdown):
    report = check_fragment(html, markdown, URL)
    assert report.perfect(), report.describe()


def test_scores_of_pages_add_up_and_print():
    good, bad = check_fragment(PAGE, MARKDOWN, URL), check_fragment(PAGE, "", URL)
    scores = total([good.scores, bad.scores])
    assert scores["headings"].recall == 0.5
    assert "| headings | 0.5000 / 1.0000 of 4 |" in table({"two pages": scores})


def test_a_skin_is_chrome():
    html = (
        '<body><div id="mw-content-text"><div class="mw-parser-output"><p>The text.</p></div></div>'
        "<div id=footer>This page was last edited on a day</div></body>"
    )
    report = check(html, "The text.\n\nThis page was last edited on a day", URL)
    assert report.perfect("headings", "links")
    assert report.scores["chrome"].leaked == 1
