"""A proof is checked without the database, and no byte of it can be changed."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.samples import DAY, operation, outcome, start, write
from wikicrawler.audit import proof as proof_module
from wikicrawler.audit.anchor import Anchor, add_anchor, read_anchors
from wikicrawler.audit.export import BrokenChainError, NothingRecordedError, export_proof
from wikicrawler.audit.proof import ProofError, build_proof, check_proof
from wikicrawler.errors import ConfigError
from wikicrawler.store.chain_text import GENESIS, canonical_text, digest_of, hash_of
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

THAT_DAY = date(2026, 2, 13)


def filled(database: Database) -> Database:
    later = DAY.replace(day=14)
    write(
        database,
        start(),
        operation(2),
        operation(3, source="other"),
        operation(4),
        outcome(5, of=4, at=later),
        operation(6, at=later),
    )
    return database


def exported(database: Database, source: str = "reg-x") -> bytes:
    with database.read() as connection:
        return export_proof(connection, source, THAT_DAY)[0]


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('proof')}/db.sqlite")
    found = exported(filled(database))
    database.close()
    return found


def test_a_proof_has_the_records_of_the_day_with_their_outcomes(proof: bytes) -> None:
    found = check_proof(proof)
    assert [(r["sequence"], r["kind"]) for r in found.records] == [
        (2, "request"),
        (4, "request"),
        (5, "outcome"),
    ]
    assert (found.source, found.date, found.first, found.last) == ("reg-x", "2026-02-13", 2, 6)
    assert found.records[2]["staged_path"] == "example.org/x.json"


def test_it_discloses_no_other_record(proof: bytes) -> None:
    assert b"other" not in proof
    assert b"example.org/6" not in proof


def test_its_end_is_the_head_of_the_chain(database: Database) -> None:
    filled(database)
    with database.read() as connection:
        data, head = export_proof(connection, "reg-x", THAT_DAY)
    assert check_proof(data).end == head.hash


def test_each_changed_byte_is_found(proof: bytes) -> None:
    for index in range(len(proof)):
        changed = bytearray(proof)
        changed[index] ^= 1
        with pytest.raises(ProofError):
            check_proof(bytes(changed))


@given(st.data())
def test_each_changed_removed_or_added_byte_is_found(proof: bytes, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(proof) - 1))
    byte = data.draw(st.binary(min_size=0, max_size=2))
    changed = proof[:index] + byte + proof[index + 1 :]
    if changed != proof:
        with pytest.raises(ProofError):
            check_proof(changed)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_what_is_no_proof_is_refused(data: bytes) -> None:
    with pytest.raises(ProofError):
        check_proof(data)


@pytest.mark.parametrize(
    "data", [b"[" * 10**6, b'{"a":' * 10**6, b"9" * 10**6, b"[]", b"null", b'"\xff"']
)
def test_hostile_json_is_refused(data: bytes) -> None:
    with pytest.raises(ProofError):
        check_proof(data)


def forged(proof: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The proof with another content and the right digest, as a forger makes it."""
    content = json.loads(proof)
    del content["digest"]
    change(content)
    return proof_module._file(content | {"digest": proof_module._digest(content)})


def edit_text(content: dict[str, Any], **fields: Any) -> None:
    """Change the first record, and all hashes that depend on it."""
    record = json.loads(content["chain"][0]["text"]) | fields
    content["chain"][0]["text"] = canonical_text(record)
    previous = content["start"]["prev_hash"]
    hashes: dict[int, str] = {}
    for sequence, link in enumerate(content["chain"], content["start"]["sequence"]):
        if isinstance(link, dict):
            record = json.loads(link["text"])
            if record.get("of_sequence") in hashes:
                record["of_hash"] = hashes[record["of_sequence"]]
                link["text"] = canonical_text(record)
        digest = digest_of(link["text"]) if isinstance(link, dict) else link
        previous = hashes[sequence] = hash_of(digest, previous)
    content["end"] = previous


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"url": "https://other.org/"}, "request does not have its hash"),
        ({"request_headers": []}, "request does not have its hash"),
        ({"manifest_id": "other"}, "another source"),
        ({"timestamp": "2026-02-12T00:00:00.000000Z"}, "another day"),
        ({"sequence": 7}, "another sequence"),
    ],
)
def test_a_forged_record_contradicts_itself(proof: bytes, fields: Any, why: str) -> None:
    with pytest.raises(ProofError, match=why):
        check_proof(forged(proof, lambda content: edit_text(content, **fields)))


def test_a_record_that_is_changed_alone_breaks_the_chain(proof: bytes) -> None:
    def change(content: dict[str, Any]) -> None:
        end = content["end"]
        edit_text(content, http_status=404)
        content["end"] = end

    with pytest.raises(ProofError, match="do not lead to the end"):
        check_proof(forged(proof, change))


def test_a_chain_that_was_built_anew_is_found_by_an_anchor(
    proof: bytes, database: Database, tmp_path: Path
) -> None:
    with filled(database).read() as connection:
        head = export_proof(connection, "reg-x", THAT_DAY)[1]
    add_anchor(tmp_path / "anchors", head)
    anchors = read_anchors(tmp_path / "anchors")
    assert check_proof(proof, anchors).anchors == 1
    rebuilt = forged(proof, lambda content: edit_text(content, http_status=404))
    check_proof(rebuilt)  # alone it is consistent
    with pytest.raises(ProofError, match="another hash than the anchor"):
        check_proof(rebuilt, anchors)


def test_an_anchor_from_elsewhere_in_the_chain_confirms_nothing(proof: bytes) -> None:
    with pytest.raises(ProofError, match="none confirms it"):
        check_proof(proof, [Anchor(700, "b" * 64, "")])


def test_a_proof_of_nothing_is_none(database: Database) -> None:
    with pytest.raises(NothingRecordedError):
        exported(filled(database), "nobody")
    with pytest.raises(ProofError, match="no record"):
        check_proof(build_proof("s", "2026-02-13", (1, GENESIS), [], GENESIS))


def test_a_broken_chain_is_not_exported(database: Database) -> None:
    filled(database)
    with database.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER audit_no_update")
        connection.exec_driver_sql("UPDATE audit SET text = replace(text, 'other', 'OTHER')")
    with pytest.raises(BrokenChainError):
        exported(database)


@pytest.mark.parametrize(
    "line",
    ["", "x", "[]", '{"format": "x"}', '{"format": "wikicrawler audit anchor 1"}', "[" * 10**5],
)
def test_a_file_that_has_no_anchors_is_an_error_that_names_the_line(
    tmp_path: Path, line: str
) -> None:
    file = tmp_path / "anchors"
    file.write_text(line + "\n")
    with pytest.raises(ConfigError, match="anchors:1: not an anchor"):
        read_anchors(file)
