"""Random markup: the result is a valid record or no text, never another error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.items import Content

TAGS = """
    html head body main article p div span a b i em u s sub sup code pre kbd ul ol li dl dt dd table
    thead tbody tfoot tr td th caption colgroup col h1 h2 h6 blockquote q img picture source video
    embed object param iframe script style template svg math mi mfrac annotation semantics ruby rt
    rp br hr wbr form input button select option textarea label details summary figure figcaption
    aside nav header footer time base link meta title plaintext xmp center font nobr bdo
"""
ATTRIBUTES = [
    *(
        "href=/a",
        "href='javascript:x'",
        "href='http://[::1'",
        "href=''",
        "href",
        "src=x",
        "href=#n",
    ),
    *("class=mw-parser-output", "class=infobox", "class=portable-infobox", "class=navbox", "id=n"),
    *("class=reference", "class=references", "class=tabber", "class='tabbertab' title=t"),
    *("class=gallery", "class=mwe-math-element", "class=thumb", "id=firstHeading", "data-source=x"),
    *("rowspan=65535", "colspan=0", "rowspan=-1", f"colspan={'9' * 20}", f"start={'9' * 20}"),
    *("start=-5", "value=x", "type=a", "reversed", "lang=de", "lang='\0'", "rel=license", "hidden"),
    *("itemprop=datePublished", "datetime=9999", "alttext='x^2'", "type=application/ld+json"),
    *("name=description content=x", "name=generator content='MediaWiki 1'", "rel=EditURI href=x"),
]
TEXTS = [
    *("word ", "two words ", "\n", "  ", "|", "*", "`", "```\n", "[", "](x)", "<", "&", "&amp;"),
    *(
        "&#0;",
        "&#12;",
        "&nbsp;",
        "é",
        "\u200b",
        "😀",
        "1. ",
        "# ",
        "- ",
        "\\",
        '{"@type":"Article"}',
    ),
    *(
        "]]>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?php ?>",
        "</",
        "<1",
        "\t",
        "\f",
        "\x1b",
        "\0",
        "\ufffe",
    ),
]
NAMES = st.sampled_from(TAGS.split())
_START = st.builds(
    "<{} {}{}".format,
    NAMES,
    st.lists(st.sampled_from(ATTRIBUTES), max_size=3).map(" ".join),
    st.sampled_from([">", ">", ">", "/>", ""]),
)
SOUP = st.lists(_START | NAMES.map("</{}>".format) | st.sampled_from(TEXTS), max_size=40).map(
    "".join
)
ENCODINGS = st.sampled_from([None, "utf-8", "cp1252", "utf-16", "shift_jis", "zlib", "idna", "\0"])


def converted(page: bytes | str, encoding: str | None, *, wiki: bool | None) -> Content | None:
    """Return the content, or None if there is no text. Any other error fails the test."""
    try:
        return convert(page, "https://page.test/wiki/T", encoding=encoding, wiki=wiki)
    except ContentError as error:
        assert error.reason is Reason.EMPTY, error.detail  # noqa: PT017 - one outcome of two
        return None


def strings(value: Any) -> Iterator[str]:
    """Yield every string in *value*."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)


@settings(max_examples=300)
@given(SOUP | SOUP.map(str.encode) | st.binary(), ENCODINGS, st.sampled_from([None, True, False]))
def test_any_markup_converts_to_a_valid_record(
    page: bytes | str, encoding: str | None, wiki: bool | None
) -> None:
    content = converted(page, encoding, wiki=wiki)
    if content is None:
        return
    texts = strings([content.title, content.markdown, content.categories, content.metadata])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]", "".join(texts))
    assert all(re.fullmatch(r"https?://[!-~]+", link) for link in content.links)
    assert "\n" not in content.title
