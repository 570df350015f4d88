"""The site of the project ``auctions``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.projects.sites import Site, html
from tests.servers.scripted import Reply

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

SALES = ("clocks", "coins", "maps", "chairs")


class Auctions(Site):
    """Four sales of three pages; each lot takes bids by a form."""

    def start_urls(self) -> list[str]:
        """The messages that somebody puts into the list of start URLs; one of them twice."""
        plain, *others = (self.url(f"/sale/{name}/1") for name in SALES)
        messages = [json.dumps({"url": url, "meta": {"sale": url[-8:]}}) for url in others]
        return [plain, *messages, messages[0]]

    def answer(self, exchange: Exchange) -> Reply:
        kind, name, number = exchange.path.strip("/").split("/")
        if kind == "sale":
            return self.sale(name, int(number))
        if kind == "bid":
            amount = exchange.body.decode().partition("amount=")[2].partition("&")[0]
            return html("Thanks", f"<p>Your bid of <b>{amount}</b> is the highest.</p>")
        return self.lot(name, int(number), self.asked[exchange.path])

    def sale(self, name: str, number: int) -> Reply:
        lots = range(number * 4 - 4, number * 4 + 1)  # the last is also on the next page
        links = "".join(f'<a class="lot" href="/lot/{name}/{lot}">Lot {lot}</a>' for lot in lots)
        if number < 3:
            links += f'<a class="next" href="/sale/{name}/{number + 1}">More</a>'
        return html(f"{name} {number}", links)

    def lot(self, name: str, number: int, times: int) -> Reply:
        if number == 3:
            return Reply(404, body="<h1>Withdrawn</h1>")
        if number == 5 and times == 1:
            return Reply(503, body="<h1>Come again</h1>")
        if number == 6:
            return Reply(302, {"Location": f"/lot/{name}/106"})
        if number == 7:
            return Reply(403, body="<h1>Members only</h1>")
        form = f'<form action="/bid/{name}/{number}" method="post"><input name="amount"></form>'
        return html(f"{name} {number}", f"<h1>{name} {number}</h1>{form}")
