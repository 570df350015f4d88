"""The time grows linearly with the text, whatever it repeats."""

from __future__ import annotations

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.sources.citations import cross_references, find_citations

SIZE = 4_000
PIECES = [
    *("12 CFR 1024.2, ", "§ 1024.17(c)(1), ", "(a)(1)(i)", "(i) and ", "1024.", "1024.5 ", ".4, "),
    *("12 U.S.C. 2601, ", "2601, ", "12 C.F.R", "C.F.R. § 1.1-1-", "89 FR 12345, ", "-12345"),
    *("comments 19(e)(1)(i)-1, ", "comment 1-", "-1, ", "Appendix A, ", "A, ", "Regulations B, "),
    *("ML 2024-05, ", "Handbook 4000.1 II.A.1.a.1.a", "Section II.A.A.A.A.A", "B3-3.2-01 "),
    *(
        "Pub. L. 111-203, ",
        "this part ",
        "part 1 ",
        "§ ",
        "Code ",
        "of the a a a ",
        "Section 12 of ",
    ),
    *("](", "](a", "](a(b)", '](" ', "[", "][", "[^", "`", "``a", "```\n", "~~~\n", "> ```", "<a "),
    *("<", "&", "\\", "*", "_", "\n", " ", "\n ", "\u00a0", "https://", "1. ", "12", "x"),
]


@pytest.mark.parametrize("piece", PIECES)
def test_the_time_is_linear(piece: str) -> None:
    def find(text: str) -> object:
        return find_citations(text, part="1024", title="12", limit=len(text))

    assert growth(find, lambda size: (piece * size)[:size], SIZE) < LIMIT


def test_a_large_text_of_citations_is_read_to_the_limit() -> None:
    text = "12 CFR 1024.2, 42 U.S.C. 3601; " * 65_000
    assert len(find_citations(text)) == 1000
    assert cross_references(text) == ["12 C.F.R. § 1024.2", "42 U.S.C. § 3601"]
