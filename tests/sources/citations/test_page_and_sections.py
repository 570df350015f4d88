"""What a page and its sections are themselves."""

from __future__ import annotations

import pytest

from wikicrawler.sources.citations import PageContext, page_context, section_citation

CFPB = "https://www.consumerfinance.gov/rules-policy/regulations/"


@pytest.mark.parametrize(
    ("url", "heading", "citation", "expected"),
    [
        (None, None, "12 C.F.R. § 1024.5", PageContext("1024", "12")),
        (f"{CFPB}1026/2021-03-01/19/", None, None, PageContext("1026", "12")),
        (f"{CFPB}1026/19/", None, "12 C.F.R. Part 1024", PageContext("1024", "12")),
        (
            "https://www.ecfr.gov/current/title-24/subtitle-B/part-203",
            None,
            None,
            PageContext("203", "24"),
        ),
        (
            "https://www.ecfr.gov/current/title-24/section-203.5",
            None,
            None,
            PageContext("203", "24"),
        ),
        ("https://www.law.cornell.edu/cfr/text/12/1026.37", None, None, PageContext("1026", "12")),
        (None, "§ 1024.5 Coverage of RESPA", None, PageContext("1024", None)),
        (None, "Regulation X", None, PageContext("1024", "12")),
        (None, "Regulations X and Z", None, PageContext()),
        ("https://evil.example/rules-policy/regulations/1024/", "Home", "", PageContext()),
        ("https://[", "\x00", "§", PageContext()),
    ],
)
def test_a_page_belongs_to_the_part_of_its_citation_url_or_heading(
    url: str | None, heading: str | None, citation: str | None, expected: PageContext
) -> None:
    assert page_context(url, heading, citation) == expected


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["Regulation X", "§ 1024.5 Coverage", "(b) Exemptions"], "12 C.F.R. § 1024.5(b)"),
        (
            ["Regulation X", "§ 1024.5 Coverage", "(b) Exemptions", "(2) *Business* purpose"],
            "12 C.F.R. § 1024.5(b)(2)",
        ),
        (["Regulation X", "§ 1024.5 Coverage", "Examples"], "12 C.F.R. § 1024.5"),
        (["Regulation X"], "12 C.F.R. Part 1024"),
        (["**§ 1024.17** Escrow", "(c)(1)", "(ii) Cushion"], "12 C.F.R. § 1024.17(c)(1)(ii)"),
        (["§ 1024.17 Escrow", "(b) One", "(c) Two, of the same level"], "12 C.F.R. § 1024.17(c)"),
        (["Supplement I to Part 1024", "Introduction"], "12 C.F.R. Part 1024, Supplement I"),
        (["Loans that § 1024.5 exempts"], None),
        (["About us", "(b) Exemptions"], None),
        ([], None),
    ],
)
def test_a_section_is_cited_by_the_headings_above_it(
    headings: list[str], expected: str | None
) -> None:
    assert section_citation(headings, part="1024", title="12") == expected


def test_a_heading_without_a_known_title_is_not_cited() -> None:
    assert section_citation(["§ 2000.5 Coverage", "(b)"]) is None
    assert section_citation(["12 CFR 1030.4", "(b) Content"]) == "12 C.F.R. § 1030.4(b)"
