"""Signals of the crawl that any component may send and connect to.

``page_skipped(url: str, reason: Reason, detail: str, attempts: list[Attempt])``: a page has no
record and will get none in this crawl. *detail* is one line for a person and may hold what the
server said: whoever shows it escapes it. *attempts* are the tiers tried, in order; empty where
none was. Send it with ``crawler.signals.send_catch_log``.
"""

page_skipped = object()
