"""Which channels there are, what each gets, and that no message shows their secrets."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from wikicrawler.console.log_secrets import LogSecrets, secrets_of
from wikicrawler.errors import ConfigError
from wikicrawler.sources.alerts.channels import read_channels
from wikicrawler.sources.alerts.events import (
    SEVERITIES,
    AlertEvent,
    Severity,
    read_severities,
)

SECRET = "correct-horse-battery"  # noqa: S105 - not one
HOOK = f"jsons://hooks.example.org/in/{SECRET}"
MAIL = f"mailtos://crawl:{SECRET}@smtp.example.org?from=a@example.org&to=ops@example.org"
SLACK = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"


def settings(alerts: Any = None, severities: Any = None) -> Settings:
    return Settings({"WIKICRAWLER_ALERTS": alerts, "WIKICRAWLER_ALERT_SEVERITIES": severities})


def events(entry: str) -> set[str]:
    (channel,) = read_channels(settings(entry))
    return {
        event.value for event, severity in SEVERITIES.items() if channel.accepts(event, severity)
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", {"blocked", "moved", "paused", "credits"}),
        ("high=", {"blocked", "moved", "paused"}),
        ("warning=", {"no_change", "credits"}),
        ("high+changed=", {"blocked", "moved", "paused", "changed"}),
        ("all=", set(AlertEvent)),
    ],
)
def test_a_channel_gets_what_its_filter_says(words: str, expected: set[str]) -> None:
    assert events(words + HOOK) == expected


@pytest.mark.parametrize(
    "written", [[HOOK, f"high={MAIL}", SLACK], f"{HOOK} high={MAIL}\n{SLACK}"], ids=["list", "text"]
)
def test_the_names_of_channels_have_no_secrets(written: Any) -> None:
    names = [channel.name for channel in read_channels(settings(written))]
    assert names == ["jsons://hooks.example.org", "mailtos://smtp.example.org:587", "slack://"]
    assert SECRET not in repr(read_channels(settings(written)))


def test_channels_on_the_same_server_have_names_of_their_own() -> None:
    found = read_channels(settings([f"{HOOK}-1", f"{HOOK}-2"]))
    assert [channel.name for channel in found] == [
        "jsons://hooks.example.org",
        "jsons://hooks.example.org #2",
    ]


def test_the_environment_has_channels_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKICRAWLER_ALERTS", HOOK)
    (channel,) = read_channels(settings())
    assert channel.url == HOOK
    monkeypatch.setenv("WIKICRAWLER_ALERTS", f"huge={HOOK}")
    with pytest.raises(ConfigError, match=r"^WIKICRAWLER_ALERTS \(environment variable\): entry 1"):
        read_channels(settings())


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (f"severe={HOOK}", "'severe' is no severity and no event"),
        (SECRET, "entry 2 is not a URL; right would be mailtos://"),
        (f"nothing://{SECRET}@host", "entry 2, nothing://…, is not a URL that apprise can use"),
        (f"slack://{SECRET}", "entry 2, slack://…, is not a URL that apprise can use"),
    ],
)
def test_a_wrong_entry_is_named_without_its_secrets(entry: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"^WIKICRAWLER_ALERTS: entry 2") as told:
        read_channels(settings([HOOK, entry]))
    assert message in str(told.value)
    assert SECRET not in str(told.value)


def test_the_log_hides_the_secrets_of_channels() -> None:
    secrets = LogSecrets()
    secrets.add(secrets_of(settings([f"high={HOOK}", MAIL, SLACK])))
    for text in (
        f"https://hooks.example.org:443 POST /in/{SECRET} HTTP/1.1",
        f"login {SECRET}",
        f"{{'WIKICRAWLER_ALERTS': ['{HOOK}', '{SLACK}']}}",
        "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",
    ):
        hidden = secrets.hide(text)
        assert SECRET not in hidden
        assert "TIiajkdnlazkcOXrIdevi7FQ" not in hidden


def test_severities_are_the_operators() -> None:
    found = read_severities(settings(severities='{"no_change": "high", "changed": "off"}'))
    assert found[AlertEvent.NO_CHANGE] is Severity.HIGH
    assert AlertEvent.CHANGED not in found
    assert found[AlertEvent.BLOCKED] is Severity.HIGH


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('{"lost": "high"}', "has the key 'lost': no such event (expected blocked, moved,"),
        ('{"moved": "huge"}', "['moved'] is 'huge' (expected high, warning, info, off)"),
    ],
)
def test_a_wrong_severity_is_named(table: str, message: str) -> None:
    with pytest.raises(ConfigError) as told:
        read_severities(settings(severities=table))
    assert str(told.value).startswith("WIKICRAWLER_ALERT_SEVERITIES")
    assert message in str(told.value)
