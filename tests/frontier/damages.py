"""Random damage to the state folder of a crawl."""

from __future__ import annotations

import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

DATABASE, WAL, SHM = "frontier.sqlite", "frontier.sqlite-wal", "frontier.sqlite-shm"
FILES = (DATABASE, WAL, SHM, "commits", "lock", "spider.state")


def a_file(job: Path, chance: random.Random, names: tuple[str, ...] = FILES) -> Path:
    """One of the files, rather one with content."""
    there = [job / name for name in names if (job / name).is_file()] or [job / DATABASE]
    return chance.choice([path for path in there if path.stat().st_size] or there)


def flip(job: Path, chance: random.Random) -> str:
    path = a_file(job, chance, chance.choice([(DATABASE,), (DATABASE,), (WAL,), FILES]))
    data = bytearray(path.read_bytes())
    places = [chance.randrange(len(data)) for _ in range(chance.choice([1, 1, 1, 8, 200]))]
    for place in places:
        data[place] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return f"{len(places)} bits of {path.name} from {places[0]}"


def flip_in_text(job: Path, chance: random.Random) -> str:
    """A letter of a value, which leaves the structure of the database as it is."""
    path = job / DATABASE
    data = bytearray(path.read_bytes())
    word = chance.choice([b"127.0.0.1", b'"url"', b"page_depth", b"parse", b"http", b"seed"])
    first, places = 0, []
    while (first := data.find(word, first)) >= 0:
        places.append(first)
        first += 1
    if not places:
        return flip(job, chance)
    place = chance.choice(places) + chance.randrange(len(word))
    data[place] ^= 1 << chance.randrange(5)
    path.write_bytes(data)
    return f"{word.decode()} at {place}"


def truncate(job: Path, chance: random.Random) -> str:
    path = a_file(job, chance)
    size = chance.choice([0, 1, path.stat().st_size - 1, chance.randrange(path.stat().st_size + 1)])
    os.truncate(path, max(0, size))
    return f"{path.name} to {size}"


