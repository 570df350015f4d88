"""Strict reader of manifests: a manifest, or all faults with their places."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.answer import find_part
from wikicrawler.sources.manifest.faults import Fault, Faults, Place
from wikicrawler.sources.manifest.json_text import read_json
from wikicrawler.sources.manifest.lines import Lines
from wikicrawler.sources.manifest.model import Manifest
from wikicrawler.sources.manifest.rules import check_rules
from wikicrawler.sources.manifest.schema import check_schema, schema
from wikicrawler.sources.manifest.tree import Tree, Unreadable
from wikicrawler.sources.manifest.yaml_text import read_yaml, typed
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    import pathlib

MAX_BYTES = 4 * 1024 * 1024
"""Maximum size of a manifest; one of 5,000 sources has about as much."""
_START = Place(1, 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says."""

    name: str
    """Name of the file, for messages."""
    data: bytes
    """The file as it is."""
    manifest: Manifest | None
    """None if there are faults."""
    faults: tuple[Fault, ...]
    notices: tuple[Fault, ...]

    @property
    def sha256(self) -> str:
        """Hexadecimal SHA-256 of the file."""
        return sha256(self.data).hexdigest()


def read_file(path: pathlib.Path) -> Reading:
    """Read the manifest in the file at *path*.

    :raises ConfigError: the file cannot be read
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise ConfigError(
            f"{one_line(path)}: cannot be read: {why} (name a JSON or YAML file)"
        ) from None
    return read_manifest(data, one_line(path))


def read_manifest(data: bytes, name: str = "manifest") -> Reading:
    """Read a manifest in JSON or YAML, or an answer of a language model that contains one.

    :param name: name of the file, for messages
    """
    faults = Faults()
    tree = Tree(faults)
    manifest = None
    if (text := _decode(data, faults)) is not None:
        try:
            _parse(text, tree)
        except Unreadable:
            pass
        else:
            tree.root = typed(tree.root, schema(), schema())
            check_schema(tree)
            check_rules(tree)
            if not faults.found:
                manifest = Manifest.of(tree.root)
    return Reading(name, data, manifest, faults.found, faults.notices)


def _decode(data: bytes, faults: Faults) -> str | None:
    if len(data) > MAX_BYTES:
        limit = f"at most {MAX_BYTES // 1024**2} MiB"
        faults.add(
            _START, (), f"the file is too large for a manifest ({limit}; is it the right one?)"
        )
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        faults.add(_START, (), "the file is UTF-16 (save it as UTF-8)")
    elif (at := data.find(b"\0")) >= 0:
        faults.add(_at(data, at), (), "the file contains a NUL byte (is it a text?)")
    else:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            start = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
            what = f"byte 0x{data[start]:02x} is not UTF-8 (save it as UTF-8)"
            faults.add(_at(data, start), (), what)
    return None


def _at(data: bytes, index: int) -> Place:
    """Return the place of the byte at *index*."""
    text = data[:index].decode("utf-8-sig", "replace")
    return Lines(text).place(len(text))


def _parse(text: str, tree: Tree) -> None:
    """Read the manifest in *text* into *tree*.

    :raises Unreadable: the text cannot be read
    """
    part = find_part(text)
    lines = Lines(text)
    if part.problem:
        tree.stop(lines.place(part.start), part.problem)
    first = lines.place(part.start)
    end = part.end
    if part.is_json:
        end = read_json(text[: part.end], part.start, tree)
        rest = text[end : part.end].strip()
        if rest[:1] in tuple('{}[],"'):
            after = lines.place(end + len(text[end:]) - len(text[end:].lstrip()))
            tree.stop(
                after, f"{rest[0]} after the end of the manifest (remove it, or what precedes it)"
            )
    else:
        read_yaml(text, part.start, part.end, tree)
    before, after_it = text[: part.start].strip(), text[end:].strip()
    if (part.is_json or part.end < len(text) or part.start) and (before or after_it):
        tree.faults.notice(first, (), "the text before and after the manifest is ignored")
