"""Crawls local sites with this project and with its peers; see docs/benchmark.md.

make bench [ARGS="--rounds 1 --pages 50 --only ours,scrapy-markdownify"]
python -m bench.crawls [--corpus generated|manual|FOLDER] …
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.crawls import corpus, picture, report
from bench.crawls.programs import PROGRAMS, ROOT
from bench.crawls.rounds import run_all

if TYPE_CHECKING:
    from bench.crawls.programs import Program
    from bench.crawls.rounds import Results


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.crawls", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="that count (default 5)")
    parser.add_argument("--no-warm-up", action="store_true", help="count the first round too")
    parser.add_argument(
        "--corpus",
        action="append",
        help=f"{corpus.GENERATED}, {corpus.MANUAL}, or a folder of *.html; may be given again "
        "(default: the first two)",
    )
    parser.add_argument(
        "--pages",
        type=int,
        help="of each corpus (default: 300 generated ones, all of the manual or of a folder)",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the pages that are generated")
    parser.add_argument(
        "--numbered", action="store_true", help="URLs that differ by a number: texts are compared"
    )
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--timeout", type=float, default=900, help="seconds for one crawl")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    parser.add_argument("--picture", type=Path, default=ROOT / "bench" / "crawls.svg")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or (arguments.pages is not None and arguments.pages < 1):
        parser.error("--rounds and --pages: at least 1")

    wanted = arguments.only.split(",") if arguments.only else [p.name for p in PROGRAMS]
    known = {program.name: program for program in PROGRAMS}
    if unknown := [name for name in wanted if name not in known]:
        parser.error(f"--only: no {', '.join(unknown)}; there are {', '.join(known)}")
    programs = [known[name] for name in wanted]
    for program in programs:
        program.prepare()

    made = []
    for which in arguments.corpus or [corpus.GENERATED, corpus.MANUAL]:
        made.append(_compare(which, programs, arguments))
        arguments.picture.write_text(picture.bars(made, programs), "utf-8")
    print(f"bench: {arguments.results} and {arguments.picture} are written")
    if failed := [name for results, _ in made for name in results.failures]:
        sys.exit(f"bench: failed: {', '.join(failed)}")


def _compare(
    which: str, programs: list[Program], arguments: argparse.Namespace
) -> tuple[Results, report.Setting]:
    """Run *programs* on the corpus *which*, and write its section of the results."""
    read = corpus.read(which, arguments.pages, arguments.seed)
    if arguments.numbered:
        read = corpus.numbered(read)
    print(f"bench: {read.source}", flush=True)
    able = [program for program in programs if read.api is not None or not program.asks_api]
    if left := [program.name for program in programs if program not in able]:
        print(f"bench: no answers of an API there, so {', '.join(left)} cannot crawl it")
    results = run_all(
        able,
        read,
        arguments.rounds,
        warm_up=not arguments.no_warm_up,
        timeout=arguments.timeout,
    )
    setting = report.Setting(
        title=read.title,
        source=read.source,
        kilobytes=sum(len(page.html) for page in read.pages) / len(read.pages) / 1000,
        links=corpus.links_a_page(read.pages),
        rounds=arguments.rounds,
        command="python -m bench.crawls " + " ".join(sys.argv[1:]),
    )
    text = report.crawls(results, able, setting)
    report.write(arguments.results, f"crawls-{read.name}", text)
    return results, setting


if __name__ == "__main__":
    main()
