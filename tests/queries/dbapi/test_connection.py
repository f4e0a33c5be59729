"""DB-API 2.0 against a real server."""

import polars as pl
import pytest

from queries.service.houses import COUNT, Address, House
from shoal.queries import dbapi
from shoal.queries.dbapi.address import address_of
from shoal.queries.dbapi.connection import TOKEN

BY_WARD = "SELECT ward, COUNT(*) AS n, AVG(age) AS years FROM visits GROUP BY ward ORDER BY ward"


@pytest.fixture
def connection(house: House, at: Address) -> dbapi.Connection:
    return dbapi.connect(f"shoal://127.0.0.1:{at.port}/clinic?epsilon=0.01", house.ada)


def test_rows_are_fetched_one_by_one_or_together(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    assert cursor.description is None and cursor.rowcount == -1
    cursor.execute(BY_WARD)
    assert cursor.rowcount == 4
    told = cursor.description
    assert told is not None and [column[:2] for column in told] == [
        ("ward", "VARCHAR"),
        ("n", "BIGINT"),
        ("years", "DOUBLE"),
    ]
    assert [column[1] == dbapi.NUMBER for column in told] == [False, True, True]
    first = cursor.fetchone()
    assert first is not None and first[0] == "heart"
    assert [row[0] for row in cursor.fetchmany(2)] == ["lung", "skin"]
    assert [row[0] for row in cursor.fetchall()] == [None] and cursor.fetchone() is None
    assert cursor.answer is not None and cursor.answer.spent["epsilon"] == 0.01
    assert [row[0] for row in connection.execute(BY_WARD)] == ["heart", "lung", "skin", None]


def test_a_question_costs_what_it_says_or_what_the_connection_says(connection: dbapi.Connection) -> None:
    def cost(**price: str) -> float:
        answer = connection.execute("SELECT COUNT(*) FROM visits WHERE age > 3", [], **price).answer
        assert answer is not None
        return answer.spent["epsilon"]

    assert cost() == 0.01 and cost(epsilon="0.02") == 0.02
    connection.epsilon = None
    with pytest.raises(dbapi.ProgrammingError, match="epsilon"):
        connection.execute(COUNT)


def test_parameters_stand_for_question_marks(connection: dbapi.Connection) -> None:
    cursor = connection.execute(
        "SELECT COUNT(*) AS n FROM visits WHERE ward = ? AND age > ? -- why?", ["lung", 40], epsilon=1
    )
    assert cursor.answer is not None and "'lung'" in cursor.answer.query and "40" in cursor.answer.query
    with pytest.raises(dbapi.DataError, match="question mark"):
        connection.execute("SELECT COUNT(*) FROM visits WHERE ward = ?", [])


def test_errors_have_the_classes_of_the_standard(house: House, at: Address) -> None:
    bob = dbapi.connect(f"shoal://127.0.0.1:{at.port}/clinic", house.bob)
    with pytest.raises(dbapi.BudgetSpent, match="left"):
        bob.execute(COUNT, epsilon=5)
    with pytest.raises(dbapi.NotSupportedError):
        bob.execute("DROP TABLE visits", epsilon=0.1)
    with pytest.raises(dbapi.NotSupportedError, match="one by one"):
        bob.cursor().executemany(COUNT, [[], []])
    with pytest.raises(dbapi.ProgrammingError, match="epsilon"):
        bob.execute(COUNT, epsilon="much")
    with pytest.raises(dbapi.OperationalError, match="token"):
        dbapi.connect(f"shoal://127.0.0.1:{at.port}/clinic", "wrong").execute(COUNT, epsilon=1)
    with pytest.raises(dbapi.OperationalError, match="is the service running"):
        dbapi.connect("shoal://127.0.0.1:1/clinic", "some").execute(COUNT, epsilon=1)


def test_what_is_closed_asks_nothing(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    cursor.close()
    with pytest.raises(dbapi.InterfaceError):
        cursor.execute(COUNT)
    with connection:
        with pytest.raises(dbapi.InterfaceError):
            connection.cursor().fetchone()
        connection.commit()
        connection.rollback()
    with pytest.raises(dbapi.InterfaceError):
        connection.cursor()


def test_the_token_comes_from_the_address_or_the_environment_and_is_shown_nowhere(
    house: House, at: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN, raising=False)
    url = f"shoal://127.0.0.1:{at.port}/clinic?epsilon=0.01"
    with pytest.raises(dbapi.ProgrammingError, match="SHOAL_TOKEN"):
        dbapi.connect(url)
    within = url.replace("127", f"{house.ada}@127")
    assert dbapi.connect(within).execute(COUNT).rowcount == 1
    assert dbapi.connect(url.replace("127", f"ada:{house.ada}@127")).execute(COUNT).rowcount == 1
    monkeypatch.setenv(TOKEN, house.ada)
    connection = dbapi.connect(url)
    assert connection.execute(COUNT).rowcount == 1
    for shown in (repr(connection), repr(connection.client), repr(address_of(within))):
        assert house.ada not in shown
    for wrong in ("&what=1", "&tls=perhaps", "&timeout=never", "&epsilon"):
        with pytest.raises(dbapi.ProgrammingError) as error:
            dbapi.connect(within + wrong)
        assert house.ada not in str(error.value)


def test_a_token_goes_over_plain_http_only_if_somebody_insists() -> None:
    with pytest.raises(dbapi.ProgrammingError, match="readable"):
        dbapi.connect("shoal://data.example.org/d?tls=false", "secret")
    assert dbapi.connect("shoal://data.example.org/d?tls=false&insecure=true", "secret").dataset == "d"


def test_polars_reads_from_a_connection(connection: dbapi.Connection) -> None:
    frame = pl.read_database(BY_WARD, connection)
    assert frame.columns == ["ward", "n", "years"] and frame.height == 4
    assert frame.schema["n"] == pl.Int64 and frame.schema["years"] == pl.Float64


@pytest.mark.parametrize(
    ("sql", "name", "value"),
    [("SELECT 1", "1", 1), ("select -7 AS x;", "x", -7), ("SELECT 'a b' AS \"c d\"", "c d", "a b")],
)
def test_what_asks_whether_somebody_is_there_costs_nothing(
    connection: dbapi.Connection, sql: str, name: str, value: object
) -> None:
    cursor = connection.execute(sql)
    assert cursor.fetchall() == [(value,)]
    assert cursor.description is not None and cursor.description[0][0] == name
    assert cursor.answer is not None and not cursor.answer.spent
    assert connection.execute("SELECT ?", [5]).fetchone() == (5,)
