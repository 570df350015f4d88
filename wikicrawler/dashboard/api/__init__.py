"""The JSON API: what the screens show and control, for programs."""

from __future__ import annotations

from wikicrawler.dashboard.api.document import ROUTES as DOCUMENT
from wikicrawler.dashboard.api.metrics import ROUTES as METRICS
from wikicrawler.dashboard.api.operations import routes_of
from wikicrawler.dashboard.api.questions import QUESTIONS
from wikicrawler.dashboard.api.triggers import TRIGGERS

ROUTES = (*DOCUMENT, *METRICS, *routes_of(*QUESTIONS, *TRIGGERS))
