"""What may be asked, and what is refused with one sentence that depends on the text alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adversary.nasty import texts
from queries import shop
from queries.clinic import dataset, store, usual
from queries.questions import ANSWERED, REFUSED
from shoal.core.errors import NotAllowed
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import LONGEST, parse, plan
from work import calls_of

FULL = usual()
EMPTY = store([], [], [])


@pytest.mark.parametrize("question", ANSWERED)
def test_questions_of_every_kind_are_understood(question: str) -> None:
    query = plan(question, dataset(), FULL)
    assert query.parts >= 1
    assert all(primitive.reach >= 1 for primitive in query.primitives)
    FULL.run(selects(query))


@pytest.mark.parametrize(("question", "word"), REFUSED.items())
def test_what_cannot_be_answered_is_refused_in_one_sentence(question: str, word: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        plan(question, dataset(), FULL)
    assert word.lower() in str(refusal.value).lower()
    assert "\n" not in str(refusal.value)
    with pytest.raises(NotAllowed) as again:
        plan(question, dataset(), EMPTY)
    assert str(again.value) == str(refusal.value)


def test_nothing_that_the_analyst_wrote_reaches_the_engine() -> None:
    question = (
        "SELECT sex AS mine, COUNT(*) zzz /* secret */ FROM people qqq WHERE town = 'it''s' GROUP BY mine"
    )
    text = " ".join(select.sql(dialect="duckdb") for select in selects(plan(question, dataset(), FULL)))
    for word in ("mine", "zzz", "qqq", "secret"):
        assert word not in text
    assert "'it''s'" in text


def test_the_same_question_has_one_canonical_text() -> None:
    texts = {
        plan(question, dataset(), FULL).text
        for question in ("select count(*) from people", "SELECT  COUNT( * )\nFROM people -- again")
    }
    assert len(texts) == 1


def test_groups_are_public_where_all_can_be_listed() -> None:
    public = plan("SELECT sex, smokes, COUNT(*) FROM people GROUP BY sex, smokes", dataset(), FULL)
    assert not public.discovered
    assert [key.domain for key in public.keys] == [("F", "M", None), (True, False, None)]
    found = plan("SELECT sex, town, COUNT(*) FROM people GROUP BY sex, town", dataset(), FULL)
    assert found.discovered
    assert all(key.domain is None for key in found.keys)
    assert found.people is None and found.crowd is not None and found.parts == 1


def test_reach_grows_with_the_rows_of_a_person() -> None:
    def reach(question: str) -> int:
        return plan(question, dataset(), FULL).primitives[0].reach

    assert reach("SELECT COUNT(*) FROM people") == 1
    assert reach("SELECT COUNT(*) FROM visits") == 3
    assert reach("SELECT COUNT(DISTINCT id) FROM visits") == 1
    assert reach("SELECT COUNT(DISTINCT id) FROM visits GROUP BY ward") == 2
    assert reach("SELECT COUNT(*) FROM visits a JOIN visits b ON a.id = b.id") == 9
    assert reach("SELECT COUNT(*) FROM visits JOIN wards USING (ward)") == 6  # ward 2 is there twice
    assert reach("SELECT COUNT(*) FROM (SELECT id, COUNT(*) FROM visits GROUP BY id) t") == 1
    assert reach("SELECT SUM(age) FROM people") == 120


def test_a_person_with_too_many_rows_after_joins_is_refused() -> None:
    many = " ".join(f"JOIN visits v{number} ON v0.id = v{number}.id" for number in range(1, 14))
    with pytest.raises(NotAllowed, match="rows"):
        plan(f"SELECT COUNT(*) FROM visits v0 {many}", dataset(), FULL)


def test_nested_names_cannot_grow_without_end() -> None:
    steps = ["a0 AS (SELECT id, age FROM people)"]
    steps += [
        f"a{n} AS (SELECT x.id, x.age FROM a{n - 1} x JOIN a{n - 1} y ON x.id = y.id)" for n in range(1, 12)
    ]
    with pytest.raises(NotAllowed, match="tables"):
        plan(f"WITH {', '.join(steps)} SELECT COUNT(*) FROM a11", dataset(), FULL)


@pytest.mark.parametrize(
    "question",
    [
        "SELECT " + "(" * 5000 + "1",
        "SELECT COUNT(*) FROM people WHERE " + "NOT " * 3000 + "TRUE",
        "x" * 30_000,
    ],
)
def test_questions_made_to_break_the_reader_are_refused(question: str) -> None:
    with pytest.raises(NotAllowed):
        plan(question, dataset(), FULL)


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    for question in (text, f"SELECT COUNT(*) FROM people WHERE {text}", f"SELECT COUNT(*) FROM {text}"):
        try:
            query = plan(question, dataset(), FULL)
        except NotAllowed:
            continue
        FULL.run(selects(query))


def test_control_characters_are_refused() -> None:
    with pytest.raises(NotAllowed, match="control"):
        parse("SELECT COUNT(*) FROM people WHERE town = 'a\x00b'")


MANY = "+".join(["COUNT(*)"] * 90)
HOSTILE = {
    "SELECT * FROM " + "(" * 4_900: "nested",
    "SELECT " + "f(" * 2_400: "nested",
    "SELECT " + "NOT " * 4_900: "cannot read",
    "SELECT " + "- " * 4_900 + "1": "cannot read",
    "SELECT COUNT(*)" + ", COUNT(*)" * 900 + " FROM people": "columns",
    "SELECT " + ", ".join(f"SUM(age + {n})" for n in range(150)) + "".join(
        f" + MAX(age + {n})" for n in range(90)
    ) + " FROM people": "aggregates",
    f"SELECT {MANY} AS a FROM people ORDER BY " + ",".join("a" * 2_200): "ORDER BY",
    f"SELECT {MANY} AS a FROM people HAVING " + "+".join("a" * 90) + " > 1": "parts",
    "SELECT sex, COUNT(*) FROM people GROUP BY sex" + ", sex" * 2_400: "GROUP BY",
    "SELECT COUNT(*) FROM people ORDER BY " + "9" * 5_000: "ORDER BY",
    "SELECT COUNT(*) FROM people GROUP BY " + "9" * 5_000: "GROUP BY",
    "SELECT QUANTILE_CONT(income, 1e99999999) FROM people": "share",
    "SELECT QUANTILE_CONT(income, 0." + "9" * 15_000 + ") FROM people": "share",
    "SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.id" + " AND (age=1 AND ward=1)" * 60: "a join",
    'SELECT COUNT(*) AS "a\x9bb" FROM people': "control",
    'SELECT COUNT(*) AS "a\ud800b" FROM people': "control",
}  # fmt: skip


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_refused_soon_and_ends_nothing(question: str) -> None:
    assert len(question) <= 20_000

    def read() -> None:
        with pytest.raises(NotAllowed, match=HOSTILE[question]):
            plan(question, dataset(), FULL)

    assert calls_of(read) < 5_000_000  # three times the worst seen


def test_a_long_question_that_is_allowed_is_planned_soon() -> None:
    long = "SELECT sex," + ",".join(f"{MANY} AS x{n}" for n in range(10)) + " FROM people GROUP BY sex"
    assert calls_of(lambda: plan(long, dataset(), FULL)) < 2_500_000  # five times what it takes
    assert plan("SELECT COUNT(*) FROM people LIMIT " + "9" * 5_000, dataset(), FULL).limit == 2**62


# Of WITHIN GROUP the text is one that DuckDB alone reads.
@pytest.mark.parametrize("question", [part for part in ANSWERED if "WITHIN" not in part])
def test_the_canonical_text_asks_the_same(question: str) -> None:
    query = plan(question, dataset(), FULL)
    again = plan(query.text, dataset(), FULL)
    assert again.text == query.text
    assert [part.sql() for part in selects(again)] == [part.sql() for part in selects(query)]
    assert (again.outputs, again.having, again.order) == (query.outputs, query.having, query.order)


def test_a_key_that_is_named_twice_is_one_key() -> None:
    query = plan("SELECT sex, COUNT(*) FROM people p GROUP BY sex, p.sex, 1", dataset(), FULL)
    assert len(query.keys) == 1


def test_a_name_is_the_column_when_grouped_by_and_the_output_when_ordered_by() -> None:
    query = plan(
        "SELECT age % 2 AS age, COUNT(*) AS n FROM people GROUP BY age ORDER BY age", dataset(), FULL
    )
    assert len(query.keys[0].domain or ()) == 122
    assert query.order[0].sql == query.outputs[0].sql


@pytest.mark.parametrize("aggregate", ["COUNT()", "SUM()", "AVG()", "MIN()", "MEDIAN()", "COUNT_IF()"])
def test_an_aggregate_of_nothing_is_refused(aggregate: str) -> None:
    for question in (
        f"SELECT {aggregate} FROM people",
        f"SELECT COUNT(*) FROM (SELECT id, {aggregate} AS x FROM people GROUP BY id) AS t",
    ):
        with pytest.raises(NotAllowed):
            plan(question, dataset(), FULL)


def test_a_quantile_for_a_million_groups_is_refused() -> None:
    question = "SELECT age, MEDIAN(income) FROM people GROUP BY age, age % 100, EXTRACT(month FROM born)"
    with pytest.raises(NotAllowed, match="quantile"):
        plan(question, dataset(), FULL)


TEXTS = texts()


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_keeps_the_service_busy(name: str) -> None:
    def read() -> None:
        try:
            parse(TEXTS[name])
        except NotAllowed as refusal:
            assert "\n" not in str(refusal)

    # What others wait for is work in this process; what is read apart keeps nobody. Ten times the worst seen.
    assert calls_of(read) < 2_300_000


def test_a_text_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(NotAllowed, match="20,001 characters"):
        parse(" " * (LONGEST + 1))


def test_a_long_but_honest_question_is_read() -> None:
    columns = ", ".join(f"SUM(CASE WHEN x = {n} THEN 1 ELSE 0 END) AS n{n}" for n in range(150))
    tree = parse(f"SELECT {columns} FROM t")
    assert len(tree.expressions) == 150


@pytest.mark.parametrize(
    ("condition", "listed"),
    [
        ("quantity IN (2, 3)", (2, 3)),
        ("quantity BETWEEN 2 AND 3 AND price > 1", (2, 3)),
        ("(quantity = 2 OR quantity = 5) AND NOT quantity = 5", (2,)),
        ("quantity + 1 >= 10 AND quantity IS NOT NULL", (9, 10)),
    ],
)
def test_groups_of_numbers_that_where_rules_out_are_not_listed(
    condition: str, listed: tuple[int, ...]
) -> None:
    question = f"SELECT quantity, COUNT(*) FROM lines WHERE {condition} GROUP BY quantity"
    assert plan(question, shop.dataset(), shop.store(shop.usual(2))).keys[0].domain == listed
