"""JSON and YAML documents as blocks: a line each, keys of JSON in alphabetical order."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wikicrawler.sources.changes.block import Block
from wikicrawler.sources.changes.characters import one_space
from wikicrawler.sources.changes.inline import bare_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_DEPTH = 100
NOISE_KEY = re.compile(
    r"(?:x[_-])?(?:request|trace|correlation|session|transaction|span)[_-]?id|(?:csrf|xsrf)?[_-]?(?:token|nonce)|etag"
    r"|csrf|(?:last[_-]?)?(?:generated|retrieved|fetched|accessed|rendered|cached)(?:[_-]?(?:at|on|date|time))?"
    r"|(?:generation|query|request|response|server|current|build|last[_-]?build)[_-]?(?:time|timestamp|date)"
    r"|timestamp|(?:last[_-]?)?updated(?:[_-]?(?:at|on))?|last[_-]?(?:updated?|modified|refreshed|reviewed|checked)"
    r"(?:[_-]?(?:at|on|date|time))?|up_to_date_as_of|import_in_progress|processing_in_progress"
    r"|took(?:[_-]?ms)?|elapsed(?:[_-]?ms)?|duration_ms|(?:page[_-]?)?view(?:s|[_-]?count)|hits[_-]?count|download[_-]?count"
    r"|cache[_-]?(?:key|buster|hit)|expires[_-]?in|_ts",
    re.IGNORECASE,
)
"""Names of fields that say when or for whom an answer was made."""
_YAML_LINE = re.compile(
    r"\s*(?:- +)*(?:[\w.$/@-]+|\"[^\"]*\"|'[^']*')\s*:(?:\s.*)?$|\s*-(?: .*)?$|\s*#.*$|---$|\.\.\.$"
)
_YAML_KEY = re.compile(r"(\s*(?:- +)*)([\w.$/@-]+|\"[^\"]*\"|'[^']*')\s*:(?:\s+(.*))?$")
_GENERATED = re.compile(r"\s*#.*\b(?:generated|retrieved|exported|last updated)\b", re.IGNORECASE)
_MOST = 0.9
_SAMPLE = 400


class _Number(str):
    """A number as it is written: 5.0 and 5.00 differ."""


class _Pairs(list[tuple[str, Any]]):
    """The members of an object; a name may be there twice."""


def read_json(text: str) -> list[Block] | None:
    """Return the blocks of *text*, or None if it is no JSON (or nested too deeply)."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_Number,
        )
        if not isinstance(value, list):
            return None
        return list(_json(value, "", 0))
    except (ValueError, RecursionError):
        return None


def _json(value: Any, name: str, depth: int) -> Iterator[Block]:
    if depth > _MAX_DEPTH:
        raise RecursionError
    if isinstance(value, list):
        is_object = isinstance(value, _Pairs)
        yield Block("tag", name + ("{" if is_object else "["))
        members = sorted(value, key=lambda pair: pair[0]) if is_object else [("", v) for v in value]
        for key, member in members:
            if is_object and not isinstance(member, list) and NOISE_KEY.fullmatch(key):
                continue
            if is_object and not depth:
                yield Block("heading", one_space(key), "#")
            yield from _json(member, f"{one_space(key)}: " if is_object else "", depth + 1)
        yield Block("tag", "}" if is_object else "]")
    else:
        yield Block("code", name + _scalar(value))


def _scalar(value: Any) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, str):
        text = one_space(value)
        if "://" in text:
            text = bare_addresses(text)
        return json.dumps(text, ensure_ascii=False)
    return json.dumps(value)


def looks_like_yaml(text: str) -> bool:
    """Return True if nearly all of the first lines are keys, entries and comments of YAML."""
    lines = [line for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    if len(lines) < 2 or not any(_YAML_KEY.match(line) for line in lines):
        return False
    first = next((line for line in lines if not line.lstrip().startswith("#")), "")
    if not (_YAML_KEY.match(first) or first.startswith(("---", "%YAML"))):
        return False
    fits = sum(bool(_YAML_LINE.match(line[:2_000])) or line.startswith("  ") for line in lines)
    keys = sum(bool(_YAML_KEY.match(line[:2_000])) for line in lines)
    # Prose such as "Note: see below" has such lines too, but not nearly all of them.
    return fits >= _MOST * len(lines) and 2 * keys >= len(lines)


def yaml(text: str) -> Iterator[Block]:
    """Yield the lines of the YAML document *text*. The depth of a line has a meaning and stands,
    the number of spaces for it does not."""
    depths = [0]
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or _GENERATED.match(line):
            continue
        indent = len(raw) - len(raw.lstrip())
        while indent < depths[-1]:
            depths.pop()
        if indent > depths[-1] and len(depths) < _MAX_DEPTH:
            depths.append(indent)
        found = _YAML_KEY.match(line)
        if found and found[3] and NOISE_KEY.fullmatch(found[2].strip("\"'")):
            continue
        if "://" in line:
            line = bare_addresses(line)
        if found and not indent and not found[1]:
            yield Block("heading", found[2], "#")
            if not found[3]:
                continue
        yield Block("data", "  " * (len(depths) - 1) + one_space(line))
