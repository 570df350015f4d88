"""The Beta distribution, as the posterior of a probability of success."""

from __future__ import annotations

import math
from typing import NamedTuple

_TINY = 1e-300
_CLOSE = 1e-14
_MAX_TERMS = 500


class Beta(NamedTuple):
    """Posterior of a probability after *a* successes and *b* failures; both are above 0."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def quantile(self, q: float) -> float:
        """Return the *q*-quantile of the posterior (0 < *q* < 1), within 1e-9."""
        return quantile(q, self.a, self.b)


def cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), within about 1e-12 for
    a + b < 10^4."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(_log_front(x, a, b))
    if x < (a + 1) / (a + b + 2):  # the fraction converges quickly
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def quantile(q: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = *q*, by Halley's method, with bisection as a fallback."""
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(100):
        error = cdf(x, a, b) - q
        if error > 0:
            high = x
        else:
            low = x
        new = x
        slope = math.exp(_log_front(x, a, b)) / (x * (1 - x)) if 0 < x < 1 else 0.0
        if slope > _TINY:
            step = error / slope
            bend = step * ((a - 1) / x - (b - 1) / (1 - x)) / 2
            new = x - step / (1 - min(0.5, max(-1.0, bend)))
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - x) < 1e-11:
            return new
        x = new
    return x


def _log_front(x: float, a: float, b: float) -> float:
    """Return the logarithm of x^a (1-x)^b / B(a, b)."""
    gammas = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return gammas + a * math.log(x) + b * math.log1p(-x)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of I_x(a, b) (https://dlmf.nist.gov/8.17.E22), by Lentz's
    method."""
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MAX_TERMS):
        n = a + 2 * m
        term = m * (b - m) * x / ((n - 1) * n)
        d = 1 / _nonzero(1 + term * d)
        c = _nonzero(1 + term / c)
        value *= c * d
        term = -(a + m) * (a + b + m) * x / (n * (n + 1))
        d = 1 / _nonzero(1 + term * d)
        c = _nonzero(1 + term / c)
        value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return value


def _nonzero(value: float) -> float:
    return value or _TINY
