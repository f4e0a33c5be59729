import json

from shoal.core.attack_results import Tally, Trial, Tried
from shoal.core.outcome import Cured, Finding, Json, Rate


def test_people_stay_behind_when_a_finding_is_told() -> None:
    finding = Finding(
        "linkage",
        Rate(5, 10),
        0.1,
        ({"who": {"name": "Ann"}, "learned": {"ill": "flu"}, "confidence": 1.0},),
        "ask for more",
        details={"names": "Ann"},
        cured=Cured("without Ann", Rate(0, 10), 0.1),
    )
    told = Tried.of(finding)
    assert "Ann" not in json.dumps(told.to_json())
    assert (told.cured, told.works) == (0.0, True)


def test_an_attack_works_only_when_it_beats_blind_guessing_by_more_than_chance() -> None:
    assert Tried(Rate(50, 100), 0.1, "").works
    assert not Tried(Rate(0, 100), 0.0, "").works
    assert not Tried(Rate(12, 100), 0.1, "").works


def test_a_guess_counts_once_it_adds_more_than_a_little() -> None:
    def tried(hits: int, details: dict[str, Json], allowed: float = 0.0) -> Tried:
        return Tried.of(Finding("inference", Rate(hits, 2000), 0.1, (), "", details=details), allowed)

    assert not tried(295, {"control": 0.1075, "risk": 0.045, "risk_interval": [0.022, 0.067]}).works
    assert tried(600, {"control": 0.1075, "risk": 0.2, "risk_interval": [0.18, 0.22]}).works
    assert not tried(600, {"control": 0.3, "risk": 0.0, "risk_interval": [0.0, 0.02]}).works
    assert tried(600, {"control": None, "risk": None, "risk_interval": None}).works, "nobody to compare with"
    assert not tried(250, {"control": None, "risk": None, "risk_interval": None}).works
    assert tried(260, {}).works, "what is no guess counts from the first person that chance does not explain"
    assert not tried(260, {}, allowed=0.2).works, "one of five rows is right once in five times"


def test_a_guess_must_beat_both_baselines() -> None:
    details: dict[str, Json] = {"control": 0.02, "risk": 0.1, "risk_interval": [0.08, 0.12]}
    found = Tried.of(Finding("inference", Rate(260, 2000), 0.1, (), "", details=details))
    assert not found.works, "people outside are guessed worse, but a blind guess is hardly worse than this"
    assert found.expected == 0.1


def test_the_tally_counts_kinds_and_gives_every_reason_once() -> None:
    after = Tried(Rate(0, 10), 0.1, "")
    found = Tally.of(
        (
            Trial("homogeneity", "homogeneity(column=a)", "", None, after),
            Trial("homogeneity", "homogeneity(column=b)", "", None, after),
            Trial("temporal", "temporal", "", reason="needs another release; give --other FILE"),
            Trial("intersection", "intersection", "", reason="needs another release; give --other FILE"),
        )
    )
    assert found.kinds == 3 and found.tried == ("homogeneity",)
    assert found.words == (
        "1 of 3 attacks tried; not tried: temporal and intersection, because they need another release"
    )
