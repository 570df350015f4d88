"""How a crawl holds up as it grows: speed and memory by queued pages and by domains.

    make bench-growth [ARGS="--max 10000"]
    python -m bench.growth [--queues 1000,10000,100000] [--domains 1,100,1000] [--max N]
                           [--pages N] [--jobdir]

Small pages from nginx on loopback. *Queues*: one site, whose first pages link to all others before
any of those is asked for, so that so many wait at once. *Domains*: 10,000 pages (``--pages``) on so
many sites, by names that resolve to loopback; each has its robots.txt, which counts as a request.
The speed is that of the site's own log, from the first of the pages that waited to the last; memory
is each process's peak. ``--jobdir`` keeps the queues in a state folder. Writes its section of
RESULTS.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.crawls import report, tree
from bench.crawls.corpus import Page
from bench.crawls.programs import CONCURRENCY, ROOT, SETTINGS, own_environment
from bench.crawls.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGES_OF_DOMAINS = 10_000
_ROBOTS = "/robots.txt"
_HUB = 1_000  # links a page of links
_LEAF = (  # nginx fills in what the path has
    '<!DOCTYPE html><html lang=\\"en\\" class=\\"client-nojs\\"><head><title>Page $1</title>'
    '<meta name=\\"generator\\" content=\\"MediaWiki 1.39.17\\"/>'
    # As MediaWiki states it. The texts of other pages are compared, and these differ by a number.
    '<script>RLCONF={\\"wgNamespaceNumber\\":0};</script></head>'
    '<body class=\\"mediawiki ns-0\\"><h1 id=\\"firstHeading\\">Page $1</h1>'
    '<div id=\\"mw-content-text\\"><div class=\\"mw-parser-output\\"><p>This is <b>page $1</b>, '
    'one of many small ones, with <a href=\\"/leaf/0\\">a link</a> to the first of them and some '
    "words that make it a text and no empty shell of one, as wikis have them.</p>"
    "<h2>Section</h2><ul><li>One</li><li>Two</li></ul></div></div></body></html>"
)
_LOCATIONS = f'location ~ ^/leaf/(\\d+)$ {{ default_type text/html; return 200 "{_LEAF}"; }}'


@dataclass
class Crawl:
    """What a crawl of so many pages gave."""

    label: str
    asked: int
    pages: int
    """That the site was asked for, without pages of links."""
    requests: int
    """All that the site answered: pages of links and robots.txt too."""
    robots: int
    """Of those, for robots.txt."""
    rate: float
    """Pages a second."""
    cpu: float
    """Seconds, of all processes, the start included."""
    main: int
    """Peak resident set size in bytes of the crawl's process."""
    worker: int
    """The same of the largest worker."""

    @property
    def cpu_a_page(self) -> float:
        return self.cpu / max(self.pages, 1)

    @property
    def cpu_a_request(self) -> float:
        return self.cpu / max(self.requests, 1)


def by_queue(count: int, *, jobdir: bool = False) -> Crawl:
    """Crawl one site in which *count* pages wait; with *jobdir* in a state folder."""
    hubs = [range(start, min(start + _HUB, count)) for start in range(0, count, _HUB)]
    with _site() as site:
        site.add(Page("/", _links("Start", [f"/hub/{n}" for n in range(len(hubs))])))
        for number, hub in enumerate(hubs):
            site.add(Page(f"/hub/{number}", _links("Links", [f"/leaf/{n}" for n in hub])))
        arguments = ["-a", f"seeds={site.url}/"]
        if jobdir:
            arguments.append(f"-sJOBDIR={site.folder / 'job'}")
        return _crawl(site, f"{count:,} queued", count, arguments)


def by_domains(count: int, pages: int) -> Crawl:
    """Crawl *pages* pages on *count* sites, which have the same number of them."""
    each = max(1, pages // count)
    with _site() as site:
        hosts = [f"http://site{number}.com:{site.port}" for number in range(count)]
        site.add(Page("/", _links("Start", [f"/leaf/{n}" for n in range(each)])))
        seeds = site.folder / "seeds.txt"
        seeds.write_text("".join(f"{host}/\n" for host in hosts), "utf-8")
        resolver = "-sTWISTED_DNS_RESOLVER=bench.crawls.loopback.LoopbackResolver"
        arguments = ["-a", f"seeds={seeds}", resolver]
        return _crawl(site, f"{count:,} domains", each * count, arguments)


@contextmanager
def _site() -> Iterator[Site]:
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as scratch,
        Site(Path(scratch), _LOCATIONS) as site,
    ):
        yield site


