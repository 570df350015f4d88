"""A site that says it is a MediaWiki, and finds what a test wants."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.servers.scripted import Reply

if TYPE_CHECKING:
    from tests.servers.scripted import ScriptedServer

WORDS = f"<p>{'Words of a page. ' * 20}</p>"


def wiki(site: ScriptedServer, *hits: object) -> None:
    """Script the page ``/wiki/Home`` of a wiki, whose search finds *hits*, or a page ``Lamp``."""
    edit_uri = site.url("/api.php?action=rsd")
    head = (
        "<meta name=generator content='MediaWiki 1.43.0'>"
        f"<link rel=EditURI type='application/rsd+xml' href='{edit_uri}'>"
    )
    site.on("/wiki/Home", Reply(body=f"<!doctype html>{head}<title>Home</title>{WORDS}"))
    rsd = (
        '<rsd xmlns="http://archipelago.phrasewise.com/rsd"><service><apis>'
        f'<api name="MediaWiki" preferred="true" apiLink="{site.url("/api.php")}"/>'
        "</apis></service></rsd>"
    )
    site.on("/api.php?action=rsd", Reply(headers={"Content-Type": "text/xml"}, body=rsd))
    general = {"articlepath": "/wiki/$1", "scriptpath": "", "server": site.url("")}
    query = {"general": general, "namespaces": {}, "search": list(hits) or [{"title": "Lamp"}]}
    answer = json.dumps({"query": query})
    site.on("/api.php", Reply(headers={"Content-Type": "application/json"}, body=answer))
