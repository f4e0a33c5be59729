"""Whether columns that go out unchanged give coarsened ones away, counted inside the engine.

The same question and the same bounds as `shoal.tables.discovery.dependencies`; a random sample dismisses what
is far from holding, and what is left is counted over all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import polars as pl
from sqlglot import exp

from shoal.engines.sql_engine import SqlEngine, column
from shoal.tables.discovery.dependencies import PAIRED, REPEATED, SCREENS, Agreement, Dependency
from shoal.tables.model_inputs.text_values import texts

SAMPLED = SCREENS[-1]


def find_given_away_in_engine(
    engine: SqlEngine, table: exp.Table, coarsened: Sequence[str], telling: Sequence[str], rows: int
) -> list[Dependency]:
    """Coarsened columns that one of the telling ones, or two together, determine exactly or nearly."""
    if not coarsened or not telling:
        return []
    sample = _sample(engine, table, [*coarsened, *telling], rows)
    guesses = {name: _commonest(sample, name) for name in coarsened}
    found = _sifted(engine, table, sample, [(name,) for name in telling], coarsened, guesses)
    known = {(one.determining[0], one.determined) for one in found}
    fewest = sorted(telling, key=lambda name: sample[name].n_unique())[:PAIRED]
    few = [name for name in telling if name in fewest]
    for name in coarsened:
        left = [one for one in few if (one, name) not in known]
        # Alone one of them may guess well already; then two together are nothing new.
        alone = {one: _agreement(sample, [one], name).share for one in left}
        for pair in combinations(left, 2):
            blind = {name: max(guesses[name], *(alone[one] for one in pair))}
            found += _sifted(engine, table, sample, [pair], [name], blind)
    return found


def _sifted(
    engine: SqlEngine,
    table: exp.Table,
    sample: pl.DataFrame,
    candidates: Sequence[tuple[str, ...]],
    coarsened: Sequence[str],
    guesses: dict[str, float],
) -> list[Dependency]:
    found = []
    tried = len(candidates) * len(coarsened)
    for determining in candidates:
        for name in coarsened:
            seen = _agreement(sample, determining, name)
            if seen.differing > 8 and not seen.may_hold(guesses[name], slack=2):
                continue
            exact = _agreement_in_engine(engine, table, determining, name)
            if exact.rows - exact.compared <= (1 - REPEATED) * exact.rows and exact.convinces(
                guesses[name], tried
            ):
                found.append(Dependency(determining, name, exact.share))
    return found


def _sample(engine: SqlEngine, table: exp.Table, columns: Sequence[str], rows: int) -> pl.DataFrame:
    tree = exp.select(*(column(name) for name in columns)).from_(table.copy())
    if rows > SAMPLED:
        tree = tree.where(exp.LT(this=exp.Rand(), expression=exp.Literal.number(f"{SAMPLED / rows:.12f}")))
    frame = engine.frame(tree)
    return frame.select(texts(each) for each in frame)


def _commonest(sample: pl.DataFrame, name: str) -> float:
    counts = sample[name].value_counts(name="rows")["rows"]
    most = counts.max()
    return float(most) / sample.height if isinstance(most, int) else 0.0


def _agreement(sample: pl.DataFrame, determining: Sequence[str], determined: str) -> Agreement:
    pairs = sample.group_by([*determining, determined]).agg(pl.len().alias(" rows"))
    groups = pairs.group_by(determining).agg(pl.col(" rows").max())
    return Agreement(sample.height, sample.height - groups.height, sample.height - int(groups[" rows"].sum()))


def _agreement_in_engine(
    engine: SqlEngine, table: exp.Table, determining: Sequence[str], determined: str
) -> Agreement:
    keys = [exp.alias_(column(name), f"k{place}") for place, name in enumerate(determining)]
    names = [exp.column(f"k{place}") for place in range(len(determining))]
    pairs = (
        exp.select(*keys, exp.alias_(exp.Count(this=exp.Star()), "n"))
        .from_(table.copy())
        .group_by(*(column(name) for name in (*determining, determined)))
    )
    groups = (
        exp.select(
            exp.alias_(exp.Sum(this=exp.column("n")), "n"), exp.alias_(exp.Max(this=exp.column("n")), "most")
        )
        .from_(pairs.subquery("pairs"))
        .group_by(*names)
    )
    whole = exp.select(
        *(
            exp.alias_(exp.cast(each, "BIGINT"), name)
            for each, name in (
                (exp.Sum(this=exp.column("n")), "number"),
                (exp.Count(this=exp.Star()), "classes"),
                (exp.Sum(this=exp.column("most")), "agreeing"),
            )
        )
    ).from_(groups.subquery("classes"))
    number, classes, agreeing = engine.frame(whole).row(0)
    return Agreement(number, number - classes, number - agreeing)
