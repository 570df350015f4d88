"""Signals of the crawl that any component may send and connect to.

``page_skipped(url: str, reason: Reason, detail: str, attempts: list[Attempt])``: a page has no
record and will get none in this crawl. *detail* is one line for a person and may hold what the
server said: whoever shows it escapes it. *attempts* are the tiers tried, in order; empty where
none was. Send it with ``crawler.signals.send_catch_log``.

``tier_attempted(request: Request, state: State, is_wiki: bool, failure: Failure | None, response:
Response | None)``: a tier has fetched, for better or worse; once for each answer and each failure
to get one, also where the same tier is to try again. *request* is the tier's own, *state* says how
far its page has come, *is_wiki* whether the page is of a wiki whose API may be asked. *failure* is
why there is no page, None where there is one; *response* is the server's answer, None where none
came.

``site_paused(site: str, paused_until: float | None, risk_level: int, reason: Reason | None)``: the
site is left alone until that moment, in seconds since the epoch, because it blocks every tier, the
last page as *reason* says (``blocked`` or ``blocked_captcha``). *risk_level* counts its pauses in a
row. Or a site that had been paused has answered: *paused_until* is None, *risk_level* 0, *reason*
None. *site* is the politeness budget of its pages (``Config.budget_of``).

``site_changed(domain: str, tier: str, better: bool)``: the learner has seen that a tier does on a
host what it did not do before: *better* says whether it works now, or fails.

``site_busy(slot: str, seconds: float | None, reason: str)``: the server of this download slot asks
for a pause in a way that the HTTP status does not show (a MediaWiki ``maxlag`` answer has status
200). *seconds* is what it asks for; None leaves the length to the throttle.

``fetch_retried(request: Request, response: Response | None, exception: Exception | None)``: a fetch
is about to be repeated. *request* is the one that failed; *response* is its answer, or *exception*
is what it raised.
"""

page_skipped = object()
tier_attempted = object()
site_paused = object()
site_changed = object()
site_busy = object()
fetch_retried = object()
