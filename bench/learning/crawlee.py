"""Crawlee's adaptive crawler, as of Crawlee for Python 1.11 (``crawlers/_adaptive_playwright``).

Its predictor tells "static" from "client only" by a logistic regression on two features: how
similar a URL is on average to those found static, and to those found client-only (0 between hosts;
else the share of the path's segments that resemble each other). A page is rendered and fetched
plainly, both, and the results compared, with a probability that the predictor recommends: always at
the start and where its two probabilities lie within 0.1, else 0.1 times a coefficient that falls
from 5 to 1. Else a page predicted static is fetched plainly, and rendered where that brings
nothing.

Put differently here: the URLs of one host and part count together, their last segments always
resembling each other, which is in its favour; the regression (scikit-learn's, L2 with C = 1) is
solved by Newton's method, and anew not after each result but after a hundredth of new ones. Crawlee
has no notion of a wiki's API, of a ban or of age.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import TYPE_CHECKING

from bench.learning.policies import FINAL

if TYPE_CHECKING:
    from bench.learning.policies import Get
    from bench.learning.world import Page
    from wikicrawler.learning.model.choice import Costs

RATIO = 0.1
CLOSE = 0.1
OFTEN = 0.01
"""The regression is done anew after so large a share of new results."""
Kind = tuple[str, str]  # host and shape of the path


class Crawlee:
    """The adaptive crawler: the detection of rendering types and what is done with it."""

    name = "crawlee"

    def __init__(self, costs: Costs, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._predictor = Predictor()

    def fetch(self, page: Page, get: Get) -> None:
        kind = (page.part.features.domain, page.part.features.shape)
        is_static, detection = self._predictor.predict(kind)
        if self._chance.random() < detection:
            if get("browser") in FINAL:  # else the request fails, and nothing is stored
                self._predictor.store(kind, is_static=get("http") in FINAL)
            return
        if is_static and get("http") in FINAL:
            return
        get("browser")


class Predictor:
    """``DefaultRenderingTypePredictor`` for requests without labels."""

    def __init__(self) -> None:
        self._found: tuple[Counter[Kind], Counter[Kind]] = Counter(), Counter()
        self._by_host: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._coefficient = 5
        self._model: tuple[float, float, float] | None = None
        self._new = 0

    def predict(self, kind: Kind) -> tuple[bool, float]:
        """Whether the page is static, and how often that should be checked."""
        if self._model is None:
            return False, 1.0
        static, client = self._features(kind)
        bias, of_static, of_client = self._model
        p = _logistic(bias + of_static * static + of_client * client)
        if abs(2 * p - 1) < CLOSE:
            return p > 0.5, 1.0
        return p > 0.5, RATIO * self._coefficient

    def store(self, kind: Kind, *, is_static: bool) -> None:
        self._found[is_static][kind] += 1
        self._by_host[is_static][kind[0]] += 1
        self._coefficient = max(1, self._coefficient - 1)
        self._new += 1
        if self._new >= OFTEN * self._found[0].total() + OFTEN * self._found[1].total():
            self._model, self._new = self._fitted(), 0

    def _features(self, kind: Kind) -> tuple[float, float]:
        return self._similarity(kind, True), self._similarity(kind, False)

    def _similarity(self, kind: Kind, is_static: bool) -> float:
        """The mean similarity to what was found: 1 in the same part of a host, in another one that
        of the last segment alone."""
        total = self._by_host[is_static].total()
        if not total:
            return 0.0
        same = self._found[is_static][kind]
        others = self._by_host[is_static][kind[0]] - same
        return (same + others / max(1, kind[1].count("/"))) / total

    def _fitted(self) -> tuple[float, float, float]:
        rows = [(0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 1.0, 1.0)]
        for is_static in (False, True):
            for kind, number in self._found[is_static].items():
                rows.append((*self._features(kind), float(is_static), float(number)))
        return _fit(rows, self._model or (0.0, 0.0, 0.0))


def _fit(
    rows: list[tuple[float, float, float, float]], start: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Weighted logistic regression with an L2 penalty of 1/2 on the two coefficients, by Newton."""
    bias, first, second = start
    for _ in range(25):
        g0, g1, g2 = 0.0, -first, -second
        h00, h01, h02, h11, h12, h22 = 1e-9, 0.0, 0.0, 1.0, 0.0, 1.0
        for x, y, label, weight in rows:
            p = _logistic(bias + first * x + second * y)
            error, slope = weight * (label - p), weight * p * (1 - p)
            g0 += error
            g1 += error * x
            g2 += error * y
            h00 += slope
            h01 += slope * x
            h02 += slope * y
            h11 += slope * x * x
            h12 += slope * x * y
            h22 += slope * y * y
        # Cramer's rule
        c00, c01, c02 = h11 * h22 - h12 * h12, h02 * h12 - h01 * h22, h01 * h12 - h02 * h11
        determinant = h00 * c00 + h01 * c01 + h02 * c02
        c11, c12, c22 = h00 * h22 - h02 * h02, h01 * h02 - h00 * h12, h00 * h11 - h01 * h01
        steps = (
            (c00 * g0 + c01 * g1 + c02 * g2) / determinant,
            (c01 * g0 + c11 * g1 + c12 * g2) / determinant,
            (c02 * g0 + c12 * g1 + c22 * g2) / determinant,
        )
        bias, first, second = bias + steps[0], first + steps[1], second + steps[2]
        if max(map(abs, steps)) < 1e-6:
            break
    return bias, first, second


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
