"""From one kind to another: what does not fit becomes missing, and nothing raises."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed
from shoal.queries.sql.casts import DAY, NUMBER, TRUTHS, WHOLE

ALLOWED = (
    "CAST(name AS INTEGER)", "TRY_CAST(name AS BIGINT)", "name::double", "CAST(name AS BOOLEAN)",
    "CAST(name AS DATE)", "CAST(age AS VARCHAR)", "CAST(big AS VARCHAR)", "CAST(day AS VARCHAR)",
    "CAST(flag AS VARCHAR)", "CAST(flag AS INT)", "CAST(flag AS DOUBLE)", "CAST(score AS INT)",
    "CAST(age AS DOUBLE)", "CAST(big AS DOUBLE)", "CAST(colour AS INT)", "CAST(raw AS BOOLEAN)",
    "CAST(big AS BOOLEAN)", "CAST(NULL AS INT)", "CAST(NULL AS DATE)", "CAST(raw AS DOUBLE)",
    "CAST(CAST(name AS DATE) AS VARCHAR)", "CAST('12' AS INT)", "CAST('x' AS INT)", "CAST(day AS DATE)",
    "CAST(1e14 AS INT)", "CAST(CAST(price AS INT) AS VARCHAR)", "CAST(colour AS DOUBLE)",
    "CAST('x' AS DOUBLE)", "CAST(wee AS SMALLINT)",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_they_run_on_nasty_values_and_keep_their_promises(dialect: str, nasty: Engines) -> None:
    for sql in ALLOWED:
        check(rebuilt(sql, dialect), nasty.values(sql, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_are_read_as_python_reads_them(dialect: str, nasty: Engines) -> None:
    def read(pattern: str, make: type, text: object) -> object:
        found = re.fullmatch(f" *({pattern}) *", str(text)[:64])
        return make(found[1]) if text is not None and found else None

    rows = list(
        zip(
            *(nasty.values(sql, dialect) for sql in (ALLOWED[0], ALLOWED[2], ALLOWED[3], ALLOWED[4])),
            SEEN,
            strict=True,
        )
    )
    assert {"9" * 15, "9" * 16, "x" * 3000} <= {row["name"] for row in SEEN}
    for whole, number, truth, day, row in rows:
        text = row["name"]
        assert not (text == "9" * 16 and whole is not None)
        assert whole == read(WHOLE, int, text), text
        assert number == read(NUMBER, float, text), text
        assert truth == (None if text is None else TRUTHS.get(str(text)[:64].strip(" ").lower())), text
        days = {
            "2024-02-29": date(2024, 2, 29),
            "0001-01-01": date(1, 1, 1),
            "9999-12-31": date(9999, 12, 31),
        }
        assert day == days.get(str(text)), text


def test_a_day_is_written_alike_whatever_the_server_is_set_to(nasty: Engines) -> None:
    before = nasty.values("CAST(day AS VARCHAR)", "duckdb")
    nasty.postgres.execute("SET datestyle TO 'SQL, DMY'")
    try:
        assert nasty.values("CAST(day AS VARCHAR)", "postgres") == before
        assert nasty.values("CAST(name AS DATE)", "postgres") == nasty.values("CAST(name AS DATE)", "duckdb")
        assert nasty.values("day = '2024-02-01'", "postgres") == nasty.values("day = '2024-02-01'", "duckdb")
    finally:
        nasty.postgres.execute("RESET datestyle")


def test_the_pattern_of_days_knows_the_calendar() -> None:
    pattern = re.compile(DAY)

    def real(word: str) -> bool:
        try:
            return date.fromisoformat(word) is not None
        except ValueError:
            return False

    for year in (1, 4, 100, 400, 1000, 1900, 1999, 2000, 2023, 2024, 9996, 9999):
        for month in range(14):
            for day in range(33):
                word = f"{year:04}-{month:02}-{day:02}"
                assert (pattern.fullmatch(word) is not None) == real(word), word
    for year in range(10_000):
        leap = f"{year:04}-02-29"
        assert (pattern.fullmatch(leap) is not None) == real(leap), leap
        assert (pattern.fullmatch(f"{year:04}-03-01") is not None) == (year > 0)


@given(st.text(alphabet="0123456789+-. e_", max_size=40))
def test_what_the_patterns_take_fits_into_a_double_and_64_bits(text: str) -> None:
    if re.fullmatch(WHOLE, text):
        assert abs(int(text)) < 10**15
    if re.fullmatch(NUMBER, text):
        assert abs(float(text)) <= 1e15


def test_keys_that_are_numbers_stay_keys() -> None:
    assert rebuilt("CAST(colour AS INTEGER)").domain == (12, None)
    assert rebuilt("CAST(flag AS VARCHAR)").domain == ("false", "true", None)
    assert rebuilt("CAST(level AS VARCHAR)").domain == ("1", "2", "50")


@pytest.mark.parametrize(
    "sql",
    [
        "CAST(price AS VARCHAR)", "CAST(raw AS INT)", "CAST(day AS INT)", "CAST(age AS DATE)",
        "CAST(flag AS DATE)", "CAST(day AS BOOLEAN)", "CAST(age AS TIMESTAMP)", "CAST(name AS JSON)",
        "CAST(name AS INT[])", "CAST(far AS INT) + raw", "CAST(name AS DECIMAL(10, 2))",
        "CAST(name AS HUGEINT)", "CAST(name AS UUID)", "CAST(name AS BLOB)", "CAST(day AS DOUBLE)",
        "CAST(name AS my_type)", "CAST('2023-02-29' AS DATE)", "CAST(name AS INTERVAL)",
        "CAST(name AS TIME)",
    ],
)  # fmt: skip
def test_the_rest_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
