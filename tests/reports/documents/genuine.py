# ruff: noqa: E501 - texts stand as the documents have them
"""Genuine documents, in the wordings and layouts of many filers."""

from __future__ import annotations

import json
from datetime import date

from tests.reports.documents.making import (
    Case,
    cover,
    html,
    inline_facts,
    paragraphs,
    pdf,
    sec_source,
    source,
    table,
)
from tests.reports.documents.texts import prose, report, statements
from wikicrawler.reports.models import HTML, JSON, PDF, CompanyRef

APPLE = CompanyRef(name="Apple Inc.", cik="320193", ticker="AAPL")
SEC = "https://www.sec.gov/Archives/edgar/data"


def ten_k(  # noqa: PLR0917
    name: str,
    ends: tuple[str, str, str],
    fiscal: int,
    facts: dict[str, str] | None = None,
    form: str = "10-K",
    ticker: str = "",
    label: str = "fiscal",
) -> bytes:
    return html(
        inline_facts(**facts) if facts else "",
        cover(form, name, ends[0], ticker=ticker),
        paragraphs(statements(name, ends, fiscal, label), "div"),
        title=f"{ticker.lower() or 'd'}-{fiscal}",
    )


APPLE_ENDS = ("September 30, 2023", "September 24, 2022", "September 25, 2021")
CALENDAR = ("December 31, 2023", "December 31, 2022", "December 31, 2021")

APPLE_10K = ten_k(
    "Apple Inc.",
    APPLE_ENDS,
    2023,
    {
        "AmendmentFlag": "false",
        "DocumentFiscalYearFocus": "2023",
        "DocumentFiscalPeriodFocus": "FY",
        "EntityCentralIndexKey": "0000320193",
        "DocumentType": "10-K",
        "DocumentPeriodEndDate": "September 30, 2023",
        "EntityRegistrantName": "Apple Inc.",
    },
    ticker="AAPL",
)


def company_facts(cik: int, name: str, accession: str, year: int) -> bytes:
    """Companyfacts as SEC serves them."""
    rows = [
        {
            "end": f"{y}-09-30",
            "val": 352_000_000_000 + y,
            "accn": accession if y == year else f"0000320193-{y % 100:02}-000100",
            "fy": y,
            "fp": "FY",
            "form": "10-K",
            "filed": f"{y}-11-03",
        }
        for y in range(year - 4, year + 1)
    ]
    concept = {"label": "Assets", "description": "", "units": {"USD": rows}}
    return json.dumps(
        {"cik": cik, "entityName": name, "facts": {"us-gaap": {"Assets": concept}}}
    ).encode()


def genuine() -> list[Case]:
    """At least 25 documents that must count."""
    return [*_sec(), *_companies(), *_languages()]


