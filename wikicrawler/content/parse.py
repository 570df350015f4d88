"""Bytes to one lxml tree, with nothing lost in silence."""

from __future__ import annotations

import re

from lxml import etree
from lxml import html as lxml_html
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, resolve_encoding

from wikicrawler.content.encodings import guess_encoding, is_plausible
from wikicrawler.errors import ContentError, Reason

MAX_BYTES = 32 * 2**20
"""Longest document that is parsed, in bytes of UTF-8."""

# What may not stand in XML text nor in a record: C0 without white space, DEL, lone surrogates and
# the two non-characters. libxml2 would put U+FFFD for them. A form feed is white space in HTML, and
# lxml takes none in a text.
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_WITH_SPACES = bytes.maketrans(b"\f", b" ")
# The same as character references.
_CONTROL_REFERENCES = re.compile(
    rb"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01]|127|6553[45])(?![0-9])"
    rb"|x0*(?:[0-8bcef]|1[0-9a-f]|7f|fff[ef])(?![0-9a-f]));?",
    re.IGNORECASE,
)

# Unclosed tags of these are what makes real pages thousands of levels deep.
_INLINE_TAGS = re.compile(
    rb"</?(?:abbr|acronym|b|big|center|em|font|i|ins|s|small|span|strike|strong|sub|sup|tt|u)"
    rb"(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
# In HTML nothing ends these but the end of the document; libxml2 would close all that is open.
_LAST_TAGS = re.compile(rb"</(?i:body|html)(?:\s[^<>]*)?>")
_CLOSED_AT_ONCE = re.compile(rb"<((?i:html|head|body)(?:\s[^<>]*)?)/>")
# Never with content or an end; libxml2 does not know them so and puts all that follows inside.
_VOID_TAGS = re.compile(rb"<((?i:embed|source|track|wbr|keygen|bgsound))(?=[\s/>])[^<>]*>")
LONG_TAG = 2**15
"""Bytes after which a tag is looked at before libxml2 sees it."""
MAX_ATTRIBUTES = 1000
"""Of such a tag; libxml2 takes a minute for 200,000, as it compares each with all others."""
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{%d,}>" % LONG_TAG)
_ATTRIBUTE = re.compile(rb"""[^\s"'=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))?""")

# In C, unlike lxml.html's own, which asks Python for the class of each element; forms and fields
# are no more than elements here.
_CLASSES = etree.ElementDefaultClassLookup(element=lxml_html.HtmlElement)


def utf8(body: bytes | str, encoding: str | None = None) -> bytes:
    """*body* as UTF-8 without characters that no record may hold.

    *encoding* is what the transport said. Without it a BOM, then the page's own ``<meta>``, then
    UTF-8, then Windows-1252 decide, as in browsers; what is no encoding of a page counts as none.
    """
    if isinstance(body, bytes):
        said = resolve_encoding(encoding) if encoding else html_body_declared_encoding(body)
        if said is None or not is_plausible(said, body):
            said = guess_encoding(body)
        _, body = html_to_unicode(f"text/html; charset={said}", body)
    # Bytes are searched several times as fast as text.
    source = body.encode("utf-8", "ignore").translate(_WITH_SPACES, _CONTROLS)
    if b"\xef\xbf" in source:
        source = source.replace(b"\xef\xbf\xbe", b"").replace(b"\xef\xbf\xbf", b"")
    if b"&#" in source:
        source = _CONTROL_REFERENCES.sub(b"", source)
    return source


def parse(source: bytes) -> lxml_html.HtmlElement | None:
    """The root of the tree of *source*, which is UTF-8, without comments; None where there is
    no element.

    :raises ContentError: where libxml2 would leave out what is nested too deeply, and it still is
        when formatting tags are taken out; or where the document is too large.
    """
    if len(source) > MAX_BYTES:
        raise ContentError(Reason.TOO_LARGE, f"{len(source)} bytes, at most {MAX_BYTES}")
    if _has_long_tag(source):
        source = _LONG_TAG.sub(_fewer_attributes, source)
    source = _CLOSED_AT_ONCE.sub(rb"<\1>", _LAST_TAGS.sub(b"", source))
    source = _VOID_TAGS.sub(rb"\g<0></\1>", source)
    root, problem = _parse(source)
    if problem:
        root, problem = _parse(_INLINE_TAGS.sub(b"", source))
    if problem:
        raise ContentError(Reason.CONVERSION, problem)
    return root


def _has_long_tag(source: bytes) -> bool:
    end = 0
    while len(source) - end > LONG_TAG:
        end = source.rfind(b">", end, end + LONG_TAG) + 1
        if not end:
            return True
    return False


def _fewer_attributes(tag: re.Match[bytes]) -> bytes:
    name, *attributes = _ATTRIBUTE.findall(tag[0], 1, len(tag[0]) - 1)
    if len(attributes) <= MAX_ATTRIBUTES:
        return tag[0]
    return b"<" + b" ".join([name, *attributes[:MAX_ATTRIBUTES]]) + b">"


def _parse(source: bytes) -> tuple[lxml_html.HtmlElement | None, str]:
    # One parser a page: the error log belongs to the parser.
    parser = lxml_html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    parser.set_element_class_lookup(_CLASSES)
    root = None
    try:
        root = etree.fromstring(source, parser)
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
