"""Asides of a site at the edges of a document are noise; facts in like words are not."""

# ruff: noqa: E501 - tables of examples

from __future__ import annotations

import pytest

from wikicrawler.sources.changes import change_hash

TEXT = "The rule applies to all loans that a lender makes on a home in the state and sells later."

ASIDES = [
    ("Today is Thursday, February 6, 2025. Good morning!", "Today is Sunday, March 16, 2025. Good evening!"),
    ("Heute ist Dienstag, der 4. März 2025. Guten Morgen!", "Heute ist Samstag, der 8. März 2025. Guten Abend!"),
    ("It is now 10:42 a.m. in Washington, DC. The next auction closes in 1 h 18 min.", "It is now 2:05 p.m. in Washington, DC. The next auction closes in 22 h 55 min."),
    ("Nächster freier Termin: Mittwoch, 9:40 Uhr, Bürgeramt Nord", "Nächster freier Termin: Freitag, 14:20 Uhr, Bürgeramt Süd"),
    ("Turno actual en la oficina: A-044", "Turno actual en la oficina: C-109"),
    ("Counter at 200 State Street: now serving ticket B118", "Counter at 200 State Street: now serving ticket C007"),
    ("Hoy hemos atendido 312 consultas. Consejo: guarde siempre el tique.", "Hoy hemos atendido 58 consultas. Consejo: compare antes de comprar."),
    ("14 people are editing the documentation this week", "9 people are editing the documentation this week"),
    ("Windows open: 1, 2 and 5. Number called last: 214.", "Windows open: 3 and 4. Number called last: 37."),
    ("Gli uffici aperti in questo momento: 14 su 38.", "Gli uffici aperti in questo momento: 0 su 38."),
    ("Our phone lines are busier than normal. Expected wait: 14 minutes.", "Our phone lines are busier than normal. Expected wait: 3 minutes."),
    ("Storm watch: 2 systems in the Atlantic as of 11 a.m.; nearest 840 miles from shore.", "Storm watch: 1 system in the Atlantic as of 5 p.m.; nearest 1,210 miles from shore."),
    ("Heute in Musterstadt: 14 °C, leichter Regen", "Heute in Musterstadt: 21 °C, heiter"),
    ("Euro/dollar 1,0421 ▲ 0,2 % à 15 h 12", "Euro/dollar 1,0388 ▼ 0,3 % à 9 h 41"),
    ("Wussten Sie schon? Im Stadtarchiv lagern 4 km Akten.", "Wussten Sie schon? Der Marktbrunnen ist von 1612."),
    ('Unser Podcast, neueste Folge: "Balkonkraftwerk richtig anmelden"', 'Unser Podcast, neueste Folge: "Wärmepumpe im Altbau"'),
    ('Today\'s training: "Reading a Title Commitment", 2 p.m. ET, 31 seats open', 'Today\'s training: "Gift Funds in Practice", 11 a.m. ET, 9 seats open'),
    ("Poll of the week: Do you check your credit report? Yes 71%, no 29%", "Poll of the week: Do you use a budget? Yes 44%, no 56%"),
    ("Tip 17 of 52: Keep a copy of your return.", "Tip 18 of 52: Choose direct deposit."),
    ("Partner offer: 10 cents off each gallon at FuelStop.", "Partner offer: two tickets for one at the aquarium."),
    ("Most asked today: discount points, mortgage insurance", "Most asked today: credit freeze, balloon payment"),
    ('"They fixed my card in ten minutes." Keisha W., Tulsa', '"Opening an account was easy." Marco P., Reno'),
    ("Select another area: Ashby, Benton, Clay, Dover", "Select another area: Elgin, Franklin, Grant, Harris"),
    ("Your address on the network is 203.0.113.77.", "Your address on the network is 198.51.100.9."),
    ("Congratulations, you are our 100,482nd visitor this month!", "Congratulations, you are our 103,911th visitor this month!"),
    ("Export ID HB-20240614-093355-0071", "Export ID HB-20240702-161208-0345"),
    ("Query 88123-A4 was answered by node 6. You may query 499 more areas today.", "Query 90551-C1 was answered by node 2. You may query 437 more areas today."),
    ("Plotted 10/03/2024 07:14:33 by LMARSH on PLN-HP02", "Plotted 10/11/2024 15:40:02 by TOKADA on PLN-HP05"),
    ("Site software: PortalWorks 8.3.1", "Site software: PortalWorks 8.4.0"),
    ("Add a comment (the sum of five + two is required)", "Add a comment (the sum of nine + one is required)"),
    ("[« Previous: Commencement](https://a.example/2) | [Next: Defects »](https://a.example/4)", "[« Previous: The commencement](https://a.example/2) | [Next: Defects »](https://a.example/4)"),
]  # fmt: skip

