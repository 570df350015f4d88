"""Pages of many kinds: the Markdown has all their content and none of their furniture."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.content import convert
from wikicrawler.errors import ContentError

URL = "https://site.example/a/b"


def prose(topic: str, sentences: int = 4) -> str:
    """Return a paragraph about *topic* that contains the words ``topic-1`` to ``topic-n``."""
    parts = (
        f"Of {topic} it is said in {topic}-{n} that nobody on the island had seen it before."
        for n in range(1, sentences + 1)
    )
    return f"<p>{' '.join(parts)}</p>"


def links(name: str, count: int = 5) -> str:
    items = "".join(f'<li><a href="/{name}/{n}">{name} link {n}</a></li>' for n in range(count))
    return f"<ul>{items}</ul>"


def post(name: str, classes: str = "post", sentences: int = 2) -> str:
    return f'<div class="{classes}"><b>{name}</b>{prose(name, sentences)}</div>'


ROWS = "".join(f"<tr><td>{year}</td><td>{year * 7} t</td></tr>" for year in range(1990, 2020))
PAGES = {
    "news article": (
        '<header><a href="/">The Paper</a></header><nav>navigation-x</nav><article><h1>Ferry</h1>'
        f'<div class="byline">By byline-x</div>{prose("ferry")}<figure><img src="f.jpg">'
        f"<figcaption>caption-x</figcaption></figure>{prose('harbour')}<aside>aside-x</aside>{prose('pier')}"
        '<div class="article-share-bar">share-x</div></article>'
        f'<section class="most-read"><h2>Most read</h2>{links("read-x")}</section>'
        "<footer>footer-x</footer>",
        ["# Ferry", "ferry-4", "harbour-1", "pier-4"],
        ["navigation-x", "byline-x", "caption-x", "aside-x", "share-x", "read-x", "footer-x"],
    ),
    "short news": (
        "<header><a href=/>banner-x</a></header><nav>navigation-x</nav><div id=main><header><h1>"
        "Closed</h1></header><p>The pier is closed today.</p></div><footer>footer-x</footer>",
        ["# Closed", "The pier is closed today."],
        ["banner-x", "navigation-x", "footer-x"],
    ),
    "article with links to others between": (
        f"<article>{prose('fog', 6)}<h3>More</h3>{links('more-x')}<h3>Dew</h3>{prose('dew', 6)}"
        "</article>",
        ["fog-6", "Dew", "dew-6"],
        ["More", "more-x"],
    ),
    "article without any mark": (
        f"<div class=top>{links('menu-x', 9)}</div><div class=wrap><div class=left>"
        f"{prose('island', 6)}{prose('bridge', 6)}</div><div class=right>{links('right-x', 12)}"
        "</div></div><div class=bottom>Copyright bottom-x</div>",
        ["island-6", "bridge-1"],
        ["menu-x", "right-x", "bottom-x"],
    ),
    "documentation": (
        f'<div class="sphinxsidebar" role="navigation">{links("toc-x", 20)}</div><div role="main">'
        f'<section id="server"><h1>Server<a class="headerlink" href="#server">¶</a></h1>'
        f"{prose('server')}<section id='cookies'><h2>Cookies</h2>{prose('cookie')}<div class="
        "'highlight'><pre>run <span class='comment'># a comment</span>\n  --fast</pre></div>"
        "</section><section id='related-work'><h2>Related work</h2><p>None that we know.</p>"
        "</section><section id='options'><h2>Options</h2><dl><dt>--fast</dt><dd>Be fast.</dd></dl>"
        "<table><tr><th>Name</th><th>Default</th></tr><tr><td>fast</td><td>no</td></tr></table>"
        "</section></section></div><footer>footer-x</footer>",
        [
            "# Server",
            "## Cookies",
            "cookie-4",
            "# a comment\n  --fast",
            "None that",
            "| fast | no |",
        ],
        ["toc-x", "¶", "footer-x"],
    ),
    "reference without paragraphs": (
        f"<main><h1>Units</h1>{links('unit')}<h2>Table</h2><table><tr><th>Year</th><th>Coal</th></tr>"
        f"{ROWS}</table></main>",
        ["unit link 4", "| 2019 | 14133 t |"],
        [],
    ),
    "table after its introduction": (
        f"<main><div class=intro>{prose('coal')}</div><div class=data><table><tr><th>Year</th><th>"
        f"Coal</th></tr>{ROWS}</table></div></main>",
        ["coal-4", "| 1990 | 13930 t |", "| 2019 | 14133 t |"],
        [],
    ),
    "forum thread": (
        "<nav>navigation-x</nav><h1>Which engine?</h1>"
        + "".join(post(name) for name in ("anna", "bert", "cleo", "dora"))
        + f"<div class=pagination>{links('page-x')}</div>",
        ["Which engine?", "anna-2", "bert-2", "cleo-2", "dora-2"],
        ["navigation-x", "page-x"],
    ),
    "discussion whose replies are comments": (
        post("question", sentences=3) + "".join(post(f"reply{n}", "comment", 4) for n in range(9)),
        ["question-3", "reply0-4", "reply8-4"],
        [],
    ),
    "blog with comments": (
        f"<article><h1>Soup</h1>{prose('soup', 6)}{prose('leek', 6)}<section>"
        + "".join(post(f"guest-x{n}", "comment", 6) for n in range(20))
        + "</section></article>",
        ["soup-6", "leek-6"],
        ["guest-x"],
    ),
    "product": (
        '<header><div class="logo">Shop</div></header><main><h1>Kettle K2</h1><p class="price">'
        f"£ 24.50</p>{prose('kettle')}<table><tr><th>Volume</th><td>1.7 l</td></tr><tr>"
        "<th>Power</th><td>2200 W</td></tr></table><ul><li>Switches itself off</li>"
        "<li>Two colours</li></ul></main>"
        f'<div class="recommendations"><h2>Others bought</h2>{links("other-x")}</div>',
        ["Kettle K2", "£ 24.50", "kettle-4", "1.7 l", "2200 W", "Two colours"],
        ["other-x"],
    ),
    "reference of a function": (
        f"<div class=nav><a href=/>Index</a></div><div class=entry><div class=synopsis><pre>void\t"
        f"<a href='#a'>area_of</a>(const shape *s, double *result, unsigned int how_exactly);</pre>"
        f"</div><div class=details><h2>Details</h2>{prose('area', 8)}</div><div class=table><table>"
        "<tr><th>Shape</th><th>Since</th></tr>"
        + "".join(f"<tr><td><a href=/{n}>shape{n}</a></td><td>1.{n}</td></tr>" for n in range(40))
        + "</table></div></div>",
        ["const shape *s", "area-8", "1.39"],
        ["Index"],
    ),
    "index of names": (
        f"<table><tr><td><h3>Search</h3><form>Search for a name in all of the documentation that "
        f"is here, by its first letters or by a part of it.</form>{links('menu')}</td><td>"
        + "".join(
            f"<h2>Letter {letter}</h2><dl><dt>{letter}ord</dt><dd><a href=/{letter}>{letter}"
            "ord-function</a></dd></dl>"
            for letter in "abcdefghijklm"
        )
        + "</td></tr></table>",
        ["Letter a", "aord-function", "Letter m", "mord-function"],
        [],
    ),
    "listing": (
        "<nav>navigation-x</nav><main><h1>All engines</h1>"
        + "".join(
            f'<div class="card"><h3><a href="/e/{n}">Engine {n}</a></h3><p>{n}00 kW</p></div>'
            for n in range(30)
        )
        + "</main><footer>footer-x</footer>",
        ["All engines", "Engine 0", "Engine 29", "2900 kW"],
        ["navigation-x", "footer-x"],
    ),
    "collection of links": (
        f"<h1>Links</h1><h2>Bridges</h2>{links('bridge', 20)}<h2>Tunnels</h2>{links('tunnel', 20)}",
        ["Bridges", "bridge link 19", "Tunnels", "tunnel link 0"],
        [],
    ),
    "list of teasers": (
        "<main><h1>News</h1>"
        + "".join(f"<article><h2>{n}</h2>{prose(n)}</article>" for n in ("one", "two", "three"))
        + "</main>",
        ["one-1", "two-4", "three-4"],
        [],
    ),
    "two articles": (
        f"<article>{prose('first', 5)}</article><article>{prose('second', 4)}</article>",
        ["first-5", "second-4"],
        [],
    ),
    "questions and answers": (
        "<main><h1>Questions</h1>"
        + "".join(
            f"<details><summary>May I {n}?</summary><p>Yes, {n} if the sea is calm.</p></details>"
            for n in ("swim", "fish", "sail", "row", "dive", "wade", "float", "paddle", "surf")
        )
        + "</main>",
        ["May I swim?", "Yes, surf if the sea is calm."],
        [],
    ),
    "glossary": (
        "<h1>Glossary</h1><dl>"
        + "".join(f"<dt>Term {n}</dt><dd>What {n} means to sailors.</dd>" for n in range(40))
        + "</dl>",
        ["Term 0", "What 39 means to sailors."],
        [],
    ),
    "recipe": (
        f'<main><div class="recipe"><h1>Soup</h1>{prose("soup", 3)}<div class="ingredients"><h2>'
        "Ingredients</h2><ul><li>2 leeks</li><li>1 l water</li></ul></div><div class=steps>"
        "<h2>Steps</h2><ol><li>Cut the leeks.</li><li>Boil the water.</li></ol></div></div></main>"
        f'<div class="sidebar">{links("popular-x")}</div>',
        ["soup-3", "2 leeks", "1 l water", "1. Cut the leeks.", "2. Boil the water."],
        ["popular-x"],
    ),
    "authority with tables": (
        f"<div id=skip-link><a href='#c'>Skip skip-x</a></div><div id=content><h1>Fees</h1>"
        f"{prose('fee', 3)}<h2>2024</h2><table><caption>Fees of 2024</caption><tr><th>Boat</th>"
        "<th>Fee</th></tr><tr><td>Canoe</td><td>3</td></tr></table><h2>2025</h2><table><tr><th>Boat</th>"
        "<th>Fee</th></tr><tr><td>Yacht</td><td>90</td></tr></table></div>",
        ["fee-3", "Fees of 2024", "| Canoe | 3 |", "2025", "| Yacht | 90 |"],
        ["skip-x"],
    ),
    "layout by tables": (
        f"<table width=100%><tr><td width=150>{links('menu-x', 8)}</td><td><h1>Isle</h1>"
        f"{prose('isle', 5)}{prose('rock', 5)}</td></tr></table>",
        ["Isle", "isle-5", "rock-5"],
        ["menu-x"],
    ),
    "line breaks for paragraphs": (
        "<div><a href=/>Home</a> | <a href=/x>menu-x</a></div><font size=2>"
        + "<br><br>".join(f"{prose(n)[3:-4]}" for n in ("alder", "birch", "cedar"))
        + "</font>",
        ["alder-1", "birch-4", "cedar-4"],
        [],
    ),
    "Japanese": (
        "<nav>案内</nav><div id=main>"
        + "<p>灯台は島の北の端にあり、百年以上のあいだ船の道しるべとなってきた。</p>" * 6
        + "</div><footer>著作権</footer>",
        ["灯台は島の北の端にあり"],
        ["案内", "著作権"],
    ),
    "Arabic": (
        "<html dir=rtl lang=ar><body><nav>القائمة</nav><main><h1>المنارة</h1>"
        + "<p>تقع المنارة في أقصى شمال الجزيرة وقد أرشدت السفن لأكثر من مئة عام.</p>" * 5
        + "</main></body></html>",
        ["المنارة", "تقع المنارة"],
        ["القائمة"],
    ),
    "plain text in pre": (
        "<html><body><pre>RFC 1\n\n   Of hosts.\n\n"
        + "   A line of text.\n" * 40
        + "</pre></body>",
        ["RFC 1\n\n   Of hosts."],
        [],
    ),
    "lead outside the body of the article": (
        f"<main><div class=head><h1>Fog</h1></div>{prose('lead', 2)}<div class=text>"
        f"{prose('fog', 6)}{prose('mist', 6)}</div></main>",
        ["lead-2", "fog-6", "mist-6"],
        [],
    ),
    "sections of unequal length": (
        f"<div class=doc><div class=section><h2>Long</h2>{prose('long', 30)}</div>"
        f"<div class=section><h2>Short</h2>{prose('short', 2)}</div></div>",
        ["long-30", "## Short", "short-2"],
        [],
    ),
    "comment instead of a body": ("<p>text</p><!-- comment-x -->", ["text"], ["comment-x"]),
    "noscript and templates": (
        "<noscript>noscript-x</noscript><template>template-x</template><p>text</p>",
        ["text"],
        ["noscript-x", "template-x"],
    ),
    "all of it named as furniture": (
        f"<div class=social>{prose('club')}</div>",
        ["club-4"],
        [],
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_content_is_kept_and_furniture_is_dropped(name: str) -> None:
    body, content, furniture = PAGES[name]
    html = body if body.startswith("<html") else f"<html><body>{body}</body></html>"
    markdown = convert(html, URL, wiki=False).markdown
    assert [text for text in content if text not in markdown] == []
    assert [text for text in furniture if text in markdown] == []


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<!-- only a comment -->",
        "<html><frameset cols='*,*'><frame src=a><frame src=b></frameset></html>",
        "<body><script>1</script></body>",
        "<nav>only navigation</nav>",
    ],
)
def test_a_page_without_text_is_empty(html: str) -> None:
    with pytest.raises(ContentError, match="empty"):
        convert(html, URL, wiki=False)


def test_a_frameset_with_noframes_is_empty() -> None:
    html = "<frameset><frame src=a><noframes><body><p>No frames?</p></body></noframes></frameset>"
    with pytest.raises(ContentError, match="empty"):
        convert(html, URL, wiki=False)


NAMES = """
    a article aside b blockquote body div dl figcaption figure footer h1 h2 header li main p pre
    section span table td tr ul
"""
TAGS = st.sampled_from(NAMES.split())
CLASSES = st.sampled_from(["", "comment", "share", "caption", "content", "post related", "nav"])
TREES = st.recursive(
    st.sampled_from(["", "x", " ", "A sentence that is long enough to be one, by far. " * 3]),
    lambda inner: st.tuples(TAGS, CLASSES, st.lists(inner, max_size=5)),
    max_leaves=40,
)


def written(tree: object) -> str:
    if isinstance(tree, str):
        return tree
    tag, classes, inner = tree
    return f'<{tag} class="{classes}" id="{classes}">{"".join(map(written, inner))}</{tag}>'


@settings(max_examples=200, deadline=None)
@given(TREES)
def test_any_tree_converts_or_is_empty(tree: object) -> None:
    try:
        assert convert(f"<body>{written(tree)}</body>", URL, wiki=False).markdown
    except ContentError as error:
        assert error.reason == "empty", error.detail  # noqa: PT017
