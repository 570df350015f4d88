"""The functions that meet the text of strangers on the event loop, by their module."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Headers, HtmlResponse, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from tests.strangers.case import Case
from tests.strangers.field_functions import FIELD_CASES, NOT_MEASURED_FIELDS
from tests.strangers.source_functions import NOT_MEASURED_SOURCES, SOURCE_CASES
from wikicrawler.config import Config
from wikicrawler.console.log_secrets import LogSecrets
from wikicrawler.content import encodings, links
from wikicrawler.content.markdown import spans
from wikicrawler.feeds.chunks.spans import ChunkSize, chunk_spans
from wikicrawler.guard import networks, private_hosts, redirects, resolver
from wikicrawler.guard.bodies import BodyDecodingMiddleware
from wikicrawler.guard.cookies import BoundedCookiesMiddleware
from wikicrawler.guard.site_credentials import SiteSession
from wikicrawler.learning import signs
from wikicrawler.learning.model import features
from wikicrawler.mcp_server import paging
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.politeness.robots_agents import with_own_agents
from wikicrawler.scope import CrawlBounds, engines, page_requests, sitemaps, traps
from wikicrawler.text import references, safe
from wikicrawler.tiers.crawl4ai import frames, handler, looks, protocol
from wikicrawler.tiers.firecrawl import protocol as firecrawl
from wikicrawler.tiers.mediawiki import (
    all_titles,
    api,
    category_members,
    full_text,
    html,
    login,
    rsd,
    site,
    tier,
    titles,
    usual_places,
)
from wikicrawler.tiers.mediawiki.addresses import web_address
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.scrapingant import protocol as scrapingant
from wikicrawler.tiers.service import pages
from wikicrawler.tiers.verdict import file_types, judge, markup
from wikicrawler.urls import addresses, sites, splitting, views
from wikicrawler.urls.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

URL = "http://wiki.example/wiki/A"
SITE = site.WikiSite.default("http://wiki.example/w/api.php")
URLS = ("", "http://", "http://a.example/", "http://wiki.example/wiki/", "http://a.example/?")
TITLES = (*URLS, "http://wiki.example/w/index.php?title=", "http://wiki.example/wiki/A?")


def _bytes(function: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: function(text.encode("utf-8", "surrogatepass"))


def _response(body: bytes = b"<p>text", status: int = 200, **headers: str) -> Response:
    named = {
        name.replace("_", "-"): value.encode("utf-8", "replace") for name, value in headers.items()
    }
    kind = responsetypes.from_args(headers=Headers(named), url=URL, body=body)
    return kind(URL, status=status, headers=named, body=body)


_CRAWLER = get_crawler(settings_dict={"COOKIES_ENABLED": True, "URLLENGTH_LIMIT": 2083})
_CRAWLER_UNLIMITED = get_crawler(settings_dict={"URLLENGTH_LIMIT": 0})


def _cookies_of_session(*values: str) -> object:
    session = SiteSession("http://wiki.example/w/api.php", "password", is_token=False)
    headers = {"Set-Cookie": [value.encode("utf-8", "replace") for value in values]}
    session.open()
    session.keep_cookies(Request(URL), Response(URL, headers=headers), 1)
    return session.dress(Request(URL)).headers.get("Cookie")


def _cookies(*values: str) -> object:
    middleware = BoundedCookiesMiddleware.from_crawler(_CRAWLER)
    headers = {"Set-Cookie": [value.encode("utf-8", "replace") for value in values]}
    return middleware.process_response(Request(URL), Response(URL, headers=headers))


def _redirect(text: str, crawler: Any = _CRAWLER) -> object:
    middleware = redirects.SafeRedirectMiddleware.from_crawler(crawler)
    return middleware.process_response(Request(URL), _response(status=302, Location=text))


def _refresh(text: str) -> object:
    middleware = redirects.SafeMetaRefreshMiddleware.from_crawler(_CRAWLER)
    return middleware.process_response(
        Request(URL), HtmlResponse(URL, body=text.encode("utf-8", "replace"), encoding="utf-8")
    )


def _decoded(response: Response) -> object:
    return BodyDecodingMiddleware.from_crawler(_CRAWLER).process_response(Request(URL), response)


def _robots(text: str) -> object:
    parser_class: Any = _robots_parser()
    body = with_own_agents(text.encode("utf-8", "replace"), {"wikicrawler (+https://a.example)"})
    parser = parser_class.from_crawler(_CRAWLER, body)
    parser.allowed("http://a.example/" + "a" * 2000, "wikicrawler")
    return parser.crawl_delay("wikicrawler")


def _robots_parser() -> object:
    from scrapy.utils.misc import load_object

    return load_object(_CRAWLER.settings["ROBOTSTXT_PARSER"])


def _parsed(**parse: object) -> object:
    body = json.dumps({"parse": {"title": "A", "text": "<p>text", **parse}}).encode()
    return tier.read(body, {}, 200, SITE, URL)


def _siteinfo(text: str) -> object:
    general = {
        "articlepath": text[:480] or "/wiki/$1",
        "server": text,
        "lang": text,
        "generator": text,
    }
    spaces = {"0": {"id": 0, "name": text}, "1": {"id": 1, "canonical": text}}
    query = {
        "general": general,
        "namespaces": spaces,
        "namespacealiases": [{"id": 1, "alias": text}],
    }
    return site.read_siteinfo(
        json.dumps({"query": query}).encode(), {}, 200, "http://wiki.example/w/api.php"
    )


def _markup(text: str) -> object:
    found = markup.read_markup(text.encode("utf-8", "replace"))
    return found.tags, found.scripts, found.noscript, found.title


def _secrets() -> LogSecrets:
    secrets = LogSecrets()
    secrets.add(["s3cret-value-of-the-operator's own", "hunter22"])
    return secrets


def _rendered(text: str) -> object:
    result = {
        "html": text,
        "success": False,
        "status_code": 200,
        "error_message": text,
        "redirected_url": "http://" + text,
        "response_headers": {text: text, "server": text},
    }
    return protocol.read_result(result, URL)


_CONFIG = Config.from_settings(Settings())
_SECRETS = _secrets()
_PATTERNS = Patterns.parse(r"(a+)+$ (a|a)*b .*a.*a.*a$ /wiki/(\w+/?)*$")
_BOUNDS = CrawlBounds(follow=r"(a|a)*b /wiki/ .*", exclude=r"(x+x+)+y")
_NOW = datetime.now(UTC)
_POLICY = private_hosts.AddressPolicy(Settings())

CASES: dict[str, Iterable[Case]] = (
    SOURCE_CASES
    | FIELD_CASES
    | {
        "config": [Case(_CONFIG.domain_for, URLS), Case(_CONFIG.budget_of, URLS)],
        "console.log_secrets": [Case(_SECRETS.hide)],
        "feeds.chunks.spans": [
            Case(lambda text: chunk_spans(text, URL, ChunkSize(500, 0)), ("", "# ", "| ", "```\n"))
        ],
        "content.encodings": [
            Case(_bytes(lambda body: encodings.is_plausible("utf-8", body))),
            Case(_bytes(lambda body: encodings.is_plausible("cp1252", body))),
            Case(_bytes(encodings.guess_encoding)),
            Case(
                lambda text: _decoded(_response(Content_Type=text)),
                ("", "text/html;", "text/html; charset="),
            ),
            Case(
                lambda text: _decoded(_response(text.encode("utf-8", "replace"))),
                ("<html>", "<meta "),
            ),
        ],
        "content.links": [Case(links.is_edit_link), Case(links.markdown_url)],
        "content.markdown.spans": [Case(spans.without_links)],
        "guard.bodies": [
            Case(
                lambda text: _decoded(_response(Content_Disposition=text)),
                ("", "attachment; filename="),
            ),
            Case(lambda text: _decoded(_response(Content_Encoding=text)), ("", "gzip, ")),
        ],
        "guard.cookies": [
            Case(
                _cookies,
                (
                    "",
                    "a=b; ",
                    "a=b; path=/",
                    "a=b; domain=.",
                    "a=b; expires=Mon, 01-Jan-2026 00:00:00",
                ),
            ),
            Case(lambda text: _cookies(*text.split("a"))),
            Case(
                lambda text: _cookies(
                    *(f"c{n}=x; Domain=wiki.example" for n in range(len(text) // 8))
                )
            ),
        ],
        "guard.networks": [Case(networks.literal_address), Case(networks.address_without_dns)],
        "guard.operator_services": [Case(lambda text: _POLICY.services.setting_of(text, 80))],
        "guard.private_hosts": [Case(private_hosts.host_and_port, URLS)],
        "guard.redirects": [
            Case(_redirect, URLS),
            Case(
                lambda text: _redirect(text, _CRAWLER_UNLIMITED),
                ("", "http://", "http://a.example/"),
            ),
            Case(
                _refresh,
                (
                    "",
                    "<meta ",
                    '<meta http-equiv="refresh" content="0;url=',
                    "<base href=http://",
                    '<meta http-equiv=refresh content="0;url=http://',
                    "<!--refresh",
                    "<script>refresh",
                ),
            ),
        ],
        "guard.resolver": [Case(resolver.is_valid_host)],
        "learning.model.features": [
            Case(lambda text: features.features_of(text, is_wiki=False), URLS)
        ],
        "learning.signs": [
            Case(lambda text: [*signs.signs_of(_response(Server=text, Content_Type=text))]),
            Case(
                lambda text: [*signs.signs_of(_response(text.encode("utf-8", "replace")))],
                ("<meta name=generator ",),
            ),
        ],
        "politeness.retry_after": [
            Case(lambda text: parse_retry_after(text, _NOW), ("", "1", "Mon, 01 Jan 2026"))
        ],
        "politeness.robots_agents": [
            Case(
                _robots,
                (
                    "",
                    "User-agent: *\nDisallow: /",
                    "User-agent: *\nCrawl-delay: ",
                    "User-agent: *\nRequest-rate: 1/",
                    "User-agent:",
                    "Sitemap: ",
                ),
            ),
            Case(
                lambda text: _robots("User-agent: *\nDisallow: /" + "*".join(text[:20_000]) + "$")
            ),
            Case(lambda text: _robots("User-agent: *\n" + "Disallow: /*a*b\n" * (len(text) // 16))),
            Case(
                lambda text: _robots(
                    "".join(f"User-agent: {n}\n" for n in range(len(text) // 30))
                    + "Disallow: /x\n" * (len(text) // 30)
                )
            ),
            Case(
                lambda text: _robots(
                    "".join(f"User-agent: {n}\n" for n in range(len(text) // 30)) * 2
                )
            ),
        ],
        "scope.bounds": [Case(_BOUNDS.match, URLS)],
        "scope.engines": [
            Case(_bytes(lambda body: engines.engine_page(URL, body)), ("", "<meta ", "<script ")),
            *(
                Case(engines.EnginePage(engine, URL, b"").kind_of, URLS)
                for engine in engines.shipped_engines()[0]
            ),
        ],
        "scope.page_requests": [Case(page_requests.SAFE_URL.fullmatch, URLS)],
        "scope.sitemaps": [
            Case(
                _bytes(sitemaps.read_sitemap),
                (
                    "",
                    "<urlset><url><loc>",
                    "<sitemapindex><sitemap><loc>",
                    "<urlset><loc><![CDATA[",
                ),
            ),
            Case(lambda text: sitemaps.read_sitemap(b"<urlset>" + b"<loc><![CDATA[" * len(text))),
            Case(_bytes(lambda body: sitemaps.is_sitemap(URL, body))),
            Case(lambda text: sitemaps.sitemap_addresses([text], URL)),
            Case(lambda text: sitemaps.sitemap_addresses([f"/{n}" for n in range(len(text))], URL)),
        ],
        "scope.traps": [
            Case(traps.canonical, URLS),
            Case(traps.family_of, URLS),
            Case(lambda text: traps.rule_against(text, 2026), URLS),
        ],
        "text.references": [Case(references.unescape, ("", "&#"))],
        "text.safe": [
            Case(safe.one_line),
            Case(safe.safe_lines),
            Case(safe.escaped),
            Case(safe.hide_logins),
            Case(safe.without_surrogates),
            Case(safe.quoted),
        ],
        "tiers.crawl4ai.frames": [
            Case(
                lambda text: frames.readable_frames(text, URL, 3),
                ("", "<iframe ", '<iframe src="', "<iframe src=a srcdoc='"),
            )
        ],
        "tiers.crawl4ai.looks": [
            Case(
                lambda text: looks.look_at(protocol.Rendered(URL, 200, text, {})),
                ("", "<a-", "<script>", "<p>"),
            )
        ],
        "tiers.firecrawl.protocol": [
            Case(_bytes(firecrawl.parse), ("", '{"a":')),
            Case(lambda text: firecrawl.error_of(429, {"error": text}), ("", "retry after 1")),
            Case(lambda text: firecrawl.error_of(500, {"code": text, "error": text})),
        ],
        "tiers.scrapingant.protocol": [
            Case(_bytes(lambda body: scrapingant.error_of(422, body)), ("", '{"detail": "')),
            Case(_bytes(scrapingant.read_balance), ("", '{"remained_credits": ')),
        ],
        "tiers.service.pages": [
            Case(pages.read_status),
            Case(lambda text: pages.final_url(text, URL), ("", "http://")),
            Case(lambda text: pages.site_headers({text: text})),
        ],
        "tiers.crawl4ai.handler": [Case(handler._MIME.fullmatch, ("", "text/"))],
        "tiers.crawl4ai.protocol": [
            Case(_rendered),
            Case(protocol.is_guess),
            Case(_bytes(protocol.read_version), ("", '{"version": "')),
            Case(_bytes(protocol.read_stream), ("", '{"a":')),
            Case(protocol.is_permanent),
            Case(protocol.is_request_error),
            Case(_bytes(lambda body: protocol.refusal(500, body)), ("", '{"error": "')),
        ],
        "tiers.mediawiki.all_titles": [
            Case(
                lambda text: all_titles.read_allpages(
                    json.dumps(
                        {
                            "query": {
                                "allpages": [
                                    {"title": text},
                                    *({"title": t} for t in text.split("a")),
                                ]
                            }
                        }
                    ).encode(),
                    {},
                    200,
                )
            ),
        ],
        "tiers.mediawiki.login": [
            Case(
                _bytes(lambda body: login.denial_of(HtmlResponse(URL, body=body))),
                (
                    *("", '{"error":{"code":"', '"wgUserName":null'),
                    '"wgUserName":null,"wgCanonicalSpecialPageName":"',
                ),
            ),
            Case(_bytes(lambda body: login.shows_member(HtmlResponse(URL, body=body)))),
            Case(
                lambda text: login.denial_of(
                    _response(MediaWiki_API_Error=text.replace("\n", " ").replace("\r", " "))
                )
            ),
            Case(
                _bytes(lambda body: login.read_login(body, {}, 200)),
                ("", '{"login":{"result":"', '{"clientlogin":{"messagecode":"'),
            ),
            Case(
                lambda text: login.read_login(
                    json.dumps({"login": {"result": text}}).encode(), {}, 200
                )
            ),
            Case(
                lambda text: login.read_token(
                    json.dumps({"query": {"tokens": {"logintoken": text}}}).encode(), {}, 200
                )
            ),
        ],
        "guard.site_credentials": [
            Case(lambda text: _cookies_of_session(text, f"a={text}", f"{text}=b; path={text}")),
        ],
        "tiers.mediawiki.full_text": [
            Case(full_text.plain_snippet, ("", "<", "&", "&#")),
            Case(
                lambda text: full_text.read_hits(
                    json.dumps(
                        {"query": {"search": [{"title": text, "snippet": text}] * 50}}
                    ).encode(),
                    {},
                    200,
                )
            ),
        ],
        "mcp_server.paging": [
            Case(paging.prepare, ("", "# ", "| a |\n| - |\n|", "```\n", "- ", "\x1b", "[a](")),
            Case(lambda text: paging.first_words(text, 300), ("", "[", "[a](", "!")),
            Case(lambda text: paging.safe_line(text, 300), ("", " ", "\x1b")),
        ],
        "tiers.mediawiki.api": [
            Case(
                _bytes(lambda body: api.read_answer(body, {}, 200)),
                ("", "[", "{", '{"a":', '{"a": 9', '{"error": {"code": "', "<html>"),
            ),
            Case(
                lambda text: api.read_answer(
                    b'{"error": {"code": "maxlag"}}', {"retry-after": text}, 200
                )
            ),
            Case(
                lambda text: api.read_answer(
                    f"[{','.join('9' * 5000 for _ in range(len(text) // 5000))}]".encode(), {}, 200
                )
            ),
        ],
        "tiers.mediawiki.category_members": [
            Case(
                lambda text: category_members.read_category_page(
                    b'<div id="mw-pages">' + text.encode("utf-8", "replace"), URL, "utf-8", SITE
                ),
                ("", "<a href=", '<a href="/wiki/', '<div id="mw-pages"><a href="?pagefrom='),
            ),
            Case(
                lambda text: category_members.read_members(
                    json.dumps(
                        {
                            "query": {
                                "categorymembers": [{"ns": 0, "title": t} for t in text.split("a")]
                            }
                        }
                    ).encode(),
                    {},
                    200,
                    SITE,
                )
            ),
            Case(lambda text: category_members.category_title(text, SITE), TITLES),
        ],
        "tiers.mediawiki.html": [
            Case(
                _bytes(html.is_redirect_stub),
                ("", '<div class="redirectMsg">', 'class="mw-parser-output '),
            ),
            Case(_bytes(lambda body: html.article_path_of(body, URL)), ("", '"wgPageName":"')),
            Case(lambda text: html._own_url(URL, {"page_name": text}, SITE), ("", "Category:")),
            Case(
                lambda text: html._own_url(URL, {"canonical": text, "redirected_from": "A"}, SITE),
                TITLES,
            ),
            Case(lambda text: html._wiki_link(text, SITE), TITLES),
        ],
        "tiers.mediawiki.addresses": [Case(lambda text: web_address(text, URL), URLS)],
        "tiers.mediawiki.rsd": [
            Case(
                _bytes(lambda body: rsd.read_rsd(body, URL)),
                ("", "<rsd>", '<rsd><api name="MediaWiki" apiLink="'),
            ),
            Case(lambda text: rsd.rsd_address(text, URL), URLS),
        ],
        "tiers.mediawiki.site": [
            Case(_siteinfo),
            Case(SITE.namespace_of),
            Case(SITE.namespace_number),
        ],
        "tiers.mediawiki.tier": [
            Case(
                lambda text: _parsed(text=text),
                ("", '<div class="mw-parser-output', "<div ", ">", "<p>"),
            ),
            Case(lambda text: _parsed(title=text)),
            Case(lambda text: _parsed(displaytitle=text), ("", "&#")),
            Case(
                lambda text: _parsed(
                    links=[{"ns": 0, "exists": True, "title": t} for t in text.split("a")]
                )
            ),
            Case(
                lambda text: _parsed(categories=[{"category": t} for t in (text, *text.split("a"))])
            ),
        ],
        "tiers.mediawiki.titles": [
            Case(lambda text: titles.page_of.__wrapped__(text, SITE), TITLES),
            Case(lambda text: titles.normalise(text, SITE), ("", "Category:", "Talk:")),
            Case(titles.is_legal),
        ],
        "tiers.mediawiki.usual_places": [Case(usual_places.usual_apis, TITLES)],
        "tiers.response_headers": [
            Case(
                lambda text: headers_of(
                    Response(
                        URL,
                        headers={
                            name: text.encode("utf-8", "replace")
                            for name in ("Link", "X-Robots-Tag", "Refresh", "Set-Cookie")
                        },
                    )
                )
            ),
        ],
        "tiers.verdict.file_types": [
            Case(lambda text: file_types.non_html_type({"content-type": text}, b"<p>")),
            Case(_bytes(lambda body: file_types.non_html_type({}, body))),
        ],
        "tiers.verdict.judge": [
            Case(_bytes(lambda body: judge.explain_response(403, {}, body)), ("", "<p>&#")),
            Case(
                _bytes(lambda body: judge.explain_page(200, {}, body, "short")),
                ("", "<title>", "<a "),
            ),
            Case(lambda text: judge.explain_page(200, {}, b"<p>x", text)),
            Case(judge.has_enough_content),
            Case(
                lambda text: judge.explain_response(
                    200,
                    dict.fromkeys(
                        ("content-type", "server", "set-cookie", "cf-mitigated", "link"), text
                    ),
                    b"<p>x",
                )
            ),
        ],
        "tiers.verdict.markup": [
            Case(_markup, ("", "<a ", "<a b=", "<script>", "<title>", "<noscript>", "<!--"))
        ],
        "urls.addresses": [
            Case(addresses.parse_url, URLS),
            Case(addresses.normalise_url, URLS),
            Case(addresses.redact, URLS),
            Case(addresses.remove_dot_segments, ("", "/a/")),
            Case(addresses.ascii_host.__wrapped__),
            Case(addresses.parse_domain),
        ],
        "urls.patterns": [Case(_PATTERNS.search, URLS)],
        "urls.sites": [
            Case(sites.host_of, URLS),
            Case(sites.site_of, URLS),
            Case(sites.without_login, URLS),
            Case(sites.site_of_host.__wrapped__),
            Case(sites.is_public_suffix),
            Case(sites.is_public_host),
        ],
        "urls.splitting": [Case(splitting.split_url, URLS)],
        "urls.views": [
            Case(
                views.page_of_view,
                ("?printable=", "?printable=yes&", "?useskin=", "/viewtopic.php?view=print&"),
            )
        ],
    }
)
"""By module, relative to ``wikicrawler``."""

NOT_OF_STRANGERS = (
    NOT_MEASURED_SOURCES
    | NOT_MEASURED_FIELDS
    | {
        "tiers.engines.site_map": "the addresses of requests, within URLLENGTH_LIMIT",
        "tiers.crawl4ai.late_content": "the addresses of requests, within URLLENGTH_LIMIT",
        "console.live": "prints lines of the log, which are safe",
        "guard.services": "gets addresses of the resolver",
        "tiers.logins.middleware": "gets URLs that Scrapy has encoded",
        "scope.crawl_scope": "calls scope.bounds, scope.traps and urls.sites",
        "scope.families": "reads what the crawl noted itself",
        "scope.limits": "gets bounded URLs that Scrapy has encoded",
        "scope.memory": "hashes",
        "text.lines": "reads the operator's files",
        "text.yaml": "reads the operator's files",
        "tiers.crawl4ai.config": "reads settings",
        "tiers.mediawiki.directory": "gets URLs that Scrapy has encoded, and own notes",
        "tiers.mediawiki.known_wiki": "gets names that other modules have read",
        "tiers.service.fingerprint": "gets parameters of the operator",
        "tiers.service.handler": "gets URLs that Scrapy has encoded",
        "tiers.service.shared_breakers": "gets URLs of the operator",
        "tiers.verdict.__main__": "a command",
        "tiers.verdict.literals": "reads the patterns of the rules",
        "tiers.verdict.conditions": "its patterns are RE2's; run by tiers.verdict.judge",
        "urls.parts": "reads the operator's argument",
        "urls.seeds": "reads the operator's seeds",
        "urls.public_suffixes": "gets hosts of at most 253 characters from urls.sites",
        "text.lazy_pattern": "has the patterns of the verdict and of engines, which are measured",
    }
)
"""Modules of the rooms that parse text, but none of strangers on the event loop, and why."""
