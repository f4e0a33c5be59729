from dataclasses import replace
from pathlib import Path

from report.conftest import ATTACKS, Case
from shoal.core.attack_results import Trial, Tried
from shoal.core.outcome import Promise, Rate, Verdict
from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.requests import ReportTable
from shoal.report.blocks import Box, Figures, Grid, Heading, Sign, Title, Words
from shoal.report.document import document
from shoal.tables.appraisal.dossier import Dossier
from shoal.tables.manifest import beside


def box(dossier: Dossier) -> Box:
    return next(block for block in document(dossier).blocks if isinstance(block, Box))


def test_the_order_is_verdict_first_and_signature_last(case: Case) -> None:
    blocks = document(case.dossier).blocks
    assert isinstance(blocks[0], Title) and isinstance(blocks[1], Box) and isinstance(blocks[-1], Sign)
    numbers = [block.number for block in blocks if isinstance(block, Heading)]
    assert numbers == list(range(1, 10))


def test_every_promise_is_there_in_plain_words(case: Case) -> None:
    grid = next(b for b in document(case.dossier).blocks if isinstance(b, Grid) and b.caption == "Promises")
    assert [row[0].text for row in grid.rows] == ["k-anonymity(k=3)", "l-diversity(l=2)"]
    assert all(row[1].text.endswith(".") and row[3].text == "holds" for row in grid.rows)


def test_a_good_release_gets_a_good_word(case: Case) -> None:
    calm = box(case.dossier)
    assert calm.tone == "good" and calm.head == "The promises hold."
    assert "No attack tried succeeds: nobody is hit. " in calm.text
    assert f"2 of {ATTACKS} attacks tried; not tried: " in calm.text


def test_a_release_that_nobody_attacked_is_never_green(case: Case) -> None:
    calm = box(replace(case.dossier, trials=()))
    assert calm.tone == "warn" and "No attack was tried" in calm.text


def test_an_attack_that_hits_people_is_not_called_nothing(case: Case) -> None:
    linked = Tried(Rate(148, 2000), 0.0005, "", allowed=0.2, outside=0.0015, guessing=True, added=0.06)
    some = replace(case.dossier, trials=(Trial("linkability", "linkability", "", None, linked),))
    told = box(some).text.replace("\u202f", " ")
    assert "linkability 7.4 % (a safe release: up to 20.0 %)" in told and "nobody is hit" not in told
    figures = next(block for block in document(some).blocks if isinstance(block, Figures))
    assert not [item for item in figures.items if item.value.startswith("0")]


def test_a_broken_promise_is_said_in_plain_words(case: Case) -> None:
    broken = replace(case.dossier, verdict=Verdict((Promise("k-anonymity", 1.0, False, "k-anonymity(k=3)"),)))
    told = box(broken)
    assert told.tone == "bad" and told.head == "The promise does not hold."
    assert "breaks k-anonymity(k=3)" in told.text and "Do not release" in told.text
    grid = next(b for b in document(broken).blocks if isinstance(b, Grid) and b.caption == "Promises")
    assert grid.rows[0][3].text == "does not hold" and grid.rows[0][3].tone == "bad"


def test_promises_that_hold_do_not_hide_an_attack_that_works(case: Case) -> None:
    trial = next(trial for trial in case.dossier.tried)
    working = replace(trial, after=Tried(Rate(50, 60), 0.01, "leave it out"))
    told = box(replace(case.dossier, trials=(working,)))
    assert told.tone == "warn" and "some attacks succeed" in told.head and trial.name in told.text


def test_a_promise_nobody_can_check_is_not_counted_as_kept(case: Case) -> None:
    unknown = Promise("delta-presence", None, None, "delta-presence(low=0,high=0.5)")
    some = replace(case.dossier, verdict=Verdict((*case.dossier.verdict.promises, unknown)))
    assert "2 promises that can be checked of 3" in box(some).text
    none = replace(case.dossier, verdict=Verdict((unknown,)))
    assert box(none).tone == "bad"


def test_notes_stand_beside_the_promises(case: Case) -> None:
    noted = replace(case.dossier, notes=("the file is another one",))
    words = [block.text for block in document(noted).blocks if isinstance(block, Words)]
    assert "Note: The file is another one." in words


def test_a_file_that_was_changed_is_never_green(case: Case, tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    head, *rows = case.release.read_text("utf-8").splitlines()
    turned = [head, *reversed(rows)]  # all that the record says of it is still true
    changed.write_text("\n".join(turned) + "\n", "utf-8")
    beside(changed).write_bytes(beside(case.release).read_bytes())
    dossier = report_table(ReportTable(data=str(changed), attack=("homogeneity",), made="2026-01-31"))
    assert dossier.verdict.holds and dossier.altered and not case.dossier.altered
    calm = box(replace(dossier, trials=()))
    assert calm.tone == "warn" and "not the file that its manifest was written for" in calm.text


def test_a_column_that_gives_another_away_is_never_green(case: Case) -> None:
    told = "StatusID gives away Status, which was made coarser, in 300 rows"
    found = replace(case.dossier, given_away=(told,))
    assert box(found).tone == "warn" and told in box(found).text
    assert f"One column gives another away: {told}." in [
        block.text for block in document(found).blocks if isinstance(block, Words)
    ]
