"""Random questions: all clauses of docs/sql.md over people, visits and a public table, many hostile."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from adversary.making import Maker
from adversary.numbers import EXTREME, SUMMED
from adversary.pieces import Piece, clamp
from adversary.rows_around import truth_of_row, value_of_row
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Dataset, Kind

NUMERIC = ("SUM({0})", "SUM({0})", "SUM({0})", "AVG({0})", "AVG({0})", "VAR_POP({0})", "STDDEV({0})",
"COUNT({0})",
           "COUNT(DISTINCT {0})", "SUM(DISTINCT {0})", "AVG(DISTINCT {0})")  # fmt: skip
CHOSEN = ("MEDIAN({0})", "MIN({0})", "MAX({0})", "QUANTILE_CONT({0}, 0.9)",
          "PERCENTILE_CONT(0.1) WITHIN GROUP (ORDER BY {0})")  # fmt: skip
DECLARED = ("{p}colour", "{p}level", "{p}flag", "FLOOR(LEAST(GREATEST({p}age, 0), 99) / 10)", "MONTH({p}day)",
            "CASE WHEN {p}age < 30 THEN 'young' ELSE 'old' END", "{p}name LIKE 'U%'")  # fmt: skip
SIGNS = ("<", "<=", ">", ">=", "=", "<>")
LISTED = (
    "{p}colour IN ('red', '12')",
    "{p}level > 1",
    "{p}flag IS NOT NULL",
    "NOT {p}flag",
    "{p}colour IS NULL",
)
FOUND = ("{p}name", "{p}big", "{p}day", "LEFT({p}name, 2)", "{p}row", "{p}price", "ROUND({p}score, 1)")
ZEROS = ("{p}price * 0.0", "{p}score * -0.0", "ROUND({p}score)", "CEIL({p}score)", "{p}huge * 0.0")

# What is done with noisy results; the question stands in the place of {0}.
AROUND = (
    ("outer SELECT *", "SELECT * FROM ({0}) AS q"),
    ("outer aggregate", "SELECT COUNT(*) AS n, MAX(q.a0) AS m FROM ({0}) AS q"),
    ("outer window", "SELECT *, ROW_NUMBER() OVER (ORDER BY q.a0) AS place FROM ({0}) AS q"),
    ("UNION", "({0}) UNION ALL ({0})"),
    ("scalar sub-query", "SELECT q.a0, (SELECT COUNT(*) FROM people) AS n FROM ({0}) AS q"),
    ("public beside noisy", "SELECT q.a0, w.label FROM ({0}) AS q CROSS JOIN wards AS w"),
)


@dataclass(frozen=True)
class Question:
    """A text, and of what it is made."""

    sql: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class _From:
    sql: str
    people: str | None  # how columns of people are called there
    visits: str | None
    start: str = ""  # WITH
    parts: tuple[str, ...] = ()
    ties: str = ""  # what WHERE must say

    @property
    def named(self) -> str | None:
        """Before a column of the row around a sub-query."""
        return f"{self.sql}." if self.sql in ("people", "visits") else self.people or self.visits or None


class Asker:
    """Questions about one data set. `target` is somebody whom a hostile analyst asks about."""

    def __init__(self, rng: random.Random, dataset: Dataset, target: str) -> None:
        self.rng = rng
        self.dataset = dataset
        self.target = target
        self.finds = accounting_of(dataset.accounting).finds_groups

    def question(self) -> Question:
        rng = self.rng
        if rng.random() < 0.08:
            return self._plain()
        source = self._from()
        if rng.random() < 0.06:
            source = self._beside_a_number(source)
        parts = list(source.parts)
        maker = self._maker(source)
        keys: list[str] = []
        if rng.random() < 0.35:
            keys, word = self._keys(source, maker)
            parts.append(word)
        chosen = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            text, words = self._aggregate(source, maker, len(keys))
            parts += words
            if rng.random() < 0.1:
                text = rng.choice(
                    ("ROUND({0} / NULLIF(COUNT(*), 0), 2)", "SQRT({0}) * 100", "COALESCE({0}, 0) > 5")
                ).format(text)
                parts.append("after the noise")
            chosen.append(text)
        where = self._where(source, maker, parts)
        if keys and rng.random() < 0.1:
            alone, word = rng.choice((("DISTINCT ", "SELECT DISTINCT"), ("", "groups alone")))
            sql = f"{source.start}SELECT {alone}{', '.join(keys)} FROM {source.sql}{where}"
            by = "" if alone else f" GROUP BY {', '.join(str(place + 1) for place in range(len(keys)))}"
            return Question(sql + by, (*parts, word))
        if keys and (rng.random() < 0.2 or "signed nought" in parts):
            chosen.append(rng.choice(("{0} * COUNT(*)", "COALESCE({0}, 1)", "-{0} * SUM({1})")).format(
                keys[0], self._bounded_cost(source)))  # fmt: skip
            parts.append("made of a key")
        if keys and rng.random() < 0.2 and source.people is not None:
            where += f"{' AND' if where else ' WHERE'} {rng.choice(LISTED).format(p=source.people)}"
            parts.append("keys ruled out")
        selected = ", ".join([*keys, *(f"{text} AS a{index}" for index, text in enumerate(chosen))])
        sql = f"{source.start}SELECT {selected} FROM {source.sql}{where}"
        if keys:
            sql += f" GROUP BY {', '.join(str(place + 1) for place in range(len(keys)))}"
            if rng.random() < 0.1:
                sql += " WITH ROLLUP"
                parts.append("ROLLUP")
        sql += self._after(keys, chosen, parts)
        if rng.random() < 0.15:
            word, around = rng.choice(AROUND)
            sql, parts = around.format(sql), [*parts, word]
        return Question(sql, tuple(parts))

    def _plain(self) -> Question:
        """Numbers of one table where columns are compared with numbers: such are counted several at once."""
        rng = self.rng
        table, columns, chosen = rng.choice(
            (
                ("people", ("age", "price", "score", "delta", "big", "raw", "far", "level"), NUMERIC),
                ("visits", ("cost", "ward"), NUMERIC[:8]),
            )
        )
        number = "cost" if table == "visits" else rng.choice(("age", "price", "score", "delta", "wee"))
        told = [rng.choice((*chosen, "COUNT(*)", "COUNT(DISTINCT id)")).format(number) for _ in range(2)]
        tests = [
            f"{rng.choice(columns)} {rng.choice(SIGNS)} {rng.choice((0, 1, 5, 2.5))}"
            for _ in range(rng.choice((1, 1, 2)))
        ]
        selected = ", ".join(f"{text} AS a{place}" for place, text in enumerate(told))
        return Question(f"SELECT {selected} FROM {table} WHERE {' AND '.join(tests)}", ("plain",))

    def _bounded_cost(self, source: _From) -> str:
        return f"{source.people}price" if source.people is not None else f"{source.visits}cost"

    def _maker(self, source: _From) -> Maker | None:
        if source.people is None:
            return None
        return Maker(self.rng, self.dataset.table("people"), source.people)

    def _from(self) -> _From:
        rng = self.rng
        inner = Maker(rng, self.dataset.table("people"), "")
        test = inner.any("boolean", 1).sql
        per_person = rng.choice(("SUM(cost)", "AVG(cost)", "MIN(cost)", "MAX(cost)", "COUNT(*)"))
        totals = f"SELECT id, {per_person} AS cost FROM visits GROUP BY id"
        beside = f" AND {self._named('p.')}" if rng.random() < 0.3 else ""
        more = (
            f" AND {Maker(rng, self.dataset.table('people'), 'p.').any('boolean', 1).sql}"
            if rng.random() < 0.3
            else ""
        )
        denied = rng.choice(("", "NOT "))
        often = "SELECT id FROM visits GROUP BY id HAVING COUNT(*) > 1"
        ways: list[Callable[[], _From]] = [
            lambda: _From("people", "", None), lambda: _From("people AS p", "p.", None),
            lambda: _From("hospital.people AS p", "p.", None, parts=("schema",)),
            lambda: _From("people p, visits v", "p.", "v.", parts=("comma",), ties="p.id = v.id"),
            lambda: _From("wards w, visits v", None, "v.", parts=("public comma",), ties="v.ward = w.ward"),
            lambda: _From("visits v RIGHT JOIN people p ON p.id = v.id", "p.", "v.", parts=("RIGHT JOIN",)),
            lambda: _From("people p RIGHT JOIN visits v ON p.id = v.id", "p.", "v.", parts=("RIGHT JOIN",)),
            lambda: _From("wards w RIGHT JOIN visits v ON v.ward = w.ward", None, "v.",
            parts=("public RIGHT JOIN",)),
            lambda: _From("wards w, people p, visits v", "p.", "v.", parts=("comma of three",),
            ties="v.ward = w.ward AND p.id = v.id"),
            lambda: _From("x.people p, y.visits v LEFT JOIN wards w ON w.ward = v.ward", "p.", "v.",
            parts=("comma and LEFT JOIN",), ties="v.id = p.id"),
            lambda: _From("people p, visits v, visits w", "p.", "v.", parts=("comma twice",),
            ties=f"v.id = p.id AND w.id = v.id AND w.cost {rng.choice(('>', '=', '<>'))} v.cost"),
            lambda: _From(f"(SELECT * FROM people WHERE {test} AND id {denied}IN ({often})) AS p", "p.", None,
            parts=("IN inside",)),
            lambda: _From("(SELECT id, ward, COUNT(*) AS cost FROM visits GROUP BY id, ward) AS v", None,
            "v.", parts=("per person and ward",)),
            lambda: _From("people", "", None), lambda: _From("visits", None, ""),
            lambda: _From(f"people p JOIN visits v ON p.id = v.id{beside}{more}", "p.", "v.",
            parts=("JOIN",)),
            lambda: _From(f"people p LEFT JOIN visits v ON v.id = p.id{beside}{more}", "p.", "v.",
            parts=("LEFT JOIN",)),
            lambda: _From("visits v JOIN wards w ON v.ward = w.ward", None, "v.", parts=("public JOIN",)),
            lambda: _From("people p JOIN wards w ON w.label = LEFT(p.name, 5)", "p.", None,
            parts=("public JOIN ON text",)),
            lambda: _From(f"({totals}) AS v", None, "v.", parts=("sub-query per person",)),
            lambda: _From(f"people p JOIN t v ON p.id = v.id{beside}", "p.", "v.",
            f"WITH t AS ({totals}) ", ("WITH", "JOIN")),
            lambda: _From(f"(SELECT * FROM people WHERE {test}) AS p", "p.", None, parts=("sub-query",)),
            lambda: _From("(SELECT DISTINCT id, ward, cost, reason FROM visits) AS v", None, "v.",
            parts=("DISTINCT",)),
            lambda: _From("people p JOIN visits v ON p.id = v.id JOIN visits x ON x.id = p.id", "p.", "v.",
                          parts=("JOIN", "JOIN twice")),
            lambda: _From(f"people p JOIN ({totals} HAVING COUNT(*) > 1) v USING (id)", "p.", "v.",
                          parts=("USING", "HAVING per person")),
        ]  # fmt: skip
        return rng.choice(ways)()

    def _named(self, prefix: str) -> str:
        return f"{prefix}id = '{self.target}'"

    def _where(self, source: _From, maker: Maker | None, parts: list[str]) -> str:
        rng, found = self.rng, []
        prefix = source.people if source.people is not None else source.visits
        if rng.random() < 0.4:
            found.append(maker.any("boolean", 2).sql if maker is not None else self._visit_test(source))
        if rng.random() < 0.2:
            found.append(self._named(prefix or ""))
            parts.append("hostile WHERE")
        tests = [f"({rng.choice((' AND ', ' OR ')).join(found)})"] if found else []
        if rng.random() < 0.15:
            at, denied = prefix or "", rng.choice(("", "NOT "))
            cost = rng.choice(("cost > 10", "cost IS NULL", "cost = 1e300", f"id = '{self.target}'"))
            inside = f"SELECT y.id FROM visits y WHERE y.{cost}"
            if rng.random() < 0.3:
                deeper = rng.choice(("", "NOT "))
                inside += f" AND y.id {deeper}IN (SELECT id FROM people WHERE age > 30)"
            elif source.visits and rng.random() < 0.5:
                inside += f" AND y.ward = {source.visits}ward"
            tests.append(
                f"{denied}EXISTS ({inside} AND y.id = {at}id)"
                if at and rng.random() < 0.5
                else f"{at}id {denied}IN ({inside})"
            )
            parts.append("IN or EXISTS")
        if rng.random() < 0.1:
            tests.append(self._noisy_test(source))
            parts.append("noisy number")
        if source.named and rng.random() < 0.1:
            around = source.named, source.visits, self.target
            number = f"{value_of_row(rng, *around)} {rng.choice(SIGNS)} {rng.choice((0, 1, 2, 30))}"
            tests.append(rng.choice((number, f"({number} OR {truth_of_row(rng, *around)})")))
            parts.append("value of a row")
        tests += [source.ties] if source.ties else []
        if not tests:
            return ""
        parts.append("WHERE")
        return f" WHERE {' AND '.join(tests)}"

    def _noisy_test(self, source: _From) -> str:
        """Rows compared with the noisy number of a sub-query, and one that is about somebody alone."""
        rng, at, own = self.rng, source.people, f"id = '{self.target}'"
        of = rng.choice(("", f" WHERE {own}", " WHERE flag", f" WHERE {own} AND age > 30"))
        if at is None:
            at, column, bounded = source.visits or "", "cost", self._bounded_cost(source)
            number = f"(SELECT {rng.choice(('AVG', 'SUM'))}({bounded.replace(at, '')}) FROM visits)"
        elif rng.random() < 0.15:
            column, day = rng.choice((("day", "spring"), ("other", "spring"), ("moment", "shift")))
            number = f"(SELECT {rng.choice(('MEDIAN', 'MAX'))}({day}) FROM people{of})"
            return f"{at}{column} {rng.choice(SIGNS)} {number}"
        else:
            column = rng.choice(("age", "price", "score"))
            what = rng.choice(("COUNT(*)", "AVG({0})", "STDDEV({0})", "MEDIAN({0})", "0.5 * SUM({0})"))
            if rng.random() < 0.15:
                of = f" WHERE {column} {rng.choice(SIGNS)} (SELECT AVG(age) FROM people{of})"
            number = f"(SELECT {what.format('LEAST(GREATEST(age, 0), 99)')} FROM people{of})"
            if rng.random() < 0.1:
                groups = f"SELECT colour, COUNT(*) AS n FROM people{of} GROUP BY colour"
                number = f"(SELECT MAX(g.n) FROM ({groups}) AS g)"
        return f"{at}{column} {rng.choice(SIGNS)} {rng.choice(('', '1.5 * '))}{number}"

    def _beside_a_number(self, source: _From) -> _From:
        """A noisy result of one row beside every row."""
        rng, at = self.rng, source.people if source.people is not None else source.visits or ""
        column = rng.choice(("age", "price")) if source.people is not None else "cost"
        of = rng.choice(("", f" WHERE id = '{self.target}'"))
        noisy = f"(SELECT AVG(cost) AS m, COUNT(*) AS n FROM visits{of}) AS beside"
        test = f"{at}{column} {rng.choice(SIGNS)} beside.{rng.choice(('m', 'n'))}"
        ties = f"{source.ties} AND {test}" if source.ties else test
        sql = f"{source.sql} CROSS JOIN {noisy}"
        return replace(source, sql=sql, ties=ties, parts=(*source.parts, "noisy number beside rows"))

    def _visit_test(self, source: _From) -> str:
        at = source.visits or ""
        return self.rng.choice((f"{at}cost > 10", f"{at}cost IS NULL", f"{at}cost BETWEEN -1e-300 AND 1e300"))

    def _keys(self, source: _From, maker: Maker | None) -> tuple[list[str], str]:
        rng = self.rng
        if source.named and rng.random() < 0.08:
            around = source.named, source.visits, self.target
            if self.finds and rng.random() < 0.3:
                return [value_of_row(rng, *around)], "value of a row found"
            return [f"CASE WHEN {truth_of_row(rng, *around)} THEN 'a' ELSE 'b' END"], "truth of a row"
        if maker is None or source.people is None:
            at, table = source.visits, self.dataset.table("visits")
            listed = rng.random() < 0.5 or not self.finds
            ward = f"{at}ward" if table.column("ward").keys else f"{at}ward > 1"
            keys = rng.choice(
                ([f"{at}cost > 0"], [ward], [ward, f"{at}cost > 0"])
                if listed
                else ([f"{at}cost"], [f"{at}ward"], [f"FLOOR({at}cost / 10)", f"{at}ward"])
            )
            return keys, "declared groups" if listed else "found groups"
        if self.finds and rng.random() < 0.1:
            nought = rng.choice(ZEROS).format(p=source.people)
            signed = f"CASE WHEN {self._named(source.people)} THEN -1.0 ELSE 1.0 END * ({nought})"
            return [signed], "signed nought"
        if self.finds and rng.random() < 0.35:
            return [rng.choice(FOUND).format(p=source.people)], "found groups"
        if rng.random() < 0.2:
            hidden = rng.choice(DECLARED[:4]).format(p=source.people)
            return [f"CASE WHEN {self._named(source.people)} THEN {hidden} END"], "hostile GROUP BY"
        if rng.random() < 0.2:
            return [maker.any("boolean", 2).sql], "declared groups"
        chosen = rng.sample(DECLARED, rng.choice((1, 1, 2)))
        return [text.format(p=source.people) for text in chosen], "declared groups"

    def _aggregate(self, source: _From, maker: Maker | None, keys: int) -> tuple[str, list[str]]:
        rng = self.rng
        if rng.random() < 0.2:
            return rng.choice(("COUNT(*)", f"COUNT(DISTINCT {source.people or source.visits or ''}id)")), [
                "COUNT"
            ]
        words: list[str] = []
        argument = self._argument(source, maker, words)
        chooses = rng.random() < (0.15 if not keys else 0.02)
        template = rng.choice(CHOSEN if chooses else NUMERIC)
        words.append(template.split("(")[0] + (" DISTINCT" if "DISTINCT" in template else ""))
        text = template.format(argument)
        if maker is not None and rng.random() < 0.15:
            text += f" FILTER (WHERE {maker.any('boolean', 1).sql})"
            words.append("FILTER")
        return text, words

    def _argument(self, source: _From, maker: Maker | None, words: list[str]) -> str:
        rng = self.rng
        if source.named and rng.random() < 0.08:
            words.append("value of a row added up")
            return value_of_row(rng, source.named, source.visits, self.target)
        if maker is None or source.people is None or (source.visits is not None and rng.random() < 0.5):
            words.append("visits")
            at, own = (
                source.visits,
                self._named((source.visits or "") if source.people is None else source.people),
            )
            hostile = f"CASE WHEN {own} THEN {self._extreme()} ELSE {at}cost END"
            if rng.random() < 0.1:
                words.append("noisy number in an aggregate")
                return f"CASE WHEN {self._noisy_test(source)} THEN 1 ELSE -3 END"
            return rng.choice((f"{at}cost", f"{at}cost * 2", hostile))
        if rng.random() < 0.3:
            words.append("hostile CASE")
            beside = f" AND {maker.any('boolean', 1).sql}" if rng.random() < 0.5 else ""
            other = rng.choice((self._extreme(), self._extreme(), f"{source.people}price"))
            return f"CASE WHEN {self._named(source.people)}{beside} THEN {self._extreme()} ELSE {other} END"
        kind: Kind = rng.choice(("integer", "number"))
        piece = self._bounded(maker.any(kind, rng.choice((0, 1, 2, 3))))
        words += piece.names
        return piece.sql

    def _bounded(self, piece: Piece) -> Piece:
        if piece.bounded:
            return piece
        return clamp(piece, 0, self.rng.choice((1, 100, 10**6)))

    def _extreme(self) -> str:
        """Seldom one that is refused."""
        return repr(self.rng.choice(EXTREME if self.rng.random() < 0.1 else SUMMED))

    def _after(self, keys: list[str], chosen: list[str], parts: list[str]) -> str:
        rng, text = self.rng, ""
        if keys and rng.random() < 0.15:
            text += f" HAVING {rng.choice(('COUNT(*) > 3', 'a0 > 0', 'a0 IS NOT NULL'))}"
            parts.append("HAVING")
        if keys and rng.random() < 0.3:
            text += f" ORDER BY {rng.choice(('1', 'a0', 'a0 DESC NULLS LAST', str(len(keys) + len(chosen))))}"
            parts.append("ORDER BY")
            if rng.random() < 0.4:
                text += f" LIMIT {rng.randint(0, 5)}{rng.choice(('', ' OFFSET 1'))}"
                parts.append("LIMIT")
        return text
