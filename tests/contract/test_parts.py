"""Every part of the catalog obeys its protocol: frozen, named, cited, spelled back, harmless to its input."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import typing
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.catalog import Part
from shoal.core.contract import AttackKind, Need, Reads
from shoal.core.errors import BadInput
from shoal.core.outcome import Finding
from shoal.core.part_syntax import spell
from shoal.tables.appraisal.objective import CellLoss, SizeLoss
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.manifest import Manifest
from shoal.tables.measures.risk import Exposure
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

PARTS = catalog.Catalog.whole().parts
AGE = Hierarchy.of_levels([["20", "21", "30", "31"], ["2*", "2*", "3*", "3*"]])
SEX = Hierarchy.of_levels([["F", "M"]])
ILL = Hierarchy.of_levels([["flu", "cold", "gout"], ["cough", "cough", "pain"]])
FRAME = pl.DataFrame(
    {
        "age": ["20", "21", "30", "31"] * 3,
        "sex": ["F", "M"] * 6,
        "ill": ["flu", "cold", "flu", "gout"] * 3,
    }
)


def table() -> Table:
    return Table(FRAME.clone(), (), ("age", "sex"), ("ill",), {"age": AGE, "sex": SEX})


NUMBERS = pl.DataFrame(
    {
        "age": [20 + 7 * row % 50 for row in range(60)],
        "size": [None if row == 9 else str(160 + 11 * row % 30) for row in range(60)],
        "sex": ["FM"[row * row % 7 % 2] for row in range(60)],
        "ill": [("flu", "cold", "gout")[row * row % 11 % 3] for row in range(60)],
    }
)


def numbers() -> Table:
    """A table with numbers, for steps that calculate."""
    return Table(NUMBERS.clone(), (), ("age", "sex"), ("ill",))


def made(part: Part) -> Any:
    return catalog.make(part.kind, f"{part.name}({part.cls.example})")


def of_kind(kind: str, noun: str | None = None) -> list[Part]:
    return [part for part in PARTS if part.kind == kind and noun in (None, part.noun)]


def named(part: Part) -> str:
    return part.name


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_a_part_is_a_frozen_dataclass_under_its_own_name(part: Part) -> None:
    assert part.cls.name == part.name
    assert dataclasses.is_dataclass(part.cls)
    assert part.cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert "name" not in {field.name for field in dataclasses.fields(part.cls)}
    hash(made(part))


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_no_parameter_takes_what_the_contract_says_for_its_default(part: Part) -> None:
    # A field without a default would take the property of that name from the base.
    taken = [field.name for field in dataclasses.fields(part.cls) if isinstance(field.default, property)]
    assert not taken


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_a_part_promises_something_and_says_where_it_comes_from(part: Part) -> None:
    doc = part.cls.__doc__ or ""
    assert not doc.startswith(f"{part.cls.__name__}("), "the docstring is the one that dataclass makes up"
    assert part.promise.rstrip().endswith((".", ":")) and part.promise[0].isupper()
    assert re.search(r"\b(1[89]|20)\d\d\b", doc), "no year, so no paper"


@pytest.mark.parametrize("part", of_kind("model"), ids=named)
def test_a_model_says_what_it_stops_and_what_it_reads(part: Part) -> None:
    assert part.cls.stops and set(part.cls.stops) <= set(typing.get_args(AttackKind))
    assert part.noun == "graph" or part.cls.reads in typing.get_args(Reads)


@pytest.mark.parametrize("part", of_kind("model", "table"), ids=named)
def test_a_model_says_its_promise_to_people_without_the_letters_of_its_paper(part: Part) -> None:
    words = made(part).in_words()
    letters = [
        field.name for field in dataclasses.fields(part.cls) if field.name not in ("column", "columns")
    ]
    assert words.endswith(".") and "`" not in words
    assert not [letter for letter in letters if re.search(rf"\b{letter}\d?\b", words)], words


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_a_part_is_spelled_and_made_again(part: Part) -> None:
    one = made(part)
    assert catalog.make(part.kind, spell(one)) == one


def parameters(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a parameter's type, odd ones included."""
    text = st.text(st.sampled_from('ab,"|=() ü'), max_size=5)
    if typing.get_origin(hint) is typing.Literal:
        return st.sampled_from(typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        return st.lists(text if inner is str else parameters(inner), min_size=1, max_size=3).map(tuple)
    options = [option for option in typing.get_args(hint) if option is not type(None)]
    if options:
        return st.none() | parameters(options[0])
    known: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(0, 10**6),
        float: st.floats(0, 10, allow_nan=False) | st.integers(0, 9).map(float),
        Fraction: st.fractions(0, 10, max_denominator=1000),
        str: text,
    }
    return known[hint]


