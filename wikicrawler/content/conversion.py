"""Conversion of an HTML page to a :class:`~wikicrawler.items.Content`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wikicrawler.content import links as page_links
from wikicrawler.content import metadata
from wikicrawler.content.article.notes import NO_NOTES, Notes
from wikicrawler.content.deferred.tree import parse_in_place
from wikicrawler.content.find import stating
from wikicrawler.content.form import DEFAULT, Form
from wikicrawler.content.markdown.escape import plain
from wikicrawler.content.page import Page
from wikicrawler.content.parse import utf8
from wikicrawler.content.statements import statements
from wikicrawler.content.wiki_page import read_wiki_page
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from wikicrawler.items import Content

CONVERTER_VERSION = "3"
"""Version of the conversion. It is raised when the Markdown of an unchanged page changes, so that
watched pages are not reported as changed for that."""


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
    return convert_with_notes(html, url, encoding=encoding, wiki=wiki, form=form)


def convert_with_notes(
    html: bytes | str,
    url: str,
    *,
    encoding: str | None = None,
    wiki: bool | None = None,
    form: Form = DEFAULT,
    notes: Notes = NO_NOTES,
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
    page = Page(root, kept, elements, source, resolver, facts, form, notes)
    if wiki:
        content = read_wiki_page(page)
    else:
        # Imported here because a crawl of a wiki needs none of it, and it takes as long as twenty
        # pages.
        from wikicrawler.content.other_page import read_other_page  # noqa: PLC0415

        content = read_other_page(page)
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