FACTS = [
    ("As of July 1 the fee is $45", "As of July 1 the fee is $50"),
    ("Today the Bureau extended the deadline to May 3", "Today the Bureau extended the deadline to May 10"),
    ("The office is closed today, 3 May", "The office is closed today, 10 May"),
    ("We are open Monday to Friday, 9 a.m. to 5 p.m.", "We are open Monday to Friday, 9 a.m. to 4 p.m."),
    ("Open until 5 p.m.", "Open until 4 p.m."),
    ("Next hearing: June 3, 2025, 10:30 a.m.", "Next hearing: June 5, 2025, 10:30 a.m."),
    ("Next meeting: June 3, 10:30", "Next meeting: June 5, 10:30"),
    ("Next seminar: 12 June", "Next seminar: 14 June"),
    ("Latest edition: 05/2024", "Latest edition: 06/2024"),
    ("Latest survey: 2023", "Latest survey: 2024"),
    ("Current version: 3.2", "Current version: 3.3"),
    ("Current number: 12", "Current number: 13"),
    ("Current rate: 6.85", "Current rate: 6.90"),
    ("Prime rate today: 8.50", "Prime rate today: 8.25"),
    ("30-year fixed 6.85 ▲ 0.12 as of 11 a.m.", "30-year fixed 6.95 ▲ 0.12 as of 11 a.m."),
    ("Börsenpreis in dieser Stunde: 8,41 ct/kWh", "Börsenpreis in dieser Stunde: 11,07 ct/kWh"),
    ("Call: 1-877-555-0198", "Call: 1-877-555-0199"),
    ("Request No. 2024-1180", "Request No. 2024-1181"),
    ("Batch 20240315-7", "Batch 20240315-8"),
    ("Docket ID HUD-2024-0012", "Docket ID HUD-2024-0013"),
    ("Requête n° 12345/02", "Requête n° 12346/02"),
    ("Consulta nº V1234-24", "Consulta nº V1235-24"),
    ("Recorded 10/03/2024 07:14:33 by Clerk Marsh", "Recorded 10/03/2024 08:14:33 by Clerk Marsh"),
    ("You have 30 days left to appeal", "You have 20 days left to appeal"),
    ("You may request 2 more copies", "You may request 3 more copies"),
    ("12 people died this week", "13 people died this week"),
    ("This week 312 cases were confirmed", "This week 402 cases were confirmed"),
    ("Traffic fines now start at 45 euros", "Traffic fines now start at 50 euros"),
    ("The answer is five plus two days", "The answer is six plus two days"),
    ("First question: Who pays?", "First question: Who signs?"),
    ("First appointment: 30 minutes", "First appointment: 45 minutes"),
    ("Also read: Form 1040, Part II", "Also read: Form 1041, Part II"),
    ("Select another plan: A, B or C", "Select another plan: A, B, C or D"),
    ("Popular: 3 bedrooms", "Popular: 4 bedrooms"),
    ("Server version 8.3 or later", "Server version 8.4 or later"),
    ("Test ends in 2 h 30 min", "Test ends in 3 h 30 min"),
    ("The effective date is 3 May 2024", "The effective date is 4 May 2024"),
    ("Heute ist der 3. Mai 2024 der Stichtag", "Heute ist der 4. Mai 2024 der Stichtag"),
    ("Il est interdit depuis le 3 mai 2024", "Il est interdit depuis le 4 mai 2024"),
    ("Umfrage: 45 % Zustimmung", "Umfrage: 55 % Zustimmung"),
    ("Encuesta de Población Activa: 11,4 %", "Encuesta de Población Activa: 11,9 %"),
    ("Did you know the limit is $500?", "Did you know the limit is $600?"),
    ("Tip: keep the receipt 3 years", "Tip: keep the receipt 5 years"),
    ("Configure your network with 203.0.113.7", "Configure your network with 203.0.113.8"),
    ("Your DNS server address is 203.0.113.7", "Your DNS server address is 203.0.113.8"),
    ("Store at 14 °C", "Store at 15 °C"),
]  # fmt: skip


