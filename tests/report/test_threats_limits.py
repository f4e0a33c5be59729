from dataclasses import replace

from report.conftest import Case
from shoal.core.outcome import Promise, Verdict
from shoal.report.threats import limits
from shoal.tables.appraisal.dossier import Dossier


def heads(dossier: Dossier, *models: str) -> list[str]:
    promises = tuple(Promise(model, 1.0, True, "") for model in models)
    return [item.head for item in limits(replace(dossier, verdict=Verdict(promises)))]


def test_the_limits_follow_from_what_was_promised(case: Case) -> None:
    assert "A group may agree on its secret." in heads(case.dossier, "k-anonymity")
    assert "Different is not unlike." in heads(case.dossier, "k-anonymity", "l-diversity")
    close = heads(case.dossier, "k-anonymity", "l-diversity", "t-closeness")
    assert "Different is not unlike." not in close and "One release." in close
    assert "One release." not in heads(case.dossier, "differential-privacy")
    assert "One row, one person." not in heads(case.dossier, "multir-k-anonymity")


def test_the_columns_that_promises_speak_of_are_named(case: Case) -> None:
    assert "zip, age and sex" in limits(case.dossier)[0].text


def test_a_report_made_with_the_original_of_a_noisy_release_stays_in_the_house(case: Case) -> None:
    noisy = replace(case.dossier, guarantees={"epsilon": 1.0})
    assert "Keep this report in the house." in [item.head for item in limits(noisy)]


def test_the_decision_stays_with_the_reader(case: Case) -> None:
    assert limits(case.dossier)[-1].head == "The law."
