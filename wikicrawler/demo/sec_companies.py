"""Three companies of the scripted SEC. Accessions, forms and ends of the labelled filings are those
of EDGAR; the other filings and all texts are made up."""

from __future__ import annotations

from datetime import date

from wikicrawler.demo.sec_data import SecCompany, SecFiling

APPLE = SecCompany(
    320193,
    "Apple Inc.",
    ("AAPL",),
    sic="3571",
    year_end="0928",
    filings=(
        SecFiling(
            *("0000320193-24-099123", "10-K", date(2024, 11, 1), date(2024, 9, 28)),
            "aapl-20240928.htm",
            2024,
        ),
        SecFiling(  # of EDGAR
            *("0000320193-23-000106", "10-K", date(2023, 11, 3), date(2023, 9, 30)),
            "aapl-20230930.htm",
            2023,
        ),
        SecFiling(
            *("0000320193-22-099108", "10-K", date(2022, 10, 28), date(2022, 9, 24)),
            "aapl-20220924.htm",
            2022,
        ),
    ),
)
NVIDIA = SecCompany(
    1045810,
    "NVIDIA CORP",
    ("NVDA",),
    sic="3674",
    year_end="0126",
    filings=(
        SecFiling(  # of EDGAR
            *("0001045810-24-000029", "10-K", date(2024, 2, 21), date(2024, 1, 28)),
            "nvda-20240128.htm",
            2024,
            pdf="nvda-2024-10k.pdf",
        ),
        SecFiling(
            *("0001045810-23-099017", "10-K", date(2023, 2, 24), date(2023, 1, 29)),
            "nvda-20230129.htm",
            2023,
            pdf="nvda-2023-10k.pdf",
        ),
    ),
)
TESLA = SecCompany(
    1318605,
    "Tesla, Inc.",
    ("TSLA",),
    sic="3711",
    year_end="1231",
    filings=(
        SecFiling(  # of EDGAR
            *("0001104659-25-042659", "10-K/A", date(2025, 4, 30), date(2024, 12, 31)),
            "tsla-20241231x10ka.htm",
            2024,
        ),
        SecFiling(  # of EDGAR
            *("0001628280-25-003063", "10-K", date(2025, 1, 30), date(2024, 12, 31)),
            "tsla-20241231.htm",
            2024,
        ),
        SecFiling(
            *("0001318605-24-099024", "10-K", date(2024, 1, 29), date(2023, 12, 31)),
            "tsla-20231231.htm",
            2023,
        ),
    ),
)
COMPANIES = (APPLE, NVIDIA, TESLA)
