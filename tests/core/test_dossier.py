"""What every report tells, whatever was released."""

from typing import ClassVar

from shoal.core.attack_results import Trial, Tried
from shoal.core.dossier import Print, ReleaseDossier
from shoal.core.outcome import Promise, Rate, Verdict


class Plain(ReleaseDossier):
    noun: ClassVar[str] = "graph"


def dossier(*trials: Trial) -> Plain:
    verdict = Verdict((Promise("k-degree", 3.0, True, "k-degree(k=3)"),))
    return Plain(
        title="t", made="2026-01-31", version="0", release="r.csv", verdict=verdict, trials=trials,
        prints=(Print("release", "r.csv", "ab"),), command="shoal report r.csv",
    )  # fmt: skip


def test_attacks_are_sorted_by_what_they_achieve() -> None:
    working = Trial("a", "a", "", after=Tried(Rate(50, 100), 0.01, ""))
    hitting = Trial("b", "b", "", after=Tried(Rate(1, 100), 0.5, ""))
    left = Trial("c", "c", "", reason="needs something")
    void = Trial("d", "d", "", reason="nobody is in it", void=True)
    found = dossier(working, hitting, left, void)
    assert found.tried == (working, hitting)
    assert found.working == (working,) and found.hitting == (hitting,)
    assert found.to_tables()["not tried"][1:] == [["c", "needs something"], ["d", "nobody is in it"]]
    assert found.to_json()["holds"] is True
