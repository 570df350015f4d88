"""What an operator can do about each kind of alert."""

from __future__ import annotations

from typing import NamedTuple

from wikicrawler.sources.alerts.events import AlertEvent


class Advice(NamedTuple):
    """Two texts for people."""

    meaning: str
    """What has happened."""
    steps: tuple[str, ...]
    """What to do, in order."""


ADVICE = {
    AlertEvent.BLOCKED: Advice(
        "The site refuses the source's own URL: 403, a captcha, or robots.txt.",
        (
            "Open the URL in a browser. If it needs a log-in there too, get permission or an API.",
            "If robots.txt disallows it and you have a written permission, note that: "
            "scrapy manifest robots.",
            "Look at the kept response: it often names the vendor that blocks.",
            "Visit less often, or pause the source until the site has answered you.",
        ),
    ),
    AlertEvent.MOVED: Advice(
        "The source's own URL answers with 404 or 410: the document has moved or is gone.",
        (
            "Find the new URL on the site, and activate a manifest with it.",
            "If the document is gone, remove the source from the manifest and resolve the alert.",
        ),
    ),
    AlertEvent.PAUSED: Advice(
        "Five scheduled visits in a row failed, so the source is not visited any more.",
        (
            "Look at the errors of the source, and remove their cause.",
            "Resume the source. A visit that works resolves the alert.",
        ),
    ),
    AlertEvent.CHANGED: Advice(
        "A visit found new, modified or deleted documents. This is a notice; it is never open.",
        ("Look at the difference on the page of the source.",),
    ),
    AlertEvent.NO_CHANGE: Advice(
        "The source is visited and has not changed for long. Some never do; others have moved "
        "and left an old page behind.",
        (
            "Compare the page in a browser with the last version that is stored.",
            "If nothing is wrong, visit it less often, or raise WIKICRAWLER_ALERT_UNCHANGED_DAYS.",
        ),
    ),
    AlertEvent.CREDITS: Advice(
        "80 % of the credits of a paid service are used.",
        (
            "Look at the costs: which sources and engines use the most.",
            "Raise the limit in WIKICRAWLER_CREDITS, or visit the dearest sources less often.",
            "The alert is resolved by a new month or another limit.",
        ),
    ),
}


def advice_for(event: str) -> Advice | None:
    """Return the advice for the alert *event*; None for one of another version."""
    return next((ADVICE[one] for one in AlertEvent if one == event), None)
