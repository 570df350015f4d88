"""Pages on which the choice of content would look at the same elements again and again."""

from __future__ import annotations

import asyncio

from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.content.article.pages import SENTENCE, stated
from tests.content.test_worst_cases import UNHURRIED
from wikicrawler.content.workers.pool import ConversionPool

URL = "https://page.example/a/b"
TEXT = f"<p>{SENTENCE * 30}</p>"


def each(text: str, count: int) -> str:
    """Return *text* *count* times, with the number in place of ``{}``."""
    return "".join(text.replace("{}", str(number)) for number in range(count))


def around(start: str, text: str, count: int) -> str:
    """Return *text* in *count* elements with the start tag, and what follows it, *start*."""
    name = start[1:].partition(">")[0].partition(" ")[0]
    return start * count + text + f"</{name}>" * count


CARD = f'<div class="c"><a href="/{{}}">Title of the story {{}}</a><p>{SENTENCE}</p></div>'
POST = f'<div class="post"><time>1</time><p>{SENTENCE}</p>'
PAGES = {
    "cards in cards": around(
        '<div class="k"><div class="k"><a href="/a">one two three</a></div>', TEXT, 900
    ),
    "wrappers with text": around(f"<div><p>{SENTENCE}</p>", each(CARD, 1500) + TEXT, 900),
    "wide teasers": f"<h1>T</h1>{TEXT}<div>{each(CARD, 15_000)}</div>",
    "forms": around("<div>", each("<form><input name=q><b>x{}</b></form>", 15_000), 200) + TEXT,
    "links in bold": around("<b>", each("<a href=/{}>Share</a> ", 15_000), 500) + TEXT,
    "jumps": TEXT + each('<div><span><a href="#{}">x{}</a></span></div>', 20_000),
    "contents in contents": around('<ul><li><a href="#a">aaaa</a>', TEXT, 900),
    "headings in headings": TEXT + around("<h2><div>", "Same", 900),
    "headings": TEXT + "<h2>Same</h2>" * 50_000,
    "posts in posts": around(POST, TEXT, 1800),
    "posts in last posts": around(f"{POST}</div>{POST}", TEXT, 1800),
    "stated texts in texts": stated("QAPage")
    + around(f"<div itemprop=text><p>{SENTENCE}</p><div>x</div>", TEXT, 1800),
    "tables in tables": TEXT + around('<table><tr><td><a href="/a">aaaaaaa</a>', "x", 600),
    "lists of links": TEXT
    + around("<div>", each("<ul><li><a href=/a{}>aaaa</a><li><a href=/b>b</a></ul>", 8_000), 400),
    "names": TEXT + each('<div class="a{} comment-{} widget_{}">x{}</div>', 20_000),
}


@deferred_f_from_coro_f
async def test_the_content_of_expensive_pages_is_chosen_within_the_limits():
    pool = ConversionPool.from_crawler(get_crawler(settings_dict=UNHURRIED))
    try:
        contents = await asyncio.gather(
            *(pool.convert(page, URL, wiki=False) for page in PAGES.values())
        )
    finally:
        await pool.close()
    assert [
        name for name, content in zip(PAGES, contents, strict=True) if not content.markdown
    ] == []
