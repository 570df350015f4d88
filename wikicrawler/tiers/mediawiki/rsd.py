"""Discovery of a MediaWiki's API.

Each page of a wiki has a ``<link rel="EditURI">`` to an RSD document, which names the API.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from lxml import etree

from wikicrawler.tiers.mediawiki.addresses import on_same_site

_LONGEST_RSD = 64 * 1024


def rsd_address(edit_uri: str, url: str) -> str | None:
    """The RSD document to ask for the API of the wiki whose page at *url* names *edit_uri*.

    None where that is of another site, or not MediaWiki's: blogs name one too.
    """
    address = on_same_site(edit_uri, url)
    return address if address and "action=rsd" in urlsplit(address).query else None


def read_rsd(body: bytes, url: str) -> str | None:
    """Return the URL of the MediaWiki API that the RSD document at *url* names.

    None if it names none on the same site.
    """
    if len(body) > _LONGEST_RSD:
        return None
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body.strip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    for api in root.iter("{*}api"):
        if api.get("name", "").lower() == "mediawiki":
            address = on_same_site(api.get("apiLink", ""), url)
            return address.partition("?")[0] if address else None
    return None
