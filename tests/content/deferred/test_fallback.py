"""Text in `noscript` and `template` is the page if the page shows no other.

The markup of the forums is that of the views for crawlers of Discourse 3 and 1 and of Flarum 1.
"""

from __future__ import annotations

import pytest

from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason
from wikicrawler.tiers.verdict.full_verdict import full_verdict

URL = "https://forum.example/t/dressing-mill-stones/412"
TEXT = (
    "We mill our own flour in the village, and the stones are dressed once a year by the miller's "
    "son, who learned it from his aunt. "
) * 3
ENGLISH_NOTICE = "This site is best viewed in a modern browser with JavaScript enabled."


def discourse_post(number: int, name: str, html: str) -> str:
    return f"""<div id='post_{number}' class='topic-body crawler-post'>
<div class='crawler-post-meta'>
<span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person">
<a itemprop="url" rel='nofollow' href='/u/{name}'><span itemprop='name'>{name}</span></a></span>
<span class="crawler-post-infos"><time datetime='2026-03-0{number}T08:15:00Z' class='post-time'>
March {number}, 2026, 8:15am</time><span itemprop='position'>{number}</span></span></div>
<div class='post' itemprop='text'>{html}</div></div>"""


def discourse(*posts: str) -> str:
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>Dressing mill stones - Mills - Flour Forum</title>
<meta name="generator" content="Discourse 3.5.0"></head><body class="crawler-not">
<discourse-assets><discourse-assets-json></discourse-assets-json></discourse-assets>
<noscript data-path="/t/dressing-mill-stones/412">
<header class="d-header"><div class="wrap"><div class="contents"><div class="title">
<a href="/">Flour Forum</a></div></div></div></header>
<div id="main-outlet" class="wrap" role="main"><!-- preload-content: -->
<div id="topic-title"><h1><a href="/t/dressing-mill-stones/412">Dressing mill stones</a></h1></div>
<div itemscope itemtype='http://schema.org/DiscussionForumPosting'>{"".join(posts)}</div>
<a href="/t/rye-or-wheat/9">Rye or wheat?</a>
<!-- :preload-content --></div>
<footer class="container wrap"><nav class='crawler-nav'><ul><li><a href='/categories'>Categories</a>
</li></ul></nav></footer>
<footer id='noscript-footer'><p>Powered by <a href="https://www.discourse.org">Discourse</a>, best
viewed with JavaScript enabled</p></footer></noscript>
<div id="d-splash">Loading</div><section id='main'></section><div id='offscreen-content'></div>
<form id='hidden-login-form' method="post" action="/login" style="display: none;">
<input name="username" type="text"><input type="submit" value="Log In"></form>
<script src="/assets/start-discourse.js"></script></body></html>"""


def flarum(content: str, title: str = "Dressing mill stones - Flour Forum") -> str:
    return f"""<!doctype html><html dir="ltr" lang="en"><head><meta charset="utf-8">
