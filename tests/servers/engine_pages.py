"""Small sites as engines serve them, with their chrome.

:data:`ENGINES` has for each engine a function that returns the page at a path and a query, or None;
the URL of a seed; and the URLs of the pages that a reader would keep.
"""

# ruff: noqa: E501 - documents

from __future__ import annotations

TEXT = (
    "<p>{0} is described here at some length, for whoever keeps bees in the hills. It begins in "
    "April when the willows flower, and ends in August with the heather. In between the keeper of "
    "{0} looks after the hives once a week, adds frames, and takes notes.</p><p>Whoever begins with "
    "{0} should visit a neighbour first. Tools are few: a veil, a chisel, a smoker.</p>"
)
TOPICS = ["start", "hives", "swarms", "honey", "wax", "winter", "mites", "queens"]


def link(url: str, name: str, more: str = "") -> str:
    return f'<a href="{url}"{more}>{name}</a> '


def dokuwiki(path: str, query: str) -> str | None:
    if path != "/doku.php":
        return None
    given = dict(p.partition("=")[::2] for p in query.split("&"))
    topic, action = given.get("id", "start"), given.get("do", "show")
    body = TEXT.format(topic)
    if topic not in TOPICS:
        body = "<h1>This topic does not exist yet</h1><p>You've followed a link to a topic that doesn't exist yet. If permissions allow, you may create it by clicking on Create this page.</p>"
    if action != "show" or "rev" in given:
        body = f"<h1>{action} {topic}</h1>" + body * (action in {"show", "revisions", "diff"})
        body += "".join(
            link(f"/doku.php?id={topic}&rev={n}", f"2026/0{n}/01 old revision {n}")
            for n in range(1, 6)
        )
    menu = "".join(link(f"/doku.php?id={t}", t) for t in [*TOPICS, "missing:topic"])
    tools = "".join(
        link(f"/doku.php?id={topic}&do={a}", a, " rel=nofollow" * (a == "edit"))
        for a in (
            "edit",
            "revisions",
            "backlink",
            "index",
            "recent",
            "media",
            "login",
            "export_pdf",
        )
    )
    robots = (
        "index,follow"
        if action == "show" and topic in TOPICS and "rev" not in given
        else "noindex,follow"
    )
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{topic} [Bees]</title><meta name=generator content=DokuWiki>"
        f"<meta name=robots content='{robots}'></head><body><div id=dokuwiki__site><div id=dokuwiki__aside>{menu}"
        f"</div><div id=dokuwiki__content><div class='page group'><h1>{topic}</h1>{body}</div></div>"
        f"<div id=dokuwiki__pagetools>{tools}</div>{link('/lib/exe/mediamanager.php?ns=', 'Media')}"
        f"{link('/feed.php', 'feed')}</div></body></html>"
    )


def moin(path: str, query: str) -> str | None:
    topic = path.strip("/").lower() or "start"
    if topic not in TOPICS:
        return None
    action = query.partition("action=")[2].partition("&")[0]
    body = TEXT.format(topic)
    if action:
        body = (
            f"<h1>{action}</h1><p>Revision history and information about {topic}, as of today.</p>"
            + body
        )
    menu = "".join(link(f"/{t}", t) for t in TOPICS)
    tools = "".join(
        link(f"/{topic}?action={a}", a, " rel=nofollow")
        for a in ("edit", "info", "raw", "print", "AttachFile", "LikePages", "SpellCheck", "diff")
    )
    robots = "noindex,nofollow" if action else "index,follow"
    return (
        f"<!DOCTYPE HTML><html><head><title>{topic} - BeeWiki</title><meta name=robots content='{robots}'>"
        f"<script src=/moin_static199/common/js/common.js></script></head><body><div id=header><ul id=navibar>{menu}"
        f"</ul><ul class=editbar>{tools}</ul></div><div id=page lang=en><div dir=ltr id=content lang=en><h1>{topic}</h1>"
        f"{body}</div></div><ul id=credits><li>{link('http://moinmo.in/', 'MoinMoin Powered')}</li></ul></body></html>"
    )


