"""Text in data scripts is the page's where the page shows nearly none.

`next-client` is a page of Next.js 16 whose component is not rendered on the server, as it was sent.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from wikicrawler.content import convert
from wikicrawler.content.deferred import state
from wikicrawler.content.deferred.elements import as_elements
from wikicrawler.content.deferred.flight import read_rows
from wikicrawler.errors import ContentError, Reason
from wikicrawler.tiers.verdict.full_verdict import full_verdict

PAGES = Path(__file__).with_name("pages")
URL = "https://tales.example/river"
TITLE = "The river and the mill"
SENTENCE = "The river rises in the hills behind the village, and reaches the sea after nine days. "
TEXT = (SENTENCE * 5).strip()
OTHER = ("This paragraph is about something that another page of this site describes. " * 8).strip()
HTML = f"<p>{TEXT}</p><h2>The sea</h2><p>By <a href='/boat'>boat</a>. {TEXT}</p>"


def page(script: str, shown: str = "Loading…", title: str = f"{TITLE} | Tales") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title}</title></head><body>'
        f'<div id="root">{shown}</div>{script}<script src="/app.js"></script></body></html>'
    )


def linked(*nodes: dict[str, Any]) -> str:
    data = [{"@context": "https://schema.org"} | node for node in nodes]
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def data(value: Any) -> str:
    text = json.dumps(value).replace("<", "\\u003c")
    return f'<script id="__NEXT_DATA__" type="application/json">{text}</script>'


def is_empty(html: str) -> bool:
    """Return True if nothing but the notice that the page is loading is found in it."""
    try:
        return convert(html, URL).markdown == "Loading…"
    except ContentError as error:
        return error.reason is Reason.EMPTY


ARTICLE = {"@type": "NewsArticle", "headline": TITLE}


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        (f"{TEXT}\n\nBread &amp; rope.", f"# {TITLE}\n\n{TEXT}\n\nBread & rope."),
        (f"<p>{TEXT}</p><p>End.</p>", f"# {TITLE}\n\n{TEXT}\n\nEnd."),
        (f"&lt;p&gt;{TEXT}&lt;/p&gt;&lt;p&gt;End.", f"# {TITLE}\n\n{TEXT}\n\nEnd."),
        (f"{TEXT}\n# <b> 1 < 2", f"# {TITLE}\n\n{TEXT}\n\n\\# \\<b> 1 < 2"),
    ],
)
def test_the_body_of_an_article_in_its_json_ld_is_the_page(body: str, markdown: str) -> None:
    html = page(linked({"@type": "WebSite", "name": "Tales"}, ARTICLE | {"articleBody": body}))
    assert convert(html, URL).markdown == markdown
    assert full_verdict(200, {}, html.encode(), URL).word == "ok"


def test_a_question_in_json_ld_is_a_page_with_its_answers() -> None:
    node = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "name": TITLE,
            "text": "How long does the river take?",
            "acceptedAnswer": {"@type": "Answer", "text": TEXT},
            "suggestedAnswer": [{"@type": "Answer", "text": "<p>Longer in <b>winter</b>.</p>"}],
        },
    }
    expected = f"# {TITLE}\n\nHow long does the river take?\n\n{TEXT}\n\nLonger in **winter**."
    assert convert(page(linked(node)), URL).markdown == expected


def test_a_posting_in_json_ld_is_a_page_with_its_comments() -> None:
    node = {
        "@type": "DiscussionForumPosting",
        "headline": TITLE,
        "text": TEXT,
        "comment": [{"@type": "Comment", "text": "Nine days?"}, {"@type": "Comment"}],
    }
    assert convert(page(linked(node)), URL).markdown == f"# {TITLE}\n\n{TEXT}\n\nNine days?"


def test_of_several_articles_in_json_ld_the_one_with_the_title_is_the_page() -> None:
    other = {"@type": "Article", "headline": "Elsewhere", "articleBody": OTHER}
    mine = ARTICLE | {"articleBody": TEXT}
    assert convert(page(linked(other, mine)), URL).markdown == f"# {TITLE}\n\n{TEXT}"
    assert is_empty(page(linked(other, other | {"headline": "Third", "articleBody": OTHER * 2})))


def test_the_text_that_a_page_shows_wins() -> None:
    shown = f"<h1>River</h1><p>{OTHER}</p>"
    for script in (linked(ARTICLE | {"articleBody": TEXT * 5}), data({"title": TITLE, "b": HTML})):
        assert convert(page(script, shown), URL).markdown == f"# River\n\n{OTHER}"


def test_a_component_of_next_that_only_a_browser_renders_is_read_from_its_rows() -> None:
    html = PAGES.joinpath("next-client.html").read_bytes()
    content = convert(html, "https://ferry.example/client")
    ferry = "The ferry left at nine, as it had on every day of the year, and came back at noon. "
    assert content.markdown == "\n\n".join(
        [
            "# The ferry left at nine",
            (ferry * 6).strip(),
            "## Noon",
            (ferry * 8).strip(),
            "- Bread\n- Rope & tar",
            "## Afterword",
            f"This part was rendered on the server. {(ferry * 3).strip()}",
        ]
    )
    assert full_verdict(200, {}, html).word == "ok"


def test_elements_that_the_server_rendered_are_read_from_rows() -> None:
    whole = PAGES.joinpath("next-story.html").read_text()
    start = whole.index("<body>") + len("<body>")
    rows = "".join(re.findall(r"<script>[^<]*__next_f[^<]*</script>", whole))
    html = f"{whole[:start]}<p>Loading</p>{rows}</body></html>"
    assert convert(html, URL).markdown == convert(whole, URL).markdown


@pytest.mark.parametrize(
    ("rows", "markdown"),
    [
        (['["$","p",null,{"children":["$L1","$$5 & ",7,null,true]}]', '"x"'], "$5 & 7"),
        (['["$","$L9",null,{"fallback":["$","p",null,{}],"children":"$1"}]', '["a ","b"]'], "a b"),
        (['["$","p",null,{"children":"$1"}]', '["b ","$0","$1","$8","$undefined"]'], "b"),
        (['["$","a",null,{"href":"/x\\"y","children":"l"}]'], "[l](https://tales.example/x%22y)"),
        (['["$","p",null,{"dangerouslySetInnerHTML":{"__html":"<i>i</i>"}}]'], "*i*"),
        (['["$","div",null,{"children":[["$","script",null,{"children":"s"}],"d"]}]'], "d"),
        (
            ['["$","br",null,{"children":"x"}]', '["$","ul",null,{"hidden":true,"children":"u"}]'],
            "",
        ),
        (['["$",{},null,{}]', '["$","p"]', '["$","p",null,[]]', "[1,[2,{}]]", "{"], ""),
    ],
)
def test_elements_are_written_as_html(rows: list[str], markdown: str) -> None:
    stream = "".join(f"{number:x}:{row}\n" for number, row in enumerate(rows))
    values = read_rows([f"self.__next_f.push([1,{json.dumps(stream)}])"])
    html = as_elements(values, 10_000)
    written = convert(f"<p>.</p>{html}", URL).markdown.removeprefix(".").strip("\n")
    assert written.strip() == markdown.strip()


POST = {"id": 7, "title": TITLE, "excerpt": SENTENCE, "content": {"rendered": HTML}}
LABELS = {"cookies": f"We use cookies. {OTHER}", "title": "Cookies"}
RELATED = [{"title": "Another tale", "content": f"<p>{OTHER}{OTHER}</p><p>{OTHER}</p>"}]
EXPECTED = f"# {TITLE}\n\n{TEXT}\n\n## The sea\n\nBy [boat](https://tales.example/boat). {TEXT}"


def nuxt(value: dict[str, Any]) -> str:
    """Return *value* as a list in which objects refer to its items, as Nuxt 3 writes it."""
    items: list[Any] = []

    def add(part: Any) -> int:
        index = len(items)
        items.append(part)
        if isinstance(part, dict):
            items[index] = {name: add(inner) for name, inner in part.items()}
        elif isinstance(part, list):
            items[index] = [add(inner) for inner in part]
        return index

    add(value)
    items[0], first = ["ShallowReactive", len(items)], items[0]
    text = json.dumps([*items, first]).replace("<", "\\u003C")
    return f'<script type="application/json" id="__NUXT_DATA__" data-ssr="true">{text}</script>'


def pushed(rows: str) -> str:
    half = len(rows) // 2
    return "<script>(self.__next_f=self.__next_f||[]).push([0])</script>" + "".join(
        f"<script>self.__next_f.push([1,{json.dumps(part)}])</script>".replace("<p", "\\u003cp")
        for part in (rows[:half], rows[half:])
    )


STATE = {"props": {"pageProps": {"labels": LABELS, "related": RELATED, "post": POST}}}
FORMS = {
    "next": data(STATE),
    "nuxt": nuxt({"data": {"labels": LABELS, "related": RELATED, "post": POST}}),
    "remix": f"<script>window.__remixContext = {json.dumps({'state': STATE})};foo()</script>",
    "bracket": f'<script>window["__STATE__"]={json.dumps(STATE)}</script>',
    "variable": f"<script>var a = {{b: 1}}; var data = {json.dumps(STATE)};</script>",
    "parsed": f"<script>window.data = JSON.parse({json.dumps(json.dumps(STATE))})</script>",
    "rest": data({"post": {"title": {"rendered": TITLE}, "content": {"rendered": HTML}}}),
    "labels beside it": data({"title": TITLE, "labels": LABELS, "about": OTHER * 5, "body": HTML}),
    "rows": pushed(
        f'1:"$Sreact.fragment"\n2:I[1,["a.js"],"default"]\n:N1741600000000.1\na:T{len(HTML):x},{HTML}'
        f'3:["$","$L2",null,{json.dumps({"labels": LABELS, "post": POST | {"content": "$a"}})}]\n'
    ),
}


@pytest.mark.parametrize("script", FORMS.values(), ids=FORMS)
def test_the_text_beside_the_title_in_the_data_of_an_application_is_the_page(script: str) -> None:
    html = page(script)
    assert convert(html, URL).markdown == EXPECTED
    assert full_verdict(200, {}, html.encode(), URL).word == "ok"


def test_the_text_beside_the_address_of_the_page_is_the_page() -> None:
    html = page(data({"post": {"link": URL, "content": HTML}}), title="Tales")
    assert convert(html, f"{URL}#top").markdown == EXPECTED.removeprefix(f"# {TITLE}\n\n")


def test_the_text_that_begins_as_the_description_says_is_the_page() -> None:
    description = f'<meta name="description" content="{SENTENCE}">'
    html = page(data({"labels": LABELS, "b": {"h": HTML}})).replace(
        "<title>", f"{description}<title>"
    )
    assert convert(html, URL).markdown == EXPECTED.removeprefix(f"# {TITLE}\n\n")


BLOCKS = {
    "portable text": [
        {"_type": "block", "style": "normal", "children": [{"_type": "span", "text": TEXT}]},
        {"_type": "block", "style": "h2", "children": [{"_type": "span", "text": "The sea"}]},
        {
            "_type": "block",
            "style": "normal",
            "children": [{"text": "By boat"}, {"text": ". "}, {"text": TEXT, "marks": ["em"]}],
        },
    ],
    "rich text": [
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": TEXT}]},
        {"nodeType": "heading-2", "content": [{"nodeType": "text", "value": "The sea"}]},
        {"nodeType": "paragraph", "content": [{"value": "By boat. "}, {"value": TEXT}]},
    ],
    "html": [
        {"type": "text", "html": f"<b>{TEXT}</b>".replace("<b>", "").replace("</b>", "")},
        {"type": "h2", "html": "The sea"},
        {"type": "text", "html": f"By <i></i>boat. {TEXT}"},
    ],
}


@pytest.mark.parametrize("blocks", BLOCKS.values(), ids=BLOCKS)
def test_a_text_in_blocks_is_put_together(blocks: list[Any]) -> None:
    script = data({"page": {"title": TITLE, "body": {"json": {"content": blocks}}}})
    expected = f"# {TITLE}\n\n{TEXT}\n\n## The sea\n\nBy boat. {TEXT}"
    assert convert(page(script), URL).markdown == expected


NO_TEXTS = {
    "labels": {"labels": LABELS},
    "teasers": {"related": RELATED},
    "teasers of the page": {"title": TITLE, "related": RELATED},
    "labels of the page": {"title": TITLE, "labels": {"cookies": f"We use cookies. {OTHER}"}},
    "reviews of the page": {"title": TITLE, "reviews": [{"text": OTHER}, {"text": OTHER}]},
    "author of the page": {"title": TITLE, "author": {"slug": "ida", "body": OTHER}},
    "code": {"title": TITLE, "script": "function a() { return b.c(1); } " * 40},
    "words": {"title": TITLE, "keywords": "river, mill, village, stones, flour, bread " * 20},
    "short": {"title": TITLE, "content": SENTENCE},
    "no data": {"title": TITLE},
    "markup": {"title": TITLE, "content": "<p></p>" * 200},
    "numbers": {"title": TITLE, "path": "M 12.0 13.5 L 14.5 15.1. Z 11.2 3.4. " * 40},
}


@pytest.mark.parametrize("value", NO_TEXTS.values(), ids=NO_TEXTS)
def test_other_data_of_an_application_is_no_page(value: Any) -> None:
    html = page(data(value))
    assert is_empty(html)
    assert full_verdict(200, {}, html.encode(), URL).word == "js_shell"


@pytest.mark.parametrize(
    "script",
    [
        data(STATE)[:-200],
        f"<script>window.a = {'[' * 100_000}</script>",
        f"<script type=application/json>{'[' * 100_000}{']' * 100_000}</script>",
        "<script>window.a = {b: 1}</script>",
        '<script>self.__next_f.push([1,"a:T9fffff,x"])</script>',
        '<script>self.__next_f.push([1,"\\u12"])</script>',
        '<script type=application/json>[[1],{"a":0,"b":1,"c":99}]</script>',
        linked({"@type": ["Question", {}], "acceptedAnswer": [1, {}]}),
        linked({"@type": "Article", "articleBody": {"a": 1}}),
    ],
)
def test_broken_data_is_no_page(script: str) -> None:
    assert is_empty(page(script))


def test_data_that_refers_to_itself_is_read_within_its_limits(monkeypatch) -> None:
    monkeypatch.setattr(state, "MAX_VALUES", 5_000)
    many = {f"k{n}": 1 for n in range(300)}
    items = [["Reactive", 1], many, {**{f"k{n}": 1 for n in range(300)}, "title": 3}, TITLE]
    script = f"<script type=application/json>{json.dumps(items)}</script>"
    assert is_empty(page(script))
    again = [["Reactive", 1], {"title": 2, "list": 3}, TITLE, [4] * 3_000, {"text": 5}, TEXT]
    script = f"<script type=application/json>{json.dumps(again)}</script>"
    markdown = convert(page(script), URL).markdown
    assert len(markdown) < 5_000 * len(TEXT)
