from dataclasses import replace

from report.conftest import ATTACKS, Case
from shoal.core.attack_results import Trial, Tried
from shoal.core.outcome import Rate
from shoal.core.rounded_figures import per_cent
from shoal.report.attacks_section import attacks
from shoal.report.blocks import Chart, Grid, Words
from shoal.report.wording import rate_words
from shoal.tables.appraisal.dossier import Dossier


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
        assert row[2].text == per_cent(trial.before.rate.value) and row[3].text == rate_words(trial.after)
        assert f"{trial.after.rate.hits:,} of {trial.after.rate.targets:,}" in row[3].text
        assert row[4].text == "nobody" and row[5].text == "fails"


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


def test_a_hit_rate_stands_beside_what_is_expected_of_a_safe_release(case: Case) -> None:
    linked = Tried(Rate(148, 2000), 0.0005, "", allowed=0.2, outside=0.0015, guessing=True, added=0.06)
    trial = Trial("linkability", "linkability", "About.", None, linked)
    row = grids(replace(case.dossier, trials=(trial,)))["Attacks"].rows[0]
    assert row[3].text.replace("\u202f", " ") == "7.4 % (6.3 % to 8.6 %), 148 of 2,000"
    assert row[4].text.startswith("up to 20.0") and "picked at random" in row[4].text
    assert (row[5].text, row[5].tone) == ("fails", "good")


def test_the_section_says_how_many_were_tried_and_why_others_were_not(case: Case) -> None:
    told = next(block.text for block in attacks(case.dossier) if isinstance(block, Words))
    assert f"2 of {ATTACKS} attacks tried; not tried: " in told
    assert "because only others were asked for with --attack" in told
    assert "Not tried" not in grids(case.dossier), "what nobody asked for needs no list of reasons"


def test_what_may_be_understated_is_said(case: Case) -> None:
    low = Tried(Rate(1, 2000), 0.1, "", remark="no model was trained: scikit-learn is not installed")
    found = attacks(replace(case.dossier, trials=(Trial("inference", "inference", "", None, low),)))
    warned = [block.text for block in found if isinstance(block, Words) and block.tone == "warn"]
    assert warned == [
        "The figure of inference may be too low: no model was trained: scikit-learn is not installed."
    ]