<title>{title}</title></head><body><div id="app" class="App"><div id="drawer" class="App-drawer">
<header id="header" class="App-header"><div class="Header-title"><a href="/" id="home-link">
Flour Forum</a></div></header></div><main class="App-content"><div id="content"></div>
<div id="flarum-loading" style="display: none">Loading...</div>
<noscript><div class="Alert"><div class="container">{ENGLISH_NOTICE}</div></div></noscript>
<div id="flarum-loading-error" style="display: none"><div class="Alert"><div class="container">
Something went wrong while trying to load the full version of this site.</div></div></div>
<noscript id="flarum-content">{content}</noscript>
<div class="App-composer"><div class="container"><div id="composer"></div></div></div></main></div>
<div id="modal"></div><script src="/assets/forum.js"></script></body></html>"""


def test_a_thread_of_discourse_is_its_page() -> None:
    html = discourse(
        discourse_post(1, "anna", f"<p>{TEXT}</p><p>How often do you dress them?</p>"),
        discourse_post(2, "ben", f'<p>{TEXT}</p><p>See <a href="/t/sails/7">the sails</a>.</p>'),
        discourse_post(3, "anna", "<p>Thank you!</p>"),
    )
    content = convert(html, URL)
    assert content.title == "Dressing mill stones"
    assert content.markdown.count(TEXT.strip()) == 2
    assert "How often do you dress them?" in content.markdown
    assert "Thank you!" in content.markdown
    assert "Loading" not in content.markdown
    assert "JavaScript" not in content.markdown
    names = [f"https://forum.example/{name}" for name in ("u/anna", "u/ben", "t/sails/7")]
    assert list(content.links) == names
    assert "https://forum.example/categories" in content.elsewhere
    assert full_verdict(200, {}, html.encode(), URL).word == "ok"


def test_a_short_thread_is_a_page_too() -> None:
    html = discourse(
        discourse_post(1, "anna", "<p>How often do you dress the stones of the wind mill?</p>"),
        discourse_post(2, "ben", "<p>Once a year.</p>"),
    )
    markdown = convert(html, URL).markdown
    assert "of the wind mill?" in markdown
    assert "Once a year." in markdown
    assert full_verdict(200, {}, html.encode(), URL).word == "ok"


def test_a_thread_of_flarum_is_its_page() -> None:
    html = flarum(
        '<div class="container"><h1>Dressing mill stones</h1><div><article><div class="PostUser">'
        f'<h3 class="PostUser-name">anna</h3></div><div class="Post-body"><p>{TEXT}</p></div>'
        "</article><hr></div></div>"
    )
    content = convert(html, URL)
    assert TEXT.strip() in content.markdown
    assert "JavaScript" not in content.markdown
    assert full_verdict(200, {}, html.encode(), URL).word == "ok"


TOPICS = ("Stones", "Rye or wheat?", "The wind in March", "Jute or paper?", "Open day", "Sails")


def test_the_index_of_a_forum_is_a_page() -> None:
    links = "".join(f'<li><a href="/d/{n}">{name}</a></li>' for n, name in enumerate(TOPICS))
    html = flarum(
        f'<div class="container"><h1>All Discussions</h1><ul>{links}</ul>'
        '<a href="/all?page=2">Next Page &raquo;</a></div>'
    )
    content = convert(html, "https://forum.example/")
    assert content.links[:6] == tuple(f"https://forum.example/d/{n}" for n in range(6))
    assert all(name in content.markdown for name in TOPICS)


NOTICES = {
    "react": "You need to enable JavaScript to run this app.",
    "vue": "<strong>We're sorry but app doesn't work properly without JavaScript enabled. Please "
    "enable it to continue.</strong>",
    "wall": "<h1>JavaScript required</h1><p>This site requires JavaScript. Please enable it in "
    "your browser settings, and load the page again when you have done so.</p>",
    "browsers": "<h1>Old browser</h1><p>Your browser is too old. Take one of these, and come back "
    "with it:</p><ul>"
    + "".join(
        f'<li><a href="https://{name}.example/download">{name}</a></li>'
        for name in ("chromium", "firefox", "safari", "edge", "opera", "vivaldi")
    )
    + "</ul>",
    "how to": "<h2>How to switch it on</h2><ol>"
    + "".join(
        f"<li>Open the settings of your browser, and look for JavaScript, step {n}.</li>" * 2
        for n in range(3)
    )
    + "</ol>",
    "german": "<p>Bitte aktivieren Sie JavaScript in Ihrem Browser, um diese Anwendung in vollem "
    "Umfang nutzen zu können. Ohne JavaScript ist das nicht möglich.</p>",
    "japanese": "<p>このアプリを実行するには、ブラウザーのJavaScriptを有効にしてください。"
    "有効にする方法については、お使いのブラウザーのヘルプをご覧ください。</p>" * 3,
    "tag manager": '<iframe src="https://www.googletagmanager.com/ns.html?id=GTM-X" height="0" '
    'width="0" style="display:none;visibility:hidden"></iframe>',
    "menu": "<nav><h2>Menu</h2>"
    + "".join(f'<a href="/menu/{n}">Entry of the menu number {n}</a> ' for n in range(9))
    + "</nav>",
}


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
def test_a_shell_with_a_notice_is_a_shell(notice: str) -> None:
    html = (
        f"<!DOCTYPE html><html><head><title>App</title></head><body><noscript>{notice}</noscript>"
        '<div id="root"></div><script src="/app.js"></script></body></html>'
    )
    with pytest.raises(ContentError) as caught:
        convert(html, URL)
    assert caught.value.reason is Reason.EMPTY
    assert full_verdict(200, {}, html.encode(), URL).word == "js_shell"


OTHERS = {
    "comments": "<noscript>Please enable JavaScript to view the <a href='https://disqus.com/"
    "?ref_noscript'>comments powered by Disqus.</a></noscript>",
    "article": f"<noscript><article><p>Other: {TEXT}</p></article></noscript>",
    "template": f"<template><article><h1>Title</h1><p>Other: {TEXT}</p></article></template>",
    "image": "<img data-src=/a.jpg class=lazy><noscript><img src=/a.jpg alt=Mill></noscript>",
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_the_text_that_a_page_shows_wins(other: str) -> None:
    html = f"<title>T</title><main><h1>Title</h1><p>{TEXT}</p>{other}</main>"
    assert convert(html, URL).markdown == f"# Title\n\n{TEXT.strip()}"


BLUEPRINTS = {
    "blanks": f"<article><h1>{{{{ title }}}}</h1><p>{TEXT}</p></article>",
    "dialog": f'<div role="dialog"><h2>Mills</h2><p>{TEXT}</p></div>',
    "unknown": f"<div><h2>We value your privacy</h2><p>{TEXT}</p></div>",
}


@pytest.mark.parametrize("blueprint", BLUEPRINTS.values(), ids=BLUEPRINTS)
def test_blueprints_of_a_script_are_no_page(blueprint: str) -> None:
    html = f"<title>Mills</title><div id=root></div><template>{blueprint}</template><script>x()"
    with pytest.raises(ContentError):
        convert(html, URL)


def test_the_page_in_a_template_is_the_page() -> None:
    template = f"<template><div><h1>About mills</h1><p>{TEXT}</p><p>{TEXT}</p></div></template>"
    html = f'<title>About mills | Flour</title><div id="app">Loading…</div>{template}'
    markdown = convert(html, URL).markdown
    assert markdown.count(TEXT.strip()) == 2
    assert "Loading" not in markdown