@given(st.data())
def test_whatever_can_be_made_is_spelled_and_made_again(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(PARTS))
    hints = typing.get_type_hints(part.cls)
    values = {
        field.name: data.draw(parameters(hints[field.name]), label=field.name)
        for field in dataclasses.fields(part.cls)
    }
    try:
        one = part.cls(**values)
    except BadInput:
        return  # a value out of range is refused, in the constructor and with a sentence
    assert catalog.make(part.kind, spell(one)) == one


@pytest.mark.parametrize("part", of_kind("model", "table"), ids=named)
def test_a_model_answers_per_class_and_leaves_the_classes_alone(part: Part) -> None:
    model = made(part)
    # Numbers, because some models measure how far secrets are apart.
    codes = FRAME.with_columns(pl.col("ill").replace({"flu": "1", "cold": "2", "gout": "4"}))
    secrets = Hierarchy.of_levels([["1", "2", "4"]])
    subject = dataclasses.replace(
        table().with_frame(codes), population=codes, hierarchies={"age": AGE, "sex": SEX, "ill": secrets}
    )
    seen = Classes.of(subject, domains_of(subject, [model]))
    before = [seen.sizes.copy(), *(counts.counts.copy() for counts in seen.sensitive.values())]
    assert model.holds(seen).shape == model.doomed(seen).shape == (len(seen),)
    assert model.holds(seen).dtype == np.bool_
    assert not np.isnan(model.level(seen)) and (model.doomed(seen) <= seen.sizes).all()
    assert (model.doomed(seen)[model.holds(seen)] == 0).all()
    after = [seen.sizes, *(counts.counts for counts in seen.sensitive.values())]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("part", of_kind("method", "table"), ids=named)
def test_a_method_repeats_with_a_seed_and_leaves_the_table_alone(part: Part) -> None:
    subject = table()
    if getattr(part.cls, "declared", False):
        assert "seed" not in {field.name for field in dataclasses.fields(part.cls)}, "noise takes no seed"
        return
    models = [catalog.make("model", "k-anonymity(k=2)"), catalog.make("model", "l-diversity(l=2)")]
    method = catalog.make("method", f"{part.name}(seed=5)")
    one: TableRelease = method.protect(subject, models, None)
    other: TableRelease = method.protect(subject, models, None)
    assert one.table.frame.equals(other.table.frame)
    assert subject.frame.equals(FRAME)
    assert all(model.holds(one.seen()).all() for model in models)


@pytest.mark.parametrize("part", of_kind("step"), ids=named)
def test_a_step_repeats_with_a_seed_and_leaves_the_table_alone(part: Part, tmp_path: Path) -> None:
    subject, step = numbers(), made(part)
    if hasattr(step, "key"):
        step = dataclasses.replace(step, key=str(tmp_path / "key"))
    one: Table = step.apply(subject, np.random.default_rng(5))
    other: Table = step.apply(subject, np.random.default_rng(5))
    assert one.frame.equals(other.frame) and not one.frame.equals(NUMBERS)
    assert subject.frame.equals(NUMBERS) and one.columns == subject.columns
    assert (one.quasi, one.sensitive) == (subject.quasi, subject.sensitive) and part.cls.remark


