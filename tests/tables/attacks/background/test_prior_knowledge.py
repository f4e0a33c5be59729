"""What an attacker knows beforehand about who has which value."""

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import Targets
from shoal.tables.attacks.background.prior_knowledge import Hint, combine_hints, hints_in
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.table import Table

FRAME = pl.DataFrame({"sex": ["F", "M", "*", None], "ill": ["a", "b", "c", "a"]})
TABLE = Table(FRAME, quasi=("sex",), sensitive=("ill",))
DOMAIN = Domain.of(FRAME, "ill")


def by_look(suspects: Targets, hints: list[Hint], **hierarchies: Hierarchy) -> dict[object, list[float]]:
    weights = combine_hints(hints, DOMAIN, suspects, hierarchies)
    looks = suspects.looks.iter_rows()
    return {look[0]: weights.table[weights.of_kind[kind]].tolist() for kind, look in enumerate(looks)}


def test_what_is_known_of_everyone_holds_for_everyone() -> None:
    found = by_look(Targets.of_rows(TABLE), [Hint("a", 0.0), Hint("b", 0.1), Hint("unknown", 0.5)])
    assert set(map(tuple, found.values())) == {(0.0, 0.1, 1.0)}


def test_what_is_known_of_some_holds_for_them_only_and_several_hints_multiply() -> None:
    hints = [Hint("a", 0.0, (("sex", "F"),)), Hint("b", 0.5), Hint("b", 0.5, (("sex", "M"),))]
    found = by_look(Targets.of_rows(TABLE), hints)
    # Nothing is known of the sex of people whose class says * or nothing.
    assert found == {"F": [0.0, 0.5, 1.0], "M": [1.0, 0.25, 1.0], "*": [1, 0.5, 1], None: [1, 0.5, 1]}


def test_a_hint_may_be_about_a_label_that_stands_for_what_people_have() -> None:
    people = pl.DataFrame({"age": ["27", "31"], "sex": ["F", "F"]})
    scene = Scene(TABLE, external=people)
    suspects = Targets.of(scene, "test", also=["age"])
    ages = suspects.looks["age"].to_list()
    weights = combine_hints([Hint("c", 0.0, (("age", "2*"),))], DOMAIN, suspects, {})
    found = {age: weights.table[weights.of_kind[kind], 2] for kind, age in enumerate(ages)}
    assert found == {"27": 0.0, "31": 1.0}
    hierarchy = Hierarchy.of_levels([["27", "31"], ["young", "old"]])
    weights = combine_hints([Hint("c", 0.0, (("age", "old"),))], DOMAIN, suspects, {"age": hierarchy})
    found = {age: weights.table[weights.of_kind[kind], 2] for kind, age in enumerate(ages)}
    assert found == {"27": 1.0, "31": 0.0}


def test_a_star_stands_for_everyone_and_a_label_for_nobody_is_without_effect() -> None:
    hints = [Hint("a", 0.5, (("sex", "*"),)), Hint("b", 0.5, (("sex", "X"),))]
    assert set(map(tuple, by_look(Targets.of_rows(TABLE), hints).values())) == {(0.5, 1.0, 1.0)}


def test_nobody_to_know_anything_about_is_fine() -> None:
    nobody = Targets.of(
        Scene(Table(FRAME[:2], (), ("sex",), ("ill",)), external=pl.DataFrame({"sex": ["X"]}), readable=True),
        "test",
    )
    assert len(combine_hints([Hint("a", 0.5, (("sex", "F"),))], DOMAIN, nobody, {}).of_kind) == 0


def test_a_file_of_hints_is_read(tmp_path: Path) -> None:
    file = tmp_path / "hints.csv"
    file.write_text("sex,age,ill,weight\nF,,a,0\n,2*,b,0.5\n,,,2\n")
    column, hints = hints_in(str(file), ["ill", "pay"], ["sex", "age"])
    assert column == "ill"
    assert hints == [
        Hint("a", 0.0, (("sex", "F"),)),
        Hint("b", 0.5, (("age", "2*"),)),
        Hint(None, 2.0),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sex,ill\nF,a\n", "needs one sensitive column \\(ill\\) and a column weight"),
        ("sex,weight\nF,1\n", "needs one sensitive column \\(ill\\)"),
        ("race,ill,weight\nx,a,1\n", "speaks of 'race', which the attacker does not know"),
        ("ill,weight\na,-1\n", "has the weight '-1'; a weight is a number from 0 on"),
        ("ill,weight\na,much\n", "has the weight 'much'"),
        ("ill,weight\na,\n", "has the weight None"),
        ("ill,weight\na,inf\n", "has the weight 'inf'"),
        ("ill,weight\na,nan\n", "has the weight 'nan'"),
    ],
)
def test_a_file_that_says_nothing_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "hints.csv"
    file.write_text(text)
    with pytest.raises(BadParameter, match=said):
        hints_in(str(file), ["ill"], ["sex"])