def _sec() -> list[Case]:
    plain = "\n".join(
        [
            "<SEC-DOCUMENT>0000950134-01-001965.txt",
            "<TYPE>10-K405",
            "<TEXT>",
            cover("10-K405", "CARBO CERAMICS INC.", "December 31, 2000", spans=False).upper(),
            statements(
                "Carbo Ceramics Inc.",
                ("December 31, 2000", "December 31, 1999", "December 31, 1998"),
                2000,
                "year",
            ),
            "</TEXT>",
            "</SEC-DOCUMENT>",
        ]
    )
    retail = ("February 3, 2024", "January 28, 2023", "January 29, 2022")
    nvidia = ("January 28, 2024", "January 29, 2023", "January 30, 2022")
    return [
        Case(
            "apple 10-K 2023 with inline facts",
            APPLE_10K,
            APPLE,
            2023,
            sec_source(
                url=f"{SEC}/320193/000032019323000106/aapl-20230930.htm",
                accession="0000320193-23-000106",
                fiscal_year=2023,
                period_end=date(2023, 9, 30),
            ),
        ),
        Case(
            "apple known by its ticker alone",
            APPLE_10K,
            CompanyRef(ticker="AAPL"),
            2023,
            sec_source(fiscal_year=2023),
        ),
        Case(
            "apple known by its CIK alone",
            APPLE_10K,
            CompanyRef(cik="320193"),
            2023,
            sec_source(period_end=date(2023, 9, 30)),
        ),
        Case(
            "target 10-K of a 53-week year that ends in February",
            ten_k("TARGET CORPORATION", retail, 2023, ticker="TGT"),
            CompanyRef(name="Target Corp", cik="27419", ticker="TGT"),
            2023,
            sec_source(fiscal_year=2023, period_end=date(2024, 2, 3)),
        ),
        Case(
            "target 10-K where the provider knows no year",
            ten_k("TARGET CORPORATION", retail, 2023),
            CompanyRef(name="Target"),
            2023,
            sec_source(),
        ),
        Case(
            "nvidia 10-K whose fiscal 2024 ends in January 2024",
            ten_k("NVIDIA CORPORATION", nvidia, 2024, label="fiscal year"),
            CompanyRef(name="NVIDIA CORP", cik="1045810"),
            2024,
            sec_source(fiscal_year=2024, period_end=date(2024, 1, 28)),
        ),
        Case(
            "johnson and johnson year that ends on January 2",
            ten_k(
                "JOHNSON & JOHNSON",
                ("January 2, 2022", "January 3, 2021", "December 29, 2019"),
                2021,
                {"DocumentFiscalYearFocus": "2021", "DocumentType": "10-K"},
            ),
            CompanyRef(name="JOHNSON & JOHNSON", cik="200406"),
            2021,
            sec_source(fiscal_year=2021, period_end=date(2022, 1, 2)),
        ),
        Case(
            "jpmorgan 10-K in a PDF",
            pdf(
                cover("10-K", "JPMorgan Chase & Co.", "December 31, 2023", spans=False),
                statements("JPMorgan Chase & Co.", CALENDAR, 2023, "year"),
            ),
            CompanyRef(name="JPMORGAN CHASE & CO", cik="19617"),
            2023,
            sec_source(PDF, fiscal_year=2023),
        ),
        Case(
            "state in the conformed name",
            ten_k("Bank of America Corporation", CALENDAR, 2023),
            CompanyRef(name="BANK OF AMERICA CORP /DE/", cik="70858"),
            2023,
            sec_source(),
        ),
        Case(
            "words of the conformed name the other way round",
            ten_k("The Walt Disney Company", APPLE_ENDS, 2023),
            CompanyRef(name="DISNEY WALT CO", cik="1001039"),
            2023,
            sec_source(period_end=date(2023, 9, 30)),
        ),
        Case(
            "plain text of 2001",
            plain.encode(),
            CompanyRef(name="CARBO CERAMICS INC", cik="1009672"),
            2000,
            sec_source("text/plain", form="10-K405"),
        ),
        Case(
            "asml 20-F",
            html(
                cover("20-F", "ASML HOLDING N.V.", "December 31, 2023"),
                paragraphs(
                    "Indicate by check mark which basis of accounting has been used.\n"
                    "Item 3. Key Information\nItem 4. Information on the Company\n"
                    "Item 5. Operating and Financial Review and Prospects\n"
                    "Item 18. Financial Statements\n" + report("ASML", 2023)
                ),
            ),
            CompanyRef(name="ASML HOLDING NV", cik="937966"),
            2023,
            sec_source(form="20-F", period_end=date(2023, 12, 31), fiscal_year=2023),
        ),
        Case(
            "20-F of a year that ends in March",
            html(
                cover("20-F", "SONY GROUP CORPORATION", "March 31, 2023"),
                paragraphs(
                    "Item 4. Information on the Company\nItem 18. Financial Statements\n"
                    + report("Sony", 2022)
                ),
            ),
            CompanyRef(name="Sony Group Corp", cik="313838"),
            2022,
            sec_source(form="20-F", period_end=date(2023, 3, 31), fiscal_year=2022),
        ),
        Case(
            "royal bank 40-F",
            html(
                paragraphs(
                    "U.S. SECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549\nForm 40-F\n"
                    "☐ REGISTRATION STATEMENT PURSUANT TO SECTION 12 OF THE SECURITIES EXCHANGE ACT\n"
                    "or\n☒ ANNUAL REPORT PURSUANT TO SECTION 13(a) OR 15(d) OF THE SECURITIES "
                    "EXCHANGE ACT OF 1934\nFor the fiscal year ended October 31, 2023\n"
                    "Commission File Number 001-13928\nROYAL BANK OF CANADA\n"
                    "(Exact name of Registrant as specified in its charter)\n"
                    "For annual reports, indicate by check mark the information filed with this "
                    "Form:\n☒ Annual Information Form   ☒ Audited Annual Financial Statements\n"
                    "Disclosure controls and procedures\nAudit committee financial expert\n"
                    "Code of ethics\nPrincipal accountant fees and services\n"
                    + prose("Royal Bank of Canada", 2023, times=8)
                )
            ),
            CompanyRef(name="ROYAL BANK OF CANADA", cik="1000275"),
            2023,
            sec_source(form="40-F", period_end=date(2023, 10, 31), fiscal_year=2023),
        ),
        Case(
            "10-KT of a change of the year end",
            html(
                cover("10-KT", "Myriad Genetics, Inc.", "December 31, 2020").replace(
                    "For the transition period from", "For the transition period from July 1, 2020"
                ),
                paragraphs(
                    statements(
                        "Myriad Genetics, Inc.",
                        ("December 31, 2020", "June 30, 2020", "June 30, 2019"),
                        2020,
                        "transition period",
                    )
                ),
            ),
            CompanyRef(name="MYRIAD GENETICS INC", cik="899923"),
            2020,
            sec_source(form="10-KT", period_end=date(2020, 12, 31), fiscal_year=2020),
        ),
        Case(
            "amendment that is offered as one",
            ten_k("Tesla, Inc.", CALENDAR, 2023, form="10-K/A"),
            CompanyRef(name="Tesla, Inc.", cik="1318605"),
            2023,
            sec_source(form="10-K/A", amendment=True, fiscal_year=2023),
        ),
        Case(
            "company facts",
            company_facts(320193, "Apple Inc.", "0000320193-23-000106", 2023),
            APPLE,
            2023,
            sec_source(JSON, accession="0000320193-23-000106", fiscal_year=2023),
        ),
        Case(
            "former name in the text",
            ten_k(
                "WOLFSPEED, INC.",
                ("June 25, 2023", "June 26, 2022", "June 27, 2021"),
                2023,
                {"EntityRegistrantName": "WOLFSPEED, INC.", "DocumentType": "10-K"},
            ).replace(b"PART I\n", b"PART I Wolfspeed, Inc., formerly known as Cree, Inc.\n"),
            CompanyRef(name="WOLFSPEED, INC.", cik="895419"),
            2023,
            sec_source(period_end=date(2023, 6, 25)),
        ),
    ]


