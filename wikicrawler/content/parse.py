"""Parsing of bytes to an lxml tree, without silent loss of text."""

from __future__ import annotations

import re

import re2
from lxml import etree
from lxml import html as lxml_html
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, resolve_encoding

from wikicrawler.content.encodings import guess_encoding, is_plausible
from wikicrawler.content.misnesting import is_misnested
from wikicrawler.errors import ContentError, Reason

MAX_BYTES = 32 * 2**20
"""Maximum size of a document in bytes of UTF-8."""

# Characters that neither XML text nor a record may contain: C0 controls except white space, DEL,
# lone surrogates and two non-characters. libxml2 would replace them with U+FFFD. A form feed is
# white space in HTML, but lxml rejects it in text.
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_WITH_SPACES = bytes.maketrans(b"\f", b" ")
# A body in one of these that is valid UTF-8 is UTF-8, unless it begins with a byte order mark.
_MAY_BE_UTF8 = frozenset({None, "utf-8", "cp1252"})
_MARKS = frozenset({b"\x00", b"\xef", b"\xfe", b"\xff"})
# The same characters, as character references.
_CONTROL_REFERENCES = re.compile(
    rb"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01]|127|6553[45])(?![0-9])"
    rb"|x0*(?:[0-8bcef]|1[0-9a-f]|7f|fff[ef])(?![0-9a-f]));?",
    re.IGNORECASE,
)

