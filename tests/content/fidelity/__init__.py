"""Measurement of the fidelity of Markdown to the wiki page that it was converted from.

The page is cleaned and read with code and class lists that are independent of the converter, so
that the two do not share errors. The Markdown is rendered with a GFM renderer. Both become
:class:`~tests.content.fidelity.facts.Facts`, and :func:`check` compares them.
"""

from tests.content.fidelity.check import Report, check, check_fragment
from tests.content.fidelity.score import KINDS, Score, table

__all__ = ["KINDS", "Report", "Score", "check", "check_fragment", "table"]
