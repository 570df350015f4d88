"""Sites of investor relations platforms: Q4, Notified (GCS) and Equisolve."""

from __future__ import annotations

import json

from tests.servers.ir_sites.shape import FORBIDDEN, JSON, WWW, Reply, Shape, links, moved, page

_FEED = (
    "/feed/FinancialReport.svc/GetFinancialReportList"
    "?LanguageId=1&pageSize=-1&pageNumber=0&year=-1&reportTypes=Annual%20Report"
)
_Q4CDN = "https://s206.q4cdn.com/479360582/files/doc_financials"
_HOME = page(
    "Example Corp",
    links(("/products", "Products"), ("https://investor.example.com/default.aspx", "Investors")),
)
_SHELL = page(
    "Example Corp - Investor Relations",
    '<form method="post" action="./default.aspx"><div id="_ctrl0_divModuleContainer"></div></form>'
    '<script src="https://widgets.q4app.com/widgets/q4.min.js"></script>',
    head='<link rel="stylesheet" href="//s206.q4cdn.com/479360582/files/css/site.css">',
)


def _document(title: str, path: str, category: str = "annual") -> dict[str, str]:
    return {
        "DocumentTitle": title,
        "DocumentPath": path,
        "DocumentCategory": category,
        "DocumentFileType": "PDF",
    }


def _feed(*reports: tuple[int, str, list[dict[str, str]]]) -> Reply:
    found = [
        {
            "ReportYear": year,
            "ReportTitle": title,
            "ReportSubType": "Annual Report",
            "ReportDate": f"12/31/{year} 00:00:00",
            "Documents": documents,
        }
        for year, title, documents in reports
    ]
    return Reply(json.dumps({"GetFinancialReportListResult": found}), JSON)


def _nir_file(uuid: str, name: str, text: str, heading: str) -> str:
    """An asset as Notified shows it."""
    return (
        '<article class="node node--nir-asset"><div class="nir-widget--field '
        f'nir-widget--asset--title">{heading}</div><div class="field-nir-document"><span '
        'class="file file--mime-application-pdf file--application-pdf">'
        f'<a href="/static-files/{uuid}" type="application/pdf" title="{name}">{text}</a></span>'
        '<span class="filesize"> 4.1 MB</span></div></article>'
    )


def _nir_filing(form: str, about: str, date: str, accession: str, uuid: str) -> str:
    """A row of Notified's table of filings."""
    return (
        f'<tr><td>{date}</td><td><a href="/sec-filings/sec-filing/{form.lower()}/{accession}">'
        f"{form}</a></td><td>{about}</td><td>"
        f'<a href="/static-files/{uuid}" title="PDF" class="pdf-file-link"><i class="fa"></i></a>'
        "</td></tr>"
    )


