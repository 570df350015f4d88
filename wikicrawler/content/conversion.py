"""Conversion of an HTML page to a :class:`~wikicrawler.items.Content`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content import links as page_links
from wikicrawler.content import metadata, parsoid, rewrite
from wikicrawler.content.article import extraction as article
from wikicrawler.content.article.evidence import read_evidence
from wikicrawler.content.article.furniture import furniture_in
from wikicrawler.content.article.notes import NO_NOTES, Notes
from wikicrawler.content.clean import NON_TEXT_TAGS, drop, wiki_furniture
from wikicrawler.content.contents_lists import contents_lists
from wikicrawler.content.deferred.data import data_scripts, fill
from wikicrawler.content.deferred.fallback import hold, release
from wikicrawler.content.deferred.tree import parse_in_place
from wikicrawler.content.find import all_classes, stating
from wikicrawler.content.form import DEFAULT, Form
from wikicrawler.content.images.marking import mark_images
from wikicrawler.content.images.placing import place_images
from wikicrawler.content.infobox import infoboxes
from wikicrawler.content.listings.rewriting import listings
from wikicrawler.content.markdown.converter import PageConverter
from wikicrawler.content.markdown.escape import plain
from wikicrawler.content.markdown.link_forms import LINK_FORMS, origin_of
from wikicrawler.content.navigation_boxes import navigation_boxes
from wikicrawler.content.parse import utf8
from wikicrawler.content.statements import statements
from wikicrawler.content.tabs.rewriting import tabs
from wikicrawler.content.tabs.wikis import wiki_tabs
from wikicrawler.content.wiki_config import wiki_config
from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import Content

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.find import Stating
    from wikicrawler.content.links import LinkResolver

CONVERTER_VERSION = "3"
"""Version of the conversion. It is raised when the Markdown of an unchanged page changes, so that
watched pages are not reported as changed for that."""


_SHORT = 20_000
"""Characters of text beside images up to which a page is also written without them."""


def convert(
    html: bytes | str,
    url: str,
    *,
    encoding: str | None = None,
    wiki: bool | None = None,
    images: str = DEFAULT.images,
    links: str = DEFAULT.links,
    comments: bool = DEFAULT.comments,
) -> Content:
    """Return the main content of a page as GitHub-flavoured Markdown, with the page's metadata.

    :param html: the whole document. Bytes are decoded as *encoding*; without it the encoding is
        detected as browsers do.
    :param url: the page's URL. Relative links are resolved against it or the page's ``<base>``.
    :param wiki: True for a MediaWiki page, whose content is located by class name; False for any
        other page, whose article is extracted by heuristics; None to detect it.
    :param images: ``alt``: an image that stands for words becomes its alt text, others are left
        out; ``markdown``: the images of the content are kept as ``![alt](URL)``, too.
    :param links: ``inline``: ``[text](URL)``; ``references``: ``[text][1]``, with the URLs at the
        end; ``relative``: as inline, without scheme and host where they are those of *url*;
        ``text``: the text only. ``Content.links`` has all of them in any form.
    :param comments: whether to keep the comments that readers left below an article
    :raises ValueError: there is no such form of images or links
    :raises ContentError: ``EMPTY`` if no text is left, ``TOO_LARGE``, or ``CONVERSION`` if the
        page cannot be converted without losing text.
    :raises MemoryError: the parser or the converter ran out of memory.

    The Markdown does not end with a newline.
    """
    form = Form(images, links, comments)
    form.check()
    return convert_with_notes(html, url, encoding=encoding, wiki=wiki, form=form, notes=NO_NOTES)


def convert_with_notes(
    html: bytes | str,
    url: str,
    *,
    encoding: str | None = None,
    wiki: bool | None = None,
    form: Form = DEFAULT,
    notes: Notes,
) -> Content:
    """Do the same as :func:`convert`; *notes* receives what is kept and dropped of the page.

    :raises ContentError: as :func:`convert` does
    :raises MemoryError: as :func:`convert` does
    """
    try:
        return _convert(utf8(html, encoding), url, wiki, form, notes)
    except (ContentError, MemoryError):
        raise
    except Exception as error:
        raise ContentError(Reason.CONVERSION, f"{type(error).__name__}: {error!s:.200}") from error


def _convert(source: bytes, url: str, wiki: bool | None, form: Form, notes: Notes) -> Content:
    root = parse_in_place(source)
    if root is None:
        raise ContentError(Reason.EMPTY, "no element in the document")
    if wiki is None:
        wiki = metadata.is_wiki(root)
    # Without references, lxml makes the objects of elements anew for each of the walks over a wiki
    # page. Of other pages, most elements are dropped before they are looked at twice.
    kept = list(root.iter()) if wiki else []
    resolver = page_links.LinkResolver(url, page_links.base_of(root), wiki=wiki)
    elements = stating(root)
    facts: dict[str, Any] = {"wiki": wiki, **statements(root, elements, resolver, source)}
    nofollow = page_links.collect_nofollow(elements.anchors, resolver)
    page = _Page(root, kept, elements, source, resolver, facts, form, notes)
    content = _read_wiki_page(page) if wiki else _read_other_page(page)
    if not content.text:
        raise ContentError(Reason.EMPTY, "no text in the page's content")
    return replace(
        content,
        title=plain(content.title),
        categories=tuple(map(plain, content.categories)),
        nofollow=nofollow,
        metadata={name: _plain_values(value) for name, value in content.metadata.items()},
    )


def _plain_values(value: Any) -> Any:
    """Return *value* with unprintable characters removed from all strings in it."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_plain_values(item) for item in value]
    if isinstance(value, dict):
        return {plain(name): _plain_values(item) for name, item in value.items()}
    return value


