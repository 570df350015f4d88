"""How faithful Markdown is to the wiki page that it was made of.

The page is cleaned and read by code and by class lists of its own, so that an error of the
converter is no error of its judge; the Markdown is read as what a GFM renderer shows of it. Both
become :class:`~tests.content.fidelity.facts.Facts`, and :func:`check` compares them.
"""

from tests.content.fidelity.check import Report, check, check_fragment
from tests.content.fidelity.score import KINDS, Score, table

__all__ = ["KINDS", "Report", "Score", "check", "check_fragment", "table"]
