from dataclasses import replace

from report.conftest import Case
from shoal.core.outcome import Rate
from shoal.jobs.dossier import Dossier, Trial, Tried
from shoal.report.achieved import attacks
from shoal.report.blocks import Chart, Grid, Words


def grids(dossier: Dossier) -> dict[str, Grid]:
    return {block.caption: block for block in attacks(dossier) if isinstance(block, Grid)}


def test_every_attack_is_drawn_and_counted(case: Case) -> None:
    blocks = list(attacks(case.dossier))
    drawn = " ".join(block.alt for block in blocks if isinstance(block, Chart))
    table = grids(case.dossier)["Attacks"]
    for trial in case.dossier.tried:
        assert trial.name in drawn
        assert trial.after is not None and trial.before is not None
        row = next(row for row in table.rows if row[0].text == trial.name)
        assert row[3].text == f"{trial.before.rate.hits:,}" and row[4].text == f"{trial.after.rate.hits:,}"


def test_an_attack_on_two_columns_is_explained_once(case: Case) -> None:
    after = Tried(Rate(0, 10), 0.1, "")
    two = tuple(Trial("homogeneity", f"homogeneity(column={name})", "About.", None, after) for name in "ab")
    table = grids(replace(case.dossier, trials=two))["Attacks"]
    assert [row[1].text for row in table.rows] == ["About.", ""]


def test_what_works_comes_with_its_cure_and_what_was_not_tried_with_its_reason(case: Case) -> None:
    works = Trial("linkage", "linkage", "", None, Tried(Rate(9, 10), 0.1, "ask for more", 0.05))
    left = Trial("sparse-profile", "sparse-profile", "", reason="needs person")
    found = grids(replace(case.dossier, trials=(works, left)))
    assert [cell.text for cell in found["Cures"].rows[0]][:2] == ["linkage", "Ask for more."]
    assert [cell.text for cell in found["Not tried"].rows[0]] == ["sparse-profile", "needs person"]


def test_without_attacks_it_says_so(case: Case) -> None:
    first = next(iter(attacks(replace(case.dossier, trials=()))))
    assert isinstance(first, Words) and first.text.startswith("No attack could be tried")
