"""Items of lists whose first block is not a paragraph."""

from __future__ import annotations

import pytest

from tests.content.rendering import page, render
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/T"


@pytest.mark.parametrize("html", ["<ul><li>a</li><li><hr></li></ul>", "<ol><li>a<hr>b</li></ol>"])
def test_a_rule_in_an_item_stays_in_the_item(html: str) -> None:
    rendered = render(convert(page(html), URL).markdown)
    assert len(rendered.xpath("//li//hr")) == len(rendered.xpath("//hr")) == 1


def test_a_rule_in_a_definition_is_a_rule() -> None:
    rendered = render(convert(page("<dl><dt>a</dt><dd><hr></dd></dl>"), URL).markdown)
    assert len(rendered.xpath("//li//hr")) == 1
