"""An answer as an Arrow stream: the rows as columns, all else as JSON in the metadata of the schema."""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl
import polars.selectors as cs

from shoal.core.errors import BadInput
from shoal.core.extras import require
from shoal.queries.results import Answer

ARROW = "application/vnd.apache.arrow.stream"
_ABOUT = b"shoal"


def wants_arrow(accepted: Sequence[str]) -> bool:
    """Whether the values of Accept name the stream, and not only whatever there is."""
    for line in accepted:
        for part in line.split(","):
            kind, *words = (word.strip().lower() for word in part.split(";"))
            if kind == ARROW and not {"q=0", "q=0.0", "q=0.00", "q=0.000"} & set(words):
                return True
    return False


def arrow_of(answer: Answer) -> bytes:
    """The stream of an answer."""
    require("arrow", "an answer as Arrow", "ask for JSON")
    import pyarrow as arrow

    about = answer.to_json()
    del about["rows"]
    # Arrow has no whole numbers beyond 64 bits, and an error would come after the answer was paid for.
    frame = answer.to_polars().with_columns(cs.by_dtype(pl.Int128).cast(pl.Float64))
    # Texts as every reader of Arrow knows them, and not as views.
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    table = table.replace_schema_metadata({_ABOUT: json.dumps(about).encode()})
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def answer_of(stream: bytes) -> Answer:
    """The answer in a stream."""
    require("arrow", "an answer as Arrow", "ask for JSON")
    import pyarrow as arrow

    try:
        table = arrow.ipc.open_stream(stream).read_all()
        about = json.loads(table.schema.metadata[_ABOUT])
    except (arrow.ArrowInvalid, TypeError, KeyError, ValueError):
        raise BadInput("that is no answer of a Shoal service; ask again") from None
    columns = [column.to_pylist() for column in table.columns]
    return Answer.from_json({**about, "rows": list(zip(*columns, strict=True))})
