"""Extracts fields of labelled pages with this project and with its peers; see docs/benchmark.md.

python -m bench.fields --articles FOLDER [--half 1] [--models perfect] [--only ours,crawl4ai]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bench.crawls.report import write
from bench.environments import InstallError
from bench.fields import corpus, report
from bench.fields.model_server import ModelServer, real_model, scripted_model
from bench.fields.programs import PROGRAMS, run
from tests.servers import llama

if TYPE_CHECKING:
    from bench.fields.corpus import Site
    from bench.fields.programs import Program, Run

CONTEXT = 8192
_REAL = {"qwen": llama.QWEN, "smollm2": llama.SMOLLM2}
_SCRIPTED = {
    "rules": "Scripted: it reads by rules, and finds labelled values, tables, titles, addresses "
    "and prices, not what stands in sentences. A token is four characters.",
    "perfect": "Scripted: it knows what is right, and answers it where the text that it is sent "
    "has it. What a program lacks was lost by its conversion, its parts, its merging, or its "
    "checks.",
    "inventing": "Scripted: the same, but where the text does not have a value it invents one, "
    "with a quote.",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.fields", description=__doc__.splitlines()[0])
    parser.add_argument("--articles", type=Path, help="checkout of the benchmark of articles")
    parser.add_argument("--half", type=int, choices=[1, 2], help="of the pages (default: both)")
    parser.add_argument("--models", help="rules, perfect, inventing, qwen, smollm2, with commas")
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--pages", help="only pages whose names contain this")
    parser.add_argument(
        "--real", type=int, default=4, help="articles of a half for a real model (default 4)"
    )
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one run")
    parser.add_argument(
        "--keep",
        type=Path,
        help="folder for tasks, answers and exchanges; the runs that it has are not made again",
    )
    parser.add_argument("--results", type=Path, help="file whose section is written")
    given = parser.parse_args()

    notes: list[str] = []
    programs = _programs(given.only, notes)
    read = corpus.read(given.articles)
    if read.missing:
        notes.append(f"Pages that are not here: {', '.join(read.missing)}.")
    pages = [page for page in read.pages if not given.pages or given.pages in page.name]
    models = _models(given.models, notes)
    for note in notes:
        print(f"bench: {note}", flush=True)

    tables = []
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch, corpus.Site(pages) as site:
        folder = (given.keep or Path(scratch)).resolve()
        for model in models:
            with ExitStack() as stack:
                (folder / model).mkdir(parents=True, exist_ok=True)
                server = stack.enter_context(_server(model, site, folder / model, stack))
                for half in [given.half] if given.half else [1, 2]:
                    of = [page for page in pages if page.half == half]
                    if model in _REAL:
                        # The shortest ones, and one of each other source.
                        counts = {"articles": given.real, "demo": 1, "documentation": 1}
                        of = corpus.shortest(pages, half, counts)
                    runs: dict[str, Run] = {}
                    for program in programs:
                        where = folder / model / f"{half}-{program.name}"
                        done = run(program, of, site, server, where, timeout=given.timeout)
                        runs[program.name] = done
                        _say(model, half, program, done)
                    tables.append(report.Table(model, half, of, runs))
    about = {model: _SCRIPTED.get(model) or _about(model) for model in models}
    command = "python -m bench.fields " + " ".join(_shown(sys.argv[1:]))
    is_real = not any(model in _SCRIPTED for model in models)
    title = "Fields, a real model alone" if is_real else "Fields"
    text = report.section(tables, programs, notes, command, about, title=title)
    if given.results:
        write(given.results, "fields-real" if is_real else "fields", text)
        print(f"bench: {given.results} is written")
    else:
        print(text)


def _programs(only: str | None, notes: list[str]) -> list[Program]:
    wanted = only.split(",") if only else [program.name for program in PROGRAMS]
    known = {program.name: program for program in PROGRAMS}
    if unknown := [name for name in wanted if name not in known]:
        raise SystemExit(f"bench: no {', '.join(unknown)}; there are {', '.join(known)}")
    programs = []
    for name in wanted:
        environment = known[name].environment
        try:
            if environment:
                environment.prepare()
        except InstallError as error:
            notes.append(f"Without {name}: {error}.")
        else:
            programs.append(known[name])
    return programs


def _models(wanted: str | None, notes: list[str]) -> list[str]:
    known = [*_SCRIPTED, *_REAL]
    if wanted:
        models = wanted.split(",")
        if unknown := [name for name in models if name not in known]:
            raise SystemExit(f"bench: no {', '.join(unknown)}; there are {', '.join(known)}")
    else:
        models = [*_SCRIPTED, "qwen" if not llama.missing(llama.QWEN) else "smollm2"]
    for name in models[:]:
        if name in _REAL and (lacks := llama.missing(_REAL[name])):
            models.remove(name)
            notes.append(f"Without {name}: needs {' and '.join(lacks)}.")
    if not wanted and "qwen" not in models:
        notes.append(f"Without qwen: run {llama.QWEN.script}.")
    return models


def _server(model: str, site: Site, folder: Path, stack: ExitStack) -> ModelServer:
    complete = scripted_model(
        (lambda: None) if model == "rules" else (lambda: site.last), invents=model == "inventing"
    )
    if model in _REAL:
        real = llama.RealLlama(folder / "server.log", _REAL[model], context=CONTEXT)
        stack.enter_context(real)
        complete = real_model(real.base_url, llama.KEY)
    return ModelServer(complete, folder / "exchanges.jsonl")


def _about(model: str) -> str:
    return (
        f"{_REAL[model].name}, by llama.cpp on one core: temperature 0, a fixed seed, no cache, "
        f"{CONTEXT:,} tokens of context, answers of at most 512. The shortest pages of each half."
    )


def _shown(arguments: list[str]) -> list[str]:
    """The arguments without the folders of this machine."""
    hidden = {"--articles": "FOLDER", "--keep": "FOLDER", "--results": "FILE"}
    shown = list(arguments)
    for at, name in enumerate(arguments[:-1]):
        shown[at + 1] = hidden.get(name, shown[at + 1])
    return shown


def _say(model: str, half: int, program: Program, done: Run) -> None:
    counts, score = done.counts, done.score
    print(
        f"bench: {model}, half {half}: {program.name:15} {counts.requests:4} requests, "
        f"{counts.prompt_tokens + counts.completion_tokens:7} tokens, {score.right:3} right, "
        f"{score.wrong} wrong, {score.invented} invented, {score.missed} missed, "
        f"{score.shown} shown, {done.cpu:.1f} s CPU, {done.seconds:.0f} s",
        flush=True,
    )
    for error in done.errors[:5]:
        print(f"  {error[:300]}", flush=True)


if __name__ == "__main__":
    main()
