"""Parts of the web by site, for crawls that share nothing: each site is in just one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

_PART = re.compile(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """One of several parts. The division is the same on all machines and in all versions."""

    number: int
    """From 1 on."""
    of: int
    """How many parts there are."""

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the part that *text* (``2/4``) names.

        :raises ValueError: it names none
        """
        found = _PART.fullmatch(text)
        part = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 1 <= part.number <= part.of:
            raise ValueError(
                f"part: {quoted(text, 40)} is invalid (expected like 2/4: the second of four parts)"
            )
        return part

    def has(self, url: str) -> bool:
        """Return whether the site of *url* is in the part."""
        site = site_of(url).encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(site, digest_size=8).digest()) % self.of == self.number - 1

    def of_these(self, urls: Sequence[str]) -> list[str]:
        """Return those of *urls* that are in the part.

        :raises ConfigError: there are none
        """
        own = [url for url in urls if self.has(url)]
        if not own:
            raise ConfigError(
                f"argument part: none of the seeds ({len(urls):,}) is in part {self} (use fewer "
                "parts)"
            )
        return own
