"""Settings of crawls whose alerts are received, and what the database has of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wikicrawler.store.alert_deliveries import deliveries_of
from wikicrawler.store.alerts import find_alerts
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from tests.servers.scripted import ScriptedServer
    from wikicrawler.store.alert_deliveries import Delivery
    from wikicrawler.store.alerts import AlertRow


def webhook(server: ScriptedServer, path: str = "/hook") -> str:
    """The URL by which apprise posts JSON to *path* of *server*."""
    return server.url(path).replace("http://", "json://")


def posted(server: ScriptedServer, path: str = "/hook") -> list[dict[str, Any]]:
    """What was posted to *path* and accepted, in order."""
    return [json.loads(x.body) for x in server.exchanges if x.path == path and x.status == 200]


def titles(server: ScriptedServer, path: str = "/hook") -> list[str]:
    """The titles of what was posted to *path*."""
    return [message["title"] for message in posted(server, path)]


def alerts_in(url: str) -> dict[str, AlertRow]:
    """The last alert of each event in the database at *url*."""
    database = Database(url)
    with database.read() as connection:
        found = {alert.event: alert for alert in reversed(find_alerts(connection))}
    database.close()
    return found


def deliveries_in(url: str) -> list[Delivery]:
    """All messages in the database at *url*, in the order of their queue."""
    database = Database(url)
    with database.read() as connection:
        numbers = [alert.id for alert in find_alerts(connection)]
        found = [one for some in deliveries_of(connection, numbers).values() for one in some]
    database.close()
    return sorted(found)
