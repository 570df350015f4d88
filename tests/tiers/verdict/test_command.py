"""``python -m wikicrawler.tiers.verdict``."""

from __future__ import annotations

import json

import pytest

from tests.tiers.verdict.labelled import FOLDER
from wikicrawler.tiers.verdict.__main__ import main

PAGE = str(FOLDER / "anubis-fast-200.html")


def test_it_prints_rule_and_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([PAGE]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["blocked_captcha", "  rule: anubis (Anubis)"]
    assert any('<script id="anubis_challenge"' in line for line in lines)


def test_json_header_and_status_options(capsys: pytest.CaptureFixture[str]) -> None:
    header = ["--header", "CF-Mitigated: challenge"]
    assert main([str(FOLDER / "tiny-valid.html"), "--status", "403", "--json", *header]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["reason"], found["rule"]) == ("blocked_captcha", "cloudflare-header")
    assert found["evidence"] == ["header cf-mitigated: challenge"]


def test_a_page_gets_ok_and_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FOLDER / "tiny-valid.html")]) == 0
    assert capsys.readouterr().out == "ok\n"


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-file.html"]) == 2
    assert "no-such-file.html" in capsys.readouterr().err


def test_a_header_without_a_colon_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([PAGE, "--header", "server"])
    assert "has no colon" in capsys.readouterr().err