def zero(job: Path, chance: random.Random) -> str:
    path = a_file(job, chance, (DATABASE, WAL))
    page = chance.randrange(max(1, path.stat().st_size // 4096))
    with path.open("rb+") as file:
        file.seek(page * 4096)
        file.write(bytes(4096))
    return f"page {page} of {path.name}"


def mix(job: Path, chance: random.Random) -> str:
    """Files of an earlier moment beside those of now; the earlier ones are in ``../earlier``."""
    earlier = job.parent / "earlier"
    names = chance.choice(
        [(DATABASE,), (WAL,), (DATABASE, WAL), (SHM,), (DATABASE, SHM), (WAL, SHM)]
    )
    for name in names:
        shutil.copy(earlier / name, job / name)
    return f"earlier {', '.join(names)}"


def remove(job: Path, chance: random.Random) -> str:
    names = chance.choice([(WAL,), (WAL, SHM), (SHM,), (DATABASE,), ("commits",), ("lock",)])
    for name in names:
        (job / name).unlink(missing_ok=True)
    return ", ".join(names)


_STATEMENTS = (
    "UPDATE requests SET request = x'00' WHERE id = :id",
    "UPDATE requests SET request = x'80049503000000' WHERE id = :id",
    "UPDATE requests SET request = CAST(request AS TEXT) WHERE id = :id",
    "UPDATE requests SET request = CAST(replace(CAST(request AS TEXT), '127.0.0.1', '127.0.0.2')"
    " AS BLOB) WHERE id = :id",
    "UPDATE requests SET request = (SELECT request FROM requests ORDER BY id LIMIT 1) "
    "WHERE id = (SELECT MAX(id) FROM requests)",
    "UPDATE requests SET request = zeroblob(100000) WHERE id = :id",
    "UPDATE requests SET sum = 1 WHERE id = :id",
    "UPDATE requests SET url = x'ff' WHERE id = :id",
    "UPDATE requests SET url = 5 WHERE id = :id",
    "DELETE FROM requests WHERE id = :id",
    "UPDATE requests SET id = id + 100000 WHERE id = :id",
    "INSERT INTO requests SELECT id + 5000, site, rank, kind, request, url, sum FROM requests",
    "DELETE FROM seen WHERE fingerprint IN (SELECT fingerprint FROM seen LIMIT 1)",
    "INSERT INTO seen VALUES (x'00112233')",
    "UPDATE seen SET fingerprint = CAST(fingerprint AS TEXT) "
    "WHERE fingerprint = (SELECT MAX(fingerprint) FROM seen)",
    "DELETE FROM written WHERE key IN (SELECT key FROM written LIMIT 3)",
    "UPDATE feeds SET size = size + 7",
    "DELETE FROM feeds",
    "DELETE FROM facts",
    "UPDATE facts SET value = x'ff' WHERE name = 'seeds'",
    "UPDATE about SET value = 'nonsense' WHERE name = 'sums'",
    "UPDATE about SET value = x'ff' WHERE name = 'spider'",
    "DELETE FROM about WHERE name = 'sums'",
    "DROP TABLE seen",
    "DROP INDEX requests_in_turn",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = 0",
)


def change_rows(job: Path, chance: random.Random) -> str:
    statement = chance.choice(_STATEMENTS)
    database = sqlite3.connect(job / DATABASE, isolation_level=None)
    (numbers,) = zip(*database.execute("SELECT id FROM requests"), strict=True)
    values = {"id": chance.choice(numbers)} if ":id" in statement else {}
    database.execute(statement, values)
    database.close()
    return f"{statement} {values}"


def garble(job: Path, chance: random.Random) -> str:
    """Text of others in a small file."""
    path = a_file(job, chance, ("commits", "spider.state", "lock"))
    texts = [b"", b"nonsense", b"\0" * 200, b"[" * 200, b"{}", b"null", b"\xff\xfe", b"\x80\x04N."]
    texts += [
        b'{"crawl": 5, "commits": 1e999, "boot": []}',
        b'{"crawl":null,"commits":-3,"boot":1}',
    ]
    text = chance.choice(texts)
    path.write_bytes(text)
    return f"{path.name}: {text[:40]!r}"


def replace(job: Path, chance: random.Random) -> str:
    """A folder, a pipe or a dead link in the place of a file."""
    name = chance.choice((*FILES, "commits.new", "spider.state.new"))
    path = job / name
    path.unlink(missing_ok=True)
    kind = chance.choice(["folder", "full folder", "pipe", "link"])
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(job / "nowhere")
    else:
        path.mkdir()
        if kind == "full folder":
            (path / "file").write_text("x")
    return f"{kind} {name}"


def add_foreign(job: Path, chance: random.Random) -> str:
    """Files of other programs."""
    what = chance.choice(["beside", "database", "zip", "text", "queue"])
    if what == "beside":
        (job / "notes.txt").write_text("hello")
        (job / "cache").mkdir()
    elif what == "queue":
        (job / "requests.seen").write_text("abc")
    elif what == "database":
        for name in (DATABASE, WAL, SHM):
            (job / name).unlink(missing_ok=True)
        other = sqlite3.connect(job / DATABASE)
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.commit()
        other.close()
        if chance.random() < 0.5:
            (job / "commits").unlink()
            (job / "spider.state").unlink(missing_ok=True)
    else:
        content = b"PK\x03\x04" + bytes(3000) if what == "zip" else b"some text\n" * 900
        (job / DATABASE).write_bytes(content)
    return what


def forbid(job: Path, chance: random.Random) -> str:
    """Take permissions away; it has an effect where the process is not root's."""
    name = chance.choice((*FILES[:4], "lock", "."))
    mode = chance.choice([0o000, 0o400, 0o200])
    path = job / name
    if path.exists():
        path.chmod(mode)
    return f"{mode:o} {name}"


DAMAGES: tuple[Callable[[Path, random.Random], str], ...] = (
    *(flip, flip, flip_in_text, truncate, zero, mix, remove, change_rows, change_rows),
    *(garble, replace, add_foreign, forbid),
)


# Damage to what the crawl has written; *job* is beside it


def delete_feed(job: Path, chance: random.Random) -> str:
    name = chance.choice(["pages.jsonl", "pages.jsonl", "skipped.jsonl"])
    (job.parent / name).unlink()
    return name


def shorten_feed(job: Path, chance: random.Random) -> str:
    path = job.parent / "pages.jsonl"
    size = chance.choice([0, 1, path.stat().st_size - 1, chance.randrange(path.stat().st_size)])
    os.truncate(path, size)
    return f"to {size}"


def drop_lines(job: Path, chance: random.Random) -> str:
    path = job.parent / "pages.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    gone = chance.randrange(len(lines))
    path.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
    return f"line {gone}"


def add_half_a_line(job: Path, chance: random.Random) -> str:
    """As a kill leaves it."""
    path = job.parent / "pages.jsonl"
    line = path.read_bytes().splitlines()[0]
    half = line[: chance.randrange(1, len(line))]
    with path.open("ab") as file:
        file.write(half)
    return f"{len(half)} bytes"


def overwrite_feed(job: Path, chance: random.Random) -> str:
    path = job.parent / "pages.jsonl"
    size = path.stat().st_size
    path.write_bytes(chance.choice([bytes(size), b"x" * (size + 50)]))
    return f"{size} bytes"


def replace_feed(job: Path, _chance: random.Random) -> str:
    path = job.parent / "pages.jsonl"
    path.unlink()
    path.mkdir()
    return path.name


def restore_all_of_earlier(job: Path, _chance: random.Random) -> str:
    """The whole folder as it was once, with the feed of now: nothing in it shows that."""
    shutil.rmtree(job)
    shutil.copytree(job.parent / "earlier", job)
    return "the folder"


FEED_DAMAGES: tuple[Callable[[Path, random.Random], str], ...] = (
    *(delete_feed, shorten_feed, add_half_a_line, drop_lines, overwrite_feed, replace_feed),
    restore_all_of_earlier,
)
