"""Top-down specialisation from a table to a release, in Python and on the command line."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest

from faces.shell import shoal
from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.methods.top_down.top_down import TopDown
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.lkc import LKC
from shoal.tables.release import TableRelease
from shoal.tables.table import Table
from tables.builders import random_case, random_models
from tables.methods.top_down.test_lkc_counts import holds_twin


def people(rows: int, seed: int = 1) -> pl.DataFrame:
    chance = Random(seed)
    found = []
    for _ in range(rows):
        age, sex = chance.randint(17, 80), chance.choice("FM")
        ill = chance.choices(["flu", "cold", "gout", "hiv"], [5, 4, 3, 1])[0]
        town = chance.choice(["Bonn", "Ulm", "Kiel", "Jena"])
        found.append((str(age), sex, town, ill, "Y" if age + chance.randint(-9, 9) > 45 else "N"))
    return pl.DataFrame(found, ["age", "sex", "town", "ill", "insured"], orient="row")


def table_of(frame: pl.DataFrame, quasi: Sequence[str], **hierarchies: Hierarchy) -> Table:
    every = {column: hierarchies.get(column) or suggest(frame[column], column).hierarchy for column in quasi}
    return Table(frame, (), tuple(quasi), ("ill",), every)


def satisfies(release: TableRelease, L: int, K: int, C: Fraction, values: Sequence[str] = ()) -> bool:
    table = release.table
    names = [
        {label: number for number, label in enumerate(table.frame[column].unique().to_list())}
        for column in table.quasi
    ]
    rows = [
        ([number[label] for number, label in zip(names, labels, strict=True)], secret, 1)
        for *labels, secret in table.frame.select(*table.quasi, "ill").iter_rows()
    ]
    return holds_twin(rows, L, K, C, values)


@pytest.mark.parametrize("class_column", [None, "insured"])
def test_a_release_keeps_lkc_counted_one_by_one_and_suppresses_nobody(class_column: str | None) -> None:
    table = table_of(people(300), ["age", "sex", "town"])
    release = verbs.protect(table, TopDown(class_column, seed=3), [LKC(2, 8, 0.5, ("hiv",))], None)
    assert satisfies(release, 2, 8, Fraction(1, 2), ("hiv",))
    assert release.suppressed == 0 and release.levels is None and release.optimal is None
    assert release.promises[0].holds and release.classes == len(release.seen())
    assert release.table.frame["ill"].sort().equals(table.frame["ill"].sort())
    assert release.table.frame["age"].n_unique() > 3, "numbers were not made finer"


def test_the_class_column_decides_where_numbers_are_cut() -> None:
    frame = pl.DataFrame(
        {
            "age": [str(age) for age in range(20, 60)],
            "sex": ["F", "M"] * 20,
            "ill": ["flu", "cold"] * 20,
            "insured": ["N"] * 13 + ["Y"] * 27,
        }
    )
    table = table_of(frame, ["age", "sex"])
    by_class = TopDown("insured").protect(table, [KAnonymity(13)])
    # Cut where the insured begin; what is left is all of one class, and is cut in the middle.
    assert set(by_class.table.frame["age"]) == {"[20, 32]", "[33, 45]", "[46, 59]"}
    by_loss = TopDown().protect(table, [KAnonymity(13)])
    assert set(by_loss.table.frame["age"]) in ({"[20, 39]", "[40, 59]"}, {"*"})


def test_a_given_hierarchy_is_used_as_it_is_and_different_branches_end_on_different_levels() -> None:
    ages = [str(age) for age in range(20, 40)]
    hierarchy = Hierarchy.of_levels([ages, ["twenties"] * 10 + ["thirties"] * 10])
    frame = pl.DataFrame({"age": ages[:10] * 5 + ages[10:], "ill": ["flu", "cold"] * 30})
    release = TopDown().protect(table_of(frame, ["age"], age=hierarchy), [KAnonymity(5)])
    assert set(release.table.frame["age"]) == {*ages[:10], "thirties"}


def test_a_rare_missing_value_is_a_value_and_shares_the_star_with_all_others() -> None:
    frame = people(60).with_columns(
        pl.when(pl.int_range(60) == 0).then(None).otherwise(pl.col("age")).alias("age")
    )
    release = TopDown().protect(table_of(frame, ["age", "sex"]), [KAnonymity(2)])
    assert set(release.table.frame["age"]) == {"*"}


@pytest.mark.parametrize("seed", range(6))
def test_any_models_are_kept_on_any_table(seed: int) -> None:
    chance = Random(seed)
    case = random_case(chance)
    models = [*random_models(chance, case), LKC(2, 2, 0.9)]
    try:
        verbs.protect(case.table(), TopDown(class_column="note"), models, None)
    except Unreachable:
        whole = case.table().frame.with_columns(pl.lit("*").alias(name) for name in case.quasi_names)
        one = Table(whole, ("name",), case.quasi_names, case.sensitive_names, case.table().hierarchies)
        with pytest.raises(Unreachable):
            TopDown().protect(one.with_hierarchies({**one.hierarchies, **stars(one)}), models)


def stars(table: Table) -> dict[str, Hierarchy]:
    return {column: suggest(table.frame[column], column).hierarchy for column in table.quasi}


def test_sixty_columns_are_no_burden() -> None:
    chance = np.random.default_rng(5)
    bits = chance.random((600, 60)) < chance.uniform(0.02, 0.5, 60)
    frame = pl.DataFrame({f"b{place:02}": np.where(bits[:, place], "1", "0") for place in range(60)})
    frame = frame.with_columns(ill=pl.Series(chance.choice(["flu", "cold", "gout"], 600)))
    table = table_of(frame, frame.columns[:-1])
    release = verbs.protect(table, TopDown(seed=1), [LKC(2, 20, 0.6)], None)
    assert satisfies(release, 2, 20, Fraction(6, 10))
    fine = [column for column in table.quasi if release.table.frame[column].n_unique() > 1]
    assert 10 < len(fine) < 60


def test_what_the_whole_table_cannot_keep_is_refused_with_what_it_offers() -> None:
    table = table_of(people(30), ["age", "sex"])
    with pytest.raises(Unreachable, match=r"lkc cannot hold: the whole table .*40.*C from 0\.4"):
        TopDown().protect(table, [LKC(2, 2, 0.1)])
    with pytest.raises(Unreachable, match="has 30 rows"):
        TopDown().protect(table, [LKC(2, 31, 1.0)])
    with pytest.raises(Unreachable, match=r"l-diversity cannot hold.*offers 4"):
        TopDown().protect(table, [LDiversity(5)])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: TopDown(time_limit=0), "seconds above 0, not 0"),
        (lambda: TopDown(score="luck"), "the scores gain, weighted, not 'luck'"),  # type: ignore[arg-type]
        (lambda: TopDown("nobody").protect(table_of(people(9), ["sex"]), [KAnonymity(1)]), "no class column"),
        (
            lambda: TopDown("id").protect(
                table_of(people(300).with_row_index("id"), ["sex"]), [KAnonymity(1)]
            ),
            "300 different values; name one with at most 200",
        ),
    ],
)
def test_bad_parameters_are_refused(make: object, told: str) -> None:
    assert callable(make)
    with pytest.raises(BadParameter, match=told):
        make()


def test_the_command_line_protects_verifies_and_measures_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people(200).write_csv("people.csv")
    towns = [("Bonn", "West"), ("Ulm", "South"), ("Kiel", "North"), ("Jena", "East")]
    with Path("town.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows((town, side, "*") for town, side in towns)
    roles = ["--quasi", "age,sex,town", "--sensitive", "ill", "--insensitive", "insured"]
    hierarchy = ["--hierarchy", "town=town.csv"]
    run = shoal(
        "table", "protect", "people.csv", "-o", "out.csv", *roles, *hierarchy, "--method", "top-down",
        "--model", "lkc(L=2,K=5,C=0.5,values=hiv|gout)", "--class-column", "insured", "--seed", 4, "--json",
    )  # fmt: skip
    assert run.code == 0, run.err
    assert run.json["method"] == "top-down" and run.json["levels"] is None and run.json["optimal"] is None
    assert run.json["suppressed"] == 0 and run.json["models"][0]["level"] >= 5
    check = shoal("table", "verify", "out.csv", "--json")
    assert check.code == 0 and check.json["models"] == run.json["models"]
    measured = shoal("table", "measure", "out.csv", "--original", "people.csv", *hierarchy, "--json").json
    assert measured["losses"] == pytest.approx(run.json["losses"])
    assert measured["classes"] == run.json["classes"]


def test_a_promise_out_of_reach_is_exit_code_1_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people(50).write_csv("people.csv")
    run = shoal(
        "table", "protect", "people.csv", "-o", "out.csv", "--quasi", "age,sex,town", "--sensitive", "ill",
        "--method", "top-down", "--model", "lkc(L=2,K=5,C=0.05)",
    )  # fmt: skip
    assert run.code == 1 and "lkc cannot hold: the whole table" in run.err and not Path("out.csv").exists()
