"""The text of a link inside code.

It is a kind of ``str``, which a compiled module cannot define."""

from __future__ import annotations


class LinkedCode(str):
    """The text of a link inside code, with its *url*."""

    url: str

    def __new__(cls, text: str, url: str) -> LinkedCode:
        self = super().__new__(cls, text)
        self.url = url
        return self
