"""The pages that are generated for the comparison of crawls."""

from __future__ import annotations

import re

from bench.crawls.wikitext import wiki_pages


def test_the_same_seed_gives_the_same_pages() -> None:
    assert wiki_pages(70, 1) == wiki_pages(70, 1)
    assert wiki_pages(70, 1) != wiki_pages(70, 2)


def test_every_link_and_every_template_is_there() -> None:
    pages = wiki_pages(70, 1)
    text = "\n".join(pages.values())
    linked = {target for target in re.findall(r"\[\[([^]|#{]+)", text) if ":" not in target}
    assert len(linked) > 60
    assert linked <= set(pages)
    used = {f"Template:{name}" for name in re.findall(r"\{\{(Survey[^|{}]+)", text)}
    assert used == {title for title in pages if title.startswith("Template:")}


def test_pages_have_what_wikis_have() -> None:
    text = "\n".join(wiki_pages(70, 1).values())
    for part in ("{|", "rowspan=", "colspan=", "<ref>", "\n; ", "\n** ", "\n#", "<syntaxhighlight"):
        assert part in text, part
