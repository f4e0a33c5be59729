"""Random small tables, hierarchies, classes and models for the tests of this pillar."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.tables.hierarchies import TOP, Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.table import Table

Row = tuple[Label, ...]


@dataclass(frozen=True)
class Case:
    """A small table as plain lists, with the hierarchy of every quasi-identifier."""

    hierarchies: tuple[Hierarchy, ...]
    quasi: tuple[Row, ...]
    sensitive: tuple[Row, ...]
    taxonomies: tuple[Hierarchy | None, ...]

    @property
    def rows(self) -> int:
        return len(self.quasi)

    @property
    def quasi_names(self) -> tuple[str, ...]:
        return tuple(f"q{c}" for c in range(len(self.hierarchies)))

    @property
    def sensitive_names(self) -> tuple[str, ...]:
        return tuple(f"s{c}" for c in range(len(self.taxonomies)))

    def table(self) -> Table:
        """The same as a table, with an identifier and an insensitive column beside."""
        columns: dict[str, pl.Series] = {"name": pl.Series([f"person {row}" for row in range(self.rows)])}
        for c, name in enumerate(self.quasi_names):
            columns[name] = pl.Series([row[c] for row in self.quasi], dtype=pl.String)
        for c, name in enumerate(self.sensitive_names):
            columns[name] = pl.Series([row[c] for row in self.sensitive], dtype=pl.String)
        columns["note"] = pl.Series([row % 3 for row in range(self.rows)])
        hierarchies = dict(zip(self.quasi_names, self.hierarchies, strict=True))
        for name, taxonomy in zip(self.sensitive_names, self.taxonomies, strict=True):
            if taxonomy is not None:
                hierarchies[name] = taxonomy
        return Table(pl.DataFrame(columns), ("name",), self.quasi_names, self.sensitive_names, hierarchies)

    def domains(self) -> dict[str, Domain]:
        """The table-wide distribution of every sensitive column."""
        frame = self.table().frame
        return {
            name: Domain.of(frame, name, taxonomy)
            for name, taxonomy in zip(self.sensitive_names, self.taxonomies, strict=True)
        }


@st.composite
def hierarchies(
    draw: st.DrawFn, most_leaves: int = 5, most_between: int = 2, texts: Sequence[str] | None = None
) -> Hierarchy:
    """A hierarchy with up to `most_between` levels between the values and `*`, balanced or not.

    A label may stay the same on the way up, or be `*` long before the top. A missing value and an empty
    text are among the leaves now and then, anywhere in the order.
    """
    pool: list[Label] = list(texts) if texts else [None, "", *"abcdefgh"]
    size = draw(st.integers(1, most_leaves))
    leaves = draw(st.permutations(pool))[:size]
    levels: list[list[Label]] = [list(leaves)]
    for height in range(1, draw(st.integers(0, most_between)) + 1):
        below = levels[-1]
        parents: dict[Label, Label] = {}
        for label in dict.fromkeys(below):
            choice = draw(st.sampled_from(["stay", "top", "one", "two"]))
            if label == TOP or choice == "top":
                parents[label] = TOP
            elif choice == "stay":
                parents[label] = label
            else:
                parents[label] = f"{height}:{choice}"
        levels.append([parents[label] for label in below])
    return Hierarchy.of_levels(levels)


@st.composite
def cases(
    draw: st.DrawFn,
    columns: tuple[int, int] = (1, 4),
    most_rows: int = 30,
    sensitive: tuple[int, int] = (0, 2),
    most_leaves: int = 5,
    most_between: int = 2,
) -> Case:
    """A random small table: few values, so that classes of all sizes come up."""
    chosen = tuple(
        draw(hierarchies(most_leaves, most_between)) for _ in range(draw(st.integers(columns[0], columns[1])))
    )
    taxonomies = tuple(
        draw(st.one_of(st.none(), hierarchies(4, 2)))
        for _ in range(draw(st.integers(sensitive[0], sensitive[1])))
    )
    # Without a taxonomy the values are numbers, so that every distance but the hierarchical has a meaning.
    pools: list[Sequence[Label]] = [hierarchy.leaves for hierarchy in chosen]
    pools += [("1", "2", "5", "10") if taxonomy is None else taxonomy.leaves for taxonomy in taxonomies]
    row = st.tuples(*(st.integers(0, len(pool) - 1) for pool in pools))
    drawn = draw(st.lists(row, min_size=1, max_size=most_rows))
    rows = [tuple(pool[place] for pool, place in zip(pools, places, strict=True)) for places in drawn]
    width = len(chosen)
    return Case(chosen, tuple(r[:width] for r in rows), tuple(r[width:] for r in rows), taxonomies)


@st.composite
def models_for(draw: st.DrawFn, case: Case, at_least: int = 0) -> list[ClassModel[Classes]]:
    """A random combination of models that make sense for a table."""
    found: list[ClassModel[Classes]] = []
    if draw(st.booleans()):
        found.append(KAnonymity(draw(st.integers(1, 5))))
    if case.taxonomies:
        for _ in range(draw(st.integers(0 if found or not at_least else 1, 2))):
            found.append(draw(st.one_of(l_diversities(case.sensitive_names), t_closenesses(case))))
    if len(found) < at_least:
        found.append(KAnonymity(draw(st.integers(1, 5))))
    return draw(st.permutations(found))


@st.composite
def l_diversities(draw: st.DrawFn, columns: Sequence[str]) -> LDiversity:
    """Any of the four readings, about one column or all."""
    kind = draw(st.sampled_from(["distinct", "probabilistic", "entropy", "recursive"]))
    column = draw(st.sampled_from([None, *columns]))
    if kind == "distinct":
        return LDiversity(draw(st.integers(1, 4)), "distinct", column=column)
    if kind == "recursive":
        c = draw(st.sampled_from([0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0]))
        return LDiversity(draw(st.integers(1, 4)), "recursive", c, column)
    share = draw(st.sampled_from([1.0, 1.2, 1.5, 2.0, 2.5, 2.8, 3.0, 4.0]))
    return LDiversity(share, "probabilistic" if kind == "probabilistic" else "entropy", column=column)


@st.composite
def t_closenesses(draw: st.DrawFn, case: Case) -> TCloseness:
    """Any of the three distances, about a column that has it."""
    t = draw(st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1.0]))
    choices: list[TCloseness] = [TCloseness(t, "equal")]
    if all(taxonomy is not None for taxonomy in case.taxonomies):
        choices.append(TCloseness(t, "hierarchical"))
    if all(domain.ordered for domain in case.domains().values()):
        choices.append(TCloseness(t, "ordered"))
    for name, taxonomy in zip(case.sensitive_names, case.taxonomies, strict=True):
        choices += [TCloseness(t, "equal", name), TCloseness(t, "ordered", name)]
        if taxonomy is not None:
            choices.append(TCloseness(t, "hierarchical", name))
    return draw(st.sampled_from(choices))


def random_case(chance: Random) -> Case:
    """A table of some size: Hypothesis is good at small ones, and bounds go wrong on larger ones too."""

    def hierarchy(leaves: Sequence[Label]) -> Hierarchy:
        levels: list[list[Label]] = [list(leaves)]
        for height in range(1, chance.randint(1, 3)):
            width = chance.randint(2, len(leaves))
            parent = {label: f"{height}:{chance.randrange(width)}" for label in dict.fromkeys(levels[-1])}
            alone = chance.choice([None, *levels[-1]])
            levels.append([label if label == alone else parent[label] for label in levels[-1]])
        return Hierarchy.of_levels(levels)

    hierarchies = tuple(hierarchy("abcdefgh"[: chance.randint(2, 8)]) for _ in range(chance.randint(2, 4)))
    taxonomies = tuple(
        chance.choice([None, hierarchy("1234"[: chance.randint(2, 4)])]) for _ in range(chance.randint(1, 2))
    )
    pools = [taxonomy.leaves if taxonomy else ("1", "2", "5", "10") for taxonomy in taxonomies]
    skew = chance.choice([0.4, 1.0, 2.0])

    def pick(pool: Sequence[Label]) -> Label:
        return pool[int(len(pool) * chance.random() ** skew)]

    rows = chance.randint(10, 40)
    return Case(
        hierarchies,
        tuple(tuple(pick(one.leaves) for one in hierarchies) for _ in range(rows)),
        tuple(tuple(pick(pool) for pool in pools) for _ in range(rows)),
        taxonomies,
    )


def random_models(chance: Random, case: Case) -> list[ClassModel[Classes]]:
    """One to three models, each as likely."""
    found: list[ClassModel[Classes]] = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        c = chance.randrange(len(case.taxonomies))
        column = case.sensitive_names[c]
        t = chance.choice([0.1, 0.2, 0.3, 0.4, 0.6])
        l = chance.choice([1.3, 1.5, 2.0, 2.5, 3.0])  # noqa: E741
        choices: list[ClassModel[Classes]] = [
            KAnonymity(chance.randint(2, 5)),
            LDiversity(chance.randint(2, 3), "distinct", column=column),
            LDiversity(l, "probabilistic", column=column),
            LDiversity(l, "entropy", column=column),
            LDiversity(chance.randint(1, 3), "recursive", chance.choice([0.5, 1.5, 3.0]), column),
            LDiversity(chance.choice([1.3, 1.8]), "entropy"),
            TCloseness(t, "equal", column),
            TCloseness(t, "ordered", column),
        ]
        if case.taxonomies[c] is not None:
            choices.append(TCloseness(t, "hierarchical", column))
        found.append(chance.choice(choices))
    return found


def classes_of(groups: Sequence[Sequence[Row]], domains: Mapping[str, Domain]) -> Classes:
    """Classes put together by hand: per class its rows, per row its sensitive values."""
    found: dict[str, ValueCounts] = {}
    for c, (name, domain) in enumerate(domains.items()):
        place = {value: code for code, value in enumerate(domain.values)}
        tallies = [sorted(Counter(place[row[c]] for row in group).items()) for group in groups]
        found[name] = ValueCounts(
            domain,
            np.cumsum([0] + [len(tally) for tally in tallies], dtype=np.int64),
            np.array([code for tally in tallies for code, _ in tally], np.int32),
            np.array([count for tally in tallies for _, count in tally], np.int64),
        )
    return Classes(np.array([len(group) for group in groups], np.int64), found)


def one_column(classes: Sequence[Sequence[Label]], domain: Domain | None = None) -> Classes:
    """Classes with one sensitive column `s`; their union is the whole table unless a domain is given."""
    if domain is None:
        whole = pl.DataFrame({"s": pl.Series([value for one in classes for value in one], dtype=pl.String)})
        domain = Domain.of(whole, "s")
    return classes_of([[(value,) for value in one] for one in classes], {"s": domain})


def shared_data(name: str) -> Path | None:
    """A folder of the shared reference data, looked for from the repository upwards."""
    for parent in Path(__file__).resolve().parents:
        folder = parent / "shared" / "data" / name
        if folder.is_dir() and os.access(folder, os.R_OK):
            return folder
    return None
