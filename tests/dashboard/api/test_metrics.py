"""Figures for Prometheus, read by its own parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families

from wikicrawler.dashboard.api.metric import Metric
from wikicrawler.dashboard.api.metrics import text_of

if TYPE_CHECKING:
    from tests.servers.dashboard import RealDashboard


def test_prometheus_reads_them(api: RealDashboard) -> None:
    answer = api.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = {one.name: one for one in text_string_to_metric_families(answer.text)}
    sources = families["wikicrawler_sources"].samples
    assert sum(sample.value for sample in sources) == 2
    assert {one.labels["status"]: one.value for one in sources}["failed"] == 1
    assert families["wikicrawler_scheduler_paused"].samples[0].value == 0


def test_a_label_is_escaped() -> None:
    text = text_of([Metric("jobs", "gauge", "Jobs.", [({"spider": 'a"b\\c\nd'}, 1)])])
    (family,) = text_string_to_metric_families(text)
    assert family.samples[0].labels == {"spider": 'a"b\\c\nd'}
