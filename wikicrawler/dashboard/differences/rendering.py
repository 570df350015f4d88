"""A difference as markup: two columns side by side, or one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from wikicrawler.dashboard.differences.folding import Fold, folded
from wikicrawler.dashboard.visible import cut, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from wikicrawler.dashboard.differences.model import Difference, Row, Run, SectionDifference

MAX_ROWS = 3_000
"""Rows that are written, folded ones included."""
MAX_SECTIONS = 300
"""Sections with changes that are written."""
MAX_FOLDED = 60
"""Rows that one fold holds. The text is there to be read as a whole elsewhere."""
_MAX_HEADING = 200
_SIGNS = {"same": "", "changed": "~", "removed": "−", "added": "+"}
_SIDES = {"changed": ("−", "+"), "removed": ("−", ""), "added": ("", "+")}
_KINDS = {
    "unchanged": "not changed",
    "changed": "changed",
    "moved": "moved",
    "removed": "removed",
    "added": "added",
}
Layout = Literal["side", "inline"]


def side_by_side(difference: Difference, *, key: str = "difference", level: int = 3) -> Markup:
    """Return the lines of both versions in two columns.

    :param key: begins the ids of the headings; unique in the page
    :param level: of the headings, 2 to 6
    """
    return _Writer("side", key, level).difference(difference)


def inline(difference: Difference, *, key: str = "difference", level: int = 3) -> Markup:
    """Return the lines of both versions in one column: what is removed before what is added.

    :param key: begins the ids of the headings; unique in the page
    :param level: of the headings, 2 to 6
    """
    return _Writer("inline", key, level).difference(difference)


class _Writer:
    def __init__(self, layout: Layout, key: str, level: int) -> None:
        self._layout = layout
        self._key = key
        self._level = min(max(level, 2), 6)
        self._left = MAX_ROWS
        self._cells: Callable[[Row], str] = _side_row if layout == "side" else _inline_row

    def difference(self, difference: Difference) -> Markup:
        notices = [*difference.notices]
        total = sum(len(section.rows) for section in difference.sections)
        parts: list[Markup] = []
        if difference.is_empty:
            parts.append(Markup('<p class="difference-empty">The two versions are the same.</p>'))
        place = left_out = 0
        for unchanged, group in groupby(difference.sections, lambda one: one.kind == "unchanged"):
            some = list(group)
            if place >= MAX_SECTIONS or self._left <= 0:
                left_out += len(some)
            elif unchanged:
                parts.append(self._unchanged(some))
            else:
                shown = some[: MAX_SECTIONS - place]
                parts += [self._section(one, place + at) for at, one in enumerate(shown, 1)]
                place += len(shown)
                left_out += len(some) - len(shown)
        if left_out:
            notices.append(f"{left_out} more sections are not shown.")
        if self._left <= 0:
            notices.append(f"Only {MAX_ROWS} of {total} lines are shown.")
        above = Markup("").join(
            Markup('<p class="difference-notice">{}</p>').format(visible(notice))
            for notice in notices
        )
        return Markup('<div class="difference difference-{}">{}{}</div>').format(
            self._layout, above, Markup("").join(parts)
        )

    def _unchanged(self, some: Sequence[SectionDifference]) -> Markup:
        """Return sections without changes as one line that opens."""
        rows = [row for section in some for row in section.rows]
        names = [section.heading for section in some if section.heading]
        listed = Markup(", ").join(cut(name, 60) for name in names[:5])
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        label = Markup("{} {} not changed{}{}{}").format(
            len(some),
            "section" if len(some) == 1 else "sections",
            ": " if names else "",
            listed,
            more,
        )
        return self._details(label, rows)

    def _section(self, section: SectionDifference, number: int) -> Markup:
        body = Markup("").join(self._stretches(section.rows))
        heading = cut(section.heading, _MAX_HEADING) or Markup("Before the first heading")
        notes = Markup('<span class="difference-kind difference-kind-{}">{}</span>').format(
            section.kind, _kind_of(section)
        )
        if section.old_heading is not None and section.old_heading != section.heading:
            notes += Markup(' <span class="difference-was">was: {}</span>').format(
                cut(section.old_heading, _MAX_HEADING)
            )
        return Markup(
            '<div class="difference-section">'
            '<h{2} class="difference-heading" id="{0}-{1}">{3} {4}</h{2}>{5}</div>'
        ).format(self._key, number, self._level, heading, notes, body)

    def _stretches(self, rows: Sequence[Row]) -> Iterable[Markup]:
        for stretch in folded(rows):
            if isinstance(stretch, Fold):
                count = len(stretch.rows)
                label = Markup("{} {} not changed").format(count, "line" if count == 1 else "lines")
                yield self._details(label, stretch.rows)
            else:
                yield self._table(stretch, self._cells, self._layout)

    def _details(self, label: Markup, rows: Sequence[Row]) -> Markup:
        rest: Markup | str = ""
        if len(rows) > MAX_FOLDED:
            rest = Markup('<p class="difference-rest">{} more lines</p>').format(
                len(rows) - MAX_FOLDED
            )
        return Markup(
            '<details class="difference-fold"><summary>{}</summary>{}{}</details>'
        ).format(label, self._table(rows[:MAX_FOLDED], _same_row, "same"), rest)

    def _table(self, rows: Sequence[Row], cells: Callable[[Row], str], layout: str) -> Markup:
        rows = rows[: max(self._left, 0)]
        self._left -= len(rows)
        if not rows:
            return Markup("")
        names = ["Line", "Old version", "Line", "New version"]
        if layout != "side":
            names = ["Old line", "New line", "Change", "Text"]
        if layout == "same":
            names = ["Old line", "New line", "Text"]
        columns = Markup("").join(
            Markup('<col class="difference-column-{}">').format(
                "text" if "ersion" in name or name == "Text" else "number"
            )
            for name in names
        )
        head = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in names)
        body = Markup("".join(map(cells, rows)))  # noqa: S704 - rows are escaped
        return Markup(
            '<table class="difference-rows difference-rows-{}"><colgroup>{}</colgroup>'
            '<thead class="visually-hidden"><tr>'
            "{}</tr></thead><tbody>{}</tbody></table>"
        ).format(layout, columns, head, body)


def _kind_of(section: SectionDifference) -> str:
    kind = _KINDS[section.kind]
    if section.kind == "moved":
        kind = f"moved from place {section.old_place} to {section.new_place}"
        if section.has_changes:
            kind += ", and changed"
    return kind


# Rows are many, so they are plain strings: tags, and text that ``visible`` has escaped.
def _number(number: int | None) -> str:
    return f'<td class="difference-number">{"" if number is None else number}</td>'


def _text(runs: Sequence[Run], sign: str = "") -> str:
    signed = f' data-sign="{sign}"' if sign else ""
    return f'<td class="difference-text"{signed}>{"".join(map(_run, runs))}</td>'


def _run(run: Run) -> str:
    if run.kind == "same" or not run.text:
        return str(visible(run.text))
    element = "ins" if run.kind == "added" else "del"
    # White space alone, and what has no width, has to be seen where it is the difference.
    strict = not any(character.isprintable() and character != " " for character in run.text)
    return (
        f'<{element} class="difference-{run.kind}"><span class="visually-hidden">{run.kind}: '
        f"</span>{visible(run.text, strict=strict)}"
        f'<span class="visually-hidden"> (end)</span></{element}>'
    )


def _same_row(row: Row) -> str:
    return f"<tr>{_number(row.old_number)}{_number(row.new_number)}{_text(row.new)}</tr>"


def _side_row(row: Row) -> str:
    left, right = _SIDES.get(row.kind, ("", ""))
    return (
        f'<tr class="difference-row-{row.kind}">{_number(row.old_number)}{_text(row.old, left)}'
        f"{_number(row.new_number)}{_text(row.new, right)}</tr>"
    )


def _inline_row(row: Row) -> str:
    """Return one row: a changed line has what is removed and added at their places in it."""
    runs = _merged(row) if row.kind == "changed" else row.old or row.new
    return (
        f'<tr class="difference-row-{row.kind}">{_number(row.old_number)}'
        f'{_number(row.new_number)}<td class="difference-sign">{_SIGNS[row.kind]}'
        f'<span class="visually-hidden">{row.kind}</span></td>{_text(runs)}</tr>'
    )


def _merged(row: Row) -> list[Run]:
    """Return the runs of both versions of a line, what is removed before what is added."""
    merged: list[Run] = []
    new = iter(row.new)
    waiting = next(new, None)
    for run in row.old:
        if run.kind == "removed":
            merged.append(run)
            continue
        while waiting and waiting.kind == "added":
            merged.append(waiting)
            waiting = next(new, None)
        merged.append(run)
        waiting = next(new, None)
    while waiting:
        if waiting.kind == "added":
            merged.append(waiting)
        waiting = next(new, None)
    return merged
