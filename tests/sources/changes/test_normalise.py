# ruff: noqa: E501 - tables of examples
from __future__ import annotations

from hashlib import sha256

import pytest

from wikicrawler.sources.changes import change_hash, content_hash, normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("News\n\nPosted 2 hours ago\n", "News\n\nPosted 3 days ago\n"),
        ("Rule | Updated 5 minutes ago | HUD", "Rule | Updated 2 hours ago | HUD"),
        ("# T\n\n**Last Updated:** May 5, 2024\n\nText", "# T\n\nText"),
        ("Page last reviewed\n\n05/01/2024\n\nText", "Page last reviewed\n\n06/01/2024\n\nText"),
        ("[a](https://a.gov/x?v=1)", "[a](https://a.gov/x?v=2)"),
        ("[a](/x;jsessionid=A1?id=5)", "[a](/x;jsessionid=B2?id=5)"),
        ("[a](/x?id=5&utm_source=b)", "[a](/x?id=5)"),
        ("## Fees [edit](/i.php?title=A_(b)&action=edit)\n\nText", "## Fees\n\nText"),
        ("## Fees [¶](/A_(b)#Fees)\n\nText", "## Fees\n\nText"),
        ("![a](/x.png?itok=a&h=b)", "![a](/x.png?itok=c&h=d)"),
        ("https://a.gov/x?csrf_token=1 text", "https://a.gov/x text"),
        ("a\u00a0b  c\u200b\td", "a b c d"),
        ("“It’s” due", '"It\'s" due'),
        ("some text\nthat is wrapped", "some\ntext that is wrapped"),
        ("1,234 views\n\nText", "1,299 views\n\nText"),
        ("Text (1,234 views)", "Text (1,299 views)"),
        ("snake\\_case and 5\\* and \\[x\\]", "snake_case and 5* and [x]"),
        ("_a_ and __b__", "*a* and **b**"),
        ("* a\n* b", "- a\n- b"),
        ("a\n\nShare | Print | Email", "a"),
        ("a\n\nPlease take our short survey.", "a"),
        ("We use cookies to improve your visit. Accept all.\n\na", "a"),
        ("Up to date as of 5/01/2024 it is.", "Up to date as of 5/02/2024 it is."),
        ("Title\n===\n\ntext", "# Title #\n\ntext"),
        ("<!-- built 5 -->\ntext", "<!-- built 6 -->\ntext"),
        ("1 – 5 and −3", "1 - 5 and -3"),
        ("Text\n\nCopyright © 2023 HUD", "Text\n\nCopyright © 2024 HUD"),
        ("Viewed 5 times. Was this page helpful?", "Viewed 6 times. Was this page helpful?"),
        ("a\n\nNext: [Rates](/rates)", "a\n\nNext: [Fees](/fees)"),
        ("Stand: 3. Januar 2024\n\nText", "Stand: 12. Februar 2024\n\nText"),
        ("Dernière mise à jour le 2 mars 2024\n\na", "Dernière mise à jour le 1er avril 2024\n\na"),
        ("Última actualización: 2 de marzo de 2024\n\na", "a"),
        ("发布时间：2024-05-18 浏览次数：3126", "发布时间：2024-05-18 浏览次数：4508"),
        ("vor 3 Stunden\n\nText", "vor 2 Tagen\n\nText"),
        ("Related recalls\n\n- [Cribs](/cribs)", "Related recalls\n\n- [Chairs](/chairs)"),
        ("a: {b: 1, c: x}\nd: 2\n", "# new\nd: 2\na:\n  c: 'x'\n  b: 1\n"),
    ],
)
def test_noise_does_not_change_the_hash(one: str, other: str) -> None:
    assert change_hash(one) == change_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The limit is $766,550.", "The limit is $766,505."),
        ("It was updated 2 years ago and is in force.", "It was updated 3 years ago and is in force."),
        ("The loan closed 2 years ago.", "The loan closed 3 years ago."),
        ("The form was last updated May 5, 2024 and must be used.", "The form was last updated May 6, 2024 and must be used."),
        ("The form was\nlast updated May 5, 2024\nby HUD.", "The form was\nlast updated May 6, 2024\nby HUD."),
        ("| B3-3 | Last updated 05/01/2024 |", "| B3-3 | Last updated 06/01/2024 |"),
        ("# A (06/05/2024)", "# A (08/07/2024)"),
        ("(b) [Reserved]", "(b) A loan."),
        ("Docket No. 2024-0001", "Docket No. 2024-0010"),
        ("[ML](/ml-2024-05.pdf)", "[ML](/ml-2024-06.pdf)"),
        ("[video](https://www.youtube.com/watch?v=a)", "[video](https://www.youtube.com/watch?v=b)"),
        ("We use cookies to sell data.", "We do not use cookies to sell data."),
        ("Related articles\n\n- [ML 2024-05](/a)", "Related articles\n\n- [ML 2024-06](/a)"),
        ("[Learn more](https://a.gov/x)", "[Learn more](https://a.gov/y)"),
        ("### Is it required?\n\nYes.", "### Is it required?\n\nNo."),
        ("A.\n\nB.", "B.\n\nA."),
        ("| a | 5 | |", "| a | | 5 |"),
        ("> 80% LTV", "80% LTV"),
        ("a: 1\nb:\n  c: 1\n", "a: 1\nb:\nc: 1\n"),
        ('{"a": 5.0}', '{"a": 5.00}'),
        ("a: 010\nb: 1\n", "a: '010'\nb: 1\n"),
        ("a: yes\nb: 1\n", "a: 'yes'\nb: 1\n"),
        ("a: &x 1\nb: *x\n", "a: &x 1\nb: 1\n"),
        ("a:\n- 1\n- 2\n", "a:\n- 2\n- 1\n"),
        ("Copyright © 2023 HUD", "Copyright © 2023 VA"),
        ("Next: [Submit Form 92900-A](/a)", "Next: [Submit Form 92900-B](/a)"),
        ("年访问量5000万", "年访问量6000万"),
        ("Rating: 4 of 5 stars", "Rating: 3 of 5 stars"),
        ("- Anzeige\n- Genehmigung", "- Genehmigung"),
        ("Next: the fee is due.", "Next: the fee is not due."),
        ("Vor 3 Jahren trat es in Kraft.", "Vor 4 Jahren trat es in Kraft."),
        ("Die Frist: Stand 3. Januar 2024 gilt.", "Die Frist: Stand 4. Januar 2024 gilt."),
        ("Última modificación: 25 de mayo de 2023", "Última modificación: 26 de mayo de 2023"),
        ("[a](/x–y)", "[a](/x-y)"),
        ("| Fuel oil | −0.8 |", "| Fuel oil | 0.8 |"),
        ("<a><num>5</num></a>", "<a><num>6</num></a>"),
        ("<r><title/>5</r>", "<r><title/>6</r>"),
        ("[cf](/cdn-cgi/l/email-protection#4a2b0a22642d253c)", "[cf](/cdn-cgi/l/email-protection#4a280a22642d253c)"),
    ],
)  # fmt: skip
def test_substance_changes_the_hash(one: str, other: str) -> None:
    assert change_hash(one) != change_hash(other)


