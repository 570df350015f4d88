"""Citations in words, as cross-references of a record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.finder import find_citations
from wikicrawler.sources.citations.known import BANKING, REGULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.sources.citations.model import Citation

_LETTERS = {f"cfr:{BANKING}/{part}": letter for letter, part in REGULATIONS.items()}
_LETTER = re.compile(r"(?:Reg|REG|[A-Z]\b)")
_ATTACHED = {"app": "Appendix", "supp": "Supplement", "subpart": "Subpart"}


def cross_references(
    text: str, *, part: str | None = None, title: str | None = None, limit: int = 1000
) -> list[str]:
    """Return what the first *limit* citations in *text* refer to, in words: each once, in the order
    of its first occurrence, without ambiguous ones."""
    found = find_citations(text, part=part, title=title, limit=limit)
    return list(dict.fromkeys(display(each) for each in found if not each.ambiguous))


def display(citation: Citation) -> str:
    """Return *citation* in words: ``12 C.F.R. § 1024.5(b)``, or ``Regulation X`` where the text has
    the letter."""
    if (letter := _LETTERS.get(citation.key)) and _LETTER.match(citation.text.lstrip("*_[")):
        return f"Regulation {letter}"
    return display_key(citation.key)


def display_key(key: str) -> str:
    """Return the text that *key* names, in words."""
    kind, _, rest = key.partition(":")
    return _WRITERS[kind](rest)


def _of_regulations(rest: str) -> str:
    title, _, place = rest.partition("/")
    number, _, attached = place.partition("/")
    first, _, last = number.partition("..")
    if "." in first:
        sign = "§§" if "." in last else "§"
        return f"{title} C.F.R. {sign} {_range(number)}"
    words = f"{title} C.F.R. {'Parts' if last else 'Part'} {_range(number)}"
    if attached:
        kind, _, name = attached.partition("-")
        words += f", {_ATTACHED[kind]} {_range(name.upper())}"
    return words


def _of_code(rest: str) -> str:
    title, _, section = rest.partition("/")
    section, sequel = section.removesuffix("+"), section.endswith("+")
    sign = "§§" if ".." in section and not section.partition("..")[2].startswith("(") else "§"
    return f"{title} U.S.C. {sign} {_range(section)}{' et seq.' if sequel else ''}"


def _range(text: str) -> str:
    return text.replace("..", "–")


def _of_comment(rest: str) -> str:
    part, _, comment = rest.partition("/")
    return f"12 C.F.R. Part {part}, Supplement I, Comment {_range(comment)}"


_WRITERS: dict[str, Callable[[str], str]] = {
    "cfr": _of_regulations,
    "comment": _of_comment,
    "fnma": "Fannie Mae Guide {}".format,
    "fr": lambda rest: rest.replace("/", " Fed. Reg. "),
    "hud": lambda rest: f"HUD Handbook {rest.replace('/', ' ')}",
    "ml": "Mortgagee Letter {}".format,
    "pl": "Pub. L. {}".format,
    "reg": "Regulation {}".format,
    "usc": _of_code,
    "usda": "USDA {}".format,
}
