"""Recognition of the images that may be content, before the furniture of a page is dropped.

They get the tag :data:`IMAGE`: ``img`` and what is around it are media, which are dropped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.clean import is_hidden
from wikicrawler.content.images.addresses import best_url, is_tracker
from wikicrawler.content.images.alts import clean, is_file_name, is_meaningful

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

IMAGE = "wikicrawler-image"
"""Tag of an image that may be content. Its ``alt`` is clean, and empty where it says nothing."""

_EMOJI = re.compile(r"emoji|smil(?:ey|ie)|emoticon", re.IGNORECASE)
_PERSON = re.compile(
    r"avatar|userpic|user-?photo|profile[-_]?(?:pic|photo|image|img)", re.IGNORECASE
)
_FORMULA = re.compile(r"(?<!\S)(?:mwe-math-fallback-(?:image|png)-\w+|tex|latex)(?!\S)")
_TEX = ("{\\displaystyle ", "{\\textstyle ", "\\displaystyle ")
"""What MediaWiki puts before the source of a formula."""
_NO_ROLE = frozenset({"none", "presentation"})
_WRAPPERS = ("noscript", "picture")


def mark_images(root: HtmlElement, resolver: LinkResolver, *, with_urls: bool) -> None:
    """Give the images in *root* that may be content the tag :data:`IMAGE`.

    These are images with an alt text that says something, images that are the only content of a
    link with a title, and drawings that state to be an image with a label. Images of formulas are
    not marked. Of an image that a script loads late and its copy in ``noscript``, one is marked.

    :param with_urls: mark all images with an address, too, and state it as ``src``; else no image
        has a ``src``
    """
    for el in list(root.iter("img", "svg")):
        if el.tag == "svg":
            _mark_drawing(el)
        else:
            _mark(el, resolver, with_urls=with_urls)
    for el in list(root.iter(*_WRAPPERS)):
        if el.tag == "picture":
            if next(el.iter(IMAGE), None) is not None:
                el.tag = "span"
        elif _is_only_copy(el):
            el.tag = "span"


def is_formula(image: HtmlElement) -> bool:
    """Return True if *image* shows a formula, whose TeX source is its alt text."""
    alt = image.get("alt")
    if not alt:
        return False
    classes = image.get("class")
    return alt.startswith(_TEX) or (bool(classes) and _FORMULA.search(classes) is not None)


def _mark(el: HtmlElement, resolver: LinkResolver, *, with_urls: bool) -> None:
    classes = el.get("class") or ""
    emoji = bool(_EMOJI.search(classes))
    alt = clean(el.get("alt") or el.get("data-alt"))
    if not alt and not with_urls and not (_has_no_alt(el) and _is_titled(el)):
        return  # as most images
    if is_file_name(alt, el.get("src") or "") or not is_meaningful(alt, emoji=emoji):
        # An empty alt says that the image is decoration, a file name says nothing.
        # Parsoid leaves it out where MediaWiki's older parser gives the name of the file.
        named = (bool(alt) or _has_no_alt(el)) and _is_titled(el)
        alt = ""
    else:
        named = True
    # What the address shows comes last, since the searches in it take longest.
    if not (named or with_urls) or is_formula(el) or _is_decoration(el) or is_tracker(el):
        return
    url = best_url(el, resolver) if with_urls and not (emoji and alt) else ""
    if not named and not url:
        return
    el.attrib.pop("src", None)
    el.set("alt", alt)
    if url:
        el.set("src", url)
    el.tag = IMAGE


def _is_decoration(el: HtmlElement) -> bool:
    if el.get("aria-hidden") == "true" or el.get("role") in _NO_ROLE:
        return True
    return bool(_PERSON.search(f"{el.get('class') or ''} {(el.get('src') or '')[:2000]}"))


def _is_titled(el: HtmlElement) -> bool:
    parent = el.getparent()
    return parent is not None and parent.tag == "a" and bool(parent.get("title"))


def _has_no_alt(el: HtmlElement) -> bool:
    return el.get("alt") is None and el.get("resource") is not None


def _mark_drawing(el: HtmlElement) -> None:
    """Mark an ``svg`` with the role of an image. The titles of other drawings are the names of
    their parts, or tooltips."""
    if el.get("role") != "img" or el.get("aria-hidden") == "true":
        return
    title = next(el.iterchildren("title"), None)
    alt = clean(el.get("aria-label") or (title.text if title is not None else ""))
    if is_file_name(alt) or not is_meaningful(alt):
        return
    for child in list(el):
        el.remove(child)
    el.text = None
    el.attrib.pop("src", None)
    el.set("alt", alt)
    el.tag = IMAGE


def _is_only_copy(noscript: HtmlElement) -> bool:
    """Return True if *noscript* consists of an image, and none is shown next to it instead.

    One with a link is an advertisement or a counter.
    """
    if next(noscript.iter("a"), None) is not None:
        return False
    images = list(noscript.iter(IMAGE, "img", "iframe"))
    if len(images) != 1 or images[0].tag != IMAGE or noscript.text_content().strip():
        return False
    around = (noscript.getprevious(), noscript.getnext())
    return not any(_shows_image(el) for el in around if el is not None)


def _shows_image(el: HtmlElement) -> bool:
    images: Iterable[HtmlElement] = el.iter(IMAGE, "img")
    return any(image.tag == IMAGE and not is_hidden(image) for image in images)
