"""Pages whose content comes late, by ways of their own, with a real browser."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.crawl4ai.together import Together

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.crawl4ai import RealCrawl4AI

WORDS = "".join(
    f"<p>Barge number {n} left the harbour of Hameln with salt and came back with grain.</p>"
    for n in range(12)
)
LAST = "<p>The last barge sank in 1911.</p>"


def page(script: str, body: str = "<div id=root></div>", head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>Barges</title>{head}</head><body>{body}"
        f"<script>const words = {WORDS + LAST!r}; const root = document.getElementById('root');"
        f"{script}</script></body></html>"
    )


LATE = {
    "after 1.2 s": page("setTimeout(() => { root.innerHTML = words }, 1200)"),
    "after 3 s": page("setTimeout(() => { root.innerHTML = words }, 3000)"),
    "a spinner first": page(
        "root.innerHTML = '<p>Loading…</p>'; setTimeout(() => { root.innerHTML = words }, 2500)"
    ),
    "in steps": page(
        "const parts = words.split('</p>'); let n = 0;"
        "const add = () => { root.insertAdjacentHTML('beforeend', parts[n++] + '</p>');"
        "if (n < parts.length) setTimeout(add, 150) }; setTimeout(add, 600)"
    ),
    "by fetch": page("fetch('/words').then(r => r.text()).then(t => { root.innerHTML = t })"),
    "by fetch twice": page(
        "fetch('/list').then(r => r.json()).then(async urls => { for (const u of urls) {"
        "root.insertAdjacentHTML('beforeend', await (await fetch(u)).text()) } })"
    ),
    "by a module": "<!doctype html><title>Barges</title><div id=root></div>"
    "<script type=module src=/late.mjs></script>",
    "in a shadow root": page(
        "customElements.define('x-words', class extends HTMLElement { connectedCallback() {"
        "const s = this.attachShadow({mode: 'open'}); setTimeout(() => { s.innerHTML = words }, "
        "800) } })",
        "<div id=root></div><x-words></x-words>",
    ),
    "in nested shadow roots": page(
        "const outer = root.attachShadow({mode: 'open'}); outer.innerHTML = '<section></section>';"
        "const inner = outer.firstChild.attachShadow({mode: 'open'}); inner.innerHTML = words"
    ),
    "in a frame of the site": page("", "<iframe src=/words></iframe><div id=root></div>"),
    "a strict policy": page("setTimeout(() => { root.innerHTML = words }, 1500)"),
    "a changed clock": page(
        "const set = setTimeout; window.setInterval = () => 0; "
        "window.requestAnimationFrame = () => 0; set(() => { root.innerHTML = words }, 1500)"
    ),
}


CHALLENGES = (0.8, 2.5)  # seconds
TICKER = page("root.innerHTML = words; setInterval(() => root.append('tick ' + Date.now()), 50)")


def site_on(host: str, *pages: Reply) -> ScriptedServer:
    """A site with *pages* in turn at ``/page``, and what they load."""
    server = ScriptedServer(host).on("/robots.txt", Reply(404)).on("/page", *pages)
    server.on("/words", Reply(body=WORDS + LAST, delay=1.5))
    server.on("/list", Reply(200, {"Content-Type": "application/json"}, '["/one", "/two"]', 0.7))
    server.on("/one", Reply(body=WORDS, delay=0.7)).on("/two", Reply(body=LAST, delay=0.7))
    module = (
        "await new Promise(r => setTimeout(r, 900)); const t = await (await fetch('/words'))"
        ".text(); document.getElementById('root').innerHTML = t"
    )
    return server.on("/late.mjs", Reply(200, {"Content-Type": "text/javascript"}, module))


def challenge(seconds: float) -> str:
    return (
        "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt = {};"
        f"setTimeout(() => {{ document.cookie = 'ok=1'; location.reload() }}, {seconds * 1000})"
        "</script><p>Checking your browser.</p></body></html>"
    )


@pytest.fixture(scope="module")
def late(crawl4ai_server: RealCrawl4AI) -> Iterator[Together]:
    hosts = (f"127.0.0.{number}" for number in count(11))
    sites = {}
    policy = {"Content-Security-Policy": "script-src 'unsafe-inline'"}
    for name, html in LATE.items():
        headers = policy if name == "a strict policy" else {}
        sites[name] = site_on(next(hosts), Reply(200, headers, html))
    for seconds in CHALLENGES:
        content = Reply(body=f"<main><h1>B</h1>{WORDS}</main>")
        sites[str(seconds)] = site_on(next(hosts), Reply(403, body=challenge(seconds)), content)
    sites["ticker"] = site_on(next(hosts), Reply(body=TICKER))
    with Together(crawl4ai_server, sites, CRAWL4AI_TIMEOUT=20) as late:
        yield late


@pytest.mark.parametrize("name", LATE)
@deferred_f_from_coro_f
async def test_content_that_comes_late_is_in_the_record(late: Together, name: str) -> None:
    markdown = (await late.page(name)).markdown
    assert "Barge number 0 left" in markdown
    assert "The last barge sank in 1911." in markdown


@pytest.mark.parametrize("seconds", CHALLENGES)
@deferred_f_from_coro_f
async def test_a_challenge_that_solves_itself_lets_the_page_through(
    late: Together, seconds: float
) -> None:
    assert "Barge number 11" in (await late.page(str(seconds))).markdown


@deferred_f_from_coro_f
async def test_text_that_grows_for_ever_ends(late: Together) -> None:
    assert "The last barge" in (await late.page("ticker")).markdown


@deferred_f_from_coro_f
async def test_a_frame_of_another_site_is_not_read(crawl4ai: RealCrawl4AI) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/secret", Reply(body="<p>Foreign text of another site.</p>"))
        body = f"<main>{WORDS}</main><iframe src='{other.url('/secret')}'></iframe>"
        with site_on("127.0.0.1", Reply(body=f"<!doctype html><title>B</title>{body}")) as site:
            request = Request(site.url("/page"), meta={"tiers": ["browser"]})
            done = await fetch(request, **crawl4ai.settings, CRAWL4AI_TIMEOUT=20)
    assert "Foreign text" not in done.responses[0].meta["tier_content"].markdown
