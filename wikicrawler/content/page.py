"""A parsed page, and what the readers of its kinds share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content import metadata
from wikicrawler.content.form import DEFAULT
from wikicrawler.content.markdown.converter import PageConverter
from wikicrawler.content.markdown.link_forms import LINK_FORMS, origin_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.article.notes import Notes
    from wikicrawler.content.find import Stating
    from wikicrawler.content.form import Form
    from wikicrawler.content.links import LinkResolver

_SHORT = 20_000
"""Characters of text beside images up to which a page is also written without them."""


class Page(NamedTuple):
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


def markdown_of(
    container: HtmlElement, resolver: LinkResolver, form: Form, beside: int | None
) -> dict[str, Any]:
    """Return the Markdown of *container* as a :class:`~wikicrawler.items.Content` has it.

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


def add_language(facts: dict[str, Any], container: HtmlElement) -> None:
    if lang := metadata.language(container):
        facts["lang"] = lang
