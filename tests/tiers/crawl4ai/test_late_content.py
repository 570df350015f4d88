"""Content that a page's scripts bring late is in the record, with a real browser."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.crawl4ai.together import Together

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.crawl4ai import RealCrawl4AI
    from tests.servers.scripted import Exchange

TEXT = "<h1>Amber</h1>" + "<p>Amber is fossilised tree resin, valued for its colour.</p>" * 8
ENOUGH = "<h1>Jet</h1>" + "<p>Jet is a gemstone that was formed from wood under pressure.</p>" * 20
CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt = {{}};"
    "setTimeout(() => {{ document.cookie = 'passed=1; path=/'; location.reload() }}, {0})</script>"
    "<p>Checking your browser.</p></body></html>"
)


def page(script: str, body: str = '<div id="root"></div>', head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>App</title>{head}</head><body>{body}"
        f"<script>{script}</script></body></html>"
    )


def filled(milliseconds: int, text: str = TEXT) -> str:
    return page(f"setTimeout(() => {{ root.innerHTML = `{text}` }}, {milliseconds})")


STEPS = page(
    "let n = 0; const timer = setInterval(() => { root.insertAdjacentHTML('beforeend', "
    "`<p>Step ${++n} tells of amber, which is fossilised tree resin, at some length.</p>`);"
    "if (n == 8) clearInterval(timer) }, 300)"
)
TICKER = page(
    f"root.innerHTML = `{TEXT}`; setInterval(() => root.insertAdjacentHTML('beforeend', "
    "'<p>Another price of amber, and another.</p>'), 50)"
)
SPINNER = page(
    f"setTimeout(() => {{ spin.outerHTML = `{TEXT}` }}, 2000)",
    '<div id="spin" role="progressbar" aria-busy="true">Loading</div>' + ENOUGH,
)
FETCHED = page("fetch('/data').then(a => a.text()).then(text => { root.innerHTML = text })")
POLLING = page(
    f"(function poll() {{ fetch('/poll').then(poll) }})(); setTimeout(() => {{ root.innerHTML = "
    f"`{TEXT}` }}, 1500)"
)
STRICT = page("", head='<script src="/late.js"></script>')
HOSTILE = page(
    "const later = window.setTimeout; window.setTimeout = () => { throw 1 }; window.Promise = null;"
    "window.MutationObserver = function () { throw 1 };"
    f"later(() => {{ root.innerHTML = `{TEXT}` }}, 1500)"
)
SHADOWS = page(
    "const outer = root.attachShadow({mode: 'open'});"
    "outer.innerHTML = '<section id=in></section>';"
    "outer.getElementById('in').attachShadow({mode: 'open'}).innerHTML = "
    f"`{TEXT}`"
)
ELEMENT = page(
    "customElements.define('x-card', class extends HTMLElement { connectedCallback() { "
    f"this.attachShadow({{mode: 'open'}}).innerHTML = `{TEXT}` }} }})",
    f"{ENOUGH}<x-card></x-card>",
)
PAGES = {
    "1 s": filled(1000),
    "2 s": filled(2000),
    "4 s": filled(4000),
    "8 s": filled(8000),
    "steps": STEPS,
    "ticker": TICKER,
    "spinner": SPINNER,
    "fetched": FETCHED,
    "polling": POLLING,
    "strict": STRICT,
    "hostile": HOSTILE,
    "shadows": SHADOWS,
    "element": ELEMENT,
    "srcdoc": page("", f'<iframe srcdoc="{TEXT}"></iframe>'),
    "frame": page("", f'{ENOUGH}<iframe src="/framed" width="400"></iframe>'),
}


DELAYS = (800, 3000)  # milliseconds


class Late(ScriptedServer):
    """A site with what its pages load."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.on("/robots.txt", Reply(404))
        self.on("/data", Reply(body=TEXT, delay=1.5)).on("/poll", Reply(body="", delay=3.0))
        late = f"setTimeout(() => {{ root.innerHTML = `{TEXT}` }}, 1500)"
        self.on("/late.js", Reply(200, {"Content-Type": "text/javascript"}, late))
        self.on("/framed", Reply(body=f"<html><body>{TEXT}</body></html>"))


class Challenging(Late):
    """Its challenge passes those who have its cookie, after *delay* milliseconds."""

    def __init__(self, host: str, delay: int) -> None:
        super().__init__(host)
        self._delay = delay

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path != "/page":
            return super().reply_to(exchange)
        passed = "passed=1" in exchange.headers.get("Cookie", "")
        body = f"<html><body><main>{TEXT}" if passed else CHALLENGE.format(self._delay)
        return Reply(200 if passed else 403, body=body)


