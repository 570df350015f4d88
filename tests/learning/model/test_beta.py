"""The Beta distribution, compared with closed forms."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.learning.model.beta import Beta, cdf, quantile

SHAPES = st.floats(0.05, 500)
SHARES = st.floats(0.001, 0.999)


@given(q=SHARES, b=SHAPES)
def test_quantile_with_a_parameter_of_1_is_a_power(q: float, b: float) -> None:
    assert quantile(q, 1, b) == pytest.approx(1 - (1 - q) ** (1 / b), abs=1e-9)
    assert quantile(q, b, 1) == pytest.approx(q ** (1 / b), abs=1e-9)


@given(p=SHARES, n=st.integers(1, 60), k=st.integers(1, 60))
def test_cdf_with_whole_parameters_is_a_binomial_tail(p: float, n: int, k: int) -> None:
    k = min(k, n)
    tail = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))
    assert cdf(p, k, n - k + 1) == pytest.approx(tail, abs=1e-12)


@given(q=SHARES, a=SHAPES, b=SHAPES)
def test_the_quantile_inverts_the_cdf(q: float, a: float, b: float) -> None:
    x = quantile(q, a, b)
    assert 0 <= x <= 1
    below, above = cdf(max(0.0, x - 1e-9), a, b), cdf(min(1.0, x + 1e-9), a, b)
    assert below - 1e-9 <= q <= above + 1e-9


def test_cdf_at_0_and_1() -> None:
    assert (cdf(0, 2, 3), cdf(1, 2, 3)) == (0, 1)


def test_more_evidence_narrows_the_posterior() -> None:
    assert Beta(3, 1).mean == Beta(30, 10).mean
    assert Beta(3, 1).quantile(0.2) < Beta(30, 10).quantile(0.2) < 0.75