def _crawl(site: Site, label: str, asked: int, arguments: list[str]) -> Crawl:
    scratch = Path(tempfile.mkdtemp(prefix="growth-", dir=site.folder))
    cost = tree.run(
        [
            *(sys.executable, "-m", "scrapy", "crawl", "wiki", *arguments),
            *(f"-s{name}={value}" for name, value in SETTINGS.items()),
            *("-sWIKICRAWLER_TIERS=http", "-O", str(scratch / "pages.jsonl")),
            *("--logfile", str(scratch / "crawl.log")),
        ],
        output=scratch / "output",
        environment=own_environment() | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        timeout=3600,
        role=lambda line: "worker" if "wikicrawler.content.workers.worker" in line else "main",
    )
    if cost.exit_code != 0:
        told = (scratch / "output").read_text("utf-8", "replace")[-2000:]
        raise SystemExit(f"bench: {label}: exit code {cost.exit_code}: {told}")
    answers = site.times()
    times = [when for when, status, path in answers if status == 200 and "/leaf/" in path]
    seconds = times[-1] - times[0] if len(times) > 1 else 0
    result = Crawl(
        label=label,
        asked=asked,
        pages=len(times),
        requests=len(answers),
        robots=sum(path == _ROBOTS for _, _, path in answers),
        rate=(len(times) - 1) / seconds if seconds else 0,
        cpu=cost.cpu_seconds,
        main=cost.peaks.get("main", 0),
        worker=cost.peaks.get("worker", 0),
    )
    print(
        f"bench: {label:18} {result.pages} pages, {result.rate:.0f} pages/s, "
        f"{result.cpu_a_request * 1000:.2f} ms CPU a request, main process "
        f"{result.main / 1e6:.0f} MB, largest worker {result.worker / 1e6:.0f} MB",
        flush=True,
    )
    return result


def _links(title: str, paths: list[str]) -> bytes:
    items = "".join(f'<li><a href="{path}">{path}</a></li>' for path in paths)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title}</title>'
        '<meta name="generator" content="MediaWiki 1.39.17"/></head><body class="mediawiki ns-0">'
        f'<h1 id="firstHeading">{title}</h1><div id="mw-content-text">'
        f'<div class="mw-parser-output"><p>Pages.</p><ul>{items}</ul></div></div></body></html>'
    ).encode()


def section(
    queues: list[Crawl], domains: list[Crawl], command: str, *, jobdir: bool = False
) -> str:
    """The section of RESULTS.md."""
    parts = [
        report.head("Growth", command),
        f"Pages of 1 kB from nginx on loopback, {CONCURRENCY} requests at once a site, whole "
        "crawls of ours with the tier `http`. Memory is the peak of each process.",
    ]
    if queues:
        place = ", in a state folder" if jobdir else ""
        parts += [f"One site, all pages queued{place} before the first of them is asked for:"]
        parts += [_table(queues), _growth(queues)]
    if domains:
        parts += [f"{domains[0].asked:,} pages on many domains:", _table(domains)]
        parts += [_by_domain(domains)]
    return "\n\n".join(part for part in parts if part)


def _table(crawls: list[Crawl]) -> str:
    first = crawls[0]
    rows = [
        [
            crawl.label,
            f"{crawl.pages:,} of {crawl.asked:,}",
            f"{crawl.rate:.0f}",
            f"{crawl.rate / first.rate:.2f}×" if first.rate else "",
            f"{crawl.cpu_a_page * 1000:.1f}",
            f"{crawl.requests:,} ({crawl.robots:,})",
            f"{crawl.cpu_a_request * 1000:.2f}",
            f"{crawl.main / 1e6:.0f}",
            f"{crawl.worker / 1e6:.0f}",
        ]
        for crawl in crawls
    ]
    header = [
        "crawl",
        "pages",
        "pages/s",
        "of the first",
        "CPU ms a page",
        "requests (robots.txt)",
        "CPU ms a request",
        "main MB",
        "a worker MB",
    ]
    return report.table(header, rows)


def _growth(crawls: list[Crawl]) -> str:
    if len(crawls) < 2 or crawls[-1].asked == crawls[0].asked:
        return ""
    first, last = crawls[0], crawls[-1]
    each = (last.main - first.main) / (last.asked - first.asked)
    return (
        f"From {first.asked:,} to {last.asked:,} queued pages the main process grows by {each:.0f} "
        "bytes a page."
    )


def _by_domain(crawls: list[Crawl]) -> str:
    if len(crawls) < 2 or not crawls[-2].cpu_a_request:
        return ""
    fewer, most = crawls[-2:]
    ratio = most.cpu_a_request / fewer.cpu_a_request
    return (
        f"A request takes {ratio:.2f}× the CPU time in the crawl of {most.label} that it takes in "
        f"the one of {fewer.label}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.growth", description=__doc__.splitlines()[0])
    parser.add_argument("--queues", type=_numbers, default="1000,10000,100000")
    parser.add_argument("--domains", type=_numbers, default="1,100,1000")
    parser.add_argument("--max", type=int, help="leave out queues that are longer")
    parser.add_argument("--pages", type=int, default=_PAGES_OF_DOMAINS, help="on all domains")
    parser.add_argument("--jobdir", action="store_true", help="keep the queues in a state folder")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    arguments = parser.parse_args()
    limit = arguments.max or max(arguments.queues, default=0)
    queues = [
        by_queue(count, jobdir=arguments.jobdir) for count in arguments.queues if count <= limit
    ]
    domains = [by_domains(count, arguments.pages) for count in arguments.domains]
    command = "python -m bench.growth " + " ".join(sys.argv[1:])
    report.write(
        arguments.results, "growth", section(queues, domains, command, jobdir=arguments.jobdir)
    )
    print(f"bench: {arguments.results} is written")


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",") if number]


if __name__ == "__main__":
    main()
