"""Deferred parts that were made to take long."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://wiki.example/wiki/T"
TITLE = "The title of the page"
SENTENCES = "A sentence of the page. " * 30


def pending(number: int) -> str:
    return f'<!--$?--><template id="B:{number}"></template>x<!--/$-->'


def segment(number: int, html: str) -> str:
    return (
        f'<div hidden id="S:{number}">{html}</div><script>$RC("B:{number}","S:{number}")</script>'
    )


def repeated(make: Callable[[int], str], count: int) -> str:
    return "".join(map(make, range(count)))


def application(data: object) -> str:
    return (
        f"<title>{TITLE}</title><body><div id=root></div>"
        f"<script type=application/json>{json.dumps(data)}</script>"
    )


def keys(count: int) -> dict[str, int]:
    return {f"k{number}": 2 for number in range(count)}


SHADOW = "<template shadowrootmode=open>a<slot></slot></template>"
CASES: dict[str, Callable[[int], str]] = {
    "segments": lambda n: repeated(pending, n) + repeated(lambda i: segment(i, f"y{i}"), n),
    "segments in each other": lambda n: (
        pending(0) + repeated(lambda i: segment(i, f"y{pending(i + 1)}"), n)
    ),
    "segments in each other, inner first": lambda n: (
        pending(0) + repeated(lambda i: segment(n - i, f"y{pending(n - i + 1)}"), n)
    ),
    "a segment deep inside": lambda n: (
        f"{'<div>' * 900}{pending(0)}{'</div>' * 900}{segment(0, '<b>x</b>' * n)}"
    ),
    "fallbacks": lambda n: (
        '<!--$?--><template id="B:0"></template>' * n + '<p>y</p><script>$RC("B:0","S:0")</script>'
    ),
    "calls": lambda n: "".join(
        ["<p>y", pending(0), "<script>", '$RC("B:0","S:0");' * n, "</script>"]
    ),
    "shadow roots": lambda n: f"<x-a>{SHADOW}b</x-a>" * n,
    "slots in slots": lambda n: f"<div>{SHADOW}" * min(n, 900) + "<b>x</b>" * n,
    "shadow roots in shadow roots": lambda n: (
        "<div><template shadowrootmode=open>a" * 600 + "<b>x</b>" * n
    ),
    "slots": lambda n: (
        f"<div><template shadowrootmode=open>{repeated(lambda i: f'<slot name=s{i}></slot>', n)}"
        f"</template>{repeated(lambda i: f'<b slot=s{i}>x</b>', n)}</div>"
    ),
    "light text": lambda n: f"<div>{SHADOW}{'y<br>' * n}</div>",
    "noscripts": lambda n: f"<noscript><p>{'x ' * 60}</noscript>" * n,
    "noscripts in each other": lambda n: (
        "<noscript>" * 900 + f"{'x ' * 60}<noscript>y</noscript>" * n
    ),
    "links in noscript": lambda n: (
        f"<noscript><h1>T</h1>{repeated(lambda i: f'<a href=/{i}>t</a>', n)}{'x' * 100}</noscript>"
    ),
    "objects": lambda n: application([{"title": TITLE, "b": [{"text": "x. y. "}] * 3}] * n),
    "objects in each other": lambda n: application(
        [["R", 1], {"title": 2, "body": 3}, TITLE, [4] * n, {"text": 5}, SENTENCES]
    ),
    "references": lambda n: application(
        [["R", 1], {f"k{i}": 2 for i in range(n)}, {"t": 3}, TITLE, *[{"t": 3, "a": 1}] * n]
    ),
    "references to references": lambda n: application(
        [["R", 1], keys(n), keys(n) | {"slug": 3, "b": 4}, TITLE, [2] * n]
    ),
    "tags in data": lambda n: application({"title": TITLE, "a": "<" * n, "b": "&lt;p" * n}),
    "rows": lambda n: (
        f"<title>{TITLE}</title><body><div id=root></div><script>self.__next_f.push([1,"
        + json.dumps(
            f"a:T{len(SENTENCES):x},{SENTENCES}"
            + repeated(lambda i: f'{i:x}:["$","p",null,{{"title":"{TITLE}","c":"$a"}}]\n', n)
        )
        + "])</script>"
    ),
    "pushes": lambda n: "<body>x<script>" + 'self.__next_f.push([1,"' * n,
    "assignments": lambda n: f"<body>x<script>{'window.a = ' * n}</script>",
}


def converted(html: str) -> None:
    with suppress(ContentError):
        convert(html, URL)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_time_is_linear_in_the_number_of_parts(case: Callable[[int], str]) -> None:
    assert growth(converted, case, 300) < LIMIT


def test_a_text_to_which_data_refers_again_and_again_is_not_written_each_time() -> None:
    html = CASES["objects in each other"](5_000)
    assert SENTENCES.strip() in convert(html, URL).markdown
    assert len(convert(html, URL).markdown) < 10 * len(html)
