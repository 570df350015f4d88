"""How the cost of the worst pages grows with their size.

    python bench/worst_cases.py [NAME…]

Prints the CPU time of each at half and at full size, as a wiki's page and as any other.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.content.worst_cases import CASES, URL
from wikicrawler.content import convert


def seconds(html: str, *, wiki: bool) -> float:
    start = time.process_time()
    convert(html, URL, wiki=wiki)
    return time.process_time() - start


def main(names: list[str]) -> None:
    print("| case | KB | wiki: half | full | other: half | full |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names or CASES:
        half, full = CASES[name](0.5), CASES[name](1)
        times = [seconds(html, wiki=wiki) for wiki in (True, False) for html in (half, full)]
        shown = " | ".join(f"{value:.2f} s" for value in times)
        print(f"| {name} | {len(full) // 1000} | {shown} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