SHAPES = (
    Shape(
        "q4 with a feed",
        "the pages have no link without scripts; the feed has 10-K, annual report and proxy",
        {
            "www.example.com/": _HOME,
            "investor.example.com/default.aspx": _SHELL,
            "investor.example.com" + _FEED: _feed(
                (
                    2023,
                    "2023 Annual Report",
                    [
                        _document("2024 Proxy Statement", f"{_Q4CDN}/2023/ar/proxy.pdf", "proxy"),
                        _document("Form 10-K", f"{_Q4CDN}/2023/ar/EX-10-K-2023.pdf", "10k"),
                    ],
                ),
                (2022, "2022", [_document("Annual Report", f"{_Q4CDN}/2022/ar/2022-AR.pdf")]),
            ),
        },
        {
            2023: f"{_Q4CDN}/2023/ar/EX-10-K-2023.pdf",
            2022: f"{_Q4CDN}/2022/ar/2022-AR.pdf",
            2015: None,
        },
    ),
    Shape(
        "q4 behind a bot wall",
        "every page is forbidden, the feed is open, and its paths are relative",
        {
            "www.example.com/": FORBIDDEN,
            "investor.example.com/default.aspx": FORBIDDEN,
            "investor.example.com" + _FEED: _feed(
                (
                    2023,
                    "2023",
                    [_document("2023 Annual Report", "/files/doc_financials/2023/a.pdf")],
                ),
                (
                    2021,
                    "2021",
                    [_document("2021 Annual Report", "/files/doc_financials/2021/a.pdf")],
                ),
            ),
        },
        {
            2023: "https://investor.example.com/files/doc_financials/2023/a.pdf",
            2021: "https://investor.example.com/files/doc_financials/2021/a.pdf",
        },
        website="https://investor.example.com/default.aspx",
        missing=FORBIDDEN,
    ),
    Shape(
        "q4 rendered",
        "modules with a heading for each year, as a browser sees them",
        {
            "www.example.com/": _HOME,
            "investor.example.com/default.aspx": page(
                "Investor Relations",
                links(
                    ("/financials/quarterly-results/default.aspx", "Quarterly Results"),
                    ("/financials/annual-reports/default.aspx", "Annual Reports"),
                    ("/governance/documents/default.aspx", "Governance"),
                ),
            ),
            "investor.example.com/financials/annual-reports/default.aspx": page(
                "Annual Reports",
                "".join(
                    f'<div class="module_item"><h2 class="module_year">{year}</h2><div>'
                    f'<a href="{_Q4CDN}/{year}/ar/{name}.pdf">Annual Report</a></div><div>'
                    f'<a href="{_Q4CDN}/{year}/ar/p{name}.pdf">Proxy Statement</a></div></div>'
                    for year, name in ((2024, "x9"), (2023, "y7"), (2022, "z3"))
                ),
            ),
        },
        {2024: f"{_Q4CDN}/2024/ar/x9.pdf", 2022: f"{_Q4CDN}/2022/ar/z3.pdf"},
    ),
    Shape(
        "notified annual reports",
        "static files with a UUID; the title attribute has the file's name",
        {
            "www.example.com/": page(
                "Example", links(("https://ir.example.com/", "Investors"), ("/news", "News"))
            ),
            "ir.example.com/": page(
                "Investor Relations | Example",
                links(
                    ("/news-releases", "News Releases"),
                    ("/financial-information/annual-reports", "Annual Reports & Proxies"),
                    ("/sec-filings", "SEC Filings"),
                ),
            ),
            "ir.example.com/financial-information/annual-reports": page(
                "Annual Reports & Proxies | Example",
                '<div class="nir-widget"><div class="nir-widget--list">'
                + _nir_file("0911ce43-6f61", "2023 AR Final.pdf", "Annual Report", "2023")
                + _nir_file("1b11ce43-6f61", "2024 Proxy.pdf", "Proxy Statement", "2024")
                + _nir_file("2c11ce43-6f61", "2022 AR.pdf", "Annual Report", "2022")
                + "</div></div>",
            ),
            "ir.example.com/sec-filings": page("SEC Filings", "<p>Loading</p>"),
            "ir.example.com/news-releases": page("News", "<p>News</p>"),
        },
        {
            2023: "https://ir.example.com/static-files/0911ce43-6f61",
            2022: "https://ir.example.com/static-files/2c11ce43-6f61",
        },
    ),
    Shape(
        "notified filings",
        "no page of annual reports: a table of filings with dates alone, PDF behind an icon",
        {
            "www.example.com/": page("Example", links(("https://ir.example.com/", "Investors"))),
            "ir.example.com/": page("Example IR", links(("/sec-filings", "SEC Filings"))),
            "ir.example.com/sec-filings": page(
                "SEC Filings | Example",
                "<table><thead><tr><th>Date</th><th>Form</th><th>Description</th><th>PDF</th></tr>"
                "</thead><tbody>"
                + _nir_filing("8-K", "Current report", "Mar 1, 2024", "0000000042-24-000020", "f1")
                + _nir_filing("10-K", "Annual report", "Feb 20, 2024", "0000000042-24-000012", "f2")
                + _nir_filing(
                    "10-Q", "Quarterly report", "Oct 30, 2023", "0000000042-23-000090", "f3"
                )
                + _nir_filing("10-K", "Annual report", "Feb 22, 2023", "0000000042-23-000009", "f4")
                + "</tbody></table>",
            ),
        },
        {
            2023: "https://ir.example.com/static-files/f2",
            2022: "https://ir.example.com/static-files/f4",
        },
    ),
    Shape(
        "notified html filing",
        "the only document is an HTML page of the filing",
        {
            "www.example.com/": page("Example", links(("/investors", "Investors"))),
            "www.example.com/investors": moved("https://investors.example.com/"),
            "investors.example.com/": page(
                "Investors",
                links(
                    ("/node/21926/html", "Annual Report on Form 10-K for fiscal 2023"),
                    ("/node/20311/html", "Quarterly Report on Form 10-Q, third quarter 2023"),
                    ("/node/19001/html", "Annual Report on Form 10-K for fiscal 2022"),
                ),
            ),
            "investors.example.com/node/21926/html": page(
                "10-K", "<h1>Form 10-K</h1><p>For the fiscal year ended December 31, 2023</p>"
            ),
            "investors.example.com/node/19001/html": page(
                "10-K", "<h1>Form 10-K</h1><p>For the fiscal year ended December 31, 2022</p>"
            ),
        },
        {
            2023: "https://investors.example.com/node/21926/html",
            2022: "https://investors.example.com/node/19001/html",
        },
    ),
    Shape(
        "equisolve reports",
        "rows with a title and icons for the formats",
        {
            "www.example.com/": page("Example", links(("https://ir.example.com/", "Investors"))),
            "ir.example.com/": page(
                "Investors",
                links(
                    ("/news-events/press-releases", "Press Releases"),
                    ("/financial-information/annual-reports", "Annual Reports"),
                ),
            ),
            "ir.example.com/financial-information/annual-reports": page(
                "Annual Reports",
                "".join(
                    f'<div class="result-row"><div class="result-line"><span class="title">{title}'
                    f'</span><div class="pull-right"><a href="https://d1io3yog0oux5.cloudfront.net/'
                    f'_6f4/example/db/{name}.pdf" class="link" title="PDF: {title}">'
                    '<span class="eqicon-PDF"></span> PDF</a></div></div></div>'
                    for title, name in (
                        ("2023 Annual Report", "791/annual"),
                        ("2023 Proxy Statement", "790/proxy"),
                        ("2022 Annual Report", "700/annual"),
                    )
                ),
            ),
        },
        {
            2023: "https://d1io3yog0oux5.cloudfront.net/_6f4/example/db/791/annual.pdf",
            2022: "https://d1io3yog0oux5.cloudfront.net/_6f4/example/db/700/annual.pdf",
        },
    ),
    Shape(
        "equisolve filings",
        "content by accession, in PDF, HTML and XBRL",
        {
            "www.example.com/": page("Example", links(("/investors/", "Investors"))),
            "www.example.com/investors/": page(
                "Investors", links(("/investors/sec-filings/all-sec-filings", "All SEC filings"))
            ),
            "www.example.com/investors/sec-filings/all-sec-filings": page(
                "All SEC Filings",
                "<table><tr><th>Form</th><th>Description</th><th>Filing date</th><th>View</th></tr>"
                + "".join(
                    f"<tr><td>{form}</td><td>{about}</td><td>{date}</td><td>"
                    f'<a href="all-sec-filings/content/{a}/{a}.pdf"><span class="eqicon-PDF">'
                    f'</span></a><a href="all-sec-filings/content/{a}/{name}">'
                    '<span class="eqicon-HTML">'
                    f'</span></a><a href="all-sec-filings/content/{a}/{a}.zip">XBRL</a></td></tr>'
                    for form, about, date, a, name in (
                        (
                            "10-Q",
                            "Quarterly report",
                            "11/08/2023",
                            "0000000042-23-000077",
                            "q3.htm",
                        ),
                        (
                            "10-K",
                            "Annual report which provides a comprehensive overview of the company",
                            "09/14/2023",
                            "0000000042-23-000061",
                            "exm-20230630.htm",
                        ),
                        (
                            "10-K",
                            "Annual report which provides a comprehensive overview of the company",
                            "09/12/2022",
                            "0000000042-22-000055",
                            "exm-20220630.htm",
                        ),
                    )
                )
                + "</table>",
            ),
        },
        {
            2023: f"{WWW}/investors/sec-filings/all-sec-filings/content/"
            "0000000042-23-000061/0000000042-23-000061.pdf",
            2022: f"{WWW}/investors/sec-filings/all-sec-filings/content/"
            "0000000042-22-000055/0000000042-22-000055.pdf",
        },
    ),
)
