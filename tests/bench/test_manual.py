"""The manual of OpenTTD, as the comparison of crawls takes it from the repository."""

from __future__ import annotations

import re
from collections import Counter

from bench.crawls import manual


def language(title: str) -> str:
    return title.partition("/")[0]


def test_the_whole_manual_is_there_with_what_its_pages_use() -> None:
    wiki, copies = manual.wiki()
    assert (len(wiki.articles), copies) == (501, 0)
    assert Counter(map(language, wiki.articles)) == {
        "en": 368,
        "ja": 40,
        "ru": 40,
        "zh": 39,
        "ko": 14,
    }
    text = "\n".join(wiki.sources.values())
    used = {f"Template:{name.strip()}" for name in re.findall(r"\{\{(en/[^|{}<\n]+)", text)}
    assert len(used & set(wiki.sources)) > 60
    assert "[[Translation:" not in text
    assert {"en-Manual-Yapp signalgui.png", "en-Manual-Pause button.png"} <= set(wiki.images)


def test_fewer_pages_have_the_languages_of_all() -> None:
    wiki, copies = manual.wiki(50)
    assert (len(set(wiki.articles)), copies) == (50, 0)
    assert set(map(language, wiki.articles)) == {"en", "ja", "ko", "ru", "zh"}
    left = [title for title in wiki.sources if ":" not in title]
    assert left == wiki.articles, "other articles would be links that lead to no page of the site"


def test_more_pages_are_copies_that_link_to_copies() -> None:
    wiki, copies = manual.wiki(1000)
    assert (len(set(wiki.articles)), copies) == (1000, 499)
    first, second = wiki.sources["en/Manual/Signals"], wiki.sources["2/en/Manual/Signals"]
    assert "[[en/Manual/Building signals]]" in first
    assert "[[2/en/Manual/Building signals]]" in second


def test_the_main_page_is_one_of_the_site() -> None:
    for pages in (1, 501):
        wiki, _ = manual.wiki(pages)
        assert wiki.sources["MediaWiki:Mainpage"] in wiki.articles


def test_the_licence_is_beside_it() -> None:
    text = manual.DUMP.with_name("LICENSE").read_text("utf-8")
    assert "GNU Free Documentation License\n                 Version 1.3" in text
