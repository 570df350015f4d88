"""Signals by which other rooms speak to the throttle.

``site_busy(slot: str, seconds: float | None, reason: str)``: the server of this download slot asked
for a pause in a way that plain HTTP does not show (a MediaWiki ``maxlag`` answer has status 200).
*seconds* is what it asked for; None leaves the length to the throttle.

``fetch_retried(request: Request, response: Response | None, exception: Exception | None)``: a fetch
by *request* had that answer, or ended in that exception, and is to be made again.
"""

site_busy = object()
fetch_retried = object()