def _companies() -> list[Case]:
    uk = (
        "Tesco PLC\nAnnual Report and Financial Statements 2024\n\nServing our customers, "
        "communities and planet a little better every day.\n"
    )
    wrapped = (
        "Annual\nReport\n2023\n\nUnilever\n\nUnilever Annual Report and Accounts 2023\n"
        "This document is made up of the Strategic Report, the Governance Report, the Financial "
        "Statements and Notes, and Additional Information for US Listing Purposes.\n"
    )
    return [
        Case(
            "uk report of a year that ends in February",
            pdf(
                uk,
                "For the 52 weeks ended 24 February 2024\n" + report("Tesco", 2024),
                title="Tesco PLC Annual Report 2024",
            ),
            CompanyRef(name="Tesco PLC"),
            2024,
            source(),
        ),
        Case(
            "cover with a word on each line",
            pdf(wrapped, report("Unilever", 2023)),
            CompanyRef(name="Unilever PLC"),
            2023,
            source(fiscal_year=2023),
        ),
        Case(
            "annual report to shareholders in capitals",
            pdf(
                "2023 ANNUAL REPORT\n\nCATERPILLAR INC.\n\nBUILDING A BETTER, MORE SUSTAINABLE "
                "WORLD\n",
                report("Caterpillar", 2023),
            ),
            CompanyRef(name="Caterpillar Inc"),
            2023,
            source(),
        ),
        Case(
            "year only in the statements",
            pdf(
                "Shell plc\nPowering progress\nAnnual Report and Accounts\n",
                "For the year ended December 31, 2023\n" + report("Shell", 2023),
            ),
            CompanyRef(name="Shell plc"),
            2023,
            source(),
        ),
        Case(
            "integrated report",
            pdf(
                "Vodacom Group Limited\nIntegrated report\nfor the year ended 31 March 2023\n",
                report("Vodacom Group", 2023),
            ),
            CompanyRef(name="Vodacom Group Ltd"),
            2023,
            source(form="integrated", fiscal_year=2023, period_end=date(2023, 3, 31)),
        ),
        Case(
            "sustainability report",
            pdf(
                "Microsoft\n2023 Environmental Sustainability Report\n",
                "About this report\nWe report with reference to the GRI Standards. Scope 1, Scope "
                "2 and Scope 3 emissions, materiality assessment, water and waste.\n"
                + prose("Microsoft", 2023, times=14)
                + "\nIndependent limited assurance report on greenhouse gas emissions",
            ),
            CompanyRef(name="MICROSOFT CORP"),
            2023,
            source(form="sustainability"),
        ),
        Case(
            "report as a web page",
            html(
                "<header><nav><a href='/'>Home</a></nav></header><main><h1>Annual Report 2023</h1>"
                "<p>Novartis AG, Basel, Switzerland</p>",
                paragraphs(report("Novartis", 2023)),
                table([("in millions", "2023", "2022"), ("Net sales", "45 440", "42 206")]),
                "</main><footer>© 2024 Novartis AG</footer>",
                title="Novartis Annual Report 2023",
            ),
            CompanyRef(name="Novartis AG"),
            2023,
            source(HTML),
        ),
        Case(
            "split year in the title",
            pdf(
                "Siemens Geschäftsbericht\nGeschäftsjahr 2022/23\nSiemens AG\n"
                "für das Geschäftsjahr vom 1. Oktober 2022 bis 30. September 2023\n",
                report("Siemens", 2023, "de"),
            ),
            CompanyRef(name="Siemens AG"),
            2023,
            source(language="de"),
        ),
        Case(
            "ampersand and apostrophe in the name",
            pdf(
                "L’Oréal\n2023 Annual Report\nL’ORÉAL S.A.\n",
                report("L'Oréal", 2023),
                title="L'Oreal annual report",
            ),
            CompanyRef(name="L'Oreal SA"),
            2023,
            source(),
        ),
        Case(
            "outlook to the next year on the first page",
            pdf(
                "Nestlé S.A.\nAnnual Review 2023\nOutlook 2024: we expect organic sales growth "
                "around 4%. Our 2024 Annual General Meeting takes place in April 2024.\n",
                "Annual Report 2023 of Nestlé\n" + report("Nestlé", 2023),
            ),
            CompanyRef(name="Nestlé S.A."),
            2023,
            source(),
        ),
    ]