@pytest.fixture
def site() -> Iterator[Late]:
    with Late("127.0.0.1") as server:
        yield server


@pytest.fixture(scope="module")
def late(crawl4ai_server: RealCrawl4AI) -> Iterator[Together]:
    hosts = (f"127.0.0.{number}" for number in count(11))
    sites: dict[str, ScriptedServer] = {}
    policy = {"Content-Security-Policy": "script-src 'self' 'unsafe-inline'"}
    for name, html in PAGES.items():
        headers = policy if name == "strict" else {}
        sites[name] = Late(next(hosts)).on("/page", Reply(200, headers, html))
    for delay in DELAYS:
        sites[str(delay)] = Challenging(next(hosts), delay)
    with Together(crawl4ai_server, sites) as late:
        yield late


def only_browser(url: str, **meta: Any) -> Request:
    return Request(url, meta={"tiers": ["browser"], **meta})


@pytest.mark.parametrize("name", PAGES)
@deferred_f_from_coro_f
async def test_late_content_is_there(late: Together, name: str) -> None:
    page = await late.page(name)
    assert ("Step 8 tells" if name == "steps" else "Amber is fossilised") in page.markdown
    if name in {"element", "frame"}:
        assert "Jet is a gemstone" in page.markdown
    assert len(page.rendered) <= 4 * (1 + page.repeated)


@pytest.mark.parametrize("delay", DELAYS)
@deferred_f_from_coro_f
async def test_a_challenge_that_solves_itself_is_passed(late: Together, delay: int) -> None:
    assert "Amber is fossilised" in (await late.page(str(delay))).markdown


@deferred_f_from_coro_f
async def test_a_frame_of_another_origin_is_not_read(crawl4ai: RealCrawl4AI, site: Late) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/ad", Reply(body=f"<html><body>{TEXT}</body></html>"))
        frames = f'<iframe src="{other.url("/ad")}"></iframe><iframe srcdoc="<p>Ours."></iframe>'
        site.on("/ads", Reply(body=page("", ENOUGH + frames)))
        done = await fetch(only_browser(site.url("/ads")), **crawl4ai.settings)
    markdown = done.responses[0].meta["tier_content"].markdown
    assert "Ours." in markdown
    assert "fossilised" not in markdown


@deferred_f_from_coro_f
async def test_a_complete_page_is_rendered_once(crawl4ai: RealCrawl4AI, site: Late) -> None:
    site.on("/static", Reply(body=f"<html><body><main>{ENOUGH}<script>var a = 1</script>"))
    site.on("/short", Reply(body="<html><body><main><p>A stub about amber and jet.</p></main>"))
    for path in ("/static", "/short"):
        await fetch(only_browser(site.url(path)), **crawl4ai.settings)
    assert crawl4ai.journal().urls == [site.url("/static"), site.url("/short")]


@deferred_f_from_coro_f
async def test_what_a_site_needs_is_remembered(crawl4ai: RealCrawl4AI, site: Late) -> None:
    for number in range(5):
        site.on(f"/late{number}", Reply(body=filled(2000)))
    done = await fetch(*(site.url(f"/late{number}") for number in range(5)), **crawl4ai.settings)
    assert len(done.responses) == 5
    assert all("fossilised" in r.meta["tier_content"].markdown for r in done.responses)
    assert len(crawl4ai.journal().urls) <= 9, "not three times each"


@deferred_f_from_coro_f
async def test_an_element_is_waited_for(crawl4ai: RealCrawl4AI, site: Late, tmp_path: Path) -> None:
    late = page(
        f"setTimeout(() => {{ root.innerHTML = '<b id=end>' + `{TEXT}` }}, 2500)",
        ENOUGH + '<div id="root"></div>',
    )
    site.on("/a", Reply(body=late)).on("/b", Reply(body=late)).on("/c", Reply(body=late))
    file = tmp_path / "sources.yml"
    file.write_text('domains:\n  127.0.0.1: {wait_for: "#end"}\n')
    by_meta = only_browser(site.url("/a"), crawl4ai_wait_for="#end")
    done = await fetch(by_meta, **crawl4ai.settings)
    done_by_domain = await fetch(
        only_browser(site.url("/b")), **crawl4ai.settings, WIKICRAWLER_CONFIG=str(file)
    )
    for response in (*done.responses, *done_by_domain.responses):
        assert "fossilised" in response.meta["tier_content"].markdown
    assert crawl4ai.journal().urls == [site.url("/a"), site.url("/b")]
