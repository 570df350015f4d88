"""Arrangements as large companies use them, written after the others."""

from __future__ import annotations

from tests.servers.ir_sites.shape import WWW, Reply, Shape, links, page

_HOME = page("Example", links(("/investors", "Investors"), ("/products", "Products")))


def _with(body: str) -> dict[str, Reply]:
    return {"www.example.com/": _HOME, "www.example.com/investors": page("Investors", body)}


SHAPES = (
    Shape(
        "year cells over several rows",
        "the cell of the year spans the rows of its documents",
        _with(
            "<table>"
            + "".join(
                f"<tr><td rowspan=3>{y}</td><td><a href='/t/{y % 7}q.pdf'>Interim report</a></td>"
                f"</tr><tr><td><a href='/t/{y % 7}a.pdf'>Annual report</a></td></tr>"
                f"<tr><td><a href='/t/{y % 7}p.pdf'>Presentation</a></td></tr>"
                for y in (2023, 2022, 2021)
            )
            + "</table>"
        ),
        {2023: f"{WWW}/t/0a.pdf", 2021: f"{WWW}/t/5a.pdf"},
    ),
    Shape(
        "bold years in the text",
        "paragraphs with a bold year, a list below each",
        _with(
            "".join(
                f"<p><strong>{y}</strong></p>"
                + links(
                    (f"/b/{y % 7}z.pdf", "Interim Report"),
                    (f"/b/{y % 7}a.pdf", "Annual Report"),
                    (f"/b/{y % 7}n.pdf", "Notice of AGM"),
                )
                for y in (2023, 2022)
            )
        ),
        {2023: f"{WWW}/b/0a.pdf", 2022: f"{WWW}/b/6a.pdf"},
    ),
    Shape(
        "one line for each year",
        "the year, then its documents in one list item",
        _with(
            "<ul>"
            + "".join(
                f"<li>{y}: <a href='/l/{y % 7}p.pdf'>Proxy</a> | <a href='/l/{y % 7}a.pdf'>Annual "
                f"report</a> | <a href='/l/{y % 7}k.pdf'>Corporate responsibility</a></li>"
                for y in (2023, 2022)
            )
            + "</ul>"
        ),
        {2023: f"{WWW}/l/0a.pdf", 2022: f"{WWW}/l/6a.pdf"},
    ),
    Shape(
        "annual and interim reports of a year on one page",
        "a page for each year, linked with both words",
        {
            "www.example.com/": page("EXAMPLE INC.", links(("reports.html", "Annual Reports"))),
            "www.example.com/reports.html": page(
                "Annual &amp; Interim Reports",
                links(
                    *(
                        (f"{y}ar/links{y % 100}.html", f"{y} Annual &amp; Interim Reports")
                        for y in (2023, 2022, 2021)
                    ),
                ),
            ),
            **{
                f"www.example.com/{y}ar/links{y % 100}.html": page(
                    f"{y}",
                    links(
                        (f"{y}ar.pdf", f"{y} Annual Report"),
                        ("1stqtr.pdf", "First Quarter Report"),
                    ),
                )
                for y in (2023, 2022, 2021)
            },
        },
        {2023: f"{WWW}/2023ar/2023ar.pdf", 2021: f"{WWW}/2021ar/2021ar.pdf"},
    ),
    Shape(
        "integrated report and 20-F",
        "the form that is asked for is preferred",
        _with(
            links(
                ("/s/ir23.pdf", "2023 Integrated Report (PDF)"),
                ("/s/20f23.pdf", "2023 Annual Report on Form 20-F (PDF)"),
                ("/s/ifrs23.pdf", "Half-Year Report January–June 2023 (PDF)"),
            )
        ),
        {2023: f"{WWW}/s/20f23.pdf", 2022: None},
    ),
    Shape(
        "integrated annual report with parts",
        "an Indian filer: integrated report, subsidiaries, additional information",
        _with(
            links(
                ("/i/sub.pdf", "Subsidiary financial statements 2022-23"),
                ("/i/iar.pdf", "Integrated Annual Report 2022-23"),
                ("/i/add.pdf", "Additional information 2022-23"),
                ("/i/agm.pdf", "AGM Notice 2022-23"),
            )
        ),
        {2023: f"{WWW}/i/iar.pdf"},
    ),
    Shape(
        "year ended in words",
        "annual report for the year ended, interim results for six months",
        _with(
            links(
                ("/w/i.pdf", "Interim results for the six months ended 30 September 2023"),
                ("/w/p.pdf", "Final results for the year ended 31 March 2023"),
                ("/w/a.pdf", "Annual Report for the year ended 31 March 2023"),
                ("/w/b.pdf", "Annual Report for the year ended 31 March 2022"),
            )
        ),
        {2023: f"{WWW}/w/a.pdf", 2022: f"{WWW}/w/b.pdf"},
    ),
    Shape(
        "library of a foreign filer",
        "sections by kind, rows by the end of the fiscal year",
        _with(
            "<h2>Securities Reports (Japanese)</h2><table><tr><th>Fiscal year ended March 31, 2023"
            "</th><td><a href='/j/y23.pdf'>PDF</a></td></tr></table><h2>Form 20-F</h2><table>"
            "<tr><th>Fiscal year ended March 31, 2023</th><td>"
            "<a href='/j/f23.pdf'>PDF</a></td></tr>"
            "<tr><th>Fiscal year ended March 31, 2022</th><td>"
            "<a href='/j/f22.pdf'>PDF</a></td></tr>"
            "</table><h2>Quarterly Reports</h2><table><tr><th>Fiscal year ended March 31, 2023</th>"
            "<td><a href='/j/q23.pdf'>PDF</a></td></tr></table>"
        ),
        {2023: f"{WWW}/j/f23.pdf", 2022: f"{WWW}/j/f22.pdf"},
    ),
    Shape(
        "filings with sizes",
        "the link's text has the file's size",
        _with(
            "<h3>2023</h3>"
            + links(
                ("/z/x1.pdf", "Form 10-K (10.2 MB)"),
                ("/z/x2.pdf", "Form 10-Q Q3 (2048 KB)"),
            )
            + "<h3>2022</h3>"
            + links(("/z/x3.pdf", "Form 10-K (12 MB)"))
        ),
        {2023: f"{WWW}/z/x1.pdf", 2022: f"{WWW}/z/x3.pdf"},
    ),
    Shape(
        "fiscal 2024 that ends in January 2024",
        "a retailer; the upload is of 2024, too",
        _with(
            links(
                ("/getmedia/0f3a/2024-proxy.pdf", "2024 Notice and Proxy Statement"),
                ("/getmedia/1c2b/FY24-annual.pdf", "Fiscal Year 2024 Annual Report"),
                ("/getmedia/9e77/FY23-annual.pdf", "Fiscal Year 2023 Annual Report"),
            )
        ),
        {
            2024: f"{WWW}/getmedia/1c2b/FY24-annual.pdf",
            2023: f"{WWW}/getmedia/9e77/FY23-annual.pdf",
        },
    ),
    Shape(
        "news item and document share a title",
        "the page of news comes first in the list",
        _with(
            links(
                ("/media/news/2024/annual-report-2023", "Annual Report 2023"),
                ("/media/files/annual-report-2023.pdf", "Annual Report 2023"),
            )
        ),
        {2023: f"{WWW}/media/files/annual-report-2023.pdf"},
    ),
    Shape(
        "strip of years above one list",
        "the years of the strip belong to no document",
        _with(
            "<div><span>2024</span><span>2023</span><span>2022</span></div><h2>Annual reports</h2>"
            + links(("/y/ar-2023.pdf", "Download"), ("/y/ar-2022.pdf", "Download"))
        ),
        {2023: f"{WWW}/y/ar-2023.pdf", 2022: f"{WWW}/y/ar-2022.pdf", 2024: None},
    ),
)