def test_an_email_address_that_cloudflare_hides_is_decoded() -> None:
    def hidden(address: str, key: int) -> str:
        digits = bytes([key, *(byte ^ key for byte in address.encode())]).hex()
        return f"Ask [[email protected]](/cdn-cgi/l/email-protection#{digits})."

    assert normalise(hidden("a@hud.gov", 1)) == "Ask [a@hud.gov](mailto:a@hud.gov)."
    assert normalise(hidden("a@hud.gov", 1)) == normalise(hidden("a@hud.gov", 200))
    assert normalise(hidden("a@hud.gov", 1)) != normalise(hidden("b@hud.gov", 1))


def test_a_line_with_substance_loses_the_noise_alone() -> None:
    text = "Limits rise to $806,500 · Posted 2 hours ago · 1,204 views"
    assert normalise(text) == "Limits rise to $806,500"


def test_code_is_kept_as_it_is() -> None:
    assert normalise("```\n# x_y *a*\n  b?v=1\n```") == "# x_y *a*\n  b?v=1"


def test_keys_of_json_have_no_order() -> None:
    assert change_hash('{"a": 1, "b": [2, 1]}') == change_hash('{ "b": [2,1],\n"a": 1 }')
    assert change_hash('{"b": [2, 1]}') != change_hash('{"b": [1, 2]}')


def test_text_that_begins_like_json_or_xml_is_markdown() -> None:
    assert normalise("[Reserved] *text*") == "[Reserved] *text*"
    assert normalise("{braces} __text__") == "{braces} **text**"
    assert normalise("< 5% of __loans__") == "< 5% of **loans**"


def test_the_content_hash_is_of_the_body_as_written() -> None:
    assert content_hash("ä\n") == "sha256:" + sha256("ä\n".encode()).hexdigest()
    assert content_hash("a") != content_hash("a\n")


def test_lone_surrogates_are_hashed() -> None:
    assert content_hash("\ud800") == "sha256:" + sha256(b"\xed\xa0\x80").hexdigest()
    assert content_hash("\ud800") != content_hash("\ud801")
    assert change_hash("a \ud800") != change_hash("a \ud801")
