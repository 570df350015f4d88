"""Links that lead nowhere, elsewhere than they seem to, or into the reader's machine.

The text of each is kept; only what has an address of http, https or mailto is a link.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.servers.hostile.answers import html, page
from tests.servers.hostile.fault import Fault, item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.hostile.fault import Record

SCHEMES = "links with other schemes"
BROKEN = "broken links"
SLOW = "links that take a pattern long to judge"
ELSEWHERE = "canonical, base and refresh that lead elsewhere"

WORDS = "the words of the link"
_TARGET = re.compile(r"(?<!\\)\]\(<?([^)]*)")


def _only_web_links(records: Sequence[Record], skips: Sequence[Record]) -> bool:
    """Of all links in the Markdown and in the list, each has a scheme that is safe and no space."""
    targets = [t for r in records for t in (*_TARGET.findall(r["content"]), *r["links"])]
    return all(re.fullmatch(r"(https?://|mailto:)[!-~]+", target) for target in targets)


def _no_link(records: Sequence[Record], skips: Sequence[Record]) -> bool:
    return all("](" not in r["content"] and not r["links"] for r in records)


def _dead(name: str, href: str, group: str = BROKEN) -> Fault:
    """A link whose address is none: its text stays."""
    body = html(f'<p>Before it, <a href="{href}">{WORDS}</a>, and after it.</p>')
    return Fault(name, group, page(body), item("Before it", WORDS, "after it", also=_no_link))


def _live(name: str, href: str, target: str) -> Fault:
    body = html(f'<p>Before it, <a href="{href}">{WORDS}</a>, and after it.</p>')
    expect = item(f"[{WORDS}]({target})", "after it", also=_only_web_links)
    return Fault(name, BROKEN, page(body), expect)


def _far(path: str) -> str:
    """Fifty links to *path* that are not followed: each names a day that is far ahead."""
    days = [f"m={day}&year=2050" for day in range(50)]
    return "".join(f'<p><a href="{path}{day}">{WORDS}</a></p>' for day in days)


def _elsewhere(name: str, head: str) -> Fault:
    body = html("<p>These are the words that count, and they are here.</p>")
    serve = page(body.replace("<title>", f"{head}<title>"))
    expect = item("the words that count", lacks=["127.127.127.127"], also=_only_web_links)
    return Fault(name, ELSEWHERE, serve, expect)


_JAVASCRIPT = {
    "plain": "javascript:alert(1)",
    "upper": "JaVaScRiPt:alert(1)",
    "tab": "java\tscript:alert(1)",
    "newline": "java\nscript:alert(1)",
    "entity-tab": "java&#9;script:alert(1)",
    "entity-newline": "java&NewLine;script:alert(1)",
    "entities": "&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)",
    "colon": "javascript&colon;alert(1)",
    "leading-space": " \x01\x1f javascript:alert(1)",
    "leading-entity": "&#1;javascript:alert(1)",
    "nul": "java\0script:alert(1)",
    "with-host": "javascript://x.test/%0aalert(1)",
    "twice": "javascript:javascript:alert(1)",
    "markdown": "javascript:alert(1)](http://x.test)",
}
_OTHERS = {
    "data": "data:text/html,&lt;script>alert(1)&lt;/script>",
    "data-base64": "data:text/html;base64,PHNjcmlwdD4=",
    "vbscript": "vbscript:msgbox(1)",
    "file": "file:///etc/passwd",
    "file-windows": "C:\\Windows\\system32\\cmd.exe",
    "blob": "blob:https://x.test/1",
    "view-source": "view-source:https://x.test/",
    "ftp": "ftp://x.test/a",
    "intent": "intent://x.test/#Intent;scheme=http;end",
    "steam": "steam://run/1",
    "tel": "tel:123",
    "about": "about:blank",
}
_IMAGES = {
    "javascript": '<img src="javascript:alert(1)" alt="x">',
    "onerror": "<img src=x onerror=alert(1) alt='x'>",
    "svg": "<svg onload=alert(1)><a href='javascript:alert(1)'><text>x</text></a></svg>",
    "private": '<img src="{victim}/x.png" alt="x"><picture><source srcset="{victim}/y"></picture>',
    "in-a-link": '<a href="javascript:alert(1)"><img src="data:image/svg+xml,<svg/>" alt="x"></a>',
    "alt": '<img src="x.png" alt="](javascript:alert(1)) ![x](http://x.test/)">',
}

FAULTS = (
    *(_dead(f"link-javascript-{name}", href, SCHEMES) for name, href in _JAVASCRIPT.items()),
    *(_dead(f"link-{name}", href, SCHEMES) for name, href in _OTHERS.items()),
    *(
        Fault(
            f"image-{name}",
            SCHEMES,
            page(html(f"<p>Before it, {markup} and after it.</p>")),
            item("Before it", "after it", lacks=["](javascript"], also=_only_web_links),
        )
        for name, markup in _IMAGES.items()
    ),
    _dead("link-bracket", "http://[::1/"),
    _dead("link-bracket-text", "http://[wiki]/"),
    _dead("link-port-99999", "http://x.test:99999/"),
    _dead("link-port-text", "http://x.test:port/"),
    _dead("link-no-host", "http://"),
    _dead("link-only-slashes", "http:///"),
    _dead("link-host-with-space", "http://x y.test/"),
    _dead("link-host-with-tag", "http://x&lt;y.test/"),
    _dead("link-host-decimal", "http://2130706433/"),
    _dead("link-host-hexadecimal", "http://0x7f.1/"),
    _dead("link-host-percent", "http://%31%32%37.0.0.1/"),
    _dead("link-host-dots", "http://../"),
    _dead("link-host-of-500", f"http://{'x' * 500}.test/"),
    _live("link-backslashes", "http:\\\\x.test\\a", "http://x.test/a"),
    _live("link-backslash-host", "\\\\x.test/a", "http://x.test/a"),
    _live("link-tab-in-host", "http://x&#9;.te&#10;st/a", "http://x.test/a"),
    _live("link-percent-invalid", "http://x.test/%zz%&#37;", "http://x.test/%zz%%"),
    _live("link-percent-bytes", "http://x.test/%ff%00", "http://x.test/%ff%00"),
    _live("link-surrogate", "http://x.test/a&#xD800;b", "http://x.test/a%EF%BF%BDb"),
    _live("link-dots", "http://x.test/a/../../b/./c", "http://x.test/b/c"),
    _live("link-dots-encoded", "http://x.test/a/%2e%2E/b", "http://x.test/b"),
    _live("link-space", "http://x.test/a b", "http://x.test/a%20b"),
    _live("link-parentheses", "http://x.test/(a", "http://x.test/%28a"),
    _live("link-quotes", "http://x.test/'&quot;&lt;>", "http://x.test/'%22%3C%3E"),
    _live("link-newline-in-path", "http://x.test/a&#10;b", "http://x.test/ab"),
    _live("link-unicode-host", "http://bücher.test/ü", "http://xn--bcher-kva.test/%C3%BC"),
    _live("link-full-width-host", "http://ｘ.test/", "http://x.test/"),
    _live("link-bidi", "http://x.test/\u202egnp.exe", "http://x.test/%E2%80%AEgnp.exe"),
    Fault(
        "link-of-100-kb",
        BROKEN,
        page(html(f'<p>Before it, <a href="http://x.test/{"a" * 100_000}">{WORDS}</a>.</p>')),
        item("Before it", WORDS, also=_only_web_links),
    ),
    Fault(
        "link-text-of-markdown",
        BROKEN,
        page(html('<p>Before <a href="//x.test/">](javascript:alert(1)) [x</a> it.</p>')),
        item("Before", "it.", also=_only_web_links),
    ),
    Fault(
        "text-of-markdown",
        BROKEN,
        page(html("<p>Before [x](javascript:alert(1)) &lt;javascript:alert(1)> it.</p>")),
        item("Before", "it.", lacks=["[x](javascript", " <javascript"]),
    ),
    _elsewhere("canonical-private", '<link rel=canonical href="{victim}/">'),
    _elsewhere("canonical-javascript", '<link rel=canonical href="javascript:alert(1)">'),
    _elsewhere("canonical-broken", '<link rel=canonical href="http://[::1/">'),
    _elsewhere("base-private", '<base href="{victim}/">'),
    _elsewhere("base-javascript", '<base href="javascript:alert(1)//">'),
    _elsewhere("base-data", '<base href="data:text/html,x">'),
    _elsewhere("base-broken", '<base href="http://[::1/">'),
    _elsewhere("og-url-private", '<meta property="og:url" content="{victim}/">'),
    _elsewhere("icon-private", '<link rel=icon href="{victim}/"><script src="{victim}/"></script>'),
    _elsewhere("hreflang-garbage", '<link rel=alternate hreflang="\x00];x" href="{victim}/">'),
    _elsewhere("refresh-javascript", '<meta http-equiv=refresh content="0;url=javascript:x()">'),
    _elsewhere("refresh-data", '<meta http-equiv=refresh content="0;url=data:text/html,x">'),
    _elsewhere("refresh-file", '<meta http-equiv=refresh content="0;url=file:///etc/passwd">'),
    _elsewhere("refresh-broken", '<meta http-equiv=refresh content="0;url=http://[::1/">'),
    _elsewhere("refresh-garbage", '<meta http-equiv=refresh content="9e999;;url=,">'),
    *(
        Fault(name, SLOW, page(html(_far(path))), item(WORDS), requests=range(1, 2))
        for name, path in {
            "link-nearly-repeating": f"/x/y/x/z/x/w/x/{'a' * 7900}?",
            "link-of-many-years": f"/x/?{'year?' * 1500}&",
            "link-of-half-sessions": f"/x/?{'?sid=' * 1500}&",
        }.items()
    ),
)
