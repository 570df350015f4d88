"""Differences of two versions of a Markdown text: found once, written side by side or inline.

``parts`` splits a text into sections, lines and words; ``pairing`` finds which section became which
one; ``lines`` compares their lines and words by :mod:`wikicrawler.sources.changes.diff`, which is
bounded in time; ``rendering`` writes the result, with ``folding`` of what has not changed.

Markup has these classes, coloured by ``static/differences.css``: ``difference`` (also
``difference-side`` or ``difference-inline``), ``difference-notice``, ``difference-empty``,
``difference-section``, ``difference-heading``, ``difference-kind`` and ``difference-kind-KIND``
(``changed``, ``moved``, ``removed``, ``added``), ``difference-was``, ``difference-fold``,
``difference-rest``, ``difference-rows`` (also ``difference-rows-side``, ``-inline``, ``-same``),
``difference-column-number`` and ``-text``, ``difference-row-KIND`` (``same``, ``changed``,
``removed``, ``added``), ``difference-number``, ``difference-sign``, ``difference-text``,
``difference-added``, ``difference-removed`` and ``visually-hidden``.
"""

from wikicrawler.dashboard.differences.comparing import compare
from wikicrawler.dashboard.differences.model import (
    Counts,
    Difference,
    Row,
    Run,
    SectionDifference,
)
from wikicrawler.dashboard.differences.rendering import inline, side_by_side

__all__ = [
    "Counts",
    "Difference",
    "Row",
    "Run",
    "SectionDifference",
    "compare",
    "inline",
    "side_by_side",
]
