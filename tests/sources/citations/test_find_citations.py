"""Citations in Markdown: their keys, their places, what decides about them."""

from __future__ import annotations

import pytest

from wikicrawler.sources.citations import cross_references, find_citations


def keys(text: str, part: str | None = None, title: str | None = None) -> list[str]:
    return [
        ("? " if found.ambiguous else "") + found.key
        for found in find_citations(text, part=part, title=title)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 C.F.R. § 1024.5(b)(2)(i)", ["cfr:12/1024.5(b)(2)(i)"]),
        ("12\u00a0CFR §\u00a01024.5", ["cfr:12/1024.5"]),
        (
            "12 CFR 1024.2, 1024.5, and 1026.19",
            ["cfr:12/1024.2", "cfr:12/1024.5", "cfr:12/1026.19"],
        ),
        ("12 CFR 1024.3, .4, and .5", ["cfr:12/1024.3", "cfr:12/1024.4", "cfr:12/1024.5"]),
        ("12 CFR 1024.18--1024.19", ["cfr:12/1024.18..1024.19"]),
        ("12 CFR 1024.39-.41", ["cfr:12/1024.39..1024.41"]),
        ("12 CFR parts 1024 through 1026", ["cfr:12/1024..1026"]),
        ("41 CFR 60-1.4(a)", ["cfr:41/60-1.4(a)"]),
        ("99 CFR 1.5", []),
        ("12 U.S.C. 2603-2605 , 2607", ["usc:12/2603..2605", "usc:12/2607"]),
        ("42 U.S.C. §§ 3601-19", ["usc:42/3601..3619"]),
        ("section 143(d) of title 26, United States Code", ["usc:26/143(d)"]),
        ("60 U.S.C. 12", []),
        ("Public Law 111–\n24", ["pl:111-24"]),
        ("78 FR 6408, 6409 (2013); 78 FR 35429", ["fr:78/6408", "fr:78/35429"]),
        ("Mortgagee Letter 09-07", ["ml:2009-07"]),
        ("Section II.A.4 of HUD Handbook 4000.1", ["hud:4000.1/II.A.4"]),
        ("Appendices A through C to 12 CFR part 1026", ["cfr:12/1026/app-a..c"]),
    ],
)
def test_the_key_names_the_cited_text(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_a_list_of_paragraphs_goes_on_at_the_level_of_its_designation() -> None:
    assert keys("12 CFR 1026.43(e)(1)(i), (ii), or (f)(1) and (2)") == [
        "cfr:12/1026.43(e)(1)(i)",
        "cfr:12/1026.43(e)(1)(ii)",
        "cfr:12/1026.43(f)(1)",
        "cfr:12/1026.43(f)(2)",
    ]
    assert keys("12 CFR 1026.37(h) and (i)") == ["cfr:12/1026.37(h)", "cfr:12/1026.37(i)"]


def test_an_item_of_a_sentence_is_no_paragraph_of_the_section_before_it() -> None:
    assert keys("exempt under 12 CFR 1024.5(b), (1) the lender, (a) the buyer") == [
        "cfr:12/1024.5(b)"
    ]


def test_a_section_alone_is_resolved_by_the_page_or_by_the_text() -> None:
    assert keys("See § 1024.17(c).") == ["? cfr:?/1024.17(c)"]
    assert keys("See § 1024.17(c).", "1024", "12") == ["cfr:12/1024.17(c)"]
    assert keys("Under Regulation X, see § 1024.17(c).")[1] == "cfr:12/1024.17(c)"
    assert keys("See § 1024.17(c). Source: 12 CFR part 1024.")[0] == "cfr:12/1024.17(c)"


def test_a_part_of_two_titles_is_unknown() -> None:
    text = "12 CFR part 203 and 24 CFR part 203 differ; see § 203.5(a)."
    assert keys(text)[-1] == "? cfr:?/203.5(a)"
    assert keys(text, "203", "24")[-1] == "cfr:24/203.5(a)"


def test_this_part_and_comments_need_the_page() -> None:
    text = "Under this part, see comment 19(e)-1."
    assert keys(text) == ["? comment:?/19(e)-1"]
    assert keys(text, "1026", "12") == ["cfr:12/1026", "comment:1026/19(e)-1"]
    assert keys(text, "203", "24") == ["cfr:24/203", "? comment:?/19(e)-1"]  # which has no comments


def test_a_comment_takes_the_part_next_to_it() -> None:
    assert (
        keys("12 CFR part 1026, Supp. I, cmt. 19(e)-1", "1024", "12")[-1] == "comment:1026/19(e)-1"
    )
    assert keys("comment 41(b)-1 to Regulation X", "1026", "12")[0] == "comment:1024/41(b)-1"


@pytest.mark.parametrize(
    "text",
    [
        "`12 CFR 1024.5`",
        "```text\n12 CFR 1024.5\n```",
        "~~~\n12 CFR 1024.5\n",
        '[a](/x "12 CFR 1024.5")',
        "https://example.org/12-CFR-1024.5?q=12%20CFR%201024.5",
        "12\n\nCFR 1024.5",
        "12 CFR<br>1024.5",
        "Cal. Civ. Code §§ 2923.5 and 2924.12",
        "See § 5.2 of the contract.",
        "Section 8 of RESPA",
        "SG-IND-B1-1-01",
    ],
)
def test_what_only_looks_like_a_citation_is_none(text: str) -> None:
    assert keys(text) == []


def test_a_citation_has_its_place_in_the_markdown() -> None:
    text = "> **See** [12 CFR](https://x.example/a_(b)) [1024.17\\(c\\)](/y), _42 U.S.C. 3601_."
    found = find_citations(text)
    assert [each.key for each in found] == ["cfr:12/1024.17(c)", "usc:42/3601"]
    assert all(text[each.start : each.end] == each.text for each in found)
    assert found[1].text == "42 U.S.C. 3601"


def test_the_cells_of_a_table_are_not_glued() -> None:
    assert keys("[ML 2024-22](/22)2025 Home Equity") == ["ml:2024-22"]
    assert keys("Mortgagee Letter 2024-222025 Home Equity") == []


def test_guide_topics_need_the_name_of_the_guide_or_a_point() -> None:
    assert keys("See B1-1-01.") == ["? fnma:B1-1-01"]
    assert keys("See B1-1-01 of the Selling Guide.") == ["fnma:B1-1-01"]
    assert keys("See B3-3.2-01.") == ["fnma:B3-3.2-01"]


def test_the_limit_is_one_of_citations() -> None:
    text = "12 CFR 1024.2, 1024.5, 1024.7; 42 U.S.C. 3601"
    assert [each.key for each in find_citations(text, limit=2)] == keys(text)[:2]
    assert find_citations(text, limit=0) == []


def test_cross_references_are_in_words_and_occur_once() -> None:
    text = (
        "See § 1024.2 and Regulation Z, then 42 U.S.C. 3601, 12 C.F.R. § 1024.2, 12 CFR part 1026, "
        "Regulation D, 12 U.S.C. 2601 et seq., 78 FR 79730, Pub. L. 111-203, ML 2024-5, HB-1-3555, "
        "Handbook 4000.1 II.A.5, B3-3.2-01, comment 17(c)-1, 12 CFR 1026.19(e)-(f), "
        "12 CFR 1024.39 through 1024.41, and Supplement I to this part."
    )
    assert cross_references(text, part="1024", title="12") == [
        "12 C.F.R. § 1024.2",
        "Regulation Z",
        "42 U.S.C. § 3601",
        "12 C.F.R. Part 1026",
        "12 U.S.C. § 2601 et seq.",
        "78 Fed. Reg. 79730",
        "Pub. L. 111-203",
        "Mortgagee Letter 2024-05",
        "USDA HB-1-3555",
        "HUD Handbook 4000.1 II.A.5",
        "Fannie Mae Guide B3-3.2-01",
        "12 C.F.R. Part 1024, Supplement I, Comment 17(c)-1",
        "12 C.F.R. § 1026.19(e)–(f)",
        "12 C.F.R. §§ 1024.39–1024.41",
        "12 C.F.R. Part 1024, Supplement I",
    ]
