"""The same company with reports for its investors, and with an error page in place of one."""

from __future__ import annotations

from wikicrawler.demo.company import HTML, Company
from wikicrawler.demo.pdf import pdf_of

NAME = "Amber Hives"
_YEARS = (2022, 2023)
_HEAD = '<!doctype html><html lang="en"><head><title>{}</title></head><body><main>'
_HOME = (
    _HEAD.format(NAME) + "<h1>Amber Hives</h1><p>Amber Hives builds beehives out of larch, and"
    " sends them all over the country. It has done so since 1987, in a workshop at the lake.</p>"
    '<p><a href="/investors/">Investors</a></p></main></body></html>'
)
_INVESTORS = (
    _HEAD.format("Investors") + "<h1>Investors</h1><p>Here are the reports of Amber Hives to its"
    " investors, one for each year, and the figures of the first half of each.</p><ul>"
    + "".join(
        f'<li><a href="/files/annual-report-{year}.pdf">Annual Report {year} (PDF)</a></li>'
        f'<li><a href="/files/half-year-{year}.pdf">Half-year report {year} (PDF)</a></li>'
        for year in _YEARS
    )
    + "</ul></main></body></html>"
)
_ERROR = (
    _HEAD.format("Sign in") + "<h1>Sign in</h1><p>Please sign in to read this document.</p>"
    '<form method="post"><input name="user"><input name="password" type="password"></form>'
    "</main></body></html>"
)


class InvestorSite(Company):
    """Context manager: serves the site, and keeps the paths that were asked for."""

    def answer(self, path: str) -> tuple[str, bytes] | None:
        """Return the content type and the body at *path*; None if there is nothing."""
        match path:
            case "/":
                return HTML, _HOME.encode()
            case "/investors/":
                return HTML, _INVESTORS.encode()
            case "/members/annual-report-2023.pdf":
                return HTML, _ERROR.encode()
        for year in _YEARS:
            if path == f"/files/annual-report-{year}.pdf":
                return "application/pdf", _report(year)
        return super().answer(path) if path == "/robots.txt" else None


def _report(year: int) -> bytes:
    cover = [NAME, "Annual Report", f"Fiscal year {year}", f"January 1 to December 31, {year}"]
    letter = [
        "Letter to our shareholders",
        *(
            f"In month {number} of {year} we sold {900 + number} hives, {number} more than planned."
            for number in range(1, 13)
        ),
        "Management report",
        *(f"Workshop {number} built {150 + number} hives, and lids." for number in range(1, 20)),
    ]
    accounts = [
        f"Consolidated balance sheet as of December 31, {year}",
        *(
            f"Item {number}: {1_000 * number:,} EUR ({year}), {900 * number:,} EUR ({year - 1})"
            for number in range(1, 30)
        ),
    ]
    notes = [
        "Notes to the consolidated financial statements",
        *(f"Note {number}: hives are valued at what their wood costs." for number in range(1, 15)),
        "Independent auditor's report",
        f"We have audited the financial statements of {NAME} for the fiscal year {year}.",
    ]
    return pdf_of([cover, letter, accounts, notes])
