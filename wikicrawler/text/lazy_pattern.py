"""RE2 patterns of files of this package, compiled when they are first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import re2

if TYPE_CHECKING:
    from collections.abc import Callable


class LazyPattern:
    """A pattern that is compiled by its first search, which takes some 0.3 ms.

    Most of the hundreds of patterns that ship with the package are for pages that a crawl never
    meets. Tests compile all of them.
    """

    __slots__ = ("_options", "pattern", "search", "sub")
    search: Callable[[bytes], Any]
    sub: Callable[[bytes, bytes], bytes]
    pattern: bytes

    def __init__(self, source: bytes, options: Any) -> None:
        self.pattern = source
        self._options = options

    def __getattr__(self, name: str) -> Any:
        # Called once, while the slots are empty.
        if name not in ("search", "sub"):
            raise AttributeError(name)
        compiled = re2.compile(self.pattern, self._options)
        self.search, self.sub = compiled.search, compiled.sub
        return getattr(self, name)