class _Page(NamedTuple):
    """A page to be read."""

    root: HtmlElement
    kept: list[HtmlElement]
    """All elements of a wiki page."""
    stating: Stating
    source: bytes
    """The document in UTF-8."""
    resolver: LinkResolver
    facts: dict[str, Any]
    """Metadata; the readers add to it."""
    form: Form
    notes: Notes


def _read_wiki_page(page: _Page) -> Content:
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
    container = article.wiki_container(root)
    _add_language(facts, container)
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
    markdown = _markdown(container, resolver, form, beside)
    return Content(title, links=found, categories=categories, metadata=facts, **markdown)


def _read_other_page(page: _Page) -> Content:
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
    container = article.choose(
        root,
        " ".join(stated),
        evidence=evidence,
        with_images=form.has_images,
        with_comments=form.comments,
        notes=notes,
    )
    _add_language(facts, container)
    rewrite.structures(container, classes, with_images=form.has_images)
    found = page_links.collect(container.iter("a"), resolver)
    beside = place_images(container, resolver, title=title, wiki=False)
    markdown = _markdown(container, resolver, form, beside)
    inside = set(found)
    elsewhere = tuple(url for url in all_links if url not in inside)
    return Content(title, links=found, elsewhere=elsewhere, metadata=facts, **markdown)


def _markdown(
    container: HtmlElement, resolver: LinkResolver, form: Form, beside: int | None
) -> dict[str, Any]:
    """Return the Markdown of *container* in the forms that a :class:`Content` has.

    :param beside: characters of text beside images; None if no image is shown
    """
    with_images = beside is not None
    inline = PageConverter(resolver, with_images=with_images).convert_tree(container)
    texts: dict[str, Any] = {"markdown": inline}
    if form.links != DEFAULT.links:
        link_form = LINK_FORMS[form.links](resolver.own_url)
        converter = PageConverter(resolver, with_images=with_images, links=link_form)
        texts = {"markdown": converter.convert_tree(container), "inline_links": inline}
        if form.links == "relative":
            texts["origin"] = origin_of(resolver.own_url)
    if beside is not None and beside <= _SHORT:
        bare = PageConverter(resolver, with_images=False)
        texts["without_images"] = bare.convert_tree(container)
    return texts


def _add_language(facts: dict[str, Any], container: HtmlElement) -> None:
    if lang := metadata.language(container):
        facts["lang"] = lang
