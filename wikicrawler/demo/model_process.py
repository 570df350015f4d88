"""A small language model with llama.cpp's OpenAI-compatible server, until standard input ends.

``python model_process.py WEIGHTS KEY CONTEXT`` runs with the packages of ``.cache/llama`` alone,
which ``scripts/install-model`` puts there, and writes the address of the server as a line.
"""

from __future__ import annotations

import sys


def main(weights: str, key: str, context: int) -> None:
    """Serve the model in the file *weights* with *context* tokens to who has *key*."""
    import xllamacpp  # type: ignore[import-not-found]  # noqa: PLC0415 - not of this environment

    given = xllamacpp.CommonParams()
    given.model.path = weights
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.api_keys = [key]
    given.n_ctx = context
    given.n_parallel = 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    # With it, the same question has another answer the second time.
    given.cache_prompt = False
    server = xllamacpp.Server(given)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
