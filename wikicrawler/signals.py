"""Signals of the crawl that any component may send and connect to.

``page_skipped(url: str, reason: Reason, detail: str, attempts: list[Attempt])``: a page has no
record and will get none in this crawl. *detail* is a message of one line that may contain text of
the server: escape it before display. *attempts* are the attempts of tiers in order, possibly none.
Send the signal with ``crawler.signals.send_catch_log``.

``page_redirected(url: str, target: str)``: *url* has no record because it led to the page *target*,
which has one or will get one. Sent beside ``page_skipped``.

``tier_attempted(request: Request, state: State, is_wiki: bool, failure: Failure | None, response:
Response | None)``: an attempt of a tier has ended. Sent for each response and each download error,
also before a retry of the same tier. *request* is the request of the tier, *state* the progress of
its page; *is_wiki* is true if the page belongs to a wiki whose API may be used. *failure* is the
reason of a failed attempt, or None; *response* is the server's response, or None.

``site_paused(site: str, paused_until: float | None, risk_level: int, reason: Reason | None)``: a
site is paused until *paused_until*, in seconds since the epoch, because it blocks every tier;
*reason* is that of the last page (``blocked`` or ``blocked_captcha``), *risk_level* the number of
pauses in a row. Also sent when a paused site has answered: then *paused_until* and *reason* are
None, and *risk_level* is 0. *site* is the politeness budget of its pages (``Config.budget_of``).

``site_changed(domain: str, tier: str, better: bool)``: the learner has detected that a tier behaves
differently on a host: *better* is true if it works now, false if it fails now.

``site_busy(slot: str, seconds: float | None, reason: str)``: the server of this download slot needs
a pause that the throttle cannot derive from the HTTP status (a MediaWiki ``maxlag`` response has
status 200). *seconds* is the length of the pause; None leaves it to the throttle.

``fetch_retried(request: Request, response: Response | None, exception: Exception | None)``: a
request is about to be retried. *request* is the one that failed, *response* its response or
*exception* the exception that it raised.

``credits_low(service: str, month: str, used: float, limit: float, forecast: float)``: 80 % of the
credits that the operator allows for the service of a tier in a month have been used. Sent once in a
crawl for 80 %, and once for 100 %, after which the tier is not used until the month ends.
"""

page_skipped = object()
page_redirected = object()
tier_attempted = object()
site_paused = object()
site_changed = object()
site_busy = object()
fetch_retried = object()
credits_low = object()