# Real pages reach thousands of levels only through unclosed formatting tags.
_INLINE_TAGS = re.compile(
    rb"</?(?:abbr|acronym|b|big|center|em|font|i|ins|s|small|span|strike|strong|sub|sup|tt|u)"
    rb"(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
# What libxml2 reads otherwise than browsers, in one pattern, because each is a pass over the page:
# end tags of the document, which only its end closes; the document's tags closed at once; and void
# elements that libxml2 does not know, in which it would put everything that follows.
_OTHERWISE_READ = re.compile(
    rb"<(?:/(?i:body|html)(?:\s[^<>]*)?"
    rb"|(?P<root>(?i:html|head|body)(?:\s[^<>]*)?)/"
    rb"|(?P<void>(?i:embed|source|track|wbr|keygen|bgsound))(?=[\s/>])[^<>]*)>"
)
# The start of such a tag, for RE2, which finds in a tenth of the time that a page has none before
# its end. The case of "<" counts, or it would not look for that first.
_BYTES = re2.Options()
_BYTES.encoding = re2.Options.Encoding.LATIN1
_FIRST_OTHERWISE_READ = re2.compile(
    rb"<(?i:/(?:body|html)|(?:html|head|body)(?:[\s\v][^<>]*)?/>"
    rb"|(?:embed|source|track|wbr|keygen|bgsound)[\s\v/>])",
    _BYTES,
)
LONG_TAG = 2**15
"""Length in bytes beyond which the attributes of a tag are limited before parsing."""
MAX_ATTRIBUTES = 1000
"""Maximum number of attributes of a long tag. libxml2 compares each attribute with all others and
takes a minute for 200,000."""
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{%d,}>" % LONG_TAG)
_ATTRIBUTE = re.compile(rb"""[^\s"'=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))?""")

# A lookup in C. The one of lxml.html calls Python for each element, to give forms and fields
# classes of their own, which are not needed here.
_CLASSES = etree.ElementDefaultClassLookup(element=lxml_html.HtmlElement)


def utf8(body: bytes | str, encoding: str | None = None) -> bytes:
    """Return *body* as UTF-8, without characters that a record must not contain.

    *encoding* is the one from the HTTP headers. Without it the encoding is determined as in
    browsers: by a BOM, the page's ``<meta>``, UTF-8, then Windows-1252. An implausible encoding
    is ignored.
    """
    # Searching bytes is several times as fast as searching text.
    source = _as_utf8(body, encoding) if isinstance(body, bytes) else body.encode("utf-8", "ignore")
    source = source.translate(_WITH_SPACES, _CONTROLS)
    # The search for one byte, which most pages do not have, takes a tenth of that for two.
    if b"\xef" in source and b"\xef\xbf" in source:
        source = source.replace(b"\xef\xbf\xbe", b"").replace(b"\xef\xbf\xbf", b"")
    return _CONTROL_REFERENCES.sub(b"", source)


def _as_utf8(body: bytes, encoding: str | None) -> bytes:
    said = resolve_encoding(encoding) if encoding else html_body_declared_encoding(body)
    if said in _MAY_BE_UTF8 and body[:1] not in _MARKS and guess_encoding(body) == "utf-8":
        return body  # as most pages: no need to decode and to encode it
    if said is None or not is_plausible(said, body):
        said = guess_encoding(body)
    _, text = html_to_unicode(f"text/html; charset={said}", body)
    return text.encode("utf-8", "ignore")


def parse(source: bytes) -> lxml_html.HtmlElement | None:
    """Return the root of the tree of *source* (UTF-8), without comments; None without elements.

    libxml2 builds the tree. Where it cannot build the tree that a browser builds, because the page
    is misnested or too deep even without formatting tags, the tree is built as browsers do.

    :raises ContentError: the document is too large
    """
    if len(source) > MAX_BYTES:
        raise ContentError(Reason.TOO_LARGE, f"{len(source)} bytes, at most {MAX_BYTES}")
    if _has_long_tag(source):
        source = _LONG_TAG.sub(_fewer_attributes, source)
    root, errors = _parse(source)
    if _is_too_deep(errors):
        source = _INLINE_TAGS.sub(b"", source)
        root, errors = _parse(source)
    if _is_too_deep(errors) or (root is not None and is_misnested(root, source, errors)):
        root = None  # one tree in memory at a time
        # Imported here because few pages need it, and its library takes long.
        from wikicrawler.content.browser_tree import browser_tree  # noqa: PLC0415

        return browser_tree(source, _parser())
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


def _parse(source: bytes) -> tuple[lxml_html.HtmlElement | None, list[tuple[int, str]]]:
    """Return the root of libxml2's tree of *source*, and the type and message of each error."""
    parser = _parser()
    root = None
    try:
        root = etree.fromstring(_for_libxml2(source), parser)
    except etree.XMLSyntaxError as error:
        # libxml2 before 2.14 reports an empty document as an error.
        expected = {etree.ErrorTypes.ERR_DOCUMENT_EMPTY, etree.ErrorTypes.ERR_NO_MEMORY}
        if error.code not in expected:  # type: ignore[attr-defined]
            raise
    errors = [(entry.type, entry.message) for entry in parser.error_log]
    if any(kind == etree.ErrorTypes.ERR_NO_MEMORY for kind, _ in errors):
        raise MemoryError
    return root, errors


def _for_libxml2(source: bytes) -> bytes:
    """Return *source* with the tags that libxml2 reads otherwise than browsers written for it."""
    first = _FIRST_OTHERWISE_READ.search(source)
    if first is None:
        return source
    start: int = first.start()
    return source[:start] + _OTHERWISE_READ.sub(_as_read, source[start:])


def _as_read(tag: re.Match[bytes]) -> bytes:
    root, void = tag.groups()
    if void:
        return tag[0] + b"</" + void + b">"
    return b"<" + root + b">" if root else b""


def _parser() -> lxml_html.HTMLParser:
    # Create a parser for each page, because the error log belongs to the parser. Nothing looks
    # elements up by their ids, and a repeated id is no error of the tree.
    parser = lxml_html.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        collect_ids=False,
    )
    parser.set_element_class_lookup(_CLASSES)
    return parser


def _is_too_deep(errors: list[tuple[int, str]]) -> bool:
    """Return True if libxml2 dropped text because elements are nested more than 2,000 deep."""
    return any(kind == etree.ErrorTypes.ERR_RESOURCE_LIMIT for kind, _ in errors)
