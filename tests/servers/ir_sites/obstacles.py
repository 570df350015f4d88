"""Sites on which the reports are hard to reach, or that have none."""

from __future__ import annotations

from tests.servers.ir_sites.shape import (
    FORBIDDEN,
    TEXT,
    WWW,
    Reply,
    Shape,
    links,
    moved,
    page,
    sitemap,
)

_NO_LINKS = page("Example", "<div id='app'><h1>Example</h1><p>We make examples.</p></div>")
_LOST = page(
    "Example",
    "<h1>Sorry, we couldn’t find that page</h1><p>Try our search.</p><a href='/'>Home</a>",
)
_AR = page(
    "Annual reports",
    links(("/d/ar23.pdf", "Annual Report 2023"), ("/d/ar22.pdf", "Annual Report 2022")),
)
_ANSWERS = {2023: f"{WWW}/d/ar23.pdf", 2022: f"{WWW}/d/ar22.pdf"}

SHAPES = (
    Shape(
        "soft 404",
        "missing pages are replied with 200; the investors' page has a name of its own",
        {
            "www.example.com/": page("Example", links(("/owners", "For our shareholders"))),
            "www.example.com/owners": _AR,
        },
        _ANSWERS,
        missing=_LOST,
    ),
    Shape(
        "homepage for every address",
        "a missing page is the homepage with 200, which offers last year's report",
        {
            "www.example.com/": page(
                "Example", links(("/d/ar22.pdf", "Annual Report 2022"), ("/shop", "Shop"))
            ),
        },
        {2022: f"{WWW}/d/ar22.pdf", 2023: None},
        missing=page("Example", links(("/d/ar22.pdf", "Annual Report 2022"), ("/shop", "Shop"))),
    ),
    Shape(
        "no sitemap and no links",
        "the page is where many sites have it",
        {
            "www.example.com/": _NO_LINKS,
            "www.example.com/investor-relations/annual-reports": _AR,
        },
        _ANSWERS,
    ),
    Shape(
        "sitemap only",
        "an index of sitemaps in robots.txt",
        {
            "www.example.com/": _NO_LINKS,
            "www.example.com/robots.txt": Reply(
                f"User-agent: *\nAllow: /\nSitemap: {WWW}/maps/index.xml\n", TEXT
            ),
            "www.example.com/maps/index.xml": sitemap(f"{WWW}/maps/pages.xml", index=True),
            "www.example.com/maps/pages.xml": sitemap(
                *(f"{WWW}/products/{n}" for n in range(300)),
                f"{WWW}/company/shareholders/annual-reports",
            ),
            "www.example.com/company/shareholders/annual-reports": _AR,
        },
        _ANSWERS,
    ),
    Shape(
        "documents in the sitemap",
        "no page links the files",
        {
            "www.example.com/": _NO_LINKS,
            "www.example.com/sitemap.xml": sitemap(
                f"{WWW}/about",
                f"{WWW}/media/example-interim-report-2023.pdf",
                f"{WWW}/media/example-annual-report-2023.pdf",
                f"{WWW}/media/example-annual-report-2022.pdf",
            ),
        },
        {
            2023: f"{WWW}/media/example-annual-report-2023.pdf",
            2022: f"{WWW}/media/example-annual-report-2022.pdf",
        },
    ),
    Shape(
        "subdomain that nobody links",
        "ir.",
        {
            "www.example.com/": _NO_LINKS,
            "ir.example.com/": page(
                "Investor relations", links(("/reports", "Annual reports and filings"))
            ),
            "ir.example.com/reports": page("Reports", links(("/r/2023.pdf", "2023 Annual Report"))),
        },
        {2023: "https://ir.example.com/r/2023.pdf"},
    ),
    Shape(
        "redirect to another host",
        "/investors leads to investors.",
        {
            "example.com/": moved(f"{WWW}/"),
            "www.example.com/": moved("/us/en/home.html"),
            "www.example.com/us/en/home.html": page(
                "Example", links(("/us/en/products.html", "Products"), ("/investors", "Investors"))
            ),
            "www.example.com/investors": moved("https://investors.example.com/overview"),
            "investors.example.com/overview": page(
                "Overview", links(("/annuals", "Annual Reports"))
            ),
            "investors.example.com/annuals": page(
                "Annual Reports", links(("/f/23.pdf", "2023"), ("/f/22.pdf", "2022"))
            ),
        },
        {
            2023: "https://investors.example.com/f/23.pdf",
            2022: "https://investors.example.com/f/22.pdf",
        },
        website="http://example.com/",
    ),
    Shape(
        "reports on a delivery network",
        "long addresses without words",
        {
            "www.example.com/": page("Example", links(("/investors", "Investors"))),
            "www.example.com/investors": page(
                "Investors",
                links(
                    ("https://assets.example.net/9f/7d2c/asset.pdf?v=2", "2023 Annual Report"),
                    ("https://assets.example.net/9f/81aa/asset.pdf?v=1", "2023 Proxy Statement"),
                    ("https://assets.example.net/8e/77b0/asset.pdf?v=4", "2022 Annual Report"),
                ),
            ),
        },
        {
            2023: "https://assets.example.net/9f/7d2c/asset.pdf?v=2",
            2022: "https://assets.example.net/8e/77b0/asset.pdf?v=4",
        },
    ),
    Shape(
        "homepage blocked",
        "403 on the homepage, an open sitemap",
        {
            "www.example.com/": FORBIDDEN,
            "www.example.com/sitemap.xml": sitemap(f"{WWW}/products", f"{WWW}/investors/reports"),
            "www.example.com/investors/reports": _AR,
        },
        _ANSWERS,
    ),
    Shape(
        "empty site",
        "nothing but a homepage",
        {"www.example.com/": page("Example", "<p>Coming soon.</p>")},
        {2023: None},
    ),
    Shape(
        "other years only",
        "reports of 2020 to 2022",
        {
            "www.example.com/": page("Example", links(("/investors", "Investors"))),
            "www.example.com/investors": page(
                "Annual reports",
                links(*((f"/d/{y}.pdf", f"Annual Report {y}") for y in (2022, 2021, 2020))),
            ),
        },
        {2023: None, 2021: f"{WWW}/d/2021.pdf"},
    ),
    Shape(
        "endless calendar",
        "every month of the calendar leads to the next",
        {
            "www.example.com/": page(
                "Example",
                links(
                    *(
                        (f"/events/{y}/{m}", f"Investor events {m}/{y}")
                        for y in range(2020, 2030)
                        for m in range(1, 13)
                    ),
                    ("/investors/reports", "Investor reports"),
                ),
            ),
            "www.example.com/investors/reports": _AR,
        },
        _ANSWERS,
    ),
    Shape(
        "dead links",
        "old addresses in the menu are gone, the sitemap has the new ones",
        {
            "www.example.com/": page(
                "Example",
                links(("/ir/old", "Investor relations"), ("/ir/older", "Annual reports")),
            ),
            "www.example.com/sitemap.xml": sitemap(f"{WWW}/new/investors/annual-reports"),
            "www.example.com/new/investors/annual-reports": _AR,
        },
        _ANSWERS,
    ),
)
