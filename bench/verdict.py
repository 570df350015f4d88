"""How well the judge of answers does on its labelled corpus: the tables of docs/verdict.md.

    python bench/verdict.py

Prints, for the half that the rules were tuned on and for the half that was held back, recall, false
positives, and precision and recall by reason; then each page that got a wrong word.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.tiers.verdict.labelled import HALVES, load
from tests.tiers.verdict.scoring import score


def main() -> None:
    pages = load()
    scores = {half: score(page for page in pages if page.half == half) for half in HALVES}
    print("| half | pages | of them content | recall | false positives | right word |")
    print("|---|---|---|---|---|---|")
    for half, result in scores.items():
        count = len(result.verdicts)
        content = sum(page.reason == "ok" for page, _ in result.verdicts)
        print(
            f"| {half} | {count} | {content} | {result.recall:.3f} | {result.false_positives:.3f} "
            f"| {1 - len(result.wrong) / count:.3f} |"
        )
    print("\n| reason | " + " | ".join(f"{h}: pages | precision | recall" for h in HALVES) + " |")
    print("|---" * (1 + 3 * len(HALVES)) + "|")
    for word in sorted({page.reason for page in pages}):
        cells = []
        for result in scores.values():
            number, precision, recall = result.reasons().get(word, (0, 1.0, 1.0))
            cells.append(f"{number} | {precision:.3f} | {recall:.3f}")
        print(f"| `{word}` | {' | '.join(cells)} |")
    for half, result in scores.items():
        for page, verdict in result.wrong:
            print(f"{half}: {page.name} is {page.reason}, not {verdict.word} ({verdict.rule})")


if __name__ == "__main__":
    main()
