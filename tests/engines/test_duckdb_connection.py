"""DuckDB behind a locked door."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.duckdb_connection import Duck

secret = pl.DataFrame({"a": [1]})  # a Python variable that a careless engine would let one select from

OUTSIDE = [
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM read_parquet('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM sniff_csv('{file}')",
    "SELECT * FROM read_duckdb('{file}')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM 'https://example.org/x.csv'",
    "SELECT getenv('HOME')",
    "SELECT * FROM secret",
    "SELECT * FROM local",
]
STATEMENTS = [
    "ATTACH '{file}' AS other",
    "COPY (SELECT 1) TO '{file}.out'",
    "COPY mine TO '{file}.out'",
    "COPY mine FROM '{file}'",
    "EXPORT DATABASE '{file}.out'",
    "IMPORT DATABASE '{folder}'",
    "INSTALL httpfs",
    "INSTALL httpfs FROM community",
    "LOAD httpfs",
    "LOAD '{file}'",
    "CREATE SECRET s (TYPE s3)",
    "SET threads = 1",
    "SET enable_external_access = true",
    "SET GLOBAL lock_configuration = false",
    "SET python_enable_replacements = true",
    "SET autoload_known_extensions = true",
    "SET temp_directory = '{folder}'",
    "RESET enable_external_access",
    "PRAGMA enable_profiling",
    "PRAGMA profiling_output = '{file}.out'",
    "PRAGMA threads = 1",
    "CALL enable_logging()",
]
READS_NEVER = [
    "ATTACH ':memory:' AS other",
    "LOAD json",
    "PRAGMA database_list",
    "PRAGMA version",
    "CALL pragma_version()",
    "CHECKPOINT",
    "SET schema = 'main'",
    "SET VARIABLE x = 1",
    "USE memory",
    "EXPLAIN SELECT 1",
    "CREATE TABLE other (i INT)",
    "INSERT INTO mine VALUES (2)",
    "DELETE FROM mine",
    "DROP TABLE mine",
    "BEGIN",
    "COMMIT",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE mine",
    "",
]


@pytest.fixture(params=["memory", "file"])
def duck(request: pytest.FixtureRequest, tmp_path: Path) -> Duck:
    duck = Duck(None if request.param == "memory" else tmp_path / "rows.duckdb")
    with duck.write() as writer:
        writer.run("CREATE TABLE mine AS SELECT 1 AS i")
    return duck


@pytest.mark.parametrize("sql", OUTSIDE + STATEMENTS)
def test_nothing_outside_is_reached_by_either_door(duck: Duck, tmp_path: Path, sql: str) -> None:
    local = secret
    file = tmp_path / "people.csv"
    file.write_text("name\nAnn\n")
    text = sql.format(file=file, folder=tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(duckdb.Error), duck.write() as writer:
        writer.run(text)
    with pytest.raises((duckdb.Error, BadParameter)):
        duck.read([text])
    assert sorted(tmp_path.iterdir()) == before
    assert local.height == 1


@pytest.mark.parametrize("sql", READS_NEVER)
def test_reading_takes_a_single_select(duck: Duck, sql: str) -> None:
    with pytest.raises(BadParameter, match="only a single SELECT"):
        duck.read([sql])
    assert duck.read(["SELECT * FROM mine"])[0].rows() == [(1,)]


def test_reading_cannot_write_by_a_function(duck: Duck) -> None:
    with duck.write() as writer:
        writer.run("CREATE SEQUENCE numbers")
    with pytest.raises(duckdb.Error):
        duck.read(["SELECT nextval('numbers')"])
    with pytest.raises(duckdb.Error):
        duck.rows(duck.prepare("SELECT nextval('numbers') AS number"))


def test_one_row_of_whole_numbers_is_what_reading_gives(duck: Duck) -> None:
    select = "SELECT COUNT(*) AS x0, CAST(NULL AS BIGINT) AS x1 FROM mine"
    assert duck.rows(duck.prepare(select)) == duck.read([select])[0].rows()
    with pytest.raises(BadParameter, match="single SELECT"):
        duck.prepare("DELETE FROM mine")
    asked = duck.prepare("SELECT COUNT(*) AS x0 FROM mine WHERE 1 < CAST($1 AS BIGINT)")
    assert duck.rows(asked, None, [(1,)]) == [(0,)]
    assert duck.rows(asked, None, [(2,)]) == duck.rows(duck.prepare("SELECT COUNT(*) AS x0 FROM mine"))


@pytest.mark.parametrize("times", [2, 3, 8, 11])
def test_several_sets_of_parameters_each_get_their_own_row(duck: Duck, times: int) -> None:
    with duck.write() as writer:
        writer.run("CREATE TABLE numbers AS SELECT range AS n FROM range(1000)")
    asked = duck.prepare(
        "SELECT COUNT(*) AS x0, SUM(n) AS x1 FROM numbers"
        " WHERE n >= CAST($1 AS BIGINT) AND n < CAST($2 AS BIGINT)"
    )
    given = [(37 * place, 41 * place + place % 2 + 5) for place in range(times)][::-1]
    assert duck.rows(asked, None, given) == [duck.rows(asked, None, [one])[0] for one in given]
    with pytest.raises(BadParameter, match="one row"):
        duck.rows(
            duck.prepare("SELECT n AS x0 FROM numbers WHERE n > CAST($1 AS BIGINT)"), None, [(5,), (6,)]
        )
    with pytest.raises(BadParameter, match="each parameter once"):
        duck.rows(duck.prepare('SELECT COUNT(*) AS "a$1" FROM numbers WHERE n > $1'), None, [(5,), (6,)])


def test_a_change_that_fails_is_undone(duck: Duck) -> None:
    with pytest.raises(ZeroDivisionError), duck.write() as writer:
        writer.run("INSERT INTO mine VALUES (2)")
        raise ZeroDivisionError
    with pytest.raises(duckdb.Error), duck.write() as writer:
        writer.run("INSERT INTO mine VALUES (3)")
        writer.run("SELECT nonsense")
    assert duck.read(["SELECT * FROM mine"])[0].rows() == [(1,)]


def test_frames_are_lent_for_one_change_only(duck: Duck) -> None:
    with duck.write() as writer:
        writer.lend("given", pl.DataFrame({"i": [2, 3]}))
        writer.run("INSERT INTO mine SELECT i FROM given")
    assert duck.read(["SELECT SUM(i)::BIGINT AS s FROM mine"])[0].item() == 6
    for _ in range(3):
        with pytest.raises(duckdb.Error), duck.write() as writer:
            writer.run("SELECT * FROM given")


def test_several_selects_see_one_state(duck: Duck) -> None:
    first, second = duck.read(["SELECT i FROM mine", "SELECT COUNT(*) AS n FROM mine"])
    assert (first.rows(), second.rows()) == ([(1,)], [(1,)])


def test_sixteen_threads_read_at_the_same_time(duck: Duck) -> None:
    with duck.write() as writer:
        writer.run("INSERT INTO mine SELECT range FROM range(10000)")
    with ThreadPoolExecutor(16) as pool:
        answers = pool.map(
            lambda n: duck.read([f"SELECT COUNT(*) AS n FROM mine WHERE i < {n}"])[0].item(), range(2, 402)
        )
        assert list(answers) == [n + 1 for n in range(2, 402)]


def test_what_does_not_fit_into_memory_goes_beside_the_file_and_nowhere_else(tmp_path: Path) -> None:
    numbered = "SELECT ROW_NUMBER() OVER (ORDER BY HASH(range)) AS r FROM range(4000000)"
    sort = f"SELECT SUM(r)::BIGINT AS s FROM ({numbered})"
    small = Duck(tmp_path / "rows.duckdb", memory="60MB", threads=1)
    assert small.read([sort])[0].item() == 4000000 * 4000001 // 2
    small.close()
    assert {path.name for path in tmp_path.iterdir()} <= {"rows.duckdb", "rows.duckdb.tmp"}
    with pytest.raises(duckdb.Error):
        Duck(memory="60MB", threads=1).read([sort])


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.duckdb"
    path.write_text("name,age\nAnn,7\n" * 1000)
    with pytest.raises(BadTable, match=r"cannot open .* as a database"):
        Duck(path)
    with pytest.raises(BadParameter, match="memory=much"):
        Duck(memory="much")


def test_a_closed_database_answers_no_more(duck: Duck) -> None:
    duck.close()
    with pytest.raises(duckdb.Error):
        duck.read(["SELECT 1"])
