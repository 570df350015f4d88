"""Arrangements of reports on a page, and of pages on a site."""

from __future__ import annotations

import json

from tests.servers.ir_sites.shape import WWW, Reply, Shape, links, moved, page

_HOME = page("Example", links(("/about", "About"), ("/investors/", "Investors")))


def _with(body: str, **more: Reply) -> dict[str, Reply]:
    pages = {"www.example.com/": _HOME, "www.example.com/investors/": page("Investors", body)}
    return pages | {f"www.example.com/{path}": reply for path, reply in more.items()}


SHAPES = (
    Shape(
        "table with years as rows",
        "the column says the kind, the row the year, the link PDF",
        _with(
            "<table><tr><th>Year</th><th>Sustainability report</th><th>Proxy statement</th>"
            "<th>Annual report</th></tr>"
            + "".join(
                f"<tr><td>{y}</td><td><a href='/d/{y}s.pdf'>PDF</a></td><td><a href='/d/{y}p.pdf'>"
                f"PDF</a></td><td><a href='/d/{y}a.pdf'>PDF</a></td></tr>"
                for y in (2023, 2022, 2021)
            )
            + "</table>"
        ),
        {2023: f"{WWW}/d/2023a.pdf", 2021: f"{WWW}/d/2021a.pdf"},
    ),
    Shape(
        "table with years as columns",
        "the row says the kind",
        _with(
            "<table><thead><tr><th>Document</th><th>2023</th><th>2022</th></tr></thead><tbody>"
            + "".join(
                f"<tr><th>{kind}</th><td><a href='/d/{c}1.pdf'>PDF</a></td>"
                f"<td><a href='/d/{c}2.pdf'>PDF</a></td></tr>"
                for kind, c in (
                    ("Q1 report", "q"),
                    ("Annual report", "a"),
                    ("Year-end presentation", "p"),
                )
            )
            + "</tbody></table>"
        ),
        {2023: f"{WWW}/d/a1.pdf", 2022: f"{WWW}/d/a2.pdf"},
    ),
    Shape(
        "year tabs",
        "a panel for each year; the panels' links have no year",
        _with(
            '<h2>Financial reports</h2><ul role="tablist"><li><a href="#fy2023" role="tab">2023</a>'
            '</li><li><a href="#fy2022" role="tab">2022</a></li></ul>'
            + "".join(
                f'<div role="tabpanel" id="fy{y}">'
                + links(
                    (f"/x/{y % 7}1.pdf", "First quarter"),
                    (f"/x/{y % 7}2.pdf", "Annual report"),
                    (f"/x/{y % 7}3.pdf", "Investor presentation"),
                )
                + "</div>"
                for y in (2023, 2022)
            )
        ),
        {2023: f"{WWW}/x/02.pdf", 2022: f"{WWW}/x/62.pdf"},
    ),
    Shape(
        "year accordion",
        "details with the year as summary",
        _with(
            "".join(
                f"<details><summary>{y}</summary>"
                + links((f"/x/{y % 7}p.pdf", "Proxy"), (f"/x/{y % 7}k.pdf", "Form 10-K"))
                + "</details>"
                for y in (2024, 2023, 2022)
            )
        ),
        {2024: f"{WWW}/x/1k.pdf", 2022: f"{WWW}/x/6k.pdf"},
    ),
    Shape(
        "a page for each year",
        "years are linked, and only the newest is shown",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Investors", links(("/investors/reports", "Reports and presentations"))
            ),
            **{
                f"www.example.com/investors/reports{query}": page(
                    f"Reports {year}",
                    links(
                        *((f"/investors/reports?year={y}", str(y)) for y in range(2024, 2009, -1))
                    )
                    + links(
                        (f"/r/{year}/h1.pdf", f"Half-year report {year}"),
                        (f"/r/{year}/annual.pdf", f"Annual report {year}"),
                    ),
                )
                for year, query in (
                    (2024, ""),
                    *((year, f"?year={year}") for year in range(2024, 2009, -1)),
                )
            },
        },
        {2024: f"{WWW}/r/2024/annual.pdf", 2019: f"{WWW}/r/2019/annual.pdf"},
    ),
    Shape(
        "select of years",
        "the years are options with addresses",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Reports",
                "<h1>Annual reports</h1><select onchange='location=this.value'>"
                "<option value='/investors/ar/2023'>2023</option>"
                "<option value='/investors/ar/2022'>2022</option></select>",
            ),
            "www.example.com/investors/ar/2023": page(
                "Annual report 2023", links(("/f/e23.pdf", "Download the report as PDF"))
            ),
            "www.example.com/investors/ar/2022": page(
                "Annual report 2022", links(("/f/e22.pdf", "Download the report as PDF"))
            ),
        },
        {2023: f"{WWW}/f/e23.pdf", 2022: f"{WWW}/f/e22.pdf"},
    ),
    Shape(
        "archive by decades",
        "older reports are on a page of their own",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Annual reports",
                links(
                    ("/f/2023.pdf", "Annual report 2023"),
                    ("/f/2022.pdf", "Annual report 2022"),
                    ("/investors/old-2", "Annual reports 2010–2021"),
                    ("/investors/old-1", "Annual reports 1999–2009"),
                ),
            ),
            "www.example.com/investors/old-1": page(
                "Archive",
                links(*((f"/f/{y}.pdf", f"Annual report {y}") for y in range(1999, 2010))),
            ),
            "www.example.com/investors/old-2": page(
                "Archive",
                links(*((f"/f/{y}.pdf", f"Annual report {y}") for y in range(2010, 2022))),
            ),
        },
        {2022: f"{WWW}/f/2022.pdf", 2015: f"{WWW}/f/2015.pdf", 2004: f"{WWW}/f/2004.pdf"},
    ),
    Shape(
        "behind many clicks",
        "home, investors, financials, annual reports, report, PDF",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page("Investors", links(("/fin/", "Financials"))),
            "www.example.com/fin/": page(
                "Financials", links(("/fin/results", "Results"), ("/fin/annual", "Annual reports"))
            ),
            "www.example.com/fin/annual": page(
                "Annual reports",
                links(("/fin/annual/2023/", "2023"), ("/fin/annual/2022/", "2022")),
            ),
            "www.example.com/fin/annual/2023/": page(
                "Annual report 2023",
                '<p>Our year.</p><p><a href="/dl/w9.pdf">Read the full report</a></p>',
            ),
            "www.example.com/fin/annual/2022/": page(
                "Annual report 2022",
                '<p>Our year.</p><p><a href="/dl/w4.pdf">Read the full report</a></p>',
            ),
        },
        {2023: f"{WWW}/dl/w9.pdf", 2022: f"{WWW}/dl/w4.pdf"},
    ),
    Shape(
        "quarterly decoys",
        "a list of forty documents, one of which is annual",
        _with(
            links(
                *(
                    (f"/q/{y}q{q}-{kind}.pdf", f"Q{q} {y} {text}")
                    for y in (2023, 2022)
                    for q in (4, 3, 2, 1)
                    for kind, text in (
                        ("rel", "Earnings Release"),
                        ("pres", "Earnings Presentation"),
                        ("tr", "Transcript"),
                        ("10q", "Form 10-Q"),
                    )
                ),
                ("/q/2023-10k.pdf", "2023 Form 10-K"),
                ("/q/2023-def14a.pdf", "2023 Proxy Statement"),
            )
        ),
        {2023: f"{WWW}/q/2023-10k.pdf", 2022: None},
    ),
    Shape(
        "sustainability decoys",
        "sustainability, ESG and diversity reports of the same year",
        _with(
            links(
                ("/s/2023-sustainability-report.pdf", "2023 Sustainability Report"),
                ("/s/2023-esg.pdf", "2023 Annual ESG Report"),
                ("/s/2023-dei.pdf", "2023 Annual Diversity Report"),
                ("/s/2023-tax.pdf", "2023 Annual Tax Transparency Report"),
                ("/s/2023.pdf", "2023 Annual Report"),
                ("/s/2022-sustainability-report.pdf", "2022 Sustainability Report"),
            )
        ),
        {2023: f"{WWW}/s/2023.pdf", 2022: None},
    ),
    Shape(
        "fiscal years",
        "the fiscal year ends in June; meetings and proxies bear the same numbers",
        _with(
            links(
                ("/2023/10/proxy.pdf", "Proxy Statement for the 2023 Annual Meeting"),
                ("/2023/09/fy.pdf", "Annual Report for the fiscal year ended June 30, 2023"),
                ("/2022/09/fy.pdf", "Annual Report for the fiscal year ended June 30, 2022"),
                ("/2023/08/q4.pdf", "Fourth quarter fiscal 2023 results"),
            )
        ),
        {2023: f"{WWW}/2023/09/fy.pdf", 2022: f"{WWW}/2022/09/fy.pdf"},
    ),
    Shape(
        "summary beside the report",
        "annual review, summary and full report",
        _with(
            links(
                ("/d/review23.pdf", "Annual Review 2023"),
                ("/d/short23.pdf", "Summary Annual Report 2023"),
                ("/d/ar23.pdf", "Annual Report 2023"),
                ("/d/ar23.xlsx", "Annual Report 2023 financial tables"),
                ("/d/ar23.zip", "Annual Report 2023 (ESEF)"),
            )
        ),
        {2023: f"{WWW}/d/ar23.pdf"},
    ),
    Shape(
        "interactive report",
        "HTML only, in a site of its own",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Investors",
                links(
                    ("https://annualreport.example.com/2023/", "Interactive Annual Report 2023"),
                    ("/news/", "News"),
                ),
            ),
            "annualreport.example.com/2023/": page(
                "Example Annual Report 2023",
                "<h1>Annual Report 2023</h1>"
                + links(("letter.html", "Letter"), ("financials.html", "Financials")),
            ),
        },
        {2023: "https://annualreport.example.com/2023/"},
    ),
    Shape(
        "interactive report with a PDF",
        "the site of the report offers the whole as a PDF",
        {
            "www.example.com/": page(
                "Example", links(("/annual-report-2023/", "Annual Report 2023"))
            ),
            "www.example.com/annual-report-2023/": page(
                "Annual Report 2023",
                "<h1>2023 Annual Report</h1>"
                + links(
                    ("ceo.html", "CEO letter"),
                    ("/assets/Full-Report.pdf", "Download full report"),
                    ("/assets/esg-data.pdf", "ESG data"),
                ),
            ),
        },
        {2023: f"{WWW}/assets/Full-Report.pdf"},
    ),
    Shape(
        "base and relative addresses",
        "a base element in another folder",
        {
            "www.example.com/": page(
                "Example",
                "<a href='reports.html'>Annual reports</a>",
                head="<base href='/corporate/investors/'>",
            ),
            "www.example.com/corporate/investors/reports.html": page(
                "Annual reports",
                links(("ar-2023.pdf", "2023"), ("ar-2022.pdf", "2022")),
                head="<base href='https://www.example.com/media/'>",
            ),
        },
        {2023: f"{WWW}/media/ar-2023.pdf", 2022: f"{WWW}/media/ar-2022.pdf"},
    ),
    Shape(
        "list in a frame",
        "the reports are in an iframe of another host",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Financial reports",
                "<h1>Reports</h1><iframe src='https://reports.example.net/exm/annual'></iframe>",
            ),
            "reports.example.net/exm/annual": page(
                "Annual reports", links(("/exm/23.pdf", "Annual report 2023"))
            ),
        },
        {2023: "https://reports.example.net/exm/23.pdf"},
    ),
    Shape(
        "buttons with data attributes",
        "no anchors: the address is in an attribute",
        _with(
            "".join(
                f'<div class="doc"><span>{title}</span><button data-href="/b/{name}.pdf">Download'
                "</button></div>"
                for title, name in (
                    ("Annual Report 2023", "k1"),
                    ("Interim Report 2023", "k2"),
                    ("Annual Report 2022", "k3"),
                )
            )
        ),
        {2023: f"{WWW}/b/k1.pdf", 2022: f"{WWW}/b/k3.pdf"},
    ),
    Shape(
        "documents in a script",
        "the page's data is JSON, which a script shows",
        _with(
            '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">'
            + json.dumps(
                {
                    "docs": [
                        {"t": "Interim", "u": f"{WWW}/n/interim-report-2023.pdf"},
                        {"t": "Annual", "u": f"{WWW}/n/annual-report-2023.pdf"},
                        {"t": "Annual", "u": f"{WWW}/n/annual-report-2022.pdf"},
                    ]
                }
            )
            + "</script>"
        ),
        {2023: f"{WWW}/n/annual-report-2023.pdf", 2022: f"{WWW}/n/annual-report-2022.pdf"},
    ),
    Shape(
        "an address that leads to the file",
        "a page of the shop redirects to the document",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors/": page(
                "Investors", links(("/go/annual-report-2023", "Annual Report 2023"))
            ),
            "www.example.com/go/annual-report-2023": moved("/store/9f3.pdf"),
        },
        {2023: f"{WWW}/go/annual-report-2023"},
    ),
)
