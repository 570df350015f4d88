"""Build the database of the tests' MediaWiki from the files in ``pages/``, once for each state.

A build takes some seconds, so it is kept in ``.cache/mediawiki/<checksum>`` of the repository and
copied for each server that starts.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path("/usr/share/mediawiki")  # where Debian's package puts it
ETC = Path(__file__).with_name("etc")
PAGES = Path(__file__).with_name("pages")
CACHE = Path(__file__).parents[2] / ".cache" / "mediawiki"
PHP = ("php", "-d", "memory_limit=1G", "-d", "apc.enable_cli=1")

_EXTENSIONS = ("apcu", "dom", "intl", "mbstring", "pdo_sqlite", "xmlreader")
_INTERWIKI = ("de", "fr", "mw", "wikipedia")


def missing() -> list[str]:
    """What a MediaWiki needs and this machine lacks, in words; empty where all is there."""
    lacks = [] if (SOURCE / "index.php").is_file() else [f"MediaWiki in {SOURCE}"]
    lacks += [name for name in ("php", "lua5.1", "pygmentize", "setpriv") if not shutil.which(name)]
    if shutil.which("php"):
        listed = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True)
        loaded = set(listed.stdout.lower().split())
        lacks += [f"PHP extension {name}" for name in _EXTENSIONS if name not in loaded]
    return lacks


def read_pages(directory: Path = PAGES) -> dict[str, str]:
    """Wikitext by title, of all ``*.wiki`` files in *directory*.

    A file holds many pages: a line ``@@ Title`` begins one, and what stands before the first such
    line is a comment. Empty lines at the end of a page are no part of it.

    :raises ValueError: a title is there twice
    """
    pages: dict[str, str] = {}
    for file in sorted(directory.glob("*.wiki")):
        for part in ("\n" + file.read_text("utf-8")).split("\n@@ ")[1:]:
            title, _, text = part.partition("\n")
            if title in pages:
                raise ValueError(f"{file}: a second page is titled {title!r}; titles are unique")
            pages[title] = text.rstrip("\n")
    return pages


def install(data: Path, cache: Path = CACHE) -> None:
    """Make ``db/``, ``images/`` and ``cache/`` of the wiki in *data*, from *cache* if it has them.

    Builds in *cache* that belong to other states of the files are removed.

    :raises RuntimeError: a script of MediaWiki failed; the message has its last lines
    """
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / _checksum()
    with _locked(cache / "lock"):
        if not kept.is_dir():
            with tempfile.TemporaryDirectory(dir=cache) as scratch:
                fresh = Path(scratch, "wiki")
                _make(fresh)
                fresh.rename(kept)
            for old in cache.iterdir():
                if old.is_dir() and old != kept:
                    shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(kept, data, dirs_exist_ok=True)


def environment(data: Path, server: str, script_path: str = "") -> dict[str, str]:
    """The environment in which PHP finds the wiki in *data*; see ``etc/LocalSettings.php``."""
    return os.environ | {
        "MW_CONFIG_FILE": str(ETC / "LocalSettings.php"),
        "WIKI_DATA": str(data),
        "WIKI_SERVER": server,
        "WIKI_SCRIPT_PATH": script_path,
        "WIKI_SOURCE": str(SOURCE),
    }


def _checksum() -> str:
    files = [Path(__file__), ETC / "LocalSettings.php", SOURCE / "includes" / "Defines.php"]
    files += sorted(file for file in PAGES.iterdir() if file.is_file())
    digest = sha256()
    for file in files:
        digest.update(f"{file.name}\0".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(data: Path) -> None:
    for name in ("db", "images", "cache", "etc"):
        (data / name).mkdir(parents=True)
    env = environment(data, "http://127.0.0.1")
    # The installer writes its LocalSettings.php to "etc" and must not see one that exists.
    _run(
        "install",
        *(
            "--dbtype=sqlite",
            "--dbname=wiki",
            f"--dbpath={data / 'db'}",
            f"--confpath={data / 'etc'}",
        ),
        *("--server=http://127.0.0.1", "--scriptpath=", "--pass=test-only-admin-pass"),
        *("--skins=Vector", "Salt Coast", "Admin"),
        env=env | {"MW_CONFIG_FILE": str(data / "etc" / "LocalSettings.php")},
    )
    with closing(sqlite3.connect(data / "db" / "wiki.sqlite")) as db, db:
        # Ours is to be the newest revision of the Main Page, not the installer's.
        db.execute("UPDATE revision SET rev_timestamp = '20230101000000'")
        db.executemany(
            "INSERT OR REPLACE INTO interwiki (iw_prefix, iw_url, iw_api, iw_wikiid, iw_local,"
            " iw_trans) VALUES (?, ?, '', '', 0, 0)",
            [(prefix, f"https://{prefix}.example.org/wiki/$1") for prefix in _INTERWIKI],
        )
    dump = data / "etc" / "pages.xml"
    dump.write_text(_dump(read_pages()), "utf-8")
    _run("update", "--quick", "--skip-external-dependencies", env=env)
    _run("importImages", "--extensions=png", str(PAGES), env=env)
    _run("importDump", "--no-updates", "--username-prefix=imported", str(dump), env=env)
    _run("refreshLinks", env=env)
    _run("rebuildrecentchanges", env=env)
    _run("initSiteStats", "--update", env=env)
    _run("rebuildtextindex", env=env)
    shutil.rmtree(data / "etc")


def _run(script: str, *arguments: str, env: Mapping[str, str]) -> None:
    done = subprocess.run(
        [*PHP, str(SOURCE / "maintenance" / f"{script}.php"), *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"MediaWiki's {script}.php failed:\n{done.stdout[-2000:]}")


def _dump(pages: Mapping[str, str]) -> str:
    """*pages* in MediaWiki's export format."""
    entries = (
        f"<page><title>{escape(title)}</title><revision><timestamp>2024-01-02T03:04:05Z</timestamp>"
        f"<contributor><username>Keeper</username></contributor>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
        for title, text in pages.items()
    )
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">'
        f"\n{''.join(entries)}</mediawiki>\n"
    )
