"""Texts of strangers in every field, on every page, in a real browser: nothing runs, nothing is
asked of another server, and nothing of them is markup."""

from __future__ import annotations

import json
import re
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
import requests
from starlette.routing import compile_path

from tests.dashboard.hostile_project import HostileProject, hostile_texts
from tests.dashboard.routes import filled, parameters_of, paths_of
from tests.servers.counter import Counter

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

MOST = 25
"""Pages of a route that are read."""
OPENED = 3
"""Pages of a route that are opened in the browser."""
STREAM = "/runs/live"
"""An answer without an end."""
# What the templates never write, on what HTML5 makes of the text of a page.
_FAULTS = r"""
const own = (value) => /^(\/(?!\/)|[?#]|$)/.test(value);
const known = new Set(["/static/htmx.min.js", "/static/sse.min.js", "/static/dashboard.js",
  "/static/icon.svg", "/static/style.css", "/static/pictures.css", "/static/differences.css"]);
const addresses = new Set(["href", "src", "action", "formaction", "data", "poster", "cite",
  "hx-get", "hx-post", "sse-connect"]);
const never = new Set(["style", "object", "embed", "img", "picture", "source", "base", "applet",
  "frame", "frameset", "video", "audio", "track", "marquee", "math", "image", "foreignObject",
  "animate", "set", "use", "template", "noscript", "portal", "slot", "area", "map", "plaintext"]);
return arguments[0].map((text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const faults = [];
  for (const one of page.querySelectorAll("*")) {
    const name = one.localName;
    const bad = [];
    if (never.has(name) || one instanceof HTMLUnknownElement || name.includes("-"))
      bad.push("element");
    if (name === "script" && (one.textContent || !known.has(one.getAttribute("src"))))
      bad.push("script");
    if (name === "link" && !known.has(one.getAttribute("href"))) bad.push("link");
    if (name === "meta" && one.hasAttribute("http-equiv")) bad.push("meta");
    if (name === "iframe" && (one.getAttribute("sandbox") !== "" || !own(one.getAttribute("src"))))
      bad.push("frame");
    for (const {name: attribute, value} of one.attributes) {
      if (/^(on|srcdoc|style$|ping$|background$|xlink|hx-on|data-hx)/i.test(attribute))
        bad.push(attribute);
      if (addresses.has(attribute) && !own(value)) {
        const isOutside = name === "a" && /^https?:\/\//i.test(value)
          && one.getAttribute("rel") === "noreferrer noopener";
        if (!isOutside) bad.push(`${attribute}=${value}`);
      }
    }
    if (bad.length) faults.push(`${bad.join()}: ${one.outerHTML.slice(0, 200)}`);
  }
  const hidden = /[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f]/;
  const read = [page.documentElement.textContent];
  for (const one of page.querySelectorAll("[title], [aria-label]"))
    read.push(one.title, one.getAttribute("aria-label") || "");
  for (const text of read)
    if (hidden.test(text)) faults.push(`hidden character: ${text.slice(text.search(hidden) - 40)}`);
  const title = page.title;
  if (title === "ran" || !page.querySelector("main")) faults.push("frame of the page");
  const links = [...page.querySelectorAll("a[href], iframe[src], [sse-connect]")].flatMap(
    (one) => ["href", "src", "sse-connect"].map((name) => one.getAttribute(name)));
  const names = [...page.querySelectorAll("form[method=get i] [name], form:not([method]) [name]")]
    .map((one) => one.getAttribute("name"));
  return {
    faults: faults.slice(0, 5).map((fault) => fault.slice(0, 300)),
    links: links.filter((link) => link && own(link)),
    names,
  };
});
"""


class Found(NamedTuple):
    """What was reached by following the links of all pages."""

    paths: dict[str, list[str]]
    """Paths with queries, by route."""
    names: dict[str, set[str]]
    """Names of parameters of the query, by route."""
    faults: list[str]


@pytest.fixture(scope="module")
def other() -> Iterator[Counter]:
    with Counter() as counter:
        yield counter


@pytest.fixture(scope="module")
def texts(other: Counter) -> list[str]:
    return hostile_texts(other.origin)


