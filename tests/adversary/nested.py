"""Random questions in which relations are made of relations: joined, grouped, named by WITH, several deep.

Every relation keeps the unit, and is as good as a table of its own wherever one stands.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from adversary.asking import AROUND, Question
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Dataset, Table

NUMERIC = ("integer", "number")
BOUNDED = ("{0}", "{0}", "{0}", "-{0}", "{0} * 2", "ABS({0})", "{0} + {1}", "COALESCE({0}, 3)",
           "LEAST({0}, {1})", "NULLIF({0}, 1)", "ROUND({0})", "FLOOR({0} / 2)", "CAST({0} AS DOUBLE)",
           "CASE WHEN {2} THEN {0} ELSE {1} END", "IF({2}, {0}, 0)", "GREATEST({0}, 0)")  # fmt: skip
TEXTS = ("LEFT({0}, 2)", "LOWER({0})", "COALESCE({0}, 'x')", "{0} || 'x'", "CASE WHEN {1} THEN {0} END",
         "SUBSTRING({0}, 1, 1)", "NULLIF({0}, 'red')")  # fmt: skip
SIGNS = ("=", "=", "=", "<>", "IS NOT DISTINCT FROM")
DEEPEST = 3
LARGE = 1e6


@dataclass(frozen=True)
class Relation:
    """Something in FROM under its name, the kinds of its columns, and which of them keep people apart."""

    sql: str
    name: str
    columns: dict[str, str]
    ties: dict[str, str]  # of what it is the key → the column; the unit is one of them
    bounded: frozenset[str] = frozenset()  # numbers that one may add up

    def of(self, *kinds: str) -> list[str]:
        """Its columns of some kinds, as they are written."""
        return [f"{self.name}.{name}" for name, kind in self.columns.items() if kind in kinds]

    @property
    def sums(self) -> list[str]:
        return [f"{self.name}.{name}" for name in self.columns if name in self.bounded]


class NestedAsker:
    """Questions about one data set, whatever its tables are."""

    def __init__(self, rng: random.Random, dataset: Dataset, target: str) -> None:
        self.rng, self.dataset, self.target = rng, dataset, target
        self.private = [table for table in dataset.tables if table.private]
        self.public = [table for table in dataset.tables if not table.private]
        self.finds = accounting_of(dataset.accounting).finds_groups
        linked = any(table.link is not None for table in dataset.tables)
        self._always = {"nested", *(("linked tables",) if linked else ())}
        self._number = 0
        self._parts: set[str] = set()
        self._named: dict[str, Relation] = {}

    def question(self) -> Question:
        rng = self.rng
        self._number, self._parts, self._named = 0, set(self._always), {}
        start = ""
        if rng.random() < 0.25:
            made = []
            for _ in range(rng.choice((1, 1, 2))):
                name = self._name()
                one = self._select(rng.choice((1, 2)))
                made.append(f"{name} AS ({one.sql})")
                self._named[name] = replace(one, name=name)
            start = f"WITH {', '.join(made)} "
            self._parts.add("nested WITH")
        sources, sql = self._from(rng.choice((1, 2, 2, DEEPEST)))
        keys = self._keys(sources) if rng.random() < 0.4 else []
        told = [f"{self._aggregate(sources)} AS a{place}" for place in range(rng.choice((1, 1, 2)))]
        text = f"{start}SELECT {', '.join([*keys, *told])} FROM {sql}{self._where(sources, True)}"
        if keys:
            by = ", ".join(str(place + 1) for place in range(len(keys)))
            sets = ", ".join(f"({place + 1})" for place in range(len(keys)))
            many = rng.choice(("{0}",) * 4 + ("ROLLUP ({0})", f"GROUPING SETS ({sets}, ())", "ALL"))
            text += f" GROUP BY {many.format(by)}"
        if not start and rng.random() < 0.1:
            word, around = rng.choice(AROUND[:4])
            text = around.format(text)
            self._parts.add(word)
        return Question(text, tuple(sorted(self._parts)))

    def _name(self) -> str:
        self._number += 1
        return f"r{self._number}"

    def _table(self) -> Relation:
        rng = self.rng
        if self._named and rng.random() < 0.5:
            known = rng.choice(list(self._named.values()))
            name = self._name()
            return replace(known, sql=f"{known.name} AS {name}", name=name)
        table, name = rng.choice(self.private), self._name()
        ties = {"unit": table.unit or ""}
        key = self.dataset.key_of(table)
        if key is not None:
            ties[table.name] = key
        if table.link is not None:
            ties[table.link.parent] = table.link.column
        return Relation(f"{table.name} AS {name}", name, self._kinds(table), ties, self._sums(table))

    @staticmethod
    def _kinds(table: Table) -> dict[str, str]:
        return {column.name: column.kind for column in table.columns}

    @staticmethod
    def _sums(table: Table) -> frozenset[str]:
        """What one may calculate with, and not reach too far."""
        return frozenset(
            column.name for column in table.columns if column.coded and abs(column.high or 0) <= LARGE
        )

    def _relation(self, depth: int) -> Relation:
        if depth <= 0 or self.rng.random() < 0.25:
            return self._table()
        one, name = self._select(depth), self._name()
        return replace(one, sql=f"({one.sql}) AS {name}", name=name)

    def _select(self, depth: int) -> Relation:
        """A query that keeps people apart, not named yet."""
        rng = self.rng
        sources, sql = self._from(depth - 1)
        first = sources[0]
        way = rng.choice(("project", "project", "group", "group", "group", "distinct", "star"))
        self._parts.add(f"nested {way}")
        where = self._where(sources, False)
        if way == "star":
            return replace(first, sql=f"SELECT {first.name}.* FROM {sql}{where}")
        kept = {tie: f"{first.name}.{column}" for tie, column in first.ties.items()}
        if way == "group":
            kept = {tie: column for tie, column in kept.items() if rng.random() < 0.7} or kept
        named = {tie: f"t{place}" for place, tie in enumerate(kept)}
        kinds = {named[tie]: first.columns[column.split(".")[1]] for tie, column in kept.items()}
        told = {named[tie]: column for tie, column in kept.items()}
        bounded: set[str] = set()
        for place in range(rng.choice((0, 1, 2))):
            value, kind, summed = self._value(sources)
            told[f"c{place}"], kinds[f"c{place}"] = value, kind
            bounded |= {f"c{place}"} if summed else set()
        if way != "group":
            word = "DISTINCT " if way == "distinct" else ""
            text = ", ".join(f"{value} AS {name}" for name, value in told.items())
            return Relation(f"SELECT {word}{text} FROM {sql}{where}", "", kinds, named, frozenset(bounded))
        keys = list(told.values())
        for place in range(rng.choice((1, 1, 2))):
            value, kind = self._of_person(sources)
            told[f"n{place}"], kinds[f"n{place}"] = value, kind
            bounded |= {f"n{place}"} if kind in NUMERIC else set()
        text = ", ".join(f"{value} AS {name}" for name, value in told.items())
        having = rng.choice(("", "", " HAVING COUNT(*) > 1", " HAVING n0 IS NOT NULL"))
        by = ", ".join(keys)
        return Relation(
            f"SELECT {text} FROM {sql}{where} GROUP BY {by}{having}", "", kinds, named, frozenset(bounded)
        )

    def _from(self, depth: int) -> tuple[list[Relation], str]:
        rng = self.rng
        sources = [self._relation(depth)]
        sql = sources[0].sql
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            if self.public and rng.random() < 0.2:
                sql += self._with_public(sources)
                continue
            new = self._relation(depth - 1)
            last = sources[-1]
            pairs = [(one, tie) for one in sources for tie in one.ties if tie in new.ties]
            if not pairs:
                continue
            one, tie = rng.choice(pairs)
            alike = [name for name in one.columns if new.columns.get(name) == one.columns[name]]
            turned = len(sources) == 1 and rng.random() < 0.08
            side = "RIGHT JOIN" if turned else rng.choice(("JOIN", "JOIN", "LEFT JOIN"))
            self._parts.add(f"nested {side}")
            if one.ties[tie] == new.ties[tie] and one is last and not turned and rng.random() < 0.3:
                more = [name for name in alike if name != one.ties[tie] and rng.random() < 0.3]
                sql += f" {side} {new.sql} USING ({', '.join([one.ties[tie], *more])})"
                self._parts.add("nested USING")
            else:
                tests = [f"{one.name}.{one.ties[tie]} = {new.name}.{new.ties[tie]}"]
                tests += [self._tied(sources, new) for _ in range(rng.choice((0, 0, 1, 2)))]
                rng.shuffle(tests)
                sql += f" {side} {new.sql} ON {' AND '.join(tests)}"
            if side != "JOIN":  # who has no partner has no unit there
                lost = sources[0] if turned else new
                new, sources = (new, []) if turned else (replace(new, ties={}), sources)
                sources += [new, *([replace(lost, ties={})] if turned else [])]
            else:
                sources.append(new)
            if turned:
                break
        return sources, sql

    def _with_public(self, sources: list[Relation]) -> str:
        """A public table beside what is there, joined on something equal."""
        rng, table, name = self.rng, self.rng.choice(self.public), self._name()
        column = rng.choice([part for part in table.columns if not part.coded])
        ours = [one for source in sources for one in source.of(column.kind)]
        if not ours:
            return ""
        tests = [f"{name}.{column.name} = {rng.choice(ours)}"]
        public = Relation("", name, self._kinds(table), {}, self._sums(table))
        if rng.random() < 0.3:
            tests.append(self._test([public]))
        sources.append(public)
        self._parts.add("nested public")
        return f" {rng.choice(('JOIN', 'LEFT JOIN'))} {table.name} AS {name} ON {' AND '.join(tests)}"

    def _tied(self, sources: list[Relation], new: Relation, signs: tuple[str, ...] = SIGNS) -> str:
        rng = self.rng
        pairs = [(mine, theirs) for kind in ("integer", "text", "boolean", "date")
                 for one in sources for mine in one.of(kind) for theirs in new.of(kind)]  # fmt: skip
        if not pairs or rng.random() < 0.3:
            return self._test([new])
        mine, theirs = rng.choice(pairs)
        return f"{mine} {rng.choice(signs)} {theirs}"

    def _number_of(self, sources: list[Relation]) -> str:
        found = [name for one in sources for name in one.sums] or ["1"]
        test = self._test(sources) if self.rng.random() < 0.5 else "TRUE"
        return self.rng.choice(BOUNDED).format(self.rng.choice(found), self.rng.choice(found), test)

    def _value(self, sources: list[Relation]) -> tuple[str, str, bool]:
        """Something to calculate row by row, its kind, and whether it can be added up."""
        rng = self.rng
        texts = [name for one in sources for name in one.of("text")]
        plain = [(f"{one.name}.{name}", kind, name in one.bounded)
                 for one in sources for name, kind in one.columns.items()]  # fmt: skip
        way = rng.random()
        if way < 0.5:
            return rng.choice(plain)
        if way < 0.65 and texts:
            return rng.choice(TEXTS).format(rng.choice(texts), self._test(sources)), "text", False
        if way < 0.75:
            return self._test(sources), "boolean", False
        value = rng.choice([name for one in sources for name in one.sums] or ["1"])
        return rng.choice(BOUNDED[2:8]).format(value, value), "number", True

    def _of_person(self, sources: list[Relation]) -> tuple[str, str]:
        rng = self.rng
        ways = ["COUNT(*)", "COUNT({0})", "COUNT(DISTINCT {1})", "SUM({0})", "SUM({0})", "AVG({0})",
                "MIN({0})", "MAX({0})"]  # fmt: skip
        whatever = rng.choice([f"{one.name}.{name}" for one in sources for name in one.columns])
        days = [name for one in sources for name in one.of("date")]
        if days and rng.random() < 0.1:
            return f"MIN({rng.choice(days)})", "date"
        return rng.choice(ways).format(self._number_of(sources), whatever), "integer"

    def _test(self, sources: list[Relation]) -> str:
        rng = self.rng
        every = [f"{one.name}.{name}" for one in sources for name in one.columns]
        wholes = [name for one in sources for name in one.of("integer")] or ["1"]
        units = [f"{one.name}.{one.ties['unit']}" for one in sources if "unit" in one.ties]
        texts = [name for one in sources for name in one.of("text")] or ["'x'"]
        whole, text = rng.choice(wholes), rng.choice(texts)
        ways = [f"{rng.choice(every)} IS {rng.choice(('', 'NOT '))}NULL", f"{whole} > {rng.randint(-2, 40)}",
                f"{whole} IN (1, 2, 10)", f"{text} LIKE '%e%'", f"{text} >= 'm'"]  # fmt: skip
        ways += [f"{unit} {rng.choice(('=', '<>'))} '{self.target}'" for unit in units[:1]]
        return rng.choice(ways)

    def _where(self, sources: list[Relation], last: bool) -> str:
        rng = self.rng
        tests = [self._test(sources) for _ in range(rng.choice((0, 0, 1)))]
        if rng.random() < (0.3 if last else 0.15):
            new = self._relation(1)
            pairs = [(f"{one.name}.{one.ties[tie]}", f"{new.name}.{new.ties[tie]}")
                     for one in sources for tie in one.ties if tie in new.ties]  # fmt: skip
            if pairs:
                ours, theirs = rng.choice(pairs)
                denied = rng.choice(("", "NOT "))
                self._parts.add("nested IN or EXISTS")
                if rng.random() < 0.5:
                    inside = [f"{theirs} = {ours}"]
                    inside += [self._tied(sources[:1], new, ("=",))] if rng.random() < 0.5 else []
                    tests.append(f"{denied}EXISTS (SELECT 1 FROM {new.sql} WHERE {' AND '.join(inside)})")
                else:
                    group = rng.choice(("", f" GROUP BY {theirs} HAVING COUNT(*) > 1"))
                    tests.append(f"{ours} {denied}IN (SELECT {theirs} FROM {new.sql}{group})")
        if last and rng.random() < 0.05:
            value = rng.choice([name for one in sources for name in one.sums] or ["1"])
            table = rng.choice(self.private)
            of = rng.choice(sorted(self._sums(table))) if self._sums(table) else "1"
            tests.append(f"{value} > (SELECT AVG({of}) FROM {table.name})")
        return f" WHERE {' AND '.join(tests)}" if tests else ""

    def _aggregate(self, sources: list[Relation]) -> str:
        rng = self.rng
        units = [f"{one.name}.{one.ties['unit']}" for one in sources[:1] if "unit" in one.ties]
        ways = ["COUNT(*)", "COUNT({0})", "COUNT(DISTINCT {0})", *("SUM({0})", "SUM({1})") * 3, "AVG({0})",
                "VAR_POP({0})", "SUM(DISTINCT {0})", "AVG(DISTINCT {0})", "MEDIAN({1})"]  # fmt: skip
        ways += [f"COUNT(DISTINCT {unit})" for unit in units] * 2
        plain = rng.choice([name for one in sources for name in one.sums] or ["1"])
        text = rng.choice(ways).format(self._number_of(sources), plain)
        return f"{text} FILTER (WHERE {self._test(sources)})" if rng.random() < 0.1 else text

    def _keys(self, sources: list[Relation]) -> list[str]:
        rng = self.rng
        found = []
        for _ in range(rng.choice((1, 1, 2))):
            value, kind, _ = self._value(sources)
            units = {f"{one.name}.{one.ties['unit']}" for one in sources if "unit" in one.ties}
            if value not in units and (self.finds or kind == "boolean"):
                found.append(value)
        return found