def _above(line: str, title: str = "Loan guide") -> str:
    return f"# {title}\n\n{line}\n\n{TEXT}\n\n## Scope\n\n{TEXT}\n"


def _below(line: str) -> str:
    return f"# Loan guide\n\n{TEXT}\n\n## Scope\n\n{TEXT}\n\n{line}\n"


@pytest.mark.parametrize(("old", "new"), ASIDES)
def test_asides_at_the_edges_are_noise(old: str, new: str) -> None:
    assert change_hash(_above(old)) == change_hash(_above(new))
    assert change_hash(_below(old)) == change_hash(_below(new))


@pytest.mark.parametrize(("old", "new"), FACTS)
def test_facts_in_like_words_stand(old: str, new: str) -> None:
    assert change_hash(_above(old)) != change_hash(_above(new))
    assert change_hash(_below(old)) != change_hash(_below(new))


@pytest.mark.parametrize(
    ("title", "old", "new"),
    [
        ("Storm systems in the Atlantic", "Storm watch: 2 systems as of 11 a.m.", "Storm watch: 3 systems as of 5 p.m."),
        ("Exchange rates", "Euro/dollar 1,0421 ▲ 0,2 %", "Euro/dollar 1,0388 ▼ 0,3 %"),
        ("Podcasts", "Latest podcast: On liens", "Latest podcast: On deeds"),
    ],
)  # fmt: skip
def test_what_the_title_names_is_no_aside(title: str, old: str, new: str) -> None:
    assert change_hash(_above(old, title)) != change_hash(_above(new, title))


def test_an_aside_within_the_text_stands() -> None:
    old = f"# Guide\n\n{TEXT}\n\nExport ID HB-20240614-0071\n\n## Scope\n\n{TEXT}\n"
    assert change_hash(old) != change_hash(old.replace("0071", "0345"))


def test_titles_below_more_news_at_the_end_are_no_text() -> None:
    old = _below("## More news\n\nScam alert: callers posing as the Attorney General")
    new = _below("## More news\n\nScam alert: fake parking tickets by text message")
    assert change_hash(old) == change_hash(new)
    for stands in ("Fee for appeals: $45", "The form must be filed by mail", "A rule ends here."):
        assert change_hash(_below(f"## More news\n\n{stands}")) != change_hash(old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"id": 1, "popularity": 74}', '{"id": 1, "popularity": 75}'),
        ('{"id": 1, "served_by": "edge-17"}', '{"id": 1, "served_by": "edge-03"}'),
        ('{"id": 1, "tracking_summary": {"total": 48211, "recent": 377}}', '{"id": 1, "tracking_summary": {"total": 48702, "recent": 402}}'),
        ('{"id": 1, "realtime_start": "2025-03-06"}', '{"id": 1, "realtime_start": "2025-03-07"}'),
    ],
)  # fmt: skip
def test_fields_about_the_use_or_the_request_are_noise(old: str, new: str) -> None:
    assert change_hash(old) == change_hash(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"park": "X", "visitors": 3120}', '{"park": "X", "visitors": 3121}'),
        ('{"tracking_summary": {"carrier": "A"}}', '{"tracking_summary": {"carrier": "B"}}'),
        ('{"rows": [{"realtime_start": "2025-03-06"}]}', '{"rows": [{"realtime_start": "2025-03-07"}]}'),
        ('{"quota_remaining": 400}', '{"quota_remaining": 300}'),
    ],
)  # fmt: skip
def test_fields_with_data_stand(old: str, new: str) -> None:
    assert change_hash(old) != change_hash(new)
