"""Reading of a page that is not from MediaWiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content import links as page_links
from wikicrawler.content import metadata, rewrite
from wikicrawler.content.article.evidence import read_evidence
from wikicrawler.content.article.extraction import choose
from wikicrawler.content.article.furniture import furniture_in
from wikicrawler.content.clean import NON_TEXT_TAGS, drop
from wikicrawler.content.contents_lists import contents_lists
from wikicrawler.content.deferred.data import data_scripts, fill
from wikicrawler.content.deferred.fallback import hold, release
from wikicrawler.content.find import all_classes
from wikicrawler.content.images.marking import mark_images
from wikicrawler.content.images.placing import place_images
from wikicrawler.content.listings.rewriting import listings
from wikicrawler.content.page import add_language, markdown_of
from wikicrawler.content.tabs.rewriting import tabs
from wikicrawler.items import Content

if TYPE_CHECKING:
    from wikicrawler.content.page import Page


def read_other_page(page: Page) -> Content:
    """Return the content of *page*, a page of any other software."""
    root, _, _, source, resolver, facts, form, notes = page
    classes = all_classes(root)
    evidence = read_evidence(root)
    rewrite.math(root, classes)
    mark_images(root, resolver, with_urls=form.has_images)
    all_links = page_links.collect(root.iter("a"), resolver)
    listings(root, classes)
    tabs(root, classes, source)
    furniture = furniture_in(root, classes)
    scripts = data_scripts(root, furniture)
    held, dropped = hold(furniture, classes)
    notes.dropped({el: f"<{el.tag}>" for el in dropped if el.tag not in NON_TEXT_TAGS})
    drop(dropped)
    contents = contents_lists(root)
    notes.dropped(dict.fromkeys(contents, "table of contents"))
    drop(contents)
    title = metadata.page_title(root)
    if held:
        release(root, held, resolver, title)
    description = facts.get("description", "")
    stated = title, description
    if fill(root, scripts, resolver, stated, with_urls=form.has_images):
        classes = all_classes(root)
    container = choose(
        root,
        " ".join(stated),
        evidence=evidence,
        with_images=form.has_images,
        with_comments=form.comments,
        notes=notes,
    )
    add_language(facts, container)
    rewrite.structures(container, classes, with_images=form.has_images)
    found = page_links.collect(container.iter("a"), resolver)
    beside = place_images(container, resolver, title=title, wiki=False)
    markdown = markdown_of(container, resolver, form, beside)
    inside = set(found)
    elsewhere = tuple(url for url in all_links if url not in inside)
    return Content(title, links=found, elsewhere=elsewhere, metadata=facts, **markdown)
