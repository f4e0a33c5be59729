"""One of several values: its kind, its bounds and its domain are those of all of them together."""

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

ALLOWED = (
    "CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END", "CASE WHEN NULL THEN 1 END",
    "CASE colour WHEN 'red' THEN 1 WHEN 'green' THEN 2.5 END", "IF(flag, age, NULL)",
    "IIF(age > 3, 'a', name)", "COALESCE(age, 0)", "COALESCE(raw, age)", "COALESCE(big, 0)",
    "COALESCE(NULL, NULL)", "NULLIF(age, 0)", "NULLIF(name, '')", "NULLIF(age, 0.5)", "LEAST(age, level)",
    "LEAST(age, 100.5)", "LEAST(name, colour)", "GREATEST(name, 'b')", "GREATEST(far, 0)",
    "LEAST(age, NULL)", "GREATEST(day, other)", "LEAST(day, '2000-01-01')", "GREATEST(big, raw)",
    "LEAST(big, raw, 5)", "CASE WHEN flag THEN big ELSE raw END", "CASE day WHEN '2024-02-29' THEN 1 END",
    "CASE WHEN flag THEN day ELSE '2000-01-01' END", "IFNULL(price, -1)",
    "CASE price WHEN 100 THEN 1 ELSE 0 END", "CASE WHEN flag THEN flag ELSE TRUE END",
    "COALESCE(day, DATE '2000-01-01')", "CASE flag WHEN TRUE THEN 1 END",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_run_on_nasty_values_and_keep_their_promises(dialect: str, nasty: Engines) -> None:
    for sql in ALLOWED:
        check(rebuilt(sql, dialect), nasty.values(sql, dialect))


def test_branches_that_are_written_are_the_domain() -> None:
    assert rebuilt(ALLOWED[0]).domain == ("child", "adult", "old")
    assert rebuilt("CASE WHEN flag THEN 1 WHEN age > 3 THEN 2.5 END").domain == (1.0, 2.5, None)
    assert rebuilt("IF(flag, 'a', NULL)").domain == ("a", None)
    assert rebuilt("CASE WHEN flag THEN 'a' ELSE name END").domain is None


def test_coalesce_with_a_written_value_is_never_missing() -> None:
    assert rebuilt("COALESCE(delta, 0)").domain == tuple(range(-7, 6))
    assert rebuilt("COALESCE(delta, age)").domain is not None
    assert None in (rebuilt("COALESCE(delta, age)").domain or ())
    assert rebuilt("COALESCE(delta, 9, big)").high == 9


def test_clamping_gives_bounds_to_any_number() -> None:
    for column in ("raw", "big"):
        found = rebuilt(f"LEAST(GREATEST({column}, 0), 100)")
        assert (found.low, found.high) == (0, 100)
    # A missing value is passed over, as both engines have it: 9 can come out of LEAST(x, 9) with x up to 5.
    assert rebuilt("LEAST(delta, 9)").high == 9
    assert rebuilt("LEAST(delta, age)").high == 120


@pytest.mark.parametrize("dialect", DIALECTS)
def test_least_and_greatest_pass_over_what_is_missing(dialect: str, nasty: Engines) -> None:
    for value, row in zip(nasty.values("LEAST(delta, age, 9)", dialect), SEEN, strict=True):
        assert value == min(part for part in (row["delta"], row["age"], 9) if part is not None)  # type: ignore[type-var]
    assert rebuilt("LEAST(delta, 9)").high == 9


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_are_ordered_by_code_points_whatever_the_server_speaks(dialect: str, nasty: Engines) -> None:
    for value, row in zip(nasty.values("GREATEST(name, 'b')", dialect), SEEN, strict=True):
        assert value == max("b", str(row["name"] or ""))
    assert 'COLLATE "C"' in rebuilt("name < 'b'", "postgres").sql.sql(dialect="postgres")


@pytest.mark.parametrize(
    "sql",
    [
        "CASE WHEN flag THEN 1 ELSE 'x' END", "CASE WHEN price THEN 1 END", "COALESCE(age, 'x')",
        "GREATEST(flag, TRUE)", "IF(name, 1, 2)", "NULLIF(age, 'x')", "CASE age WHEN 'x' THEN 1 END",
        "LEAST(day, name)", "LEAST(day, 'tomorrow')", "CASE WHEN flag THEN day ELSE 1 END",
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
