# ruff: noqa: E501 - tables of examples
"""Furniture is recognised by its words in any wording; one word of a text makes it text."""

from __future__ import annotations

import pytest

from wikicrawler.sources.changes import change_hash, compare, normalise

NOISE = """\
Did you find what you were looking for?
Were you able to find what you needed?
Was this helpful?
How useful was this page?
Please rate this page
Fanden Sie diese Seite hilfreich?
Did this article answer your question?
Did this answer your question? Yes (12) No (3)
Is there anything wrong with this page?
Report a problem with this page
Thank you for your feedback
Waren diese Informationen hilfreich? Ja Nein
Haben Sie gefunden, wonach Sie gesucht haben?
Avez-vous trouvé ce que vous cherchiez ?
¿Te ha resultado útil esta página?
Hai trovato quello che cercavi?
Encontrou o que procurava?
Was deze pagina nuttig? Ja Nee
Page loaded at 14:22:07 CET.
Seite geladen um 14:22:07 Uhr
Print Add to favorites
Listen Share Text size: A- A A+
Drucken Als Favorit speichern
Imprimer Ajouter aux favoris
Accept all Reject all Cookie settings
This website uses cookies.
Downloads in the last 30 days: 12,345
12,345 weekly downloads
GitHub stars: 512
Dependents: 1,204
Descargas semanales: 4.512
Article last reviewed 3 May 2024
Content last checked: 5 May 2024
Diese Seite wurde zuletzt vor 3 Tagen aktualisiert
Cette page a été mise à jour le 3 mai 2024
Página actualizada hace 3 días
Deze pagina is bijgewerkt op 3 mei 2024
Prices updated 3 minutes ago
You are here: Fees > Transfer tax
Sie sind hier: Startseite › Steuern
Open now
Live chat is currently offline
Estimated wait time: 12 minutes
Next update at 14:30
Your session expires in 14:32
Language: English Français
English | Français | Español
EN | FR | DE
12°C Partly cloudy
DAX 18,234.50 +0.41%
245 results (0.32 seconds)
Publicité
Subscribe to our newsletter""".splitlines()

TEXT = """\
What information do you need?
How do I find the information I need?
How do we find this information?
Can I get help with this service?
Did you find the form?
Submit comments on this section
The form was last updated 3 days ago
Prices updated on 3 May 2024
Article modifié le 3 mai 2024
Última modificación: 25 de mayo de 2023
Page 5 was revised on 3 May 2024
This policy was updated on 3 May 2024
Section updated 3 May 2024
Dependents: 2
Installs: 5
Downloads per day: 50
Dependent children: 41
Is it useful?
Is this form useful?
Number of visitors to the park: 41
Inspection visits: 41
Registration is now closed
Applications are now open
The library is now closed
The office is closed on 3 May 2024
Average wait time: 12 weeks
Session ends 14:30
The sitting ends at 14:30
You must log in within 5 minutes
Next update: 3 May 2024
English
Available languages: English, French
Temperature: 12 °C
CPI 3.2 +0.4%
CA | DE | FL
Save the page
Print and keep the form
You are here: Transfer tax
You are here: Forms > Form 1040-X
Yes
No""".splitlines()


@pytest.mark.parametrize("line", NOISE)
def test_furniture_is_left_out(line: str) -> None:
    assert normalise(f"# T\n\nText.\n\n{line}\n\n## End") == "# T\nText.\n## End"


@pytest.mark.parametrize("line", TEXT)
def test_text_with_words_of_furniture_stands(line: str) -> None:
    assert normalise(f"# T\n\nText.\n\n{line}\n\n## End") == f"# T\nText.\n{line}\n## End"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prices are delayed. Page loaded at 14:22:07 CET.", "Prices are delayed. Page loaded at 08:03:51 CET."),
        ("Fares are in pounds. Page updated 3 days ago.", "Fares are in pounds. Page updated 2 weeks ago."),
        ("Page loaded at 14:22. Prices are delayed.", "Page loaded at 15:10. Prices are delayed."),
        ("Was this page helpful?\n\n- Yes\n- No\n\nA", "A"),
        ("A\n\n## Was this page helpful?\n\nYes No", "A\n\n## Did this page help you?"),
        ("Weekly Downloads\n\n12,345\n\nA", "Weekly Downloads\n\n14,002\n\nA"),
    ],
)  # fmt: skip
def test_furniture_beside_text_is_left_out(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The fee is due. The page limit is 20.", "The fee is due. The page limit is 30."),
        ("Bids close. The hall opens at 14:30.", "Bids close. The hall opens at 15:30."),
        ("Do you own a car?\n\n- Yes\n- No", "Do you own a car?\n\n- Yes"),
        ("Weekly fee\n\n12,345", "Weekly fee\n\n14,002"),
        ("## Is this information useful?\n\nIt must be.", "## Is this page useful?\n\nIt must be."),
    ],
)  # fmt: skip
def test_text_like_it_counts(one: str, other: str) -> None:
    assert change_hash(one) != change_hash(other)


def test_a_line_that_moves_over_the_end_of_a_page_is_no_change() -> None:
    one = "[page 1]\nORDER NO. 7\nFees are $5.\nDeposits are $9.\nPage 1 of 2\n[page 2]\nOrder No. 7\nIt takes effect now.\nPage 2 of 2"
    other = "[page 1]\nORDER NO. 7\nFees are $5.\nPage 1 of 2\n[page 2]\nOrder No. 7\nDeposits are $9.\nIt takes effect now.\nPage 2 of 2"
    assert normalise(one) == normalise(other)
    assert change_hash(one) != change_hash(other.replace("$9", "$8"))


def test_an_item_of_a_feed_before_another_is_the_only_change() -> None:
    head = '<rss><channel><title>Recalls</title><link href="/rss" rel="self"/>'
    first, second = (
        f"<item><thumb/><title>{name}</title><guid>{name}</guid></item>"
        for name in ("Helmets", "Heaters")
    )
    change = compare(f"{head}{second}</channel></rss>", f"{head}{first}{second}</channel></rss>")
    assert change
    assert [(part.headings[-1], part.action) for part in change.sections] == [("Helmets", "added")]
