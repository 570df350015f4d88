"""Reading of a MediaWiki page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content import links as page_links
from wikicrawler.content import metadata, parsoid, rewrite
from wikicrawler.content.clean import drop, wiki_furniture
from wikicrawler.content.contents_lists import contents_lists
from wikicrawler.content.images.marking import mark_images
from wikicrawler.content.images.placing import place_images
from wikicrawler.content.infobox import infoboxes
from wikicrawler.content.listings.rewriting import listings
from wikicrawler.content.navigation_boxes import navigation_boxes
from wikicrawler.content.page import add_language, markdown_of
from wikicrawler.content.tabs.wikis import wiki_tabs
from wikicrawler.content.wiki_config import wiki_config
from wikicrawler.content.wiki_container import wiki_container
from wikicrawler.items import Content

if TYPE_CHECKING:
    from wikicrawler.content.page import Page


def read_wiki_page(page: Page) -> Content:
    """Return the content of *page*, a page of MediaWiki."""
    root, _, elements, source, resolver, facts, form, notes = page
    title = metadata.wiki_title(root)
    config = wiki_config(elements.scripts)
    categories = metadata.categories(root, config)
    canonical = facts.get("canonical", "")
    facts |= metadata.wiki_metadata(
        root, elements.anchors, resolver, canonical, config, source=source
    )
    if "redirected_from" in facts and "canonical" in facts:
        resolver.set_own_page(facts["canonical"])
    if own_page := parsoid.own_page(elements.links, resolver):
        resolver.set_own_page(own_page)
    container = wiki_container(root)
    add_language(facts, container)
    mark_images(container, resolver, with_urls=form.has_images)
    furniture = wiki_furniture(container.iterdescendants())
    rewrite.math(container, furniture.classes)
    listings(container, furniture.classes)
    wiki_tabs(container, furniture.classes)
    notes.kept(container, "the content of a wiki page")
    notes.dropped(dict.fromkeys(furniture.unwanted, "furniture of a wiki page"))
    notes.dropped(dict.fromkeys(furniture.navigation, "navigation of a wiki page"))
    drop(furniture.unwanted)
    parsoid.plain_markup(container, furniture.classes)
    found = page_links.collect(container.iter("a"), resolver)
    navigation = navigation_boxes(container, resolver, furniture.navigation)
    notes.dropped(dict.fromkeys(navigation, "list of links by its shape"))
    contents = contents_lists(container)
    notes.dropped(dict.fromkeys(contents, "table of contents"))
    drop([*furniture.navigation, *navigation, *contents])
    rewrite.structures(container, furniture.classes, with_images=form.has_images)
    beside = place_images(container, resolver, title=title, wiki=True)
    boxed = "infobox" in furniture.classes or "druid-" in furniture.classes
    if boxed and (boxes := infoboxes(container)):
        facts["infobox"] = boxes
    markdown = markdown_of(container, resolver, form, beside)
    return Content(title, links=found, categories=categories, metadata=facts, **markdown)
