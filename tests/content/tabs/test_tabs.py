"""Tabs and disclosures as engines write them: each panel under its label, and all shown."""

from __future__ import annotations

import pytest

from wikicrawler.content import convert

URL = "https://site.example/a/b"


def markdown(inner: str) -> str:
    page = f"<html><body><main><h1>T</h1>{inner}</main></body></html>"
    return convert(page, URL).markdown.removeprefix("# T\n\n")


def radio(number: int) -> str:
    return f'<input type="radio" name="set" id="i{number}">'


TABS = {
    "Docusaurus": (
        '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" aria-selected='
        '"true" class="tabs__item">Linux</li><li role="tab" class="tabs__item">Mac</li></ul><div>'
        '<div role="tabpanel" class="item_x"><p>Use apt.</p></div><div role="tabpanel" class='
        '"item_x" hidden=""><p>Use brew.</p></div></div></div>'
    ),
    "Bootstrap 5": (
        '<ul class="nav nav-tabs" role="tablist"><li role="presentation"><button id="l" '
        'data-bs-toggle="tab" data-bs-target="#a" type="button" role="tab">Linux</button></li><li>'
        '<button data-bs-toggle="tab" data-bs-target="#b" role="tab">Mac</button></li></ul><div '
        'class="tab-content"><div class="tab-pane show" id="a" role="tabpanel">Use apt.</div><div '
        'class="tab-pane" id="b" role="tabpanel">Use brew.</div></div>'
    ),
    "Bootstrap 3": (
        '<ul class="nav nav-tabs"><li class="active"><a data-toggle="tab" href="#a">Linux</a></li>'
        '<li><a data-toggle="tab" href="#b">Mac</a></li></ul><div class="tab-content"><div id="a" '
        'class="tab-pane in">Use apt.</div><div id="b" class="tab-pane">Use brew.</div></div>'
    ),
    "Microsoft Learn": (
        '<div class="tabGroup"><ul role="tablist"><li role="presentation"><a href="#a" role="tab" '
        'aria-controls="a">Linux</a></li><li role="presentation"><a href="#b" role="tab" '
        'aria-controls="b">Mac</a></li></ul><section id="a" role="tabpanel"><p>Use apt.</p>'
        '</section><section id="b" role="tabpanel" aria-hidden="true" hidden="hidden"><p>Use brew.'
        "</p></section></div>"
    ),
    "Elementor, labels twice": (
        '<div class="e-tabs"><div role="tablist"><div role="tab" aria-controls="a">Linux</div><div '
        'role="tab" aria-controls="b">Mac</div></div><div role="tablist"><div role="tab" '
        'aria-controls="a">Linux</div><div id="a" role="tabpanel"><p>Use apt.</p></div><div '
        'role="tab" aria-controls="b">Mac</div><div id="b" role="tabpanel" hidden="hidden"><p>Use '
        "brew.</p></div></div></div>"
    ),
    "sphinx-tabs": (
        '<div class="sphinx-tabs"><div role="tablist"><button aria-controls="a" id="l" role="tab">'
        'Linux</button><button aria-controls="b" role="tab">Mac</button></div><div aria-labelledby='
        '"l" id="a" role="tabpanel"><p>Use apt.</p></div><div id="b" hidden="true" role="tabpanel">'
        "<p>Use brew.</p></div></div>"
    ),
    "sphinx-design": (
        f'<div class="sd-tab-set">{radio(1)}<label class="sd-tab-label" for="i1">\nLinux</label>'
        f'<div class="sd-tab-content"><p>Use apt.</p></div>{radio(2)}<label for="i2">\nMac</label>'
        '<div class="sd-tab-content"><p>Use brew.</p></div></div>'
    ),
    "Material for MkDocs": (
        f'<div class="tabbed-set tabbed-alternate">{radio(1)}{radio(2)}<div class="tabbed-labels">'
        '<label for="i1">Linux</label><label for="i2">Mac</label></div>\n<div class='
        '"tabbed-content">\n<div class="tabbed-block">\n<p>Use apt.</p>\n</div>\n<div class='
        '"tabbed-block">\n<p>Use brew.</p>\n</div>\n</div>\n</div>'
    ),
    "VitePress": (
        f'<div class="vp-code-group"><div class="tabs">{radio(1)}<label for="i1">Linux</label>'
        f'{radio(2)}<label for="i2">Mac</label></div><div class="blocks"><div class="active"><p>'
        "Use apt.</p></div><div><p>Use brew.</p></div></div></div>"
    ),
    "styles alone": (
        f'<div class="tabs">{radio(1)}<label for="i1">Linux</label>{radio(2)}<label for="i2">Mac'
        "</label><div>Use apt.</div><div>Use brew.</div></div>"
    ),
    "scripts of their own": (
        """<div class="tab"><button class="tablinks" onclick="show(event, 'a')">Linux</button>"""
        """<button class="tablinks" onclick="show(event, 'b')">Mac</button></div><div id="a" """
        'class="tabcontent">Use apt.</div><div id="b" style="display:none">Use brew.</div>'
    ),
    "panel named by its tab": (
        '<div role="tablist"><div role="tab" id="l">Linux</div><div role="tab" id="m">Mac</div>'
        '</div><div role="tabpanel" aria-labelledby="m" hidden>Use brew.</div>'
        '<div role="tabpanel" aria-labelledby="l">Use apt.</div>'
    ),
}


@pytest.mark.parametrize("html", TABS.values(), ids=TABS)
def test_each_panel_stands_under_its_label(html: str) -> None:
    parts = ["**Linux**\n\nUse apt.", "**Mac**\n\nUse brew."]
    assert markdown(html) in {"\n\n".join(parts), "\n\n".join(reversed(parts))}


