"""Companies outside the United States: languages, kinds of reports, fiscal years."""

from __future__ import annotations

from tests.servers.ir_sites.shape import WWW, Reply, Shape, links, moved, page

_HOME = page("Example", links(("/investors", "Investors"), ("/careers", "Careers")))


def _with(*entries: tuple[str, str]) -> dict[str, Reply]:
    return {
        "www.example.com/": _HOME,
        "www.example.com/investors": page("Investors", links(*entries)),
    }


SHAPES = (
    Shape(
        "languages in file names",
        "German before English",
        _with(
            ("/d/GB_2023_DE.pdf", "Annual Report 2023 (German)"),
            ("/d/GB_2023_EN.pdf", "Annual Report 2023"),
            ("/d/GB_2022_DE.pdf", "Annual Report 2022 (German)"),
            ("/d/GB_2022_EN.pdf", "Annual Report 2022"),
        ),
        {2023: f"{WWW}/d/GB_2023_EN.pdf", 2022: f"{WWW}/d/GB_2022_EN.pdf"},
    ),
    Shape(
        "languages in paths",
        "the homepage leads to German pages, whose head names the English ones",
        {
            "www.example.com/": moved("/de/"),
            "www.example.com/de/": page(
                "Beispiel",
                links(("/de/investoren", "Investoren"), ("/en/", "English")),
                lang="de",
                head='<link rel="alternate" hreflang="en" href="https://www.example.com/en/">',
            ),
            "www.example.com/de/investoren": page(
                "Investoren", links(("/de/gb23.pdf", "Geschäftsbericht 2023")), lang="de"
            ),
            "www.example.com/en/": page("Example", links(("/en/investors", "Investors"))),
            "www.example.com/en/investors": page(
                "Investors", links(("/en/ar23.pdf", "Annual Report 2023"))
            ),
        },
        {2023: f"{WWW}/en/ar23.pdf"},
    ),
    Shape(
        "german only",
        "there is no English report",
        {
            "www.example.com/": page("Beispiel AG", links(("/investoren", "Investor Relations"))),
            "www.example.com/investoren": page(
                "Investor Relations",
                links(
                    ("/d/hj23.pdf", "Halbjahresbericht 2023"),
                    ("/d/gb23.pdf", "Geschäftsbericht 2023"),
                    ("/d/nb23.pdf", "Nachhaltigkeitsbericht 2023"),
                    ("/d/gb22.pdf", "Geschäftsbericht 2022"),
                ),
                lang="de",
            ),
        },
        {2023: f"{WWW}/d/gb23.pdf", 2022: f"{WWW}/d/gb22.pdf"},
    ),
    Shape(
        "french registration document",
        "universal registration documents, with translations",
        _with(
            ("/d/urd23.pdf", "2023 Universal Registration Document"),
            ("/d/deu23.pdf", "Document d'enregistrement universel 2023"),
            ("/d/rfs23.pdf", "2023 Half-year financial report"),
            ("/d/urd22.pdf", "2022 Universal Registration Document"),
        ),
        {2023: f"{WWW}/d/urd23.pdf", 2022: f"{WWW}/d/urd22.pdf"},
    ),
    Shape(
        "british plc",
        "annual report and accounts between notices and half-year reports",
        _with(
            ("/d/agm24.pdf", "Notice of Annual General Meeting 2024"),
            ("/d/hy23.pdf", "Half Year Report 2023"),
            ("/d/prelims23.pdf", "Preliminary Annual Results 2023"),
            ("/d/ara23.pdf", "Annual Report and Accounts 2023"),
            ("/d/rem23.pdf", "Remuneration Report 2023"),
            ("/d/ara22.pdf", "Annual Report and Accounts 2022"),
        ),
        {2023: f"{WWW}/d/ara23.pdf", 2022: f"{WWW}/d/ara22.pdf"},
    ),
    Shape(
        "nordic annual and sustainability report",
        "one document for both, and a sustainability index",
        _with(
            ("/d/index23.pdf", "Sustainability index 2023"),
            ("/d/asr23.pdf", "Annual and Sustainability Report 2023"),
            ("/d/ye23.pdf", "Year-end report 2023"),
            ("/d/cgr23.pdf", "Corporate governance report 2023"),
            ("/d/asr22.pdf", "Annual and Sustainability Report 2022"),
        ),
        {2023: f"{WWW}/d/asr23.pdf", 2022: f"{WWW}/d/asr22.pdf"},
    ),
    Shape(
        "south african integrated report",
        "an integrated report and a separate ESG report",
        _with(
            ("/d/esg23.pdf", "2023 ESG Report"),
            ("/d/ir23.pdf", "2023 Integrated Report"),
            ("/d/notice23.pdf", "2023 Notice of AGM and form of proxy"),
            ("/d/ir22.pdf", "2022 Integrated Report"),
        ),
        {2023: f"{WWW}/d/ir23.pdf", 2022: f"{WWW}/d/ir22.pdf"},
    ),
    Shape(
        "foreign filer",
        "20-F and 6-K",
        _with(
            ("/d/6k.pdf", "Form 6-K, March 2024"),
            ("/d/20f23.pdf", "Annual Report on Form 20-F 2023"),
            ("/d/20f22.pdf", "Annual Report on Form 20-F 2022"),
            ("/d/roadshow.pdf", "Roadshow presentation 2023"),
        ),
        {2023: f"{WWW}/d/20f23.pdf", 2022: f"{WWW}/d/20f22.pdf"},
    ),
    Shape(
        "canadian filer",
        "40-F, information form and circular",
        _with(
            ("/d/circ24.pdf", "2024 Management Information Circular"),
            ("/d/aif23.pdf", "2023 Annual Information Form"),
            ("/d/40f23.pdf", "2023 Form 40-F"),
            ("/d/40f22.pdf", "2022 Form 40-F"),
        ),
        {2023: f"{WWW}/d/40f23.pdf", 2022: f"{WWW}/d/40f22.pdf"},
    ),
    Shape(
        "indian fiscal years",
        "2022-23 ends in March 2023",
        _with(
            ("/wp-content/uploads/2024/08/AR.pdf", "Annual Report 2023-24"),
            ("/wp-content/uploads/2023/08/AR.pdf", "Annual Report 2022-23"),
            ("/wp-content/uploads/2022/08/AR.pdf", "Annual Report 2021-22"),
        ),
        {
            2023: f"{WWW}/wp-content/uploads/2023/08/AR.pdf",
            2022: f"{WWW}/wp-content/uploads/2022/08/AR.pdf",
        },
    ),
    Shape(
        "japanese library",
        "fiscal years that end in March, flash reports beside",
        _with(
            ("/d/t23.pdf", "Consolidated Financial Results for the Year Ended March 31, 2023"),
            ("/d/i23.pdf", "Integrated Report 2023 (Year ended March 31, 2023)"),
            ("/d/p23.pdf", "Presentation materials for the year ended March 31, 2023"),
            ("/d/i22.pdf", "Integrated Report 2022 (Year ended March 31, 2022)"),
        ),
        {2023: f"{WWW}/d/i23.pdf", 2022: f"{WWW}/d/i22.pdf"},
    ),
    Shape(
        "fund with semi-annual reports",
        "the words annual report are part of semi-annual report",
        _with(
            ("/d/sar23.pdf", "Semi-Annual Report 2023"),
            ("/d/sem23.pdf", "Semiannual Report June 2023"),
            ("/d/a23.pdf", "Annual Report 2023"),
            ("/d/sar22.pdf", "Semi-Annual Report 2022"),
        ),
        {2023: f"{WWW}/d/a23.pdf", 2022: None},
    ),
    Shape(
        "spanish site, english asked",
        "both languages in one list, told by the path",
        _with(
            ("/es/d/informe-anual-2023.pdf", "Informe anual 2023"),
            ("/en/d/annual-report-2023.pdf", "Annual Report 2023"),
            ("/es/d/informe-anual-2022.pdf", "Informe anual 2022"),
            ("/en/d/annual-report-2022.pdf", "Annual Report 2022"),
        ),
        {2023: f"{WWW}/en/d/annual-report-2023.pdf", 2022: f"{WWW}/en/d/annual-report-2022.pdf"},
    ),
)
