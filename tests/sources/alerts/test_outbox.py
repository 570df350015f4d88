"""Messages reach their channels in order, at least once, whatever fails in between."""

from __future__ import annotations

import subprocess
import sys
from time import time
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from tests.servers.mailbox import Mailbox
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.alerts.receiving import posted, titles, webhook
from wikicrawler.sources.alerts.channels import Channel
from wikicrawler.sources.alerts.outbox import MAX_AGE, Outbox
from wikicrawler.store.alert_deliveries import (
    add_deliveries,
    claim_deliveries,
    deliveries_of,
)
from wikicrawler.store.tables import alert_deliveries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.store.alert_deliveries import Delivery
    from wikicrawler.store.database import Database

SECRET = "correct-horse-battery"  # noqa: S105 - not one


@pytest.fixture
def hooks() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/hook")
        yield server


def queue(database: Database, *names: str, title: str = "first") -> None:
    with database.write() as connection:
        add_deliveries(
            connection, 1, "raised", names, severity="high", title=title, body="b", now=time()
        )


def outbox(database: Database, **channels: str) -> Outbox:
    named = [Channel(name, address) for name, address in channels.items()]
    return Outbox(database, named, timeout=120.0)


def queued(database: Database) -> list[Delivery]:
    with database.read() as connection:
        return deliveries_of(connection, [1])[1]


def test_each_message_is_delivered_once(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    queue(database, "hook", title="first")
    queue(database, "hook", "elsewhere", title="second")
    sender = outbox(database, hook=webhook(hooks))
    assert [one.error for one in sender.deliver(again=False)] == ["", ""]
    assert sender.deliver(again=True) == []
    assert titles(hooks) == ["first", "second"]
    assert [one.channel for one in queued(database) if not one.delivered_at] == ["elsewhere"]


def test_mail_is_plain_text(database: Database) -> None:
    with database.write() as connection:
        add_deliveries(
            connection,
            1,
            "raised",
            ["mail"],
            severity="high",
            title="[high] <b>x</b>",
            body="<script>alert(1)</script>\nsecond :smile: \\n line",
            now=time(),
        )
    with Mailbox() as mailbox:
        assert not outbox(database, mail=mailbox.url).deliver(again=False)[0].error
    (message,) = mailbox.messages
    assert message.get_content_type() == "text/plain"
    assert message["Subject"] == "[high] <b>x</b>"
    content = message.get_content().replace("\r\n", "\n")
    assert content.strip() == "<script>alert(1)</script>\nsecond :smile: \\n line"


def test_a_channel_that_failed_gets_nothing_until_it_is_tried_again(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    hooks.on("/down", Reply(503), Reply())
    queue(database, "hook", "down", title="first")
    sender = outbox(database, hook=webhook(hooks), down=webhook(hooks, "/down"))
    assert sum(bool(one.error) for one in sender.deliver(again=False)) == 1
    queue(database, "hook", "down", title="second")
    sender.deliver(again=False)
    assert titles(hooks) == ["first", "second"]
    assert titles(hooks, "/down") == []
    sender.deliver(again=True)
    assert titles(hooks, "/down") == ["first", "second"], "in order"


def test_a_message_that_is_always_refused_does_not_hold_up_the_others_for_ever(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    hooks.on("/picky", *[Reply(400)] * 4, Reply())
    queue(database, "picky", title="first")
    queue(database, "picky", title="second")
    sender = outbox(database, picky=webhook(hooks, "/picky"))
    for _ in range(3):
        sender.deliver(again=True)
    assert titles(hooks, "/picky") == []
    sender.deliver(again=True)
    assert titles(hooks, "/picky") == ["second"]


def test_a_channel_that_is_slow_does_not_delay_another(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    hooks.on("/slow", Reply(delay=300))
    queue(database, "slow", "hook")
    slow, hook = webhook(hooks, "/slow"), webhook(hooks)
    channels = [Channel("slow", slow), Channel("hook", hook)]
    found = Outbox(database, channels, timeout=3.0).deliver(again=False)
    assert {one.channel: one.error for one in found} == {"slow": "no answer in 3 s", "hook": ""}
    assert {x.path: x.status for x in hooks.exchanges} == {"/slow": None, "/hook": 200}


def test_the_reason_of_a_failure_has_no_secrets(database: Database) -> None:
    queue(database, "hook", "mail")
    hook = f"json://user:{SECRET}@127.0.0.1:1/in/{SECRET}?+Token={SECRET}"
    mail = f"mailto://user:{SECRET}@127.0.0.1:1?to=ops@example.org&from=a@example.org"
    outbox(database, hook=hook, mail=mail).deliver(again=False)
    for one in queued(database):
        assert one.attempts == 1
        assert "onnection error" in str(one.error)
        assert SECRET not in str(one)


def test_a_message_that_is_too_old_is_not_tried(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    queue(database, "hook")
    with database.write() as connection:
        connection.execute(update(alert_deliveries).values(at=time() - MAX_AGE - 1))
    assert outbox(database, hook=webhook(hooks)).deliver(again=True) == []


def test_what_another_process_delivers_is_left_to_it(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    queue(database, "hook")
    claim(database, "another-host/1/1", until=time() + 60)
    queue(database, "hook", title="second")
    sender = outbox(database, hook=webhook(hooks))
    assert sender.deliver(again=True) == []
    with database.write() as connection:
        connection.execute(update(alert_deliveries).values(leased_until=time() - 1))
    assert len(sender.deliver(again=True)) == 2


def test_what_a_killed_process_claimed_is_delivered_at_once(
    database: Database,
    hooks: ScriptedServer,
) -> None:
    code = "from wikicrawler.process.owner import own_name; print(own_name())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    queue(database, "hook")
    claim(database, ended.stdout.strip(), until=time() + 600)
    assert len(outbox(database, hook=webhook(hooks)).deliver(again=False)) == 1
    assert len(posted(hooks)) == 1


def claim(database: Database, owner: str, until: float) -> None:
    with database.write() as connection:
        assert claim_deliveries(
            connection,
            ["hook"],
            owner=owner,
            is_gone=lambda _: False,
            now=time(),
            until=until,
            oldest=0.0,
            again=True,
        )
