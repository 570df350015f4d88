"""An estimate of the number of tokens of a text, without a model's vocabulary."""

from __future__ import annotations

import re

_CHEAP = b"abcdefghijklmnopqrstuvwxyz "
"""ASCII that costs half a token a character. Digits, punctuation, capitals and line ends cost one:
some vocabularies have no token for two of them."""
_COSTS = {
    # Weight in half tokens, and the characters beyond ASCII that have it.
    2: "\u0080-\u052f\u0600-\u06ff\u0750-\u077f",  # Latin, Greek, Cyrillic, Arabic
    3: "\u0590-\u05ff\u3000-\ud7ff\uf900-\uffef",  # Hebrew, Chinese, Japanese, Korean
    5: "\u0530-\u058f\u0700-\u074f\u0780-\u11ff\u1400-\u2fff\ue000-\uf8ff\ufff0-\uffff",
    6: "\u1200-\u13ff\ud800-\udfff",  # Ethiopic, and what is no character
    8: "\U00010000-\U0010ffff",
}
_RUNS = tuple((cost, re.compile(f"[{characters}]+")) for cost, characters in _COSTS.items())
_ASCII_RUNS = re.compile("[\x00-\x7f]+")


def estimate_tokens(text: str) -> int:
    """Return how many tokens *text* has at most, as an estimate.

    A lowercase ASCII letter or a space counts half a token, other ASCII one, a letter of other
    alphabets one to three, and a Chinese, Japanese or Korean character one and a half. A
    character beyond the basic plane counts four. This is two to three times the true number for
    European prose. It was never below that of OpenAI's vocabularies ``cl100k_base`` and
    ``o200k_base`` for samples of 25 languages, code, numbers, URLs and tables. It is no bound for
    text that was made to exceed it.

    The estimate of two texts together is never above the sum of their estimates.
    """
    if text.isascii():
        return -(-_ascii_cost(text) // 2)
    cost = sum(_ascii_cost(run) for run in _ASCII_RUNS.findall(text))
    for weight, runs in _RUNS:
        cost += weight * sum(map(len, runs.findall(text)))
    return -(-cost // 2)


def _ascii_cost(text: str) -> int:
    """The cost in half tokens."""
    return len(text) + len(text.encode().translate(None, _CHEAP))
