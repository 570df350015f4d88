"""The command line of ``wikicrawler-mcp``: what is wrong is named, and the exit code is 2."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.mcp_server.serving import MODULE, ROOT, environment
from wikicrawler.mcp_server.command import main
from wikicrawler.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_SDK = (
    "import sys; sys.modules['mcp'] = None; "
    "from wikicrawler.mcp_server.command import main; sys.exit(main([]))"
)


def server(
    *arguments: str, cwd: Path, code: tuple[str, ...] = ("-m", MODULE)
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *code, *arguments],
        cwd=cwd,
        env=environment(),
        input="",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-s", "WIKICRAWLER_MCP_MAX_CHARS"], "expected NAME=VALUE"),
        (["-s", "WIKICRAWLER_MCP_MAX_CHARS=few"], "WIKICRAWLER_MCP_MAX_CHARS is 'few'"),
        (["-s", "WIKICRAWLER_MCP_PAGE_SECONDS=0"], "WIKICRAWLER_MCP_PAGE_SECONDS is '0'"),
        (["-s", "WIKICRAWLER_MCP_CRAWL_PAGE=5"], "did you mean WIKICRAWLER_MCP_CRAWL_PAGES?"),
        (["-s", "WIKICRAWLER_TIERS=nonsense"], "no such tier: 'nonsense'"),
        (["-s", "LOG_LEVEL=LOUD"], "the settings cannot be used (ValueError: Unknown level"),
        (["-s", "JOBDIR=state"], "JOBDIR cannot be used"),
        (["--config", "nowhere.yml"], "nowhere.yml: there is no such file"),
        (["--port", "80"], "unrecognized arguments: --port 80"),
    ],
)
def test_wrong_options_end_the_start(tmp_path: Path, arguments: list[str], expected: str) -> None:
    done = server(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "wikicrawler-mcp: error: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_wrong_configuration_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "sites.yml").write_text("domains:\n  x.example:\n    delya: 3\n")
    done = server("--config", "sites.yml", cwd=tmp_path)
    assert done.returncode == 2
    assert "sites.yml:3" in done.stderr


def test_without_the_extra_one_line_says_how_to_install_it(tmp_path: Path) -> None:
    done = server(cwd=tmp_path, code=("-c", WITHOUT_SDK))
    assert done.returncode == 2
    assert done.stderr == (
        "wikicrawler-mcp: error: the extra mcp is not installed: pip install 'wikicrawler[mcp]'\n"
    )


def test_a_project_without_the_add_on_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = other.settings\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "__init__.py").touch()
    (tmp_path / "other" / "settings.py").write_text("BOT_NAME = 'other'\n")
    done = server(cwd=tmp_path)
    assert done.returncode == 2
    assert "this project does not use wikicrawler" in done.stderr


def test_a_project_whose_settings_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = nowhere.settings\n")
    done = server(cwd=tmp_path)
    assert done.returncode == 2
    assert "the project's settings cannot be read" in done.stderr


def test_a_file_is_no_client(tmp_path: Path) -> None:
    with (tmp_path / "requests").open("w+") as file:
        done = subprocess.run(
            [sys.executable, "-m", MODULE],
            cwd=tmp_path,
            env=environment(),
            stdin=file,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2
    assert "are to be pipes" in done.stderr


def test_a_client_that_says_nothing_ends_it_well(tmp_path: Path) -> None:
    done = server(cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == ""
    assert "Spider closed (finished)" in done.stderr
    assert server("--version", cwd=tmp_path).stdout == f"wikicrawler-mcp {__version__}\n"


def test_the_console_script_is_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert pkgutil.resolve_name(project["scripts"]["wikicrawler-mcp"]) is main
    (needed,) = project["optional-dependencies"]["mcp"]
    assert needed in project["optional-dependencies"]["test"]
