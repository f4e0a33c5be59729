"""An answer as an Arrow stream, made, read and sent by a real server."""

import json

import pyarrow as arrow
import pytest

from queries.service.houses import Address, House
from shoal.core.errors import BadInput
from shoal.queries.answer_arrow import ARROW, answer_of, arrow_of, wants_arrow
from shoal.queries.results import Answer

BY_WARD = "SELECT ward, COUNT(*) AS n, AVG(age) AS years FROM visits GROUP BY ward"


def test_a_stream_holds_the_whole_answer() -> None:
    answer = Answer(
        columns=("ward", "n", "share", "many", "empty"),
        rows=(("heart", 3, 0.5, True, None), (None, -1, None, False, None)),
        error={"ward": None, "n": 1.5, "share": None, "many": None, "empty": None},
        interval=((None, (1.0, 5.0), None, None, None),) * 2,
        spent={"epsilon": 0.1},
        remaining={"epsilon": 0.9},
        notes=("a note",),
        query="SELECT …",
        id=7,
    )
    assert answer_of(arrow_of(answer)) == answer


def test_whole_numbers_beyond_64_bits_are_told_as_doubles() -> None:
    """An outer query makes them; a service answered 500 when all was paid."""
    answer = Answer(("n",), ((5 * 10**19,), (None,), (-1,)), {"n": None}, ((None,),) * 3, {}, {})
    assert answer_of(arrow_of(answer)).rows == ((5e19,), (None,), (-1.0,))


def test_no_rows_are_an_answer_too() -> None:
    answer = Answer(("n",), (), {"n": 1.0}, (), {"epsilon": 1.0}, {"epsilon": 0.0})
    assert answer_of(arrow_of(answer)) == answer


@pytest.mark.parametrize("stream", [b"", b"no stream", b"\xff\xff\xff\xff\x00\x00\x00\x00"])
def test_what_is_no_answer_is_refused(stream: bytes) -> None:
    with pytest.raises(BadInput):
        answer_of(stream)


def test_a_stream_of_somebody_else_is_refused() -> None:
    sink = arrow.BufferOutputStream()
    table = arrow.table({"n": [1]})
    with arrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    with pytest.raises(BadInput):
        answer_of(bytes(sink.getvalue()))


def test_whoever_accepts_anything_gets_json() -> None:
    assert (
        wants_arrow([ARROW]) and wants_arrow([f"text/html, {ARROW};q=0.5"]) and wants_arrow([ARROW.upper()])
    )
    assert not wants_arrow(["*/*"]) and not wants_arrow([]) and not wants_arrow([f"{ARROW};q=0"])


def test_the_service_sends_a_stream_to_whoever_accepts_one(house: House, at: Address) -> None:
    asked = {"dataset": "clinic", "sql": BY_WARD, "epsilon": 0.5}
    got = at.call("POST", "/query", house.ada, asked, headers={"Accept": ARROW})
    assert (got.status, got.headers["content-type"]) == (200, ARROW)
    table = arrow.ipc.open_stream(got.body).read_all()
    assert table.column_names == ["ward", "n", "years"] and table.num_rows == 4
    assert [str(field.type) for field in table.schema] == ["large_string", "int64", "double"]
    # The same question again is told again, in either form.
    again = at.call("POST", "/query", house.ada, asked).json
    assert again["archived"] and again["rows"] == [list(row) for row in answer_of(got.body).rows]
    about = json.loads(table.schema.metadata[b"shoal"])
    assert about["interval"] == again["interval"] and about["spent"]["epsilon"] == 0.5


def test_a_refusal_is_json_whatever_is_accepted(house: House, at: Address) -> None:
    asked = {"dataset": "clinic", "sql": "SELECT age FROM visits", "epsilon": 0.5}
    got = at.call("POST", "/query", house.ada, asked, headers={"Accept": ARROW})
    assert got.status == 400 and got.json["error"] == "not-allowed"
