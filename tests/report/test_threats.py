from dataclasses import replace

from report.conftest import Case
from shoal.core.attack_results import Trial, Tried
from shoal.core.outcome import Promise, Rate, Verdict
from shoal.report.blocks import Card
from shoal.report.threats import THREATS, cards, threat_of
from shoal.tables.appraisal.dossier import ColumnStory, Dossier


def promised(dossier: Dossier, *models: str) -> dict[str, Card]:
    promises = tuple(Promise(model.split("(")[0], 1.0, True, model) for model in models)
    found = cards(replace(dossier, verdict=Verdict(promises), trials=()))
    return {card.head.lower(): card for card in found}


def test_the_four_threats_of_the_mission_are_always_told(case: Case) -> None:
    assert tuple(card.head.lower() for card in cards(case.dossier)) == THREATS
    assert all(card.lines[-1].startswith("Remains: ") for card in cards(case.dossier))


def test_a_model_covers_what_it_was_made_to_stop(case: Case) -> None:
    only_k = promised(case.dossier, "k-anonymity(k=3)")
    assert only_k["identifiability"].tag == "covered"
    assert [only_k[threat].tag for threat in THREATS if threat != "identifiability"] == ["not covered"] * 3
    both = promised(case.dossier, "k-anonymity(k=3)", "l-diversity(l=2)")
    assert both["disclosure of information"].tag == "covered"
    assert promised(case.dossier, "delta-presence(low=0,high=0.5)")["detectability"].tag == "covered"
    noisy = promised(case.dossier, "differential-privacy(epsilon=1)")
    assert noisy["linkability"].tag == noisy["detectability"].tag == "covered"


def test_a_secret_that_no_promise_speaks_of_is_named(case: Case) -> None:
    more = replace(
        case.dossier, columns=(*case.dossier.columns, ColumnStory("income", "sensitive", "unchanged"))
    )
    card = promised(more, "l-diversity(l=2,column=ill)")["disclosure of information"]
    assert card.tag == "partly covered" and "No promise speaks of income." in card.lines


def test_a_promise_that_does_not_hold_covers_nothing(case: Case) -> None:
    broken = Verdict((Promise("k-anonymity", 1.0, False, "k-anonymity(k=3)"),))
    assert cards(replace(case.dossier, verdict=broken, trials=()))[1].tag == "not covered"


def test_an_attack_that_works_outweighs_a_promise(case: Case) -> None:
    working = Trial("linkage", "linkage", "", None, Tried(Rate(50, 60), 0.01, "leave it out"))
    card = cards(replace(case.dossier, trials=(working,)))[1]
    assert (card.tag, card.tone) == ("attacks succeed", "bad")
    assert "The one attack tried succeeds." in card.lines


def test_attacks_are_sorted_by_what_they_carry_out() -> None:
    expected = {
        "linkage": "identifiability",
        "homogeneity": "disclosure of information",
        "intersection": "linkability",
        "singling-out": "identifiability",
    }
    for name, threat in expected.items():
        assert threat_of(Trial(name, name, "")) == threat, name
    assert threat_of(Trial("of-somebody-else", "of-somebody-else", "")) == "identifiability"
