"""The pages that are most expensive to convert, scaled in size by a factor *k*."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://wiki.example/wiki/T"


def nested(tag: str, count: int = 1000) -> Callable[[float], str]:
    def make(k: float) -> str:
        n = int(count * k)
        return f"<p>before</p>{f'<{tag}>' * n}deep{f'</{tag}>' * n}<p>after</p>"

    return make


def repeated(text: str, count: int) -> Callable[[float], str]:
    return lambda k: f"<div>before {text * int(count * k)} after</div>"


def numbered(text: str, count: int, around: str = "{}") -> Callable[[float], str]:
    return lambda k: around.format("".join(text.format(i) for i in range(int(count * k))))


CASES: dict[str, Callable[[float], str]] = {
    "spaces": repeated(" ", 40_000),
    "spaces in a cell": lambda k: f"<table><tr><td>a{' ' * int(40_000 * k)}b<td>c</table>",
    "newlines in pre": repeated("<pre>" + "\n" * 100 + "</pre>", 400),
    **{f"nested {tag}": nested(tag) for tag in ("div", "span", "b", "i", "blockquote", "sup", "a")},
    "nested ul": lambda k: f"{'<ul><li>x' * int(1000 * k)}<p>after",
    "nested ol": lambda k: f"{'<ol><li>x' * int(1000 * k)}<p>after",
    "nested dl": lambda k: f"{'<dl><dd>x' * int(1000 * k)}<p>after",
    "nested tables": lambda k: f"{'<table><tr><td>x' * int(600 * k)}<p>after",
    "flat ul": numbered("<li>item {}</li>", 10_000, "<ul>{}</ul>"),
    "flat ol": numbered("<li>item {}</li>", 10_000, "<ol>{}</ol>"),
    "flat dl": numbered("<dt>t{0}<dd>d{0}", 10_000, "<dl>{}</dl>"),
    "lists side by side": numbered("<ul><li>item {}</ul>", 10_000),
    "spans": lambda k: (
        "<table>"
        + "<tr><td rowspan=65534 colspan=1000>x</td><td>y</td></tr>" * int(1000 * k)
        + "</table>"
    ),
    "labels": lambda k: (
        "<table>"
        + f"<tr><td rowspan=65534>{'<a href=/x>a</a>' * 9}<td>{'b' * 99}" * int(2000 * k)
        + "</table>"
    ),
    "frames": lambda k: f"{'<table><tr><th>x<tr><td>y' * int(300 * k)}<p>after",
    "frames of tables": numbered(
        "<table><tr><td>x{0}<tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>", 3_000
    ),
    "boxes": lambda k: (
        '<div class="navbox-x">' * int(500 * k) + '<a href="/wiki/A">a</a> · ' * int(9000 * k)
    ),
    "boxes side by side": numbered(
        '<table id="navbox"><tr><th>T{0}<tr><td><a href="/a{0}">a</a> b</table>', 10_000
    ),
    "contents": lambda k: (
        "".join(f'<li><a href="#h{i}">Part {i}</a>' for i in range(int(10_000 * k)))
        + "".join(f'<h2 id="h{i}">Part {i}</h2>' for i in range(int(10_000 * k)))
    ),
    "contents of one heading": lambda k: (
        f'<h2 id="h">{"Part " * int(50_000 * k)}</h2>'
        + '<li><a href="#h">Part</a>' * int(20_000 * k)
    ),
    "nested contents": lambda k: (
        "".join(f'<h2 id="h{i}"><div>Part {i}' for i in range(int(500 * k)))
        + "".join(f'<div><a href="#h{i}">Part {i}</a>' for i in range(int(400 * k)))
    ),
    "links in code": repeated("<code><a href='/x'>a</a> <a href='/y'>b</a></code> ", 30_000),
    "rows": numbered("<tr><td>row {}<td>b", 100_000, "<table>{}</table>"),
    "cells": numbered("<td>{}", 100_000, "<table><tr>{}</table>"),
    "same links": repeated('<a href="/wiki/A">a</a> ', 200_000),
    "links": numbered('<a href="/wiki/A{0}">a{0}</a> ', 200_000),
    "odd links": numbered('<a href="ä {0}?&amp;">a[{0}</a>', 50_000),
    "attributes": lambda k: (
        f"<p {' '.join(f'a{i}=x' for i in range(int(200_000 * k)))}>before</p><p>after"
    ),
    "classes": lambda k: f'<p class="{"a " * int(500_000 * k)}">before</p><p>after',
    **{
        f"text of {text.strip()}": repeated(text.replace("<", "&lt;"), 1_000_000)
        for text in ("[", "]", "*", "`", "<", "|", "~", "\\", "&amp;", "!", "_ ", "_a", "[a](b)")
    },
    "one word": repeated("a", 1_000_000),
    "breaks": repeated("<br>", 100_000),
    "breaks in a heading": lambda k: f"<h2>a<b>b</b>{'<br> ' * int(100_000 * k)}c</h2>",
    "unclosed a": repeated('<a href="/x">y', 100_000),
    "unclosed b": repeated("<b>y", 100_000),
    "bold words": repeated("<b>y</b>z ", 100_000),
    "bold brackets": repeated("<b>(</b>z", 100_000),
    "alternating": repeated("<b>y</b><i>z</i>", 50_000),
    "exclamations": repeated('!<b></b><a href="/x">y</a>', 50_000),
    "headings": numbered("<h2>heading {}</h2>", 50_000),
    "footnotes": lambda k: (
        "".join(
            f'<sup class="reference"><a href="#n{i}">[{i}]</a></sup>'
            for i in range(int(20_000 * k))
        )
        + '<ol class="references">'
        + "".join(f'<li id="n{i}">note {i}</li>' for i in range(int(20_000 * k)))
        + "</ol>"
    ),
    "images": repeated('<img src="x"> y ', 100_000),
    "icons": repeated('<img src="/x.png" alt="Fuel"> y ', 100_000),
    "icon cells": numbered(
        "<tr><td>3 <img alt='Fuel {0}'><td><img alt='Yes'>", 30_000, "<table>{}</table>"
    ),
    "icon links": numbered(
        "<a href='/wiki/{0}' title='T {0}'><img alt='{0}.png'></a>",
        50_000,
        "<p>before {} after</p>",
    ),
    "code": repeated("<code>x</code>", 100_000),
    "listing": repeated("<pre>x</pre>", 50_000),
    "nested pre": nested("pre"),
    "lines of code": lambda k: f"<pre>{'<div class=line>x</div>' * int(50_000 * k)}</pre>",
    "numbers of lines": lambda k: (
        "<table><tr><td><pre>1 2</pre><td><pre>" + "x y " * int(100_000 * k) + "</pre></table>"
    ),
    "numbered rows": numbered("<tr><td>{0}<td>b", 50_000, "<table>{}</table>"),
    "nested numbers": lambda k: f"{'<table><tr><td>1<td>x' * int(600 * k)}<p>after",
    "listings and labels": repeated("<div><span>js</span><pre>x</pre><div>y</div></div>", 20_000),
    "panels": lambda k: (
        "<div role=tablist>"
        + "<div role=tab>a</div>" * int(500 * k)
        + "</div>"
        + "<div role=tabpanel>b" * int(500 * k)
    ),
    "radio buttons": numbered(
        "<input type=radio id=i{0} name=n><label for=i{0}>x</label><div>y</div>", 10_000
    ),
    "links of tabs": numbered(
        "<a class=tab href=#i{0}>x</a><div id=i{0}>y</div>", 10_000, "<div>{}</div>"
    ),
    "disclosures": repeated("<button aria-expanded=false>x</button><div>y", 900),
    "rubies": repeated("<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>", 20_000),
    "formulas": repeated("<math alttext='x'><mi>x</mi></math> y ", 20_000),
    "tabs": lambda k: (
        '<div class="tabber">'
        + '<div class="tabbertab" title="t">x</div>' * int(2_000 * k)
        + "</div>"
    ),
    "infoboxes": repeated(
        '<aside class="portable-infobox"><div class="pi-data"><h3 class="pi-data-label">l</h3>'
        '<div class="pi-data-value">v</div></div></aside>',
        1_000,
    ),
    "infobox rows": lambda k: (
        '<aside class="portable-infobox">'
        + '<div class="pi-data"><h3 class="pi-data-label">l</h3><div class="pi-data-value">v</div>'
        "</div>" * int(10_000 * k) + "</aside>"
    ),
    "quotations": numbered("<blockquote>item {}</blockquote>", 20_000),
}
