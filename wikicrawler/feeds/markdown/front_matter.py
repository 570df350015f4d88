"""The YAML front matter of a page's file: what its record says beside the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIELDS = (
    *("url", "redirected_from", "title", "description", "lang", "categories", "author"),
    *("published", "modified", "license", "site_name", "revid", "tier", "fetched_at"),
    "content_hash",
)
"""Fields of a record that the front matter has, in this order, where they are not empty."""

_MARK = "---\n"
_END = "\n---\n"
_MAX = 256 * 1024
"""Maximum size of a front matter in bytes; more is not read."""
_NEEDED = frozenset({"url", "content_hash"})
"""What a page's file is known by."""
_OF_THE_VISIT = ("fetched_at:", "tier:")
"""What may change while the page does not."""


class _Dumper(yaml.SafeDumper):
    """Writes each text on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, indentless=False)


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def front_matter(values: Mapping[str, Any]) -> str:
    """Return the front matter with *values*, and the two lines that enclose it.

    Empty values are left out, and so are the longest ones of a page for which it would be too long
    to be read again; never ``url`` and ``content_hash``.
    """
    lines = {
        name: _yaml({name: _plain(value)})
        for name, value in values.items()
        if value not in (None, "", [])
    }
    optional = sorted(lines.keys() - _NEEDED, key=lambda name: len(lines[name]))
    while optional and sum(len(line.encode()) for line in lines.values()) > _MAX - 2 * len(_MARK):
        del lines[optional.pop()]
    return f"{_MARK}{''.join(lines.values())}{_MARK}"


def _yaml(values: Mapping[str, Any]) -> str:
    return yaml.dump(
        values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=float("inf")
    )


def _plain(value: Any) -> Any:
    """Return *value* with types of YAML; any other value becomes its text."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {without_surrogates(str(name)): _plain(one) for name, one in value.items()}
    return without_surrogates(str(value))


class Page(NamedTuple):
    """The file of a page in its two parts."""

    head: str
    """The front matter with the lines that enclose it."""
    body: str

    def value(self, name: str) -> str:
        """Return the text *name* of the front matter; empty where it has none."""
        lead = f"\n{name}: "
        start = self.head.find(lead)
        if start < 0:
            return ""
        line = self.head[start + len(lead) : self.head.index("\n", start + 1)]
        try:
            found = yaml.safe_load(line)
        except (yaml.YAMLError, ValueError, RecursionError):
            return ""
        return found if isinstance(found, str) else ""

    @property
    def url(self) -> str:
        """The page's own URL; empty where the file is none that a crawl has written."""
        return self.value("url") if "\ncontent_hash: sha256:" in self.head else ""

    def says_the_same(self, head: str) -> bool:
        """Return whether *head* differs at most in when and how the page was fetched."""
        return _lasting(self.head) == _lasting(head)


def _lasting(head: str) -> list[str]:
    return [line for line in head.split("\n") if not line.startswith(_OF_THE_VISIT)]


def split_page(text: str) -> Page:
    """Return the parts of a file; its front matter is empty where it has none."""
    end = text.find(_END, 0, _MAX) if text.startswith(_MARK) else -1
    if end < 0:
        return Page("", text)
    return Page(text[: end + len(_END)], text[end + len(_END) :])


def read_head(path: Path) -> Page:
    """Return the front matter of the file at *path*, without its body.

    :raises OSError: it cannot be read
    """
    with path.open("rb") as file:
        if file.read(len(_MARK)) != _MARK.encode():
            return Page("", "")
        file.seek(0)
        start = file.read(4096)
        if _END.encode() not in start:
            start += file.read(_MAX - len(start))
    return Page(split_page(start.decode("utf-8", "replace")).head, "")
