"""What is answered in the place of a page, and pages about such answers.

The documents are those of the labelled corpus of the verdict; here they come over the wire, with
their status and headers, and a whole crawl has to tell which of them is a page.
"""

from __future__ import annotations

from tests.servers.hostile.answers import html, page
from tests.servers.hostile.fault import Fault, site, skip
from tests.tiers.verdict.labelled import load
from wikicrawler.errors import Reason

GROUP = "no page: blocks, walls, shells, errors"
COUNTER = "pages about blocks and walls"

_MOST = 10
_CORPUS = {labelled.name.removesuffix(".html"): labelled for labelled in load()}

_NO_PAGES = (
    *("akamai-denied-403", "akamai-sec-cpt-428", "anubis-fast-200", "aws-waf-challenge-202"),
    *("cloudflare-managed-200-no-headers", "cloudflare-managed-403", "cloudflare-iuam-legacy-503"),
    *("cloudflare-header-only-403", "datadome-captcha-401", "fastly-client-challenge-429"),
    *("hcaptcha-wall-200", "perimeterx-412", "recaptcha-google-sorry-429", "recaptcha-wall-200"),
    *("turnstile-wall-403", "vercel-deny-403", "wordfence-limited-503", "http-basic-401"),
    *("nginx-403", "wikimedia-robot-policy-403", "sucuri-js-challenge-307"),
    *("consent-google-200", "consent-sourcepoint-wall-200", "consent-usercentrics-wall-200"),
    *("login-keycloak-200", "login-mediawiki-required-200", "login-wordpress-200"),
    *("empty-body", "empty-document", "empty-image-only", "empty-whitespace"),
    *("shell-react-cra", "shell-angular", "shell-next-empty", "shell-noscript-wall"),
    *("soft404-plain", "soft404-german", "soft404-long-chrome", "parked-sedo", "parked-expired"),
    *("missing-404", "missing-410", "missing-mediawiki-noarticle-200", "wikifarm-deleted-200"),
    *("mediawiki-database-200", "nginx-502-status-200", "wordpress-critical-200"),
    *("maintenance-under-200", "maintenance-503", "cloudflare-521-status-200", "error-400"),
    *("error-php-fatal-200", "error-php-warnings-only-200", "error-tomcat-long-200"),
    *("error-django-debug-200", "error-spring-whitelabel-200", "error-mysql-200"),
    *("error-generic-russian-200", "rate-slow-down-200", "rate-chinese-200"),
    *("consent-tcf-plain-200", "consent-contentpass-german-200", "consent-japanese-200"),
    *("shell-docs-loading", "shell-please-wait", "shell-russian-loading", "shell-skeleton"),
    *("nothtml-json", "nothtml-rss", "nothtml-plain-text"),
)

_PAGES = {
    "article-captcha": "reCAPTCHA",
    "article-consent-management": "consent",
    "article-login-page": "login",
    "article-cloudflare-with-code": "_cf_chl_opt",
    "article-access-denied": "Access",
    "article-domain-parking": "parking",
    "article-http-404": "404",
    "article-python-traceback": "ZeroDivisionError",
    "wiki-page-with-php-notice": "hand mill",
    "wiki-too-many-requests": "ninety pages",
    "article-maintenance": "aintenance",
    "article-onetrust-banner": "The",
    "comment-form-recaptcha": "The",
    "docs-recaptcha": "captcha",
    "docs-with-loading-widget": "list of records",
    "header-login-form": "The",
    "late-attribute-quotes-challenge": "Hover to see the code",
    "late-not-found-essay": "found",
    "late-textarea-quotes-challenge": "Pasted by a guest",
    "page-behind-overlay": "two wheels",
    "song-just-a-moment": "Just a Moment",
    "ssr-react-root": "The",
    "status-203-article": "The",
    "tiny-valid": "",
}


def _headers(name: str) -> dict[str, str]:
    return {key.title(): value for key, value in _CORPUS[name].headers.items()}


def _served(name: str) -> Fault:
    labelled = _CORPUS[name]
    serve = page(labelled.body, status=labelled.status, headers=_headers(name))
    if labelled.reason == "ok":  # whose menu leads to the same page again
        found = site(range(1, _MOST), has=(_PAGES[name],))
        return Fault(f"about-{name}", COUNTER, serve, found, requests=range(1, _MOST))
    return Fault(f"no-page-{name}", GROUP, serve, skip(Reason(labelled.reason)))


FAULTS = (
    *map(_served, (*_NO_PAGES, *_PAGES)),
    Fault("forbidden-by-law", GROUP, page("", status=451), skip(Reason.HTTP_ERROR)),
    Fault("teapot", GROUP, page(html("<p>I am one."), status=418), skip(Reason.HTTP_ERROR)),
    Fault(
        # what an error says at length is still an error
        "long-server-error",
        GROUP,
        page(html("<p>It broke. " * 500), status=500),
        skip(Reason.HTTP_ERROR),
    ),
    Fault("status-out-of-range", GROUP, page(status=999), skip(Reason.HTTP_ERROR)),
    Fault("no-content", GROUP, page("", status=204), skip(Reason.EMPTY)),
    Fault("not-modified", GROUP, page("", status=304), skip(Reason.HTTP_ERROR)),
)