def phpbb(path: str, query: str) -> str | None:
    menu = "".join(link(f"/viewtopic.php?t={n}", t) for n, t in enumerate(TOPICS))
    junk = "".join(
        link(u, "x")
        for u in (
            "/ucp.php?mode=login",
            "/ucp.php?mode=register",
            "/memberlist.php",
            "/search.php?search_id=active_topics",
            "/posting.php?mode=reply&t=1",
            "/viewtopic.php?t=1&view=print",
            "/memberlist.php?mode=viewprofile&u=2",
            "/viewonline.php",
            "/report.php?p=3",
        )
    )
    head = "<!DOCTYPE html><html lang=en-gb><head><title>{0} - Bees</title></head><body id=phpbb class='nojs notouch section-viewtopic'>"
    foot = f"{menu}{junk}<div class=copyright>Powered by <a href=https://www.phpbb.com/>phpBB</a>® Forum Software</div>"
    if path == "/viewtopic.php":
        given = dict(p.partition("=")[::2] for p in query.split("&"))
        number = int(given.get("t", "0"))
        if number >= len(TOPICS):
            return None
        return (
            head.format(TOPICS[number])
            + f"<h2>{TOPICS[number]}</h2><div class=postbody><div class=content>{TEXT.format(TOPICS[number])}</div></div>"
            + foot
        )
    if path.endswith(".php"):
        return (
            head.format(path)
            + f"<h2>{path}</h2><p>The board administrator asks you to log in or to search. {TEXT.format('A list')}</p>"
            + foot
        )
    return None


def special_pages(path: str, query: str) -> str | None:
    title = path.removeprefix("/wiki/") if path.startswith("/wiki/") else ""
    given = dict(p.partition("=")[::2] for p in query.split("&"))
    title = title or given.get("title", "")
    topic = title.lower()
    special = title.startswith("Special:")
    if not special and topic not in TOPICS:
        return None
    body = TEXT.format(topic)
    menu = "".join(link(f"/wiki/{t.capitalize()}", t) for t in TOPICS)
    tools = "".join(
        link(u, "x")
        for u in (
            f"/w/index.php?title={title}&action=edit",
            f"/w/index.php?title={title}&action=history",
            f"/w/index.php?title={title}&printable=yes",
            f"/w/index.php?title={title}&oldid=17",
            f"/wiki/Special:WhatLinksHere/{title}",
            "/wiki/Special:RecentChanges",
            "/wiki/Special:SpecialPages",
        )
    )
    head = f"<!DOCTYPE html><html><head><title>{title}</title><meta name=generator content='MediaWiki 1.35.0'>"
    canonical = f"<link rel=canonical href=/wiki/{title}>" if not special else ""
    return (
        f"{head}{canonical}</head><body class='mediawiki ns-{-1 if special else 0}'><h1 id=firstHeading>{title}</h1><div id=bodyContent>"
        f"<div id=mw-content-text><div class=mw-parser-output>{body}{menu}</div></div></div><div id=p-cactions>{tools}</div>"
    )


def marked(path: str, query: str) -> str | None:
    topic = path.strip("/") or "start"
    junk = {"tag/a", "tag/b", "author/x", "print/honey", "share/wax"}
    if topic not in TOPICS and topic not in junk:
        return None
    robots = "<meta name='ROBOTS' content='NOINDEX'>" if topic in junk else ""
    menu = "".join(link(f"/{t}", t) for t in [*TOPICS, *sorted(junk)])
    more = link("/hidden", "hidden", " rel='ugc nofollow'")
    return f"<!doctype html><html><head><title>{topic}</title>{robots}</head><body><nav>{menu}{more}</nav><main><h1>{topic}</h1>{TEXT.format(topic)}</main>"


def control(path: str, query: str) -> str | None:
    """Addresses that look like actions and are pages of a site of its own."""
    names = [f"/?do={t}" for t in TOPICS] + [
        "/print/press",
        "/search-engines",
        "/special:offers",
        "/login-history",
    ]
    here = f"{path}?{query}" if query else path
    if here not in [*names, "/"]:
        return None
    menu = "".join(link(n, n) for n in names)
    return f"<!doctype html><html><head><title>{here}</title></head><body><nav>{menu}</nav><main><h1>About {here}</h1>{TEXT.format(here)}</main>"


ENGINES = {
    "dokuwiki": (dokuwiki, "/doku.php?id=start", {f"/doku.php?id={t}" for t in TOPICS}),
    "moin": (moin, "/start", {f"/{t}" for t in TOPICS}),
    "phpbb": (phpbb, "/viewtopic.php?t=0", {f"/viewtopic.php?t={n}" for n in range(len(TOPICS))}),
    "special pages": (special_pages, "/wiki/Start", {f"/wiki/{t.capitalize()}" for t in TOPICS}),
    "robots marks": (marked, "/start", {f"/{t}" for t in TOPICS}),
    "control": (
        control,
        "/?do=start",
        {f"/?do={t}" for t in TOPICS}
        | {"/print/press", "/search-engines", "/special:offers", "/login-history"},
    ),
}
