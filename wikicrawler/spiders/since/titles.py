"""The titles of the known pages of one wiki."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from wikicrawler.tiers.mediawiki.titles import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.tiers.mediawiki.site import WikiSite


class Titles:
    """The titles of the pages *urls* in the wiki *site*; other pages are left out."""

    def __init__(self, urls: Iterable[str], site: WikiSite) -> None:
        self._by_url: dict[str, str] = {}
        self._by_title: dict[str, str] = {}
        self._keys: dict[int, list[tuple[bytes, str]]] = {}
        for url in urls:
            ref = page_of(url, site)
            if ref is None or ref.title is None or ref.namespace is None:
                continue
            self._by_url[url] = ref.title
            self._by_title[ref.title] = url
            key = key_of(ref.title, ref.namespace)
            self._keys.setdefault(ref.namespace, []).append((key, url))
        for keys in self._keys.values():
            keys.sort()

    def has(self, url: str) -> bool:
        """Return True if *url* is a known page of the wiki."""
        return url in self._by_url

    def title_of(self, url: str) -> str:
        """Return the title of the known page at *url*."""
        return self._by_url[url]

    def url_of(self, title: str) -> str | None:
        """Return the URL of the known page *title*; None if it is not known."""
        return self._by_title.get(title)

    def between(self, number: int, start: bytes, end: bytes | None) -> list[str]:
        """Return the known pages of the namespace *number* from *start* up to *end*, in the order
        in which a wiki lists them."""
        keys = self._keys.get(number, [])
        last = len(keys) if end is None else bisect_left(keys, (end, ""))
        return [url for _, url in keys[bisect_left(keys, (start, "")) : last]]

    def outside(self, numbers: Iterable[int]) -> list[str]:
        """Return the known pages that are in none of these namespaces."""
        listed = set(numbers)
        return [
            url for number, keys in self._keys.items() if number not in listed for _, url in keys
        ]


def key_of(title: str, number: int) -> bytes:
    """Return what a wiki sorts *title* in the namespace *number* by."""
    name = title.partition(":")[2] if number else title
    return name.replace(" ", "_").encode("utf-8", "surrogatepass")
