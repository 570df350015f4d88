# ruff: noqa: E501 - tables of examples
"""A line is about the visit if several signs agree; with the sign of a fact it is text."""

from __future__ import annotations

import pytest

from wikicrawler.sources.changes import change_hash, compare, normalise

TEXT = "The lender gives the borrower a written statement within thirty days."
ABOVE = "# Escrow\n\n{}\n\n" + TEXT + "\n\n## Terms\n\n" + TEXT
BELOW = "# Escrow\n\n" + TEXT + "\n\n## Terms\n\n" + TEXT + "\n\n{}"
WITHIN = "# Escrow\n\n" + TEXT + "\n\n{}\n\n" + TEXT + "\n\n## Terms\n\n" + TEXT

VISITS = """\
Retrieved from the database on 01/12/2025 at 6:03 AM
Data as displayed on 1/22/2025 3:17 PM
Texto consultado el 22/01/2025 a las 08:14:33
Document extrait le 03/02/2025 à 10:44:12
Documento estratto il 03/02/2025 alle 10:44:12
Geraadpleegd op 3 februari 2025
Datenabruf: 03.02.2025 10:44:12
Seite erstellt am 03.02.2025 um 10:44:12
Page rendered 2025-02-03 04:11:09 UTC in 212 ms
Fecha y hora del servidor: 21/01/2025 09:15:40
01/21/2025 10:44:51
Today's date: Monday, 3 February 2025
Query took 0.32 seconds
48,213 visits since 2019
Views of this section today: 214
Visitas a esta página: 1.204.118
Nombre de consultations ce mois-ci : 18 440
37 agents are online now.
Aktuell 17 Nutzer online
Usuarios conectados: 312
Chat: 3 agents available
Wait time at the counter now: 14 minutes
Aktuelle Wartezeit im Bürgeramt: 22 Minuten
Temps d'attente actuel au guichet : 12 min
★ 4.8 on AppBazaar (2,114 reviews)
Rate this page: ★★★★☆ 4.2 (187 ratings)
Valore esta página: 1 2 3 4 5
How do you rate your experience on this page? [Good]() [Bad]()
Trace ID 9f8e7d6c5b4a3210
Powered by Drupal 10.2.1
Page Last Reviewed or Updated: 14-Jan-2025
Merkzettel (2)
Current temperature: 41 °F
1-10 of 245 results
Copy page
[Next: Webhooks](https://a.example/webhooks)
[Anterior: Arquitetura](https://a.example/arquitetura)
[← Overview](https://a.example/overview)
[Datenschutz](https://a.example/d) · [Barrierefreiheitserklärung](https://a.example/b)
We use cookies to improve your experience. Accept Decline
Sign up for our newsletter and never miss an update
Tip of the day: check the date on your letter.""".splitlines()

FACTS = """\
Comments due by 5:00 p.m. on March 3, 2025
Phone: 202-555-0174
Docket No. 2841
Version 3.2
Printed 03/2024
Visitors: 4 at a time
Number of visits covered: 12
Visits to this site require 24 hours notice
Waiting period: 30 days
Waiting time between doses: 30 minutes
Wartezeit zwischen zwei Impfungen: 30 Minuten
Wait 15 minutes, then rinse.
Reading time for the exam: 15 minutes
Filed 01/21/2025 10:44:51
Received: 2025-01-21 10:44:51
Earthquake at 10:44:51 UTC
Closing date: April 15, 2025, 11:59:59 p.m. Eastern Time
Energy rating: 4.2 (187 kWh)
Approved 7 (12 votes)
5 users included, online support
Members connected to the network: 312
Store at 25 °C in a clear container
CPI 3.2 +0.4%
Transaction ID: 7f3a91bc44d0
Commit 4f2a9c1 fixes the leak
Software version: 2.1
Powered by a 12 V battery
Electricity generated: 1,204 MWh
Displayed from 3 May 2024 to 17 May 2024
Consultation publique le 3 mars 2025 à 18h00
Fecha y hora de la vista: 3 de mayo de 2025, 10:00
Hora oficial de cierre: 14:00
Node 14
Build 1934
Save the page
Copy of the text
Is this form useful?
Does this site help refugees?
Offices are closed on Christmas Day every year
Online filing is unavailable to corporations
The agency uses cookies as evidence
We do not use cookies to sell data.
Register now for the hearing
The 2025 limits are now available. [See the limits](https://a.example/l)
[Next steps](https://a.example/steps)
[Previous decision](https://a.example/v1)
[Download the text](https://a.example/terms.pdf)
[Forms](https://a.example/c) · [Fees](https://a.example/f)""".splitlines()


@pytest.mark.parametrize("page", [ABOVE, BELOW])
@pytest.mark.parametrize("line", VISITS)
def test_lines_about_the_visit_are_noise_at_the_edges_of_a_document(page: str, line: str) -> None:
    assert normalise(page.format(line)) == normalise(page.format(""))


@pytest.mark.parametrize("page", [ABOVE, BELOW, WITHIN])
@pytest.mark.parametrize("line", FACTS)
def test_a_line_with_the_sign_of_a_fact_stands(page: str, line: str) -> None:
    assert line in normalise(page.format(line)).replace("\n", " ")


