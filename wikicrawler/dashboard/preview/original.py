"""The HTML of a page as its server sent it, without anything that acts or asks for something."""

from __future__ import annotations

import nh3
from markupsafe import Markup

from wikicrawler.dashboard.preview.documents import document
from wikicrawler.dashboard.visible import visible

MAX_CHARACTERS = 1_000_000
_TAGS = frozenset(
    ["aabbraddressarticleasidebbdibdoblockquotebrcaptioncentercitecodecolcolgroupdddeldetailsd", "fndivdldtemfigcaptionfigurefooterh1h2h3h4h5h6headerhgrouphriinskbdlimainmarknavolppreqrp", "rtrubyssampsectionsmallspanstrongsubsummarysuptabletbodytdtfootththeadtimetrttuulvarwbr"]
)
"""Elements without an effect. Links have no address, images stand for nothing."""
_ATTRIBUTES = {
    "*": {"lang", "dir"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "time": {"datetime"},
}


def original_document(html: str, title: str) -> str:
    """Return the text and the structure of *html* as a whole document for a response with
    :data:`~wikicrawler.dashboard.preview.documents.PREVIEW_HEADERS`.

    Only elements and attributes without an effect are left: no script, style, form, image, frame,
    link, id, or ``<meta http-equiv=refresh>``, which a policy alone does not stop. More than
    1,000,000 characters are cut.
    """
    notice = "Without links, images, styles, forms and scripts."
    if len(html) > MAX_CHARACTERS:
        notice += f" Cut at {MAX_CHARACTERS} of {len(html)} characters."
    cleaned = nh3.clean(
        str(visible(html[:MAX_CHARACTERS]).unescape()),
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        clean_content_tags={"script", "style", "template", "noscript"},
        link_rel=None,
        url_schemes=set(),
    )
    return document(Markup(cleaned), title=title, notice=notice)  # noqa: S704 - cleaned