def scene() -> Scene:
    """A release with everything that any attack may ask for."""
    people = FRAME.with_row_index("name").with_columns(pl.col("name").cast(pl.String))
    other = Table(FRAME.select("age", "sex", "ill").reverse(), (), ("age", "sex"), ("ill",))
    release = TableRelease(table(), FRAME.height, "optimal", {}, {}, 4, levels={"age": 0, "sex": 0})
    return Scene(
        table().with_hierarchies({"age": AGE, "sex": SEX, "ill": ILL}),
        others=(other,),
        external=people.drop("ill"),
        original=people,
        control=pl.DataFrame({"age": ["20", "31"], "sex": ["M", "F"], "ill": ["flu", "gout"]}),
        manifest=Manifest.of(release),
        seed=7,
    )


@pytest.mark.parametrize("part", of_kind("attack", "table"), ids=named)
def test_an_attack_reports_a_baseline_an_interval_and_a_cure(part: Part) -> None:
    subject = scene()
    finding: Finding = made(part).attack(subject)
    low, high = finding.rate.interval
    assert 0 <= low <= finding.rate.value <= high <= 1
    assert 0 <= finding.baseline <= 1 and finding.cure and finding.attack == part.name
    assert json.loads(json.dumps(finding.to_json(), allow_nan=False)) == finding.to_json()
    assert subject.table.frame.equals(FRAME) and made(part).attack(subject) == finding
    if finding.remedy is not None:
        assert catalog.make("model", finding.remedy)
    for told in finding.findings:
        assert told["who"] and told["learned"] and 0 <= told["confidence"] <= 1  # type: ignore[operator]


@pytest.mark.parametrize("part", of_kind("attack"), ids=named)
def test_an_attack_says_what_it_needs(part: Part) -> None:
    assert set(part.cls.needs) <= set(typing.get_args(Need))


@pytest.mark.parametrize("part", of_kind("measure", "table"), ids=named)
def test_a_measure_gives_a_figure_and_leaves_its_input_alone(
    part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("queries.csv").write_text("age,ill\n20,\n31,flu\n", "utf-8")
    ruler = made(part)
    kept = [np.array([3.0, 3.0, 3.0, 3.0]), np.array([6.0, 6.0])]
    lost = [np.zeros(4), np.zeros(2)]
    recoding = full_domain([AGE, SEX], [1, 1], kept, lost, np.array([6, 6]))
    exposure = Exposure.of_sample(np.array([3, 3, 6]))
    frame = FRAME.clone()
    subject: Any = recoding if isinstance(ruler, CellLoss | SizeLoss) else exposure
    if part.name in ("distinction", "separation"):
        subject = frame
    if part.name == "belief":
        subject = table()
    if part.name in ("combinations", "contribution"):
        subject = CodedRows.of(frame, ["age", "sex"])
    if part.name in ("dankar", "pitman", "slide-negative-binomial", "zayatz"):
        subject = Sample.of(np.array([1, 1, 1, 2, 2, 5]), 60)
    if ruler.subject() is SideBySide:
        coarse = FRAME.with_columns(pl.col("age").str.head(1) + "*")
        subject = SideBySide(frame, coarse, ("age", "sex"), {"age": AGE, "sex": SEX}, ("ill",), "ill")
    measure: Callable[[Any], Any] = ruler.measure
    assert measure(subject) == measure(subject)
    assert frame.equals(FRAME) and exposure.released.tolist() == [3, 3, 6]
    assert recoding.sizes.tolist() == [6, 6] and kept[0].tolist() == [3.0] * 4


@pytest.mark.parametrize("part", of_kind("mechanism"), ids=named)
def test_a_mechanism_takes_no_seed_and_refuses_what_is_out_of_range(part: Part) -> None:
    chance = {"seed", "generator", "rng", "chance", "random", "random_state"}
    assert not chance & {field.name for field in dataclasses.fields(part.cls)}
    for name, method in inspect.getmembers(part.cls, inspect.isfunction):
        if not name.startswith("_") and name != "draws":  # error bars only; its docstring says so
            assert not chance & set(inspect.signature(method).parameters), f"{part.name}.{name} takes a seed"
    assert callable(part.cls.release)
    one = made(part)
    for field in dataclasses.fields(part.cls):
        for wrong in ("nan", "inf", "-1", "word", "1/0"):
            if isinstance(getattr(one, field.name), Fraction):
                with pytest.raises(BadInput, match=r"\w"):
                    dataclasses.replace(one, **{field.name: wrong})
