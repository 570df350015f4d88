"""``python -m wikicrawler.tiers.verdict FILE``: print the verdict on a saved response."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from wikicrawler.tiers.verdict.full_verdict import full_verdict


def main(arguments: list[str] | None = None) -> int:
    """Print the verdict on one response. Return 0 for a page, 1 for anything else, 2 if the file
    cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m wikicrawler.tiers.verdict", description=__doc__
    )
    parser.add_argument("file", metavar="FILE", help="the response body; - for standard input")
    parser.add_argument("--status", type=int, default=200, help="its HTTP status (default: 200)")
    parser.add_argument(
        "--header", action="append", default=[], metavar="NAME:VALUE", help="may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    options = parser.parse_args(arguments)
    headers = {}
    for header in options.header:
        name, colon, value = header.partition(":")
        if not colon:
            parser.error(f"--header {header!r} has no colon (like 'server: cloudflare')")
        headers[name.strip().lower()] = value.strip()
    try:
        body = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        sys.stderr.write(f"{options.file}: {error.strerror}\n")
        return 2
    verdict = full_verdict(options.status, headers, body)
    if options.json:
        fields = asdict(verdict) | {"reason": verdict.word}
        sys.stdout.write(json.dumps(fields, ensure_ascii=False, indent=2) + "\n")
    else:
        lines = [verdict.word]
        if verdict.rule:
            lines.append(
                f"  rule: {verdict.rule}" + (f" ({verdict.vendor})" * bool(verdict.vendor))
            )
        lines += [f"  {line}" for line in verdict.evidence]
        sys.stdout.write("\n".join(lines) + "\n")
    return int(verdict.reason is not None)


if __name__ == "__main__":
    sys.exit(main())