@pytest.fixture(scope="module")
def hostile(
    texts: list[str], other: Counter, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """The dashboard of the hostile project."""
    project = HostileProject(tmp_path_factory.mktemp("hostile") / "project", texts)
    project.fill()
    other.seen.clear()  # of the crawl, which may follow links
    with project.dashboard as dashboard:
        yield dashboard


@pytest.fixture(scope="module")
def found(hostile: RealDashboard, chromium: Chromium) -> Found:
    """All that links lead to, at most :data:`MOST` pages of a route."""
    chromium.driver.get(hostile.url + "/healthz")
    routes = {path: compile_path(path)[0] for path in paths_of("GET")}
    paths: dict[str, list[str]] = {path: [] for path in routes}
    names: dict[str, set[str]] = {path: set() for path in routes}
    faults: list[str] = []
    unlinked = ["/api/jobs/job-1", *_filled()]
    waiting, known = ["/", *unlinked], set()
    while waiting:
        batch = []
        for path in waiting:
            bare = urlsplit(path).path
            route = next((name for name, regex in routes.items() if regex.match(bare)), None)
            if route is None:
                if not path.startswith("/static/"):
                    faults.append(f"a link to {path}")
            elif path not in known and len(paths[route]) < MOST:
                known.add(path)
                paths[route].append(path)
                names[route].update(name for name, _ in parse_qsl(urlsplit(path).query))
                if route != STREAM:
                    batch.append((route, path))
        waiting = []
        seen, answers = read(hostile, chromium, [path for _, path in batch], unlinked)
        faults += seen
        for (route, path), answer in zip(batch, answers, strict=True):
            names[route].update(answer["names"])
            waiting += [_joined(path, link) for link in answer["links"]]
    return Found(paths, names, faults)


def _filled() -> Iterator[str]:
    """Yield paths of routes to which no page has a link."""
    for path in paths_of("GET"):
        if path.startswith("/api/") or not parameters_of(path):
            yield filled(path, {"id": "s-0", "sequence": 3, "site": "127.0.0.1"})


def _joined(path: str, link: str) -> str:
    link = link.partition("#")[0]
    if not link:
        return path
    return link if link.startswith("/") else path.partition("?")[0] + link


def read(
    dashboard: RealDashboard, browser: Chromium, paths: Iterable[str], refused: Container[str]
) -> tuple[list[str], list[dict[str, Any]]]:
    """Ask for *paths*; return what is wrong with the answers, and what they lead to.

    :param refused: paths whose answer may also be that the request is wrong
    """
    faults: list[str] = []
    answers: list[dict[str, Any]] = []
    pages = []
    for path in paths:
        answers.append({"faults": [], "links": [], "names": []})
        try:
            answer = dashboard.get(path)
        except requests.ConnectionError as error:
            faults.append(f"{path}: {error}")
            continue
        highest = 499 if path in refused else 399
        faults += [f"{path}: {fault}" for fault in _faults_of(path, answer, highest)]
        kind = answer.headers.get("Content-Type", "")
        if kind.startswith("text/html") and not _is_frame(answer):
            pages.append((path, answer.text, len(answers) - 1))
    for start in range(0, len(pages), 20):
        batch = pages[start : start + 20]
        results = browser.driver.execute_script(_FAULTS, [text for _, text, _ in batch])
        for (path, _, number), result in zip(batch, results, strict=True):
            answers[number] = result
            faults += [f"{path}: {fault}" for fault in result["faults"]]
    return faults, answers


def _faults_of(path: str, answer: requests.Response, highest: int) -> Iterator[str]:
    """Yield what is wrong with an answer but for its text."""
    if answer.status_code > highest:
        yield f"{answer.status_code}: {answer.text[-300:]}"
    if answer.headers.get("X-Content-Type-Options") != "nosniff":
        yield "no nosniff"
    if path.startswith("/preview/") and answer.ok and not _is_frame(answer):
        yield "no sandbox"
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    is_safe = kind in {"", "text/html", "text/plain", "application/json"}
    if not is_safe and not answer.headers.get("Content-Disposition", "").startswith("attachment"):
        yield f"{kind} that is no attachment"


def _is_frame(answer: requests.Response) -> bool:
    return "sandbox" in answer.headers.get("Content-Security-Policy", "")


def test_no_text_of_a_stranger_is_markup(found: Found) -> None:
    assert found.faults == []


def test_no_route_is_forgotten(found: Found) -> None:
    assert [route for route, paths in found.paths.items() if not paths] == []


def test_nothing_runs_or_leaves_in_the_browser(
    hostile: RealDashboard, chromium: Chromium, other: Counter, found: Found
) -> None:
    driver = chromium.driver
    driver.get_log("performance")
    faults = []
    for route, paths in found.paths.items():
        if route == STREAM or "export" in route or "download" in route:
            continue
        for path in paths[:: max(1, len(paths) // OPENED)]:
            driver.get(hostile.url + path)
            if frames := driver.find_elements("css selector", "iframe"):
                driver.execute_script("arguments[0].scrollIntoView()", frames[0])
                sleep(0.1)
            faults += [f"{path}: {fault}" for fault in chromium.violations()]
            if driver.title == "ran" or driver.execute_script("return window.ran"):
                faults.append(f"{path}: a script ran")
            if urlsplit(driver.current_url).netloc != urlsplit(hostile.url).netloc:
                faults.append(f"{path}: left to {driver.current_url}")
    assert faults == []
    assert other.seen == []
    assert [url for url in _asked(chromium) if not url.startswith((hostile.url, "data:"))] == []


def _asked(browser: Chromium) -> list[str]:
    """The URLs that the browser asked for."""
    events = (
        json.loads(entry["message"])["message"] for entry in browser.driver.get_log("performance")
    )
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def test_the_stream_of_a_crawl_is_escaped(hostile: RealDashboard, found: Found) -> None:
    for path in found.paths[STREAM][:5]:
        with hostile.get(path, stream=True) as answer:
            assert answer.status_code == 200
            part = next(answer.iter_content(65_536)).decode()
        assert not re.search(
            r"<(script|img|svg|iframe|style|meta|link|base)\b", part, re.IGNORECASE
        ), part


def test_hostile_parameters_are_refused_or_escaped(
    hostile: RealDashboard, chromium: Chromium, texts: list[str], found: Found
) -> None:
    chromium.driver.get(hostile.url + "/healthz")
    paths = []
    some = [*texts[::9], "../../../etc/passwd", "\0", b"\xed\xa0\x80\xff"]
    for number, route in enumerate(sorted(found.paths)):
        if route == STREAM:
            continue
        given = [text for n, text in enumerate(some) if n % 3 == number % 3]
        here = parameters_of(route)
        real = found.paths[route][0].partition("?")[0]
        for text in given:
            value = quote(text, safe="")
            if "str" in here.values():
                values = {name: "7" if kind == "int" else "@@" for name, kind in here.items()}
                paths.append(filled(route, values).replace("%40%40", value))
            if found.names[route]:
                paths.append(real + "?" + "&".join(f"{n}={value}" for n in found.names[route]))
        for name in found.names[route]:
            paths += [f"{real}?{name}={quote(text, safe='')}" for text in given[:3]]
    assert len(paths) > 300
    faults, _ = read(hostile, chromium, paths, paths)
    assert faults == []
