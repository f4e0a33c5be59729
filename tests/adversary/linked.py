"""Random questions about a shop: tables that hang on others are joined, grouped and nested."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from adversary.asking import AROUND, Question
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Dataset


@dataclass
class _Relation:
    """Something in FROM: its name, its columns by kind, and those that tie it to others."""

    sql: str
    name: str
    columns: dict[str, str]
    ties: dict[str, str]  # of what it is the key → the column


class LinkedAsker:
    """Questions about a shop."""

    def __init__(self, rng: random.Random, dataset: Dataset, target: str) -> None:
        self.rng, self.dataset, self.target = rng, dataset, target
        self._number = 0
        self._parts: list[str] = []

    def question(self) -> Question:
        rng = self.rng
        self._number, self._parts = 0, ["linked tables"]
        sources, sql = self._from(rng.choice((0, 1, 1, 2)))
        keys = self._keys(sources) if rng.random() < 0.35 else []
        chosen = [self._aggregate(sources) for _ in range(rng.choice((1, 1, 2, 3)))]
        told = [f"{text} AS a{place}" for place, text in enumerate(chosen)]
        sql = f"SELECT {', '.join([*keys, *told])} FROM {sql}{self._where(sources, 1)}"
        if keys:
            by = ", ".join(str(place + 1) for place in range(len(keys)))
            many = rng.choice(("{0}", "{0}", "{0}", "ROLLUP ({0})", "CUBE ({0})"))
            self._parts += ["linked " + many.split(" (")[0]] if many != "{0}" else []
            sql += f" GROUP BY {many.format(by)}"
        if rng.random() < 0.1:
            word, around = rng.choice(AROUND[:4])
            sql = around.format(sql)
            self._parts.append(word)
        return Question(sql, tuple(self._parts))

    def _name(self) -> str:
        self._number += 1
        return f"r{self._number}"

    def _table(self) -> _Relation:
        table = self.rng.choice(("people", "orders", "orders", "lines", "lines", "lines", "bits"))
        declared = self.dataset.table(table)
        name = self._name()
        columns: dict[str, str] = {column.name: column.kind for column in declared.columns}
        ties = {"unit": declared.unit or ""}
        key = self.dataset.key_of(declared)
        if key is not None:
            ties[table] = key
        if declared.link is not None:
            ties[declared.link.parent] = declared.link.column
        return _Relation(f"{table} AS {name}", name, columns, ties)

    def _relation(self, depth: int) -> _Relation:
        rng = self.rng
        if depth == 0 or rng.random() < 0.35:
            return self._table()
        sources, sql = self._from(depth - 1)
        name, where = self._name(), self._where(sources, 0)
        ties = {
            tie: f"{source.name}.{column}" for source in sources[:1] for tie, column in source.ties.items()
        }
        kept = {tie: f"t{place}" for place, tie in enumerate(ties)}
        kinds = {
            f"t{place}": sources[0].columns[column.split(".")[1]]
            for place, column in enumerate(ties.values())
        }
        plain = [
            (f"{source.name}.{column}", kind) for source in sources for column, kind in source.columns.items()
        ]
        others = rng.sample(plain, min(len(plain), rng.randint(1, 3)))
        way = rng.choice(("project", "group", "group", "distinct"))
        self._parts.append(f"linked {way}")
        if way != "group":
            told = [*(f"{column} AS {kept[tie]}" for tie, column in ties.items()),
                    *(f"{column} AS c{place}" for place, (column, _) in enumerate(others))]  # fmt: skip
            kinds |= {f"c{place}": kind for place, (_, kind) in enumerate(others)}
            word = "DISTINCT " if way == "distinct" else ""
            return _Relation(
                f"(SELECT {word}{', '.join(told)} FROM {sql}{where}) AS {name}", name, kinds, kept
            )
        some = {tie: column for tie, column in ties.items() if rng.random() < 0.6} or dict(
            list(ties.items())[:1]
        )
        keys = {kept[tie]: column for tie, column in some.items()}
        kinds = {key: kinds[key] for key in keys}
        for place, (column, kind) in enumerate(others[: rng.choice((0, 0, 1, 2))]):
            keys[f"c{place}"], kinds[f"c{place}"] = column, kind
        aggregates = [self._person_aggregate(sources) for _ in range(rng.randint(1, 2))]
        told = [*(f"{column} AS {key}" for key, column in keys.items()),
                *(f"{text} AS n{place}" for place, text in enumerate(aggregates))]  # fmt: skip
        kinds |= {f"n{place}": "integer" for place in range(len(aggregates))}
        having = rng.choice(("", "", f" HAVING COUNT(*) > {rng.randint(0, 2)}"))
        inner = f"SELECT {', '.join(told)} FROM {sql}{where} GROUP BY {', '.join(keys.values())}{having}"
        return _Relation(f"({inner}) AS {name}", name, kinds, {tie: kept[tie] for tie in some})

    def _from(self, depth: int) -> tuple[list[_Relation], str]:
        rng = self.rng
        first = self._relation(depth)
        sources, sql = [first], first.sql
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            if rng.random() < 0.15:
                whole = [f"{one.name}.{name}" for one in sources for name in one.columns if name == "part"]
                if whole:
                    name = self._name()
                    side = rng.choice(("JOIN", "LEFT JOIN"))
                    sql += f" {side} parts AS {name} ON {name}.part = {whole[0]}"
                    sources.append(_Relation("", name, {"label": "text"}, {}))
                    self._parts.append("linked public JOIN")
                continue
            new = self._relation(max(0, depth - 1))
            pairs = [(f"{one.name}.{one.ties[tie]}", f"{new.name}.{new.ties[tie]}")
                     for one in sources for tie in one.ties if tie in new.ties]  # fmt: skip
            if not pairs:
                continue
            tests = [" = ".join(pair) for pair in rng.sample(pairs, min(len(pairs), rng.choice((1, 1, 2))))]
            if rng.random() < 0.4:
                tests.append(self._tied(sources, new))
            side = rng.choice(("JOIN", "JOIN", "LEFT JOIN"))
            self._parts.append(f"linked {side}")
            sql += f" {side} {new.sql} ON {' AND '.join(tests)}"
            sources.append(new)
        return sources, sql

    def _tied(self, sources: Sequence[_Relation], new: _Relation) -> str:
        """Columns of both sides compared, of one kind where there are such."""
        mine, theirs = self._column(sources), self._column([new])
        alike = [(f"{one.name}.{a}", f"{new.name}.{b}") for one in sources for a, x in one.columns.items()
                 for b, y in new.columns.items()
                 if x == y and x in ("integer", "text", "boolean")]  # fmt: skip
        if alike:
            mine, theirs = self.rng.choice(alike)
        return f"{mine} {self.rng.choice(('=', '=', '<>', 'IS NOT DISTINCT FROM'))} {theirs}"

    def _column(self, sources: Sequence[_Relation], *kinds: str) -> str:
        found = [f"{one.name}.{name}" for one in sources for name, kind in one.columns.items()
                 if not kinds or kind in kinds]  # fmt: skip
        return self.rng.choice(found) if found else "1"

    def _numeric(self, sources: Sequence[_Relation]) -> str:
        rng = self.rng
        known = ("age", "size", "price", "quantity", "worth", "weight", "n0", "n1")
        found = [f"{one.name}.{name}" for one in sources for name in one.columns if name in known]
        if not found or rng.random() < 0.1:
            return f"CASE WHEN {self._test(sources)} THEN {rng.randint(-3, 3)} ELSE 0.5 END"
        ways = ("{0}",) * 6 + ("{0} * 2", "-{0}", "COALESCE({0}, 3)", "{0} + {1}", "ABS({0})", "{0} // 2")
        return rng.choice(ways).format(rng.choice(found), rng.choice(found))

    def _test(self, sources: Sequence[_Relation]) -> str:
        rng = self.rng
        column, whole = self._column(sources), self._column(sources, "integer")
        ways = [f"{column} IS NULL", f"{column} IS NOT NULL", f"{whole} > {rng.randint(-2, 5)}",
                f"{whole} IN (1, 2, 10)", f"{whole} % 2 = 0"]  # fmt: skip
        unit = next((f"{one.name}.{one.ties['unit']}" for one in sources if "unit" in one.ties), None)
        if unit is not None:
            ways.append(f"{unit} = '{self.target}'")
        return rng.choice(ways)

    def _where(self, sources: Sequence[_Relation], depth: int) -> str:
        rng = self.rng
        tests = [self._test(sources)] if rng.random() < 0.3 else []
        if rng.random() < (0.3 if depth else 0.1):
            new = self._table()
            pairs = [(f"{one.name}.{one.ties[tie]}", f"{new.name}.{new.ties[tie]}")
                     for one in sources for tie in one.ties if tie in new.ties]  # fmt: skip
            if pairs:
                ours, theirs = rng.choice(pairs)
                inside = [self._test([new])] if rng.random() < 0.5 else []
                denied = rng.choice(("", "NOT "))
                if rng.random() < 0.6:
                    tied = [f"{theirs} = {ours}", *inside]
                    if rng.random() < 0.5:
                        tied.append(f"{self._column([new], 'integer')} = {self._column(sources, 'integer')}")
                    tests.append(f"{denied}EXISTS (SELECT 1 FROM {new.sql} WHERE {' AND '.join(tied)})")
                    self._parts.append("linked EXISTS")
                else:
                    only = f" WHERE {inside[0]}" if inside else ""
                    tests.append(f"{ours} {denied}IN (SELECT {theirs} FROM {new.sql}{only})")
                    self._parts.append("linked IN")
        if rng.random() < 0.1 and depth:
            number = rng.choice(("AVG(quantity)", "SUM(quantity)", "COUNT(*)", "MEDIAN(quantity)"))
            column = self._column(sources, "integer")
            tests.append(f"{column} {rng.choice(('<', '>'))} (SELECT {number} FROM lines)")
            self._parts.append("linked noisy number")
        return f" WHERE {' AND '.join(tests)}" if tests else ""

    def _person_aggregate(self, sources: Sequence[_Relation]) -> str:
        name = self.rng.choice(
            ("COUNT(*)", "COUNT({0})", "COUNT(DISTINCT {0})", "SUM({0})", "AVG({0})", "MIN({0})", "MAX({0})")
        )
        return name.format(self._numeric(sources))

    def _aggregate(self, sources: Sequence[_Relation]) -> str:
        rng = self.rng
        units = [f"{one.name}.{one.ties['unit']}" for one in sources[:1] if "unit" in one.ties]
        ways = ["COUNT(*)", "COUNT({0})", "COUNT(DISTINCT {0})", "SUM({0})", "SUM({0})", "SUM({0})",
                "AVG({0})", "VAR_POP({0})", "SUM(DISTINCT {0})", "AVG(DISTINCT {0})",
                "MEDIAN({0})"]  # fmt: skip
        ways += [f"COUNT(DISTINCT {unit})" for unit in units] * 2
        text = rng.choice(ways).format(self._numeric(sources))
        return f"{text} FILTER (WHERE {self._test(sources)})" if rng.random() < 0.1 else text

    def _keys(self, sources: Sequence[_Relation]) -> list[str]:
        rng = self.rng
        declared = [f"{one.name}.{name}" for one in sources for name in one.columns
                    if name in ("town", "open", "tag", "size", "quantity", "n0")]  # fmt: skip
        found = [f"{one.name}.{name}" for one in sources for name in one.columns
                 if name in ("word", "part", "label", "price", "worth", "n1", "c0")]  # fmt: skip
        finds = accounting_of(self.dataset.accounting).finds_groups
        wanted = found if finds and rng.random() < 0.5 and found else declared
        return rng.sample(wanted, min(len(wanted), rng.choice((1, 1, 2))))
