"""Find the reports of three companies, with the providers on this machine.

python -m wikicrawler.demo.reports [FEED]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.utils.conf import closest_scrapy_cfg

from wikicrawler import options
from wikicrawler.demo.investors import InvestorSite
from wikicrawler.demo.sec import DemoSec
from wikicrawler.demo.sec_companies import APPLE, TESLA

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROVIDERS = """\
providers:
  sec_edgar: {{tier: 1, www: "{www}", data: "{data}", efts: "{efts}"}}
  catalogue: {{tier: 2, source: index.csv}}
  gri: {{tier: 2, enabled: false}}
  company_ir: {{tier: 3, websites: {{Amber Hives: "{site}"}}}}
"""
_INDEX = """\
name,year,url,content_type,title
Amber Hives,2023,{site}/members/annual-report-2023.pdf,application/pdf,{title}
"""


def run(feed: Path, folder: Path) -> int:
    """Print what is found; return the exit code of the first command that fails."""
    with DemoSec([APPLE, TESLA]) as sec, InvestorSite() as investors:
        providers = folder / "providers.yml"
        addresses = {"www": sec.www, "data": sec.data, "efts": sec.efts, "site": investors.url}
        providers.write_text(_PROVIDERS.format_map(addresses), encoding="utf-8")
        index = _INDEX.format(site=investors.url, title="Annual Report 2023")
        (folder / "index.csv").write_text(index, encoding="utf-8")
        settings = {
            options.CONTACT.name: "demonstration@example.org",
            options.REPORTS_PROVIDERS.name: str(providers),
            options.REPORTS_FOLDER.name: str(folder / "documents"),
            options.PRIVATE_HOSTS.name: "127.0.0.1",
            options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: "480",
        }
        companies = "AAPL,TSLA,Amber Hives"
        crawl = ["crawl", "reports", "-a", f"companies={companies}", "-a", "year=2023", "-O"]
        return _scrapy([*crawl, str(feed)], settings) or _scrapy(
            ["explain", "--reports", str(feed)], {}
        )


def _scrapy(arguments: Sequence[str], settings: dict[str, str]) -> int:
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", *arguments, *given]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own command


def main() -> int:
    """Run the demonstration; return the exit code."""
    if not closest_scrapy_cfg():  # outside of a Scrapy project
        os.environ.setdefault("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    feed = Path(sys.argv[1] if len(sys.argv) > 1 else "reports.jsonl").absolute()
    with tempfile.TemporaryDirectory() as folder:
        try:
            return run(feed, Path(folder))
        except OSError as error:
            sys.stderr.write(f"reports: {error}\n")
            return 1


if __name__ == "__main__":
    sys.exit(main())
