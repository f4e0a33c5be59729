"""The audit log: whole lines or an error."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from patience import all_done
from shoal.queries.service.audit_log import LONGEST, AuditLog, Note, NotNoted


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_note_becomes_one_line_whatever_is_in_it(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    question = 'SELECT "x\n{}" FROM t -- \u2028 \x00 é'
    log.write(Note("r1", action="query", person="ada", role="analyst", question=question, status=200))
    log.write(Note("r2", action="enter", status=401))
    first, second = lines(tmp_path / "audit.jsonl")
    assert first["question"] == question
    assert (first["person"], first["role"], first["status"]) == ("ada", "analyst", 200)
    assert second["person"] is None
    assert set(first) == {
        "time", "request", "address", "person", "role", "action", "dataset", "question", "cost", "status",
        "error", "trouble", "milliseconds",
    }  # fmt: skip


def test_only_the_owner_of_the_process_can_read_it(tmp_path: Path) -> None:
    AuditLog(tmp_path / "audit.jsonl").close()
    assert stat.S_IMODE((tmp_path / "audit.jsonl").stat().st_mode) == 0o600


def test_a_line_that_was_cut_off_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b": ')
    log = AuditLog(path)
    log.write(Note("r1"))
    assert path.read_bytes().splitlines()[1] == b'{"b": '
    assert json.loads(path.read_bytes().splitlines()[2])["request"] == "r1"


def test_opening_again_goes_on_at_the_end(tmp_path: Path) -> None:
    for request in ("r1", "r2"):
        log = AuditLog(tmp_path / "audit.jsonl")
        log.write(Note(request))
        log.close()
    assert [line["request"] for line in lines(tmp_path / "audit.jsonl")] == ["r1", "r2"]


def test_a_full_disk_is_an_error_and_not_silence() -> None:
    log = AuditLog(Path("/dev/full"))
    with pytest.raises(NotNoted, match="no answer is given"):
        log.write(Note("r1"))


def test_a_closed_log_is_an_error(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.close()
    log.close()
    with pytest.raises(NotNoted):
        log.write(Note("r1"))


def test_a_write_that_got_half_through_is_an_error_and_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, write = AuditLog(tmp_path / "audit.jsonl"), os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: write(file, data[:9]))
        with pytest.raises(NotNoted):
            log.write(Note("r1"))
    log.write(Note("r2"))
    assert json.loads((tmp_path / "audit.jsonl").read_bytes().splitlines()[-1])["request"] == "r2"


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")

    def work(name: str) -> None:
        for number in range(100):
            log.write(Note(f"{name}{number}", question="x" * number))

    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in "abcdefgh"]
    for thread in threads:
        thread.start()
    all_done(threads)
    assert len({line["request"] for line in lines(tmp_path / "audit.jsonl")}) == 800


def test_a_question_of_any_length_leaves_a_short_line(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.write(Note("r1", question="x" * 10**6, paid=True))
    assert LONGEST < len((tmp_path / "audit.jsonl").read_bytes()) < LONGEST + 1000


def test_a_question_that_cost_nothing_leaves_its_beginning(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.write(Note("r1", question="x" * 20_000))
    assert lines(tmp_path / "audit.jsonl")[0]["question"] == "x" * 500 + " … (20,000 characters)"
