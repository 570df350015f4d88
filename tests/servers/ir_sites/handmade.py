"""Sites made by hand or with a common content management system."""

from __future__ import annotations

from tests.servers.ir_sites.shape import WWW, Shape, links, page

_WP = WWW + "/wp-content/uploads"
_HOME = page("Example", links(("/about", "About"), ("/investors", "Investors"), ("/jobs", "Jobs")))

SHAPES = (
    Shape(
        "hand-made list",
        "relative links in a plain list",
        {
            "www.example.com/": page("Example", links(("ir/index.html", "Investor information"))),
            "www.example.com/ir/index.html": page(
                "Investor information",
                links(("annual-reports.html", "Annual reports"), ("contact.html", "Contact")),
            ),
            "www.example.com/ir/annual-reports.html": page(
                "Annual reports",
                links(*((f"pdf/ar{y}.pdf", f"Annual Report {y}") for y in range(2023, 2014, -1))),
            ),
        },
        {2023: f"{WWW}/ir/pdf/ar2023.pdf", 2016: f"{WWW}/ir/pdf/ar2016.pdf", 2010: None},
    ),
    Shape(
        "wordpress uploads",
        "the path has the date of the upload",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                "<h2>Annual reports</h2>"
                + links(
                    (f"{_WP}/2024/03/Example_AR_web_final.pdf", "Annual Report 2023"),
                    (f"{_WP}/2023/03/Example-AR-final-v2.pdf", "Annual Report 2022"),
                    (f"{_WP}/2022/04/ExampleAR.pdf", "Annual Report 2021"),
                ),
            ),
        },
        {
            2023: f"{_WP}/2024/03/Example_AR_web_final.pdf",
            2022: f"{_WP}/2023/03/Example-AR-final-v2.pdf",
        },
    ),
    Shape(
        "wordpress file names",
        "the link says Download; only the file's name has year and kind",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                links(
                    (f"{_WP}/2024/05/Example-Annual-Report-2023.pdf", "Download"),
                    (f"{_WP}/2023/08/Example-Half-Year-Report-2023.pdf", "Download"),
                    (f"{_WP}/2023/05/Example-Annual-Report-2022.pdf", "Download"),
                ),
            ),
        },
        {
            2023: f"{_WP}/2024/05/Example-Annual-Report-2023.pdf",
            2022: f"{_WP}/2023/05/Example-Annual-Report-2022.pdf",
        },
    ),
    Shape(
        "drupal files",
        "teasers with a cover, a title and a button",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                "".join(
                    '<div class="views-row"><img src="/cover.jpg" alt=""><h3 class="title">'
                    f'{title}</h3><p>Published {date}</p><a href="/sites/default/files/{path}" '
                    'class="button">Download (PDF, 3 MB)</a></div>'
                    for title, date, path in (
                        ("Annual report 2023", "12 April 2024", "2024-04/report_0.pdf"),
                        ("Sustainability report 2023", "2 May 2024", "2024-05/report_1.pdf"),
                        ("Annual report 2022", "14 April 2023", "2023-04/report.pdf"),
                    )
                ),
            ),
        },
        {
            2023: f"{WWW}/sites/default/files/2024-04/report_0.pdf",
            2022: f"{WWW}/sites/default/files/2023-04/report.pdf",
        },
    ),
    Shape(
        "archive of the nineties",
        "upper-case tags without quotes in a table, one column for the year",
        {
            "www.example.com/": page(
                "EXAMPLE", "<CENTER><A HREF=invest.htm>Shareholder Information</A></CENTER>"
            ),
            "www.example.com/invest.htm": page(
                "Shareholders",
                "<TABLE BORDER=1><TR><TD>2003<TD><A HREF=pdf/x03.pdf>Annual Report</A>"
                "<TD><A HREF=pdf/q03.pdf>Third Quarter Report</A>"
                "<TR><TD>2002<TD><A HREF=pdf/x02.pdf>Annual Report</A>"
                "<TD><A HREF=pdf/q02.pdf>Third Quarter Report</A></TABLE>",
            ),
        },
        {2003: f"{WWW}/pdf/x03.pdf", 2002: f"{WWW}/pdf/x02.pdf"},
    ),
    Shape(
        "cards with covers",
        "the link is an image whose alternative text says what it is",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                "".join(
                    f'<div class="card"><a href="/media/{name}.pdf"><img src="c.png" '
                    f'alt="{alt}"></a></div>'
                    for name, alt in (
                        ("a81", "Cover of the 2023 annual report"),
                        ("b11", "Cover of the 2023 fact book"),
                        ("c40", "Cover of the 2022 annual report"),
                    )
                ),
            ),
        },
        {2023: f"{WWW}/media/a81.pdf", 2022: f"{WWW}/media/c40.pdf"},
    ),
    Shape(
        "two-digit years",
        "FY23, AR22",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                links(
                    ("/docs/EXM_FY23_AR.pdf", "FY23 Annual Report"),
                    ("/docs/EXM_1H23.pdf", "1H23 Report"),
                    ("/docs/ar22.pdf", "Annual Report"),
                ),
            ),
        },
        {2023: f"{WWW}/docs/EXM_FY23_AR.pdf", 2022: f"{WWW}/docs/ar22.pdf"},
    ),
    Shape(
        "download without a name",
        "addresses of a database; type and size stand in the text",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                links(
                    ("/download?id=881", "Annual Report 2023 (PDF, 4.2 MB)"),
                    ("/download?id=880", "Corporate Governance Report 2023 (PDF, 1 MB)"),
                    ("/download?id=702", "Annual Report 2022 (PDF, 4 MB)"),
                ),
            ),
        },
        {2023: f"{WWW}/download?id=881", 2022: f"{WWW}/download?id=702"},
    ),
    Shape(
        "press releases in between",
        "news about the annual report, and the report",
        {
            "www.example.com/": page(
                "Example",
                links(
                    ("/news/2024/annual-report-2023-published", "Annual Report 2023 published"),
                    ("/investors", "Investors"),
                ),
            ),
            "www.example.com/news/2024/annual-report-2023-published": page(
                "Annual Report 2023 published", "<p>Example today published its report.</p>"
            ),
            "www.example.com/investors": page(
                "Investors",
                "<h2>News</h2>"
                + links(
                    ("/news/a.pdf", "Example announces filing of 2023 annual report on Form 10-K"),
                    ("/news/b.pdf", "Example reports fourth quarter and full year 2023 results"),
                )
                + "<h2>Publications</h2>"
                + links(("/pub/2023-annual-report.pdf", "2023 Annual Report")),
            ),
        },
        {2023: f"{WWW}/pub/2023-annual-report.pdf"},
    ),
    Shape(
        "the year of publication in headings",
        "under 2024 stands the annual report of 2023",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Reports",
                "".join(
                    f"<h2>{year}</h2>"
                    + links(
                        (f"/r/{year}-q1.pdf", f"Interim report Q1 {year}"),
                        (f"/r/{year}-agm.pdf", f"Notice of annual general meeting {year}"),
                        (f"/r/{year}-ar.pdf", f"Annual Report {year - 1}"),
                    )
                    for year in (2024, 2023)
                ),
            ),
        },
        {2023: f"{WWW}/r/2024-ar.pdf", 2022: f"{WWW}/r/2023-ar.pdf"},
    ),
    Shape(
        "chapters of a report",
        "the chapters stand before the whole",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Annual Report 2023",
                "<h1>Annual Report 2023</h1>"
                + links(
                    ("/ar23/chair.pdf", "Annual Report 2023: Letter to shareholders"),
                    ("/ar23/strategy.pdf", "Annual Report 2023: Strategic report"),
                    ("/ar23/fin.pdf", "Annual Report 2023: Financial statements"),
                    ("/ar23/all.pdf", "Annual Report 2023 (full version)"),
                    ("/ar23/hl.pdf", "Annual Report 2023 highlights"),
                ),
            ),
        },
        {2023: f"{WWW}/ar23/all.pdf", 2022: None},
    ),
    Shape(
        "amended filing",
        "10-K/A before 10-K",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                links(
                    ("/f/k23a.pdf", "2023 Form 10-K/A (Amendment No. 1)"),
                    ("/f/k23.pdf", "2023 Form 10-K"),
                    ("/f/k22.pdf", "2022 Form 10-K"),
                ),
            ),
        },
        {2023: f"{WWW}/f/k23.pdf", 2022: f"{WWW}/f/k22.pdf"},
    ),
    Shape(
        "proxy and annual report in one",
        "each file has the proxy of a year and the annual report of the one before",
        {
            "www.example.com/": _HOME,
            "www.example.com/investors": page(
                "Investors",
                links(
                    ("/f/d24.pdf", "2024 Proxy Statement and 2023 Annual Report"),
                    ("/f/d23.pdf", "2023 Proxy Statement and 2022 Annual Report"),
                ),
            ),
        },
        {2023: f"{WWW}/f/d24.pdf", 2022: f"{WWW}/f/d23.pdf", 2024: None},
    ),
)
