"""What long work found out about a release lies beside it, and goes with it."""

from __future__ import annotations

import shutil
from pathlib import Path

from shoal.faces.studio.findings import Findings
from shoal.faces.studio.worker import Work

EVIL = "attack linkage [('external', '../../etc/passwd.csv 12 3')]"


def ended(findings: Findings, key: str, state: str, result: object) -> None:
    """Work about a key that ends at once."""

    def start(then: object) -> Work:
        assert callable(then)
        work = Work("attacking", state=state, result=result)  # type: ignore[arg-type]
        then(work)
        return work

    findings.begin(key, start)


def test_what_was_found_is_there_when_the_studio_is_started_again(folder: Path) -> None:
    ended(Findings(folder), EVIL, "done", {"hits": 3})
    again = Findings(folder)
    assert again.recall(EVIL) == {"hits": 3}
    assert again.work(EVIL) is None
    assert again.recall("attack linkage []") is None
    assert [path.parent for path in folder.rglob("*.json")] == [folder / "found"]


def test_a_failure_leaves_what_was_found_before(folder: Path) -> None:
    findings = Findings(folder)
    ended(findings, "lattice", "done", [1])
    ended(findings, "lattice", "failed", None)
    work = findings.work("lattice")
    assert work is not None and work.state == "failed"
    assert findings.recall("lattice") == [1]


def test_a_release_that_was_removed_meanwhile_does_not_come_back(folder: Path) -> None:
    findings = Findings(folder / "001")
    shutil.rmtree(folder / "001", ignore_errors=True)
    ended(findings, "lattice", "done", [1])
    assert not (folder / "001").exists()


def test_a_file_that_was_cut_off_counts_as_nothing_found(folder: Path) -> None:
    findings = Findings(folder)
    ended(findings, "lattice", "done", [1])
    (place,) = (folder / "found").iterdir()
    place.write_text('{"about": "lat')
    assert findings.recall("lattice") is None
