"""The frame of every picture: an SVG with a title and a description, and a table behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from wikicrawler.dashboard.visible import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 400
"""Width of a picture in its own units. The style sheet scales it to the page."""
MAX_POINTS = 400
"""Points of a picture and rows of a table."""
MAX_NAME = 60
"""Characters of a name from outside, such as a site's or a series'."""
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class Table:
    """The data behind a picture. Cells are markup."""

    columns: Sequence[Markup]
    rows: Sequence[Sequence[Markup]]
    """The first cell of a row is its header."""
    note: str = ""
    """What the table leaves out."""


def name(text: str) -> Markup:
    """Return a *text* from outside as markup of one line."""
    return cut(text, MAX_NAME)


def checked(key: str) -> str:
    """Return *key*, which begins the ids of a picture.

    :raises ValueError: if it is not a letter followed by up to 99 letters, digits, ``-`` or ``_``
    """
    if not _ID.fullmatch(key):
        raise ValueError(f"the key of a picture has to match {_ID.pattern}: {key[:120]!r}")
    return key


def svg(
    kind: str, key: str, *, title: str, description: Markup, size: tuple[int, int], body: Markup
) -> Markup:
    """Return an SVG image of a *size* (width, height) with its name and its description."""
    width, height = size
    return Markup(
        '<svg class="picture-image picture-{}-image" role="img" viewBox="0 0 {} {}" '
        'aria-labelledby="{}-title {}-desc"><title id="{}-title">{}</title>'
        '<desc id="{}-desc">{}</desc>{}</svg>'
    ).format(kind, width, height, key, key, key, cut(title, 200), key, description, body)


def figure(kind: str, image: Markup, *, title: str, table: Table | None) -> Markup:
    """Return *image* and the *table* behind it."""
    behind = _details(title, table) if table else Markup("")
    return Markup('<figure class="picture picture-{}">{}{}</figure>').format(kind, image, behind)


def nothing(kind: str, *, title: str, sentence: str) -> Markup:
    """Return the *sentence* that stands for a picture without data."""
    return Markup('<p class="picture-empty picture-{}-empty">{}: {}</p>').format(
        kind, cut(title, 200), sentence
    )


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _details(title: str, table: Table) -> Markup:
    head = joined(Markup('<th scope="col">{}</th>').format(column) for column in table.columns)
    body = joined(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            row[0], joined(Markup("<td>{}</td>").format(cell) for cell in row[1:])
        )
        for row in table.rows[:MAX_POINTS]
    )
    note = Markup('<p class="picture-note">{}</p>').format(table.note) if table.note else ""
    return Markup(
        '<details class="picture-table"><summary>Table<span class="visually-hidden"> of {0}</span>'
        '</summary><table><caption class="visually-hidden">{0}</caption><thead><tr>{1}</tr></thead>'
        "<tbody>{2}</tbody></table>{3}</details>"
    ).format(cut(title, 200), head, body, note)