def _languages() -> list[Case]:
    found = []
    for lang, name, ref, lines in (
        (
            "de",
            "Continental",
            "Continental AG",
            "Continental AG\nGeschäftsbericht 2023\nGeschäftsjahr vom 1. Januar bis 31. Dezember 2023",
        ),
        (
            "fr",
            "TotalEnergies",
            "TotalEnergies SE",
            "TotalEnergies\nDocument d'enregistrement universel 2023\nincluant le rapport financier "
            "annuel\nExercice clos le 31 décembre 2023",
        ),
        (
            "es",
            "Telefónica",
            "Telefonica S.A.",
            "Telefónica, S.A.\nInforme anual integrado 2023\nEjercicio terminado el 31 de diciembre "
            "de 2023",
        ),
        (
            "it",
            "Eni",
            "Eni S.p.A.",
            "Eni SpA\nRelazione finanziaria annuale 2023\nBilancio al 31 dicembre 2023",
        ),
        (
            "pt",
            "Petrobras",
            "Petrobras SA",
            "Petrobras\nRelatório anual 2023\nExercício findo em 31 de dezembro de 2023",
        ),
        ("nl", "Heineken", "Heineken N.V.", "Heineken N.V.\nJaarverslag 2023"),
        ("sv", "Ericsson", "Ericsson AB", "Ericsson\nÅrsredovisning 2023"),
        ("da", "Carlsberg", "Carlsberg A/S", "Carlsberg Koncernen\nÅrsrapport 2023"),
        (
            "ja",
            "トヨタ自動車株式会社",
            "トヨタ自動車株式会社",
            "有価証券報告書\n事業年度 自 2022年4月1日 至 2023年3月31日\n会社名 トヨタ自動車株式会社\n"
            "英訳名 TOYOTA MOTOR CORPORATION\n2023年3月期",
        ),
        (
            "zh",
            "贵州茅台酒股份有限公司",
            "贵州茅台酒股份有限公司",
            "贵州茅台酒股份有限公司\n2023年年度报告\n公司代码：600519 公司简称：贵州茅台",
        ),
    ):
        found.append(
            Case(
                f"annual report in {lang}",
                pdf(lines, report(name, 2023, lang, 4), lang=lang),
                CompanyRef(name=ref),
                2023,
                source(language=lang),
            )
        )
    found.append(
        Case(
            "annual report in pl as a web page",
            html(
                "<h1>ORLEN S.A. – Raport roczny 2023</h1>",
                paragraphs(
                    "za rok obrotowy zakończony 31 grudnia 2023 roku\n"
                    + report("ORLEN", 2023, "pl", 4)
                ),
                title="Raport roczny 2023",
                lang="pl",
            ),
            CompanyRef(name="Orlen SA"),
            2023,
            source(HTML, language="pl"),
        )
    )
    return found
