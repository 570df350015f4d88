"""What ``scrapy staged replay`` does."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.audit_output import parse_day
from wikicrawler.content.conversion import CONVERTER_VERSION
from wikicrawler.content.workers.pool import ConversionPool, default_workers
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.staging.lists import entries
from wikicrawler.sources.staging.replay import Replayed
from wikicrawler.sources.staging.replay import replay as replay_folder
from wikicrawler.sources.staging.stager import converter_of
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from datetime import date

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.staging.protocol import Staging


def replay(settings: BaseSettings, folder: Staging, opts: argparse.Namespace) -> int:
    """Convert the originals again; return the exit code.

    :raises UsageError: the arguments are wrong
    """
    since = parse_day("--since", opts.since)
    if opts.source and not any(entry.source == opts.source for entry in entries(folder)):
        sys.stderr.write(f"scrapy staged: error: no envelope is of {quoted(opts.source, 80)}\n")
        return ExitCode.BAD_CONFIGURATION
    counts = asyncio.run(_replay(settings, folder, since, opts))
    if opts.json:
        names = ("same", "differs", "changed", "failed", "no_original")
        numbers = {name: counts[name] for name in names}
        print_lines([json.dumps({"type": "summary", "converter": CONVERTER_VERSION, **numbers})])
    else:
        print_lines([_summary(counts)])
    wrong = counts["failed"] or (opts.fail and counts["differs"])
    return ExitCode.FAILED if wrong else ExitCode.OK


async def _replay(
    settings: BaseSettings, folder: Staging, since: date | None, opts: argparse.Namespace
) -> Counter[str]:
    counts: Counter[str] = Counter()
    pool = ConversionPool.from_settings(settings)
    try:
        found = replay_folder(
            folder, pool, source=opts.source, since=since, at_once=2 * default_workers()
        )
        async for one in found:
            counts[one.outcome] += 1
            counts["changed"] += one.is_change
            if one.outcome in {"differs", "failed"}:
                print_lines([_json(one)] if opts.json else _lines(one, with_diff=opts.diff))
    finally:
        await pool.close()
    return counts


def _json(one: Replayed) -> str:
    return json.dumps(
        {
            "type": one.outcome,
            "envelope_id": one.entry.envelope_id,
            "source": one.entry.source,
            "url": one.entry.url,
            "path": one.entry.path,
            "converter": converter_of(one.rules) or None,
            "change_hash_differs": one.is_change if one.outcome == "differs" else None,
            "detail": one.detail or None,
            "diff": list(one.diff),
        }
    )


def _lines(one: Replayed, *, with_diff: bool) -> Iterator[str]:
    path = one_line(one.entry.path, 400)
    if one.outcome == "failed":
        yield f"{path}: failed: {one.detail}"
        return
    noise = "" if one.is_change else ", only in noise"
    yield f"{path}: differs{noise} (made by converter {one_line(converter_of(one.rules), 40)})"
    if with_diff:
        yield from (f"  {line}" for line in one.diff)


def _summary(counts: Counter[str]) -> str:
    total = sum(counts[name] for name in ("same", "differs", "failed", "no_original"))
    parts = [f"{counts['same']:,} the same", f"{counts['differs']:,} differ"]
    if counts["differs"]:
        parts[-1] += f" ({counts['changed']:,} not only in noise)"
    if counts["no_original"]:
        parts.append(f"{counts['no_original']:,} without an original")
    if counts["failed"]:
        parts.append(f"{counts['failed']:,} failed")
    envelopes = "envelope" if total == 1 else "envelopes"
    return f"{total:,} {envelopes}, converter {CONVERTER_VERSION}: {', '.join(parts)}"
