from dataclasses import replace

from report.conftest import ATTACKS, Case, case  # noqa: F401  the fixture
from shoal.core.attack_results import Tried
from shoal.core.outcome import Rate
from shoal.demo.all_attacks import attack_tables, in_short


def test_what_succeeds_is_told_with_its_cure(case: Case) -> None:  # noqa: F811
    first = case.dossier.tried[0]
    works = replace(first, after=Tried(Rate(9, 10), 0.1, "ask for more", 0.0, sure=True))
    found = replace(case.dossier, trials=(works, *case.dossier.trials[1:]))
    tables = attack_tables(found)
    assert list(tables) == [
        f"2 of {ATTACKS} kinds of attack tried on release.csv",
        "what would stop those that succeed",
    ]
    assert tables["what would stop those that succeed"][1] == ["linkage", "ask for more", "0.0%"]
    assert in_short(found).startswith(f"2 of {ATTACKS} kinds of attack were tried; linkage succeeds, because")


def test_where_nothing_succeeds_no_cure_is_needed(case: Case) -> None:  # noqa: F811
    assert len(attack_tables(case.dossier)) == 1
    assert in_short(case.dossier) == f"2 of {ATTACKS} kinds of attack were tried; none of them succeeds."