@pytest.mark.parametrize(
    "line",
    [
        "The website will be down for maintenance on Saturday from 10 p.m. to 2 a.m.",
        "Wartungsarbeiten: Das Portal ist am Sonntag nicht erreichbar.",
        "Notice: Our offices will be closed on Monday, January 20, for Martin Luther King Jr. Day.",
        "Webinar on Thursday: close the year faster. [Save your seat](https://a.example/w)",
    ],
)
def test_a_banner_is_noise_above_the_text_and_a_part_of_it_below(line: str) -> None:
    assert normalise(ABOVE.format(line)) == normalise(ABOVE.format(""))
    assert normalise(WITHIN.format(line)) != normalise(WITHIN.format(""))


def test_a_banner_with_another_sentence_stands() -> None:
    line = "The site will be down on Saturday. The registry takes forms on paper then."
    assert line in normalise(ABOVE.format(line))


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Newsletter", "Subscribe to the newsletter and receive new rules by mail."),
        ("Hospital waiting times", "Wait time at the counter now: 34 minutes"),
        ("Visitor statistics", "48,213 visits since 2019"),
        ("Maintenance of the site", "The site will be down for maintenance on Saturday."),
    ],
)
def test_what_a_page_is_about_is_no_notice(title: str, line: str) -> None:
    assert line in normalise(f"# {title}\n\n{line}\n\n{TEXT}")
    assert line not in normalise(f"# Escrow\n\n{line}\n\n{TEXT}")


def test_signs_count_for_less_within_the_text() -> None:
    line = "48,213 visits since 2019"
    assert line in normalise(WITHIN.format(line))


def test_beside_noise_a_machine_and_a_tool_are_noise() -> None:
    foot = "Privacy · Terms of use · Build {}"
    assert change_hash(BELOW.format(foot.format("25.1.0.4"))) == change_hash(
        BELOW.format(foot.format("25.2.0.1"))
    )
    top = "You are logged in as guest · Server {} · 01/21/2025 10:44:51"
    assert change_hash(ABOVE.format(top.format(1))) == change_hash(ABOVE.format(top.format(3)))
    tools = "Seite drucken | Seite empfehlen | Notizen ({})"
    assert change_hash(ABOVE.format(tools.format(0))) == change_hash(ABOVE.format(tools.format(2)))


def test_sentences_about_the_visit_are_removed_from_the_ends_of_a_short_paragraph() -> None:
    lines = normalise(BELOW.format("The Guide has answers. 37 agents are online now.")).split("\n")
    assert lines[-1] == "The Guide has answers."


def test_a_list_of_links_below_a_label_of_related_pages_is_noise_in_any_wording() -> None:
    page = (
        "# A\n\nText.\n\n## {}\n\n- [Moving](https://a.example/m)\n- [Roofs](https://a.example/{})"
    )
    for label in (
        "Pages others also read",
        "Andere Leser lasen auch",
        "Anche altri hanno letto",
    ):
        assert change_hash(page.format(label, 1)) == change_hash(page.format(label, 2))
    for label in ("See also", "Voir aussi", "Siehe auch", "Sources", "Related forms"):
        assert change_hash(page.format(label, 1)) != change_hash(page.format(label, 2))


def test_a_field_is_noise_if_its_name_and_its_value_say_when_it_was_made() -> None:
    body = '{{"jeu": "zones", "{}": "{}"}}'
    old, new = "2025-01-19T04:00:02+01:00", "2025-01-20T04:00:03+01:00"
    for name in ("horodatage", "data_esportato", "abgerufenAm"):
        assert change_hash(body.format(name, old)) == change_hash(body.format(name, new))
    for name in ("entree_en_vigueur", "published_at", "closing"):
        assert change_hash(body.format(name, old)) != change_hash(body.format(name, new))
    assert change_hash(body.format("requete", "A-12")) != change_hash(
        body.format("requete", "A-13")
    )


def test_the_time_of_a_feed_is_noise_and_that_of_an_entry_is_not() -> None:
    feed = (
        "<rss><channel><title>T</title><pubDate>Mon, 20 Jan 2025 07:00:{:02} +0100</pubDate>"
        "<item><title>A</title><pubDate>Mon, 20 Jan 2025 07:00:{:02} +0100</pubDate></item></channel></rss>"
    )
    assert change_hash(feed.format(1, 1)) == change_hash(feed.format(2, 1))
    change = compare(feed.format(1, 1), feed.format(1, 2))
    assert change is not None
    assert [part.headings for part in change.sections] == [("T", "A")]


def test_an_element_that_is_dropped_leaves_the_levels_of_headings() -> None:
    feed = "<rss><channel><title>T</title>{}<item><title>A</title></item></channel></rss>"
    built = "<lastBuildDate>Mon, 20 Jan 2025 07:00:11 GMT</lastBuildDate>"
    assert change_hash(feed.format("")) == change_hash(feed.format(built))


def test_a_parameter_that_names_a_session_in_any_language_is_noise_if_it_is_random() -> None:
    page = "See the [text](https://a.example/doc?{})."
    for name in ("sesion", "id_sesion", "sitzungsKennung", "jeton_csrf"):
        assert change_hash(page.format(f"{name}=c0ffee19d2b7a455")) == change_hash(
            page.format(f"{name}=41b0d7e2fa9c3386")
        )
        assert change_hash(page.format(f"{name}=12")) != change_hash(page.format(f"{name}=13"))
    assert change_hash(page.format("doc=c0ffee19d2b7a455")) != change_hash(
        page.format("doc=41b0d7e2fa9c3386")
    )
