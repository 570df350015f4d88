# ruff: noqa: E501 - texts stand as the documents have them
"""Documents that must not count: each looks like the one that was offered."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from datetime import date
from io import BytesIO

from tests.pdfs import pdf_of
from tests.reports.documents.genuine import (
    APPLE,
    APPLE_10K,
    APPLE_ENDS,
    CALENDAR,
    company_facts,
    ten_k,
)
from tests.reports.documents.making import (
    Case,
    cover,
    html,
    inline_facts,
    paragraphs,
    pdf,
    scanned_pdf,
    sec_source,
    source,
)
from tests.reports.documents.texts import prose, report
from wikicrawler.reports.errors import Outcome
from wikicrawler.reports.models import HTML, JSON, PDF, CompanyRef

SIEMENS = CompanyRef(name="Siemens AG")
SHELL = CompanyRef(name="Shell plc")
SIEMENS_PDF = pdf("Siemens AG\nAnnual Report 2023\n", report("Siemens", 2023, times=4))

TYPE, CUT, SMALL = Outcome.WRONG_TYPE, Outcome.TRUNCATED, Outcome.TOO_SMALL
ERROR, UNREADABLE = Outcome.ERROR_PAGE, Outcome.UNREADABLE
COMPANY, YEAR, KIND = Outcome.WRONG_COMPANY, Outcome.WRONG_YEAR, Outcome.WRONG_KIND


def impostors() -> list[Case]:
    """At least 40 documents that must be refused."""
    return [*_bytes(), *_errors(), *_years(), *_names(), *_kinds()]


def _zip(body: bytes, times: int = 1) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(times):
            archive.writestr(f"report-{number}.pdf", body)
    return out.getvalue()


def _bomb_pdf() -> bytes:
    """A PDF whose page is 14 MB of text operators, compressed to less than one."""
    stream = zlib.compress(b"BT /F1 12 Tf 72 720 Td (Siemens AG 2023) Tj ET\n" * 300_000, 6)
    small = pdf_of("Siemens AG Annual Report 2023")
    start = small.index(b"<< /Length")
    end = small.index(b"endobj", start)
    body = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(stream)
    return small[:start] + body + stream + b"\nendstream\n" + small[end:]


def _siemens(name: str, data: bytes, outcome: Outcome, content_type: str = PDF) -> Case:
    return Case(name, data, SIEMENS, 2023, source(content_type), (outcome,))


def _apple(name: str, data: bytes, *outcomes: Outcome, **fields: object) -> Case:
    given = {"fiscal_year": 2023, "period_end": date(2023, 9, 30)} | fields
    return Case(name, data, APPLE, 2023, sec_source(**given), outcomes)


def _bytes() -> list[Case]:
    web = html(paragraphs("Siemens AG\nAnnual Report 2023\n" + report("Siemens", 2023)))
    facts = company_facts(320193, "Apple Inc.", "0000320193-23-000106", 2023)
    return [
        _siemens("empty file", b"", SMALL),
        _siemens("html called pdf", web, TYPE),
        _siemens(
            "html with a pdf header in a comment",
            web.replace(b"<html", b"<!-- %PDF-1.4 --><html", 1),
            TYPE,
        ),
        _siemens("pdf called html", SIEMENS_PDF, TYPE, HTML),
        _siemens("pdf called json", SIEMENS_PDF, TYPE, JSON),
        _siemens("json called html", facts * 3, TYPE, HTML),
        _siemens("json called pdf", facts, TYPE),
        _siemens("html called json", web, TYPE, JSON),
        _siemens("zip called pdf", _zip(SIEMENS_PDF), TYPE),
        _siemens("zip bomb called pdf", _zip(bytes(40_000_000), 4), TYPE),
        _siemens("zip bomb called html", _zip(bytes(40_000_000), 2), TYPE, HTML),
        _siemens("gzip bomb called pdf", gzip.compress(bytes(60_000_000)), TYPE),
        _siemens("gzip of the document", gzip.compress(web), TYPE, HTML),
        _siemens(
            "zip with a pdf header behind its own",
            _zip(SIEMENS_PDF)[:30] + b"%PDF-1.7\n" + SIEMENS_PDF,
            TYPE,
        ),
        _siemens("pdf whose page is a bomb", _bomb_pdf(), UNREADABLE),
        _siemens("pdf cut in the middle", SIEMENS_PDF[: len(SIEMENS_PDF) // 2], CUT),
        _siemens("pdf cut at its table", SIEMENS_PDF[: SIEMENS_PDF.rindex(b"xref") - 30], CUT),
        _siemens(
            "pdf with its middle overwritten by zeros",
            SIEMENS_PDF[:600] + bytes(len(SIEMENS_PDF) - 1200) + SIEMENS_PDF[-600:],
            UNREADABLE,
        ),
        _siemens("html cut in the middle", web[: len(web) // 2], CUT, HTML),
        _apple("10-K cut after its cover", APPLE_10K[:9_000], CUT),
        _siemens("zeros", bytes(200_000), TYPE),
        _siemens(
            "word document called pdf", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(50_000), TYPE
        ),
        _siemens("picture called html", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 200, TYPE, HTML),
        _siemens("pdf without pages of text", pdf(*["" for _ in range(60)]), UNREADABLE),
        _siemens("scanned pdf", scanned_pdf(3), UNREADABLE),
        _siemens(
            "encrypted pdf",
            pdf(
                "Siemens AG\nAnnual Report 2023",
                report("Siemens", 2023),
                password="secret",  # noqa: S106
                owner="owner",
            ),
            UNREADABLE,
        ),
        _siemens(
            "scanned pdf with a text cover",
            pdf("Siemens AG\nAnnual Report 2023\n", *["" for _ in range(90)]),
            SMALL,
        ),
        _siemens("json that is cut", facts[:-40], CUT, JSON),
        Case(
            "company facts of another company",
            company_facts(42, "Demo Inc.", "0000320193-23-000106", 2023),
            APPLE,
            2023,
            sec_source(JSON, accession="0000320193-23-000106"),
            (COMPANY,),
        ),
        Case(
            "company facts without the filing",
            company_facts(320193, "Apple Inc.", "0000320193-22-000108", 2022),
            APPLE,
            2023,
            sec_source(JSON, accession="0000320193-23-000106"),
            (YEAR,),
        ),
        Case(
            "company facts without the year",
            company_facts(320193, "Apple Inc.", "0000320193-22-000108", 2022),
            APPLE,
            2023,
            sec_source(JSON, accession=None),
            (YEAR,),
        ),
        Case(
            "another json of the company",
            b'{"cik": "320193", "name": "Apple Inc.", "filings": {"recent": {"accessionNumber": ["0000320193-23-000106"]}}}',
            APPLE,
            2023,
            sec_source(JSON, accession="0000320193-23-000106"),
            (KIND,),
        ),
    ]


def _errors() -> list[Case]:
    menu = "".join(
        f"<li><a href='/p{n}'>Investor topic number {n} of the site</a></li>" for n in range(160)
    )
    nav = f"<nav><ul>{menu}</ul></nav>"
    threshold = html(
        "<h1>Your Request Originates from an Undeclared Automated Tool</h1><p>To allow for equitable "
        "access to all users, SEC reserves the right to limit requests originating from undeclared "
        "automated tools. Please declare your traffic by updating your user agent.</p>"
        "<p>Request Rate Threshold Exceeded. Reference ID: 0.12345.2023</p>" + "<!-- x -->" * 900,
        title="SEC.gov | Request Rate Threshold Exceeded",
    )
    soft = html(
        nav,
        "<main><h1>Page not found</h1><p>Sorry, the page “Siemens AG Annual Report 2023” that "
        "you are looking for has moved or no longer exists.</p></main>",
        title="404 | Siemens AG",
    )
    login = html(
        nav,
        "<main><h1>Sign in</h1><form action='/login'><input name='user'><input type='password' "
        "name='p'><button>Sign in</button></form><p>to read the Siemens AG Annual Report 2023</p>"
        "</main>",
        title="Sign in | Siemens AG",
    )
    error = "HTTP 404 - Document not found\nThe document Siemens AG Annual Report 2023 is not available.\n"
    return [
        _apple("threshold page of SEC", threshold, ERROR),
        _apple(
            "soft 404 of SEC",
            html(
                "<h1>Apple Inc. 10-K 2023: No matching filings.</h1>",
                "<p>The file you requested was not found on this server.</p>"
                + "<!-- pad -->" * 600,
                title="SEC.gov | Page not found",
            ),
            ERROR,
        ),
        _siemens("soft 404 with a large menu", soft, ERROR, HTML),
        _siemens("login page", login, ERROR, HTML),
        _siemens(
            "login page of an investor portal in german",
            html(
                nav,
                "<h1>Anmelden</h1><form><input type='password'></form><p>Bitte melden Sie sich an, um den Geschäftsbericht 2023 der Siemens AG zu lesen.</p>",
                title="Anmelden",
            ),
            ERROR,
            HTML,
        ),
        _siemens(
            "cloudflare challenge",
            html(
                "<div id='cf-wrapper'><script>window._cf_chl_opt={cvId:'3'};</script><p>Checking your browser before accessing Siemens AG Annual Report 2023</p></div>"
                + "<!-- y -->" * 900,
                title="Just a moment...",
            ),
            ERROR,
            HTML,
        ),
        _siemens("error page as pdf", pdf(error, title="Error"), SMALL),
        _siemens(
            "long error page as pdf",
            pdf(
                *[
                    error
                    + "Please contact the webmaster of the site if you think that this is a mistake. "
                    * 30
                    for _ in range(4)
                ]
            ),
            ERROR,
        ),
        _siemens(
            "access denied as pdf",
            pdf(
                "Access Denied\nYou don't have permission to access Siemens AG annual report 2023 on this server.\n"
                + "Reference #18.2f3a1d17.1700000000.1a2b3c4d\n" * 120
            ),
            ERROR,
        ),
        _siemens(
            "maintenance page",
            html(
                nav,
                "<h1>Scheduled maintenance</h1><p>Our investor relations site is down for maintenance. The Siemens AG Annual Report 2023 will be back soon.</p>",
                title="Maintenance",
            ),
            ERROR,
            HTML,
        ),
        _siemens(
            "page that lists reports",
            html(
                nav,
                "<h1>Annual reports of Siemens AG</h1>"
                + "".join(
                    f"<p><a href='/ar{y}.pdf'>Siemens AG Annual Report {y} (PDF)</a></p>"
                    for y in range(2023, 1993, -1)
                ),
                title="Annual reports – Siemens AG",
            ),
            KIND,
            HTML,
        ),
        _siemens(
            "javascript shell",
            html(
                "<div id='root'></div><script src='/app.js'></script><noscript>You need to enable JavaScript to run this app.</noscript>"
                + "<!-- z -->" * 900,
                title="Siemens AG Annual Report 2023",
            ),
            ERROR,
            HTML,
        ),
    ]


def _years() -> list[Case]:
    previous = ("September 24, 2022", "September 25, 2021", "September 26, 2020")
    following = ("September 28, 2024", "September 30, 2023", "September 24, 2022")
    many = "In 2023 we changed much. As reported for 2023, the results of 2023 were strong. " * 60
    retail = ("January 28, 2023", "January 29, 2022", "January 30, 2021")
    target = CompanyRef(name="Target Corp", cik="27419")

    def shell(name: str, *pages: str, title: str = "", **fields: object) -> Case:
        return Case(name, pdf(*pages, title=title), SHELL, 2023, source(**fields), (YEAR,))

    return [
        _apple("10-K of the year before", ten_k("Apple Inc.", previous, 2022), YEAR),
        _apple(
            "10-K of the year before without a known period",
            ten_k("Apple Inc.", previous, 2022),
            YEAR,
            period_end=None,
        ),
        _apple("10-K of the year after", ten_k("Apple Inc.", following, 2024), YEAR),
        _apple(
            "10-K of the year after without a known year",
            ten_k("Apple Inc.", following, 2024),
            YEAR,
            period_end=None,
            fiscal_year=None,
        ),
        _apple(
            "10-K of the year after with facts",
            ten_k(
                "Apple Inc.",
                following,
                2024,
                {"DocumentFiscalYearFocus": "2024", "DocumentType": "10-K"},
            ),
            YEAR,
            period_end=None,
            fiscal_year=None,
        ),
        _apple(
            "10-K of the year before whose facts are right and its cover is not",
            ten_k(
                "Apple Inc.",
                previous,
                2022,
                {
                    "DocumentFiscalYearFocus": "2022",
                    "DocumentType": "10-K",
                    "DocumentPeriodEndDate": "September 24, 2022",
                },
            ),
            YEAR,
        ),
        Case(
            "target 10-K of fiscal 2022 which ends in January 2023",
            ten_k("TARGET CORPORATION", retail, 2022),
            target,
            2023,
            sec_source(),
            (YEAR,),
        ),
        Case(
            "target 10-K of fiscal 2022 offered with a period",
            ten_k("TARGET CORPORATION", retail, 2022),
            target,
            2023,
            sec_source(fiscal_year=2023, period_end=date(2024, 2, 3)),
            (YEAR,),
        ),
        Case(
            "nvidia fiscal 2024 in place of 2023",
            ten_k(
                "NVIDIA CORPORATION",
                ("January 28, 2024", "January 29, 2023", "January 30, 2022"),
                2024,
            ),
            CompanyRef(name="NVIDIA CORP"),
            2023,
            sec_source(),
            (YEAR,),
        ),
        Case(
            "johnson and johnson fiscal 2021 in place of 2022",
            ten_k(
                "JOHNSON & JOHNSON",
                ("January 2, 2022", "January 3, 2021", "December 29, 2019"),
                2021,
            ),
            CompanyRef(name="JOHNSON & JOHNSON"),
            2022,
            sec_source(),
            (YEAR,),
        ),
        shell(
            "annual report of the year before with an outlook",
            "Shell plc\nAnnual Report and Accounts 2022\n",
            report("Shell", 2022) + "\nOutlook 2023\n" + many,
        ),
        shell(
            "annual report of the year before with the outlook on its cover",
            "Shell plc\nAnnual Report 2022\nOutlook 2023: cash capital expenditure in 2023 is expected at 25 billion.\n",
            report("Shell", 2022),
        ),
        shell(
            "annual report of the year before published in the year",
            "Shell plc\nAnnual Report 2022\nPublished on March 9, 2023. © Shell plc 2023\n",
            report("Shell", 2022),
        ),
        shell(
            "next report that mentions the year a lot",
            "Shell plc\nAnnual Report 2024\n",
            many + report("Shell", 2024),
        ),
        shell(
            "next report with the year in its file name and title",
            "Shell plc\nAnnual Report and Accounts 2024\n",
            many + report("Shell", 2024),
            title="shell-annual-report-2023",
            fiscal_year=2023,
        ),
        shell(
            "report of the year before that says so in its statements only",
            "Shell plc\nAnnual Report and Accounts\n",
            "For the year ended December 31, 2022\n"
            + report("Shell", 2022)
            + "\nWe expect that 2023 will be better.\n",
        ),
        shell(
            "report without any year",
            "Shell plc\nAnnual Report\n",
            report("Shell", 2023)
            .replace("2023", "this year")
            .replace("2022", "last year")
            .replace("2024", "next year")
            .replace("2021", "long ago"),
        ),
        shell("report of ten years ago", "Shell plc\nAnnual Report 2013\n", report("Shell", 2013)),
        shell(
            "report of 2003 with two digits swapped",
            "Shell plc\nAnnual Report 2032\n",
            report("Shell", 2032),
        ),
        Case(
            "german report of the year before",
            pdf(
                "Siemens AG\nGeschäftsbericht 2022\n",
                report("Siemens", 2022, "de") + "\nAusblick auf das Geschäftsjahr 2023\n",
            ),
            SIEMENS,
            2023,
            source(),
            (YEAR,),
        ),
        Case(
            "german report of the next split year",
            pdf(
                "Siemens AG\nGeschäftsbericht 2023/24\nGeschäftsjahr 2023/24\n",
                report("Siemens", 2024, "de"),
            ),
            SIEMENS,
            2023,
            source(),
            (YEAR,),
        ),
        Case(
            "french report of the year after",
            pdf(
                "TotalEnergies\nDocument d'enregistrement universel 2024\nExercice clos le 31 décembre 2024\n",
                report("TotalEnergies", 2024, "fr"),
            ),
            CompanyRef(name="TotalEnergies SE"),
            2023,
            source(),
            (YEAR,),
        ),
        Case(
            "chinese report of the year before",
            pdf(
                "贵州茅台酒股份有限公司\n2022年年度报告\n",
                report("贵州茅台酒股份有限公司", 2022, "zh", 4),
                lang="zh",
            ),
            CompanyRef(name="贵州茅台酒股份有限公司"),
            2023,
            source(),
            (YEAR,),
        ),
        Case(
            "japanese report of the year before",
            pdf(
                "有価証券報告書\n事業年度 自 2021年4月1日 至 2022年3月31日\n会社名 トヨタ自動車株式会社\n",
                report("トヨタ自動車株式会社", 2022, "ja", 4),
                lang="ja",
            ),
            CompanyRef(name="トヨタ自動車株式会社"),
            2023,
            source(),
            (YEAR,),
        ),
        Case(
            "web page of the year before",
            html(
                "<h1>Novartis Annual Report 2022</h1>",
                paragraphs(report("Novartis", 2022)),
                "<footer>© 2023 Novartis AG</footer>",
                title="Novartis Annual Report 2022",
            ),
            CompanyRef(name="Novartis AG"),
            2023,
            source(HTML),
            (YEAR,),
        ),
    ]


def _names() -> list[Case]:
    def other(name: str, document: str, asked: str, **fields: str) -> Case:
        return Case(
            name,
            ten_k(document, CALENDAR, 2023, **fields),
            CompanyRef(name=asked),
            2023,
            sec_source(),
            (COMPANY,),
        )

    def report_of(name: str, document: str, brand: str, asked: str) -> Case:
        pages = (f"{document}\nAnnual Report 2023\n", report(brand, 2023))
        return Case(name, pdf(*pages), CompanyRef(name=asked), 2023, source(), (COMPANY,))

    energy = (
        "Siemens Energy AG\nAnnual Report 2023\n",
        report("Siemens Energy", 2023)
        + "\nSiemens AG holds 25.1 percent of our shares. Until 2020 "
        "Siemens Energy was a part of Siemens AG, and we pay Siemens AG for the brand.\n",
    )
    return [
        _apple(
            "10-K of another company", ten_k("Microsoft Corporation", APPLE_ENDS, 2023), COMPANY
        ),
        _apple(
            "10-K of another company that mentions the right one",
            ten_k("Microsoft Corporation", APPLE_ENDS, 2023).replace(
                b"PART I\n", b"PART I Apple Inc. is a competitor. Apple, Apple Inc.\n"
            ),
            COMPANY,
        ),
        _apple(
            "10-K of a company of a similar name",
            ten_k("Apple Hospitality REIT, Inc.", APPLE_ENDS, 2023),
            COMPANY,
        ),
        _apple(
            "10-K with the number of another company",
            ten_k(
                "Apple Inc.",
                APPLE_ENDS,
                2023,
                {
                    "EntityCentralIndexKey": "0001418121",
                    "EntityRegistrantName": "Apple Hospitality REIT, Inc.",
                    "DocumentType": "10-K",
                },
            ),
            COMPANY,
        ),
        other("target hospitality", "Target Hospitality Corp.", "Target Corp"),
        other("toyota motor credit", "TOYOTA MOTOR CREDIT CORPORATION", "Toyota Motor Corp"),
        other("ford motor credit", "Ford Motor Credit Company LLC", "FORD MOTOR CO"),
        other(
            "berkshire hathaway energy",
            "Berkshire Hathaway Energy Company",
            "BERKSHIRE HATHAWAY INC",
        ),
        other("delta apparel", "Delta Apparel, Inc.", "DELTA AIR LINES, INC."),
        other("alphabet holding", "Alphabet Holding Company, Inc.", "Alphabet Inc."),
        other(
            "general motors financial",
            "General Motors Financial Company, Inc.",
            "General Motors Co",
        ),
        other("the name is part of a word", "Metabolix, Inc.", "Meta Platforms, Inc."),
        Case(
            "another ticker",
            ten_k("Applied Materials, Inc.", CALENDAR, 2023, ticker="AMAT"),
            CompanyRef(ticker="AAPL"),
            2023,
            sec_source(),
            (COMPANY,),
        ),
        Case(
            "another CIK",
            ten_k(
                "Applied Materials, Inc.",
                CALENDAR,
                2023,
                {"EntityCentralIndexKey": "0000006951", "DocumentType": "10-K"},
            ),
            CompanyRef(cik="320193"),
            2023,
            sec_source(),
            (COMPANY,),
        ),
        Case("siemens energy", pdf(*energy), SIEMENS, 2023, source(), (COMPANY,)),
        report_of(
            "siemens healthineers", "Siemens Healthineers AG", "Siemens Healthineers", "Siemens AG"
        ),
        report_of(
            "continental resources",
            "Continental Resources, Inc.",
            "Continental Resources",
            "Continental AG",
        ),
        report_of(
            "shell midstream",
            "SHELL MIDSTREAM PARTNERS, L.P.",
            "Shell Midstream Partners",
            "Shell plc",
        ),
        report_of(
            "mercedes-benz bank",
            "Mercedes-Benz Bank AG",
            "Mercedes-Benz Bank",
            "Mercedes-Benz Group AG",
        ),
        report_of(
            "twenty-first century fox",
            "Twenty-First Century Fox, Inc.",
            "Twenty-First Century Fox",
            "Fox Corp",
        ),
        report_of(
            "volkswagen financial services",
            "Volkswagen Financial Services AG",
            "Volkswagen Financial Services",
            "Volkswagen AG",
        ),
        report_of(
            "a bank with the name at its end",
            "Standard Chartered Bank (Hong Kong) Limited",
            "Standard Chartered Bank (Hong Kong)",
            "Standard Bank Group",
        ),
        Case(
            "chinese report of another company",
            pdf(
                "五粮液股份有限公司\n2023年年度报告\n",
                report("五粮液股份有限公司", 2023, "zh", 4),
                lang="zh",
            ),
            CompanyRef(name="贵州茅台酒股份有限公司"),
            2023,
            source(),
            (COMPANY,),
        ),
    ]


def _kinds() -> list[Case]:
    quarter = "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nFORM 10-Q\n"
    ten_q = html(
        cover("10-Q", "Apple Inc.", "July 1, 2023"),
        paragraphs(
            "PART I — FINANCIAL INFORMATION\nItem 1. Financial Statements\nThree months ended July 1, 2023\nNotes to Condensed Consolidated Financial Statements\nRead with the annual report on Form 10-K for the fiscal year ended September 24, 2022. Our fiscal 2023 ends on September 30, 2023.\n"
            + prose("Apple Inc.", 2023, times=9)
        ),
    )
    release = (
        "FOR IMMEDIATE RELEASE\nLONDON, March 14, 2024 - Shell plc today published its Annual Report and Accounts 2023 and Form 20-F for the year ended December 31, 2023.\nThe Annual Report 2023 can be downloaded at www.shell.com/annualreport. Printed copies can be ordered free of charge.\n"
        + prose("Shell plc", 2023, times=5)
        + "\nMedia contact: +44 20 7934 5550\nAbout Shell plc\nCautionary note\n"
    )
    earnings = (
        "Apple Reports Fourth Quarter Results\nCUPERTINO, CALIFORNIA - November 2, 2023 - Apple Inc. today announced financial results for its fiscal 2023 fourth quarter and year ended September 30, 2023.\n"
        + prose("Apple Inc.", 2023, times=5)
        + "\nCONDENSED CONSOLIDATED BALANCE SHEETS (Unaudited)\nCONDENSED CONSOLIDATED STATEMENTS OF CASH FLOWS (Unaudited)\nYears ended September 30, 2023 and September 24, 2022\n"
    )
    proxy = (
        "UNITED STATES SECURITIES AND EXCHANGE COMMISSION\nSCHEDULE 14A\nProxy Statement Pursuant to Section 14(a)\nApple Inc.\n(Name of Registrant as Specified In Its Charter)\nNotice of 2024 Annual Meeting of Shareholders and Proxy Statement\nThe annual report for the fiscal year ended September 30, 2023 accompanies this proxy statement.\nReport of the audit committee. Independent registered public accounting firm. Corporate governance.\n"
        + prose("Apple Inc.", 2023, times=8)
    )
    half = (
        "Shell plc\nHalf-year Report 2023\nSix months ended June 30, 2023\nThe Annual Report 2022 has more. Notes to the condensed consolidated financial statements\nIndependent review report\nRisk factors\n"
        + prose("Shell", 2023, times=8)
    )
    part_three = html(
        cover("10-K/A", "Apple Inc.", APPLE_ENDS[0]),
        paragraphs(
            "Amendment No. 1\nEXPLANATORY NOTE\nThis amendment is filed to include Part III.\nItem 10. Directors\nItem 11. Executive Compensation\n"
            + prose("Apple Inc.", 2023, times=9)
        ),
    )

    def shell(name: str, *pages: str, form: str = "annual") -> Case:
        return Case(name, pdf(*pages), SHELL, 2023, source(form=form), (KIND,))

    return [
        _apple("10-Q", ten_q, KIND),
        _apple(
            "10-Q with facts",
            ten_q.replace(
                b"<body>",
                b"<body>"
                + inline_facts(
                    DocumentType="10-Q",
                    DocumentFiscalYearFocus="2023",
                    EntityRegistrantName="Apple Inc.",
                    DocumentPeriodEndDate="September 30, 2023",
                ).encode(),
            ),
            KIND,
        ),
        Case("10-Q without a known period", ten_q, APPLE, 2023, sec_source(), (KIND,)),
        Case(
            "10-Q as a pdf",
            pdf(
                quarter + "For the quarterly period ended September 30, 2023\nShell plc\n",
                report("Shell", 2023),
            ),
            SHELL,
            2023,
            source(form=None),
            (KIND,),
        ),
        _apple("earnings release as exhibit", html(paragraphs(earnings), title="EX-99.1"), KIND),
        _apple("proxy statement", html(paragraphs(proxy)), KIND),
        _apple("amendment with part III alone", part_three, KIND),
        _apple(
            "8-K with the results",
            html(
                cover("8-K", "Apple Inc.", APPLE_ENDS[0], "CURRENT REPORT"),
                paragraphs(
                    "Item 2.02 Results of Operations and Financial Condition\nItem 9.01 Financial Statements and Exhibits\n"
                    + earnings
                ),
            ),
            KIND,
        ),
        _apple(
            "11-K of the savings plan",
            html(
                cover("11-K", "Apple Inc.", "December 31, 2023"),
                paragraphs(
                    "Apple 401(k) Plan\nReport of Independent Registered Public Accounting Firm\nNotes to financial statements\n"
                    + prose("Apple 401(k) Plan", 2023, times=9)
                ),
            ),
            KIND,
            YEAR,
            COMPANY,
        ),
        _apple(
            "20-F in place of a 10-K",
            html(
                cover("20-F", "Apple Inc.", APPLE_ENDS[0]), paragraphs(report("Apple Inc.", 2023))
            ),
            KIND,
        ),
        _apple(
            "6-K that transmits the report",
            html(
                paragraphs(
                    "FORM 6-K\nREPORT OF FOREIGN PRIVATE ISSUER\nFor the month of November 2023\nApple Inc.\nExhibit: press release on the annual report for the fiscal year ended September 30, 2023\n"
                    + prose("Apple Inc.", 2023, times=9)
                )
            ),
            KIND,
        ),
        shell("press release about the report", release),
        shell("half-year report", half),
        shell(
            "quarterly report",
            "Shell plc\nQ3 2023 Quarterly Report\nThird quarter ended September 30, 2023\n",
            prose("Shell", 2023, times=9) + "\nNotes to the financial statements",
        ),
        shell(
            "full-year results announcement",
            "Shell plc\n4th Quarter 2023 and full year unaudited results\n",
            prose("Shell", 2023, times=9) + "\nYear ended December 31, 2023",
        ),
        shell(
            "sustainability report in place of the annual one",
            "Shell plc\nSustainability Report 2023\n",
            "GRI content index. Scope 1 emissions. Materiality. For financial information see the Annual Report 2023.\n"
            + prose("Shell", 2023, times=9),
        ),
        shell(
            "annual report in place of the sustainability one",
            "Shell plc\nAnnual Report and Accounts 2023\n",
            report("Shell", 2023),
            form="sustainability",
        ),
        shell(
            "notice of the annual general meeting",
            "Shell plc\nNotice of Annual General Meeting 2024\nAnnual Report and Accounts for the year ended December 31, 2023 will be laid before the meeting.\n",
            prose("Shell", 2023, times=9),
        ),
        shell(
            "slides for investors",
            "Shell plc\nFull year 2023 results\nInvestor presentation\nFebruary 1, 2024\n",
            prose("Shell", 2023, times=9) + "\nAnnual Report 2023, page 12",
        ),
        shell(
            "transcript of the call",
            "Shell plc\nFourth quarter 2023 earnings call transcript\n",
            "Operator: Welcome to the call on the annual report 2023.\n"
            + prose("Shell", 2023, times=9),
        ),
        shell(
            "prospectus",
            "Shell plc\nProspectus\nIncorporated by reference: Annual Report 2023 for the year ended December 31, 2023\n",
            prose("Shell", 2023, times=9) + "\nRisk factors\nPlan of distribution",
        ),
        Case(
            "german quarterly statement",
            pdf(
                "Siemens AG\nQuartalsmitteilung Q3 2023\n",
                prose("Siemens", 2023, "de", 9) + "\nGeschäftsbericht 2023 folgt im Dezember\n",
            ),
            SIEMENS,
            2023,
            source(),
            (KIND,),
        ),
        Case(
            "german press release",
            pdf(
                "Pressemitteilung\nMünchen, 16. November 2023\nSiemens AG veröffentlicht Geschäftsbericht 2023\n",
                prose("Siemens", 2023, "de", 9),
            ),
            SIEMENS,
            2023,
            source(),
            (KIND,),
        ),
        Case(
            "french half-year report",
            pdf(
                "TotalEnergies\nRapport financier semestriel 2023\n",
                prose("TotalEnergies", 2023, "fr", 12),
            ),
            CompanyRef(name="TotalEnergies SE"),
            2023,
            source(),
            (KIND,),
        ),
        Case(
            "chinese half-year report",
            pdf(
                "贵州茅台酒股份有限公司\n2023年半年度报告\n",
                report("贵州茅台酒股份有限公司", 2023, "zh", 4),
                lang="zh",
            ),
            CompanyRef(name="贵州茅台酒股份有限公司"),
            2023,
            source(),
            (KIND,),
        ),
        Case(
            "news page about the report",
            html(
                "<article><h1>Novartis publishes Annual Report 2023</h1><p>Basel, January 31, 2024 — Novartis today announced that its Annual Report 2023 is available online.</p>",
                paragraphs(prose("Novartis AG", 2023, times=8)),
                "</article>",
                title="Novartis publishes Annual Report 2023",
            ),
            CompanyRef(name="Novartis AG"),
            2023,
            source(HTML),
            (KIND,),
        ),
        Case(
            "encyclopedia article",
            html(
                "<article><h1>Siemens</h1><p>Siemens AG is a German technology company. Its annual report 2023 shows record profits.</p>",
                paragraphs(prose("Siemens AG", 2023, times=9)),
                "</article>",
                title="Siemens - Wikipedia",
            ),
            SIEMENS,
            2023,
            source(HTML),
            (KIND,),
        ),
        Case(
            "summary of one page",
            pdf("Siemens AG\nAnnual Report 2023 at a glance\n", prose("Siemens", 2023, times=5)),
            SIEMENS,
            2023,
            source(),
            (KIND,),
        ),
    ]
