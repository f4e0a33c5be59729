"""Labelled columns are the same every time, and suggestions do not get worse on them."""

import pytest
from benchmarks.roles.labelled import PARTS, labelled
from benchmarks.roles.measuring import Verdict, judge, precision, recall


def test_the_same_file_gives_the_same_values() -> None:
    first, second = labelled("held-out"), labelled("held-out")
    assert all(one.frame.equals(two.frame) for one, two in zip(first, second, strict=True))


def test_the_parts_share_no_table_and_every_column_has_a_label() -> None:
    names = [one.name for part in PARTS for one in labelled(part)]
    assert len(set(names)) == len(names)
    for part in PARTS:
        for one in labelled(part):
            assert list(one.labels) == one.frame.columns
            assert one.frame.height >= 50
    assert sum(len(one.labels) for one in labelled("development")) >= 300


def test_what_experts_accept_counts_as_right_and_letting_out_as_hurting() -> None:
    race = Verdict("t", "race", ("quasi", "sensitive"), "sensitive", "")
    name = Verdict("t", "name", ("identifier",), "sensitive", "")
    price = Verdict("t", "price", ("insensitive",), "quasi", "")
    assert race.right and not race.hurts
    assert name.hurts and not price.hurts
    assert precision([race, name, price], "sensitive") == 0.5
    assert recall([race, name, price], "identifier") == 0.0


@pytest.mark.parametrize(
    ("part", "right", "hurting"), [("development", 0.97, 0.01), ("held-out", 0.87, 0.04)]
)
def test_suggestions_do_not_get_worse(part: str, right: float, hurting: float) -> None:
    verdicts = judge(labelled(part))
    assert sum(verdict.right for verdict in verdicts) >= right * len(verdicts)
    assert sum(verdict.hurts for verdict in verdicts) <= hurting * len(verdicts)