def test_tabs_in_tabs_have_their_own_labels() -> None:
    inner = (
        "<div role=tablist><button role=tab>C</button><button role=tab>D</button></div>"
        "<div role=tabpanel>c</div><div role=tabpanel hidden>d</div>"
    )
    html = (
        "<div role=tablist><button role=tab>A</button><button role=tab>B</button></div>"
        f"<div role=tabpanel>a<div>{inner}</div></div><div role=tabpanel hidden>b</div>"
    )
    assert markdown(html).split() == ["**A**", "a", "**C**", "c", "**D**", "d", "**B**", "b"]


def test_a_panel_that_begins_with_a_heading_of_its_label_gets_no_second_one() -> None:
    html = (
        '<ul role="tablist"><li><a href="#d" role="tab">Description</a></li></ul>'
        '<div id="d" role="tabpanel"><h2>Description</h2><p>A kettle.</p></div>'
    )
    assert markdown(html) == "## Description\n\nA kettle."


def test_the_label_of_a_code_block_stands_before_it() -> None:
    html = f"<div class=tabs>{radio(1)}<label for=i1>npm</label><pre>npm i\n  x</pre></div>"
    assert markdown(html) == "**npm**\n\n```\nnpm i\n  x\n```"


def test_the_label_of_an_empty_panel_is_dropped() -> None:
    html = (
        '<div role="tablist"><div role="tab" aria-controls="a">One</div><div role="tab" '
        'aria-controls="b">Two</div><div role="tab" aria-controls="none">Three</div></div>'
        '<div id="a" role="tabpanel">First.</div><div id="b" role="tabpanel"></div>'
    )
    assert markdown(html) == "**One**\n\nFirst."


def test_the_numbers_of_slides_are_no_labels() -> None:
    html = (
        '<div id="a" role="tabpanel">First slide.</div><div id="b" role="tabpanel">Second slide.'
        '</div><ul role="tablist"><li><button role="tab" aria-controls="a">1</button></li><li>'
        '<button role="tab" aria-controls="b">2</button></li></ul>'
    )
    assert markdown(html) == "First slide.\n\nSecond slide."


def test_tabs_that_lead_to_other_pages_stay_links() -> None:
    html = '<ul class="tabs"><li><a role="tab" href="/a">A</a></li><li><a href="/b">B</a></li></ul>'
    assert markdown(html) == "- [A](https://site.example/a)\n- [B](https://site.example/b)"


def test_the_contents_of_a_page_are_no_tabs() -> None:
    html = (
        '<ul><li><a href="#a">First</a></li><li><a href="#b">Second</a></li></ul>'
        '<section id="a"><p>One.</p></section><section id="b"><p>Two.</p></section>'
    )
    assert markdown(html) == "- First\n- Second\n\nOne.\n\nTwo."


@pytest.mark.parametrize("mark", ["1", "note a"])
def test_links_to_footnotes_in_a_panel_are_no_tabs(mark: str) -> None:
    html = (
        f'<div class="tab-content"><p>One<a href="#a">{mark}</a> and two<a href="#b">{mark}</a>.'
        '</p><ol><li id="a">First.</li><li id="b">Second.</li></ol></div>'
    )
    assert markdown(html) == f"One{mark} and two{mark}.\n\n1. First.\n2. Second."


def test_the_choices_of_a_form_are_no_tabs() -> None:
    html = f"<form class=tabs>{radio(1)}<label for=i1>Yes</label><div>It is.</div></form>"
    assert markdown(html) == "Yes\n\nIt is."


QUESTIONS = {
    "heading": (
        '<h3><button aria-expanded="false" aria-controls="p">May I?</button></h3>'
        '<div id="p" role="region" hidden>Yes, when the sea is calm.</div>',
        "### May I?\n\nYes, when the sea is calm.",
    ),
    "button in the heading's span": (
        '<h3><span><button aria-expanded="false">May I?</button></span></h3>'
        '<div style="display:none">Yes, when the sea is calm.</div>',
        "### May I?\n\nYes, when the sea is calm.",
    ),
    "button alone": (
        '<div class="faq"><div><button aria-expanded="false">May I?</button></div>'
        "<div hidden>Yes, when the sea is calm.</div></div>",
        "**May I?**\n\nYes, when the sea is calm.",
    ),
    "definition list": (
        '<dl><dt><button aria-expanded="false" aria-controls="p">May I?</button></dt>'
        '<dd id="p" hidden>Yes, when the sea is calm.</dd></dl>',
        "- **May I?**: Yes, when the sea is calm.",
    ),
    "jQuery UI": (
        '<div role="tablist"><h3 role="tab" aria-controls="p" aria-expanded="false">May I?</h3>'
        '<div role="tabpanel" id="p" style="display:none">Yes, when the sea is calm.</div></div>',
        "### May I?\n\nYes, when the sea is calm.",
    ),
    "details": (
        "<details><summary>May I?</summary><p>Yes, when the sea is calm.</p></details>",
        "May I?\n\nYes, when the sea is calm.",
    ),
}


@pytest.mark.parametrize(("html", "expected"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_stands_before_its_answer(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_menus_and_forms_behind_a_button_stay_hidden() -> None:
    html = (
        '<button aria-expanded="false" aria-controls="m">Menu</button><ul id="m" hidden><li>'
        '<a href="/a">The home of the page</a></li><li><a href="/b">All about us</a></li></ul>'
        '<button aria-expanded="false">Filter</button><div hidden>Look for a word: <input></div>'
        "<p>Text.</p>"
    )
    assert markdown(html) == "Text."
