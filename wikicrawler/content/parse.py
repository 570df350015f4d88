"""Bytes to one lxml tree, with nothing lost in silence."""

from __future__ import annotations

import re

from lxml import etree
from lxml import html as lxml_html
from w3lib.encoding import html_to_unicode

from wikicrawler.errors import ContentError, Reason

MAX_CHARS = 32 * 2**20
"""Longest document that is parsed, in characters."""

# What may not stand in XML text nor in a record: C0 without white space, DEL, lone surrogates and
# the two non-characters. libxml2 would put U+FFFD for them.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

# Unclosed tags of these are what makes real pages thousands of levels deep.
_INLINE_TAGS = re.compile(
    r"</?(?:abbr|acronym|b|big|center|em|font|i|ins|s|small|span|strike|strong|sub|sup|tt|u)"
    r"(?:\s[^<>]*)?>",
    re.IGNORECASE,
)


def decode(body: bytes | str, encoding: str | None = None) -> str:
    """The text of *body* without characters that no record may hold.

    *encoding* is what the transport said. Without it a BOM, then the page's own ``<meta>``, then
    UTF-8, then Windows-1252 decide, as in browsers.
    """
    if isinstance(body, bytes):
        header = f"text/html; charset={encoding}" if encoding else None
        _, text = html_to_unicode(header, body, auto_detect_fun=_guess)
    else:
        text = body
    return _FORBIDDEN.sub("", text)


def parse(text: str) -> lxml_html.HtmlElement | None:
    """The root of the tree of *text* without comments; None where there is no element.

    :raises ContentError: where libxml2 would leave out what is nested too deeply, and it still is
        when formatting tags are taken out; or where the document is too large.
    """
    if len(text) > MAX_CHARS:
        raise ContentError(Reason.TOO_LARGE, f"{len(text)} characters, at most {MAX_CHARS}")
    root, problem = _parse(text)
    if problem:
        root, problem = _parse(_INLINE_TAGS.sub("", text))
    if problem:
        raise ContentError(Reason.CONVERSION, problem)
    return root


def _parse(text: str) -> tuple[lxml_html.HtmlElement | None, str]:
    # One parser a page: the error log belongs to the parser.
    parser = lxml_html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    root = None
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        # Of an empty document, as libxml2 before 2.14 says it.
        expected = {etree.ErrorTypes.ERR_DOCUMENT_EMPTY, etree.ErrorTypes.ERR_NO_MEMORY}
        if error.code not in expected:  # type: ignore[attr-defined]
            raise
    log = parser.error_log
    if log.filter_types(etree.ErrorTypes.ERR_NO_MEMORY):
        raise MemoryError
    limits = log.filter_types(etree.ErrorTypes.ERR_RESOURCE_LIMIT)
    return root, "tags nested more than 2,000 deep" if limits else ""


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
