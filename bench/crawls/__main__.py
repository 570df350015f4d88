"""Crawls one local site with this project and with its peers; see docs/benchmark.md.

make bench [ARGS="--rounds 1 --pages 50 --only ours,scrapy-markdownify"]
python -m bench.crawls [--corpus FOLDER] …
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.crawls import corpus, picture, report
from bench.crawls.programs import PROGRAMS, ROOT
from bench.crawls.rounds import run_all


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.crawls", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="that count (default 5)")
    parser.add_argument("--no-warm-up", action="store_true", help="count the first round too")
    parser.add_argument("--pages", type=int, help="at most so many (default 300, or the folder's)")
    parser.add_argument("--corpus", type=Path, help="folder of *.html in the place of ours")
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

    if arguments.corpus:
        pages = corpus.saved(arguments.corpus)[: arguments.pages]
        source = f"{len(pages)} pages of a folder of saved ones"
    else:
        pages = corpus.generated(arguments.pages or 300, arguments.seed)
        source = f"{len(pages)} pages rendered by MediaWiki, seed {arguments.seed}"
    if arguments.numbered:
        pages = corpus.numbered(pages)
        source += ", at numbered URLs"
    results = run_all(
        programs,
        pages,
        arguments.rounds,
        warm_up=not arguments.no_warm_up,
        timeout=arguments.timeout,
    )
    described = report.Setting(
        source=source,
        kilobytes=sum(len(page.html) for page in pages) / len(pages) / 1000,
        links=corpus.links_a_page(pages),
        rounds=arguments.rounds,
        command="python -m bench.crawls " + " ".join(sys.argv[1:]),
    )
    report.write(arguments.results, "crawls", report.crawls(results, programs, described))
    arguments.picture.write_text(picture.bars(results, programs, described), "utf-8")
    print(f"bench: {arguments.results} and {arguments.picture} are written")
    if results.failures:
        sys.exit(f"bench: failed: {', '.join(results.failures)}")


if __name__ == "__main__":
    main()
