"""From one kind to another without raising: what does not fit becomes missing."""

from __future__ import annotations

import re

from sqlglot import exp

from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.arithmetic import calculable, check_bounds, interval
from shoal.queries.sql.date_values import TEMPORAL, as_date, as_moment, literal_date, literal_moment
from shoal.queries.sql.fixed_point import double
from shoal.queries.sql.text_functions import cut
from shoal.queries.sql.value_properties import (
    LARGEST,
    Cell,
    Walk,
    as_double,
    boolean,
    call,
    constant,
    image,
    in_parentheses,
    integer,
    nearest_whole,
    null_of,
    number,
    refuse,
    text,
)

_Type = exp.DataType.Type
_KINDS: dict[object, Kind] = {
    _Type.TINYINT: "integer",
    _Type.SMALLINT: "integer",
    _Type.INT: "integer",
    _Type.BIGINT: "integer",
    _Type.FLOAT: "number",
    _Type.DOUBLE: "number",
    _Type.TEXT: "text",
    _Type.VARCHAR: "text",
    _Type.BOOLEAN: "boolean",
    _Type.DATE: "date",
    _Type.TIMESTAMP: "timestamp",
    _Type.TIMESTAMPNTZ: "timestamp",
    _Type.DATETIME: "timestamp",
}
_WINDOW = 64  # characters looked at: a longer text than this matches no pattern below

# The same patterns for Python, RE2 and PostgreSQL. Fifteen digits fit into a double and into 64 bits.
WHOLE = "[+-]?[0-9]{1,15}"
NUMBER = r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?"
_YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_LEAP = (
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])"
    "|(?:0[48]|[2468][048]|[13579][26])00)"
)  # fmt: skip
DAY = (
    f"(?:{_YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|{_LEAP}-02-29)"
)
MOMENT = f"{DAY}(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{{1,6}})?)?)?"
TRUTHS: dict[str, bool] = {"true": True, "t": True, "1": True, "yes": True, "y": True}
TRUTHS |= {"false": False, "f": False, "0": False, "no": False, "n": False}


def cast(node: exp.Expression, walk: Walk) -> Cell:
    """CAST, TRY_CAST and ::, all the same; and DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00'."""
    only(node, "this", "to", "safe")
    target = node.args.get("to")
    if not isinstance(target, exp.DataType):
        refuse(node, "cast to BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP")
    only(target, "this", "nested")
    kind = _KINDS.get(target.this)
    if kind is None:
        refuse(node, "cast to BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP")
    cell = walk.cell(node.this)
    if cell.blank:
        return null_of(kind)
    if kind == "integer":
        return _to_integer(cell, node, walk)
    if kind == "number":
        return _to_number(cell, node, walk)
    if kind == "text":
        return _to_text(cell, node, walk)
    if kind == "boolean":
        return _to_boolean(cell, node)
    return _to_date(cell, node, walk) if kind == "date" else _to_moment(cell, node, walk)


def _to_integer(cell: Cell, node: exp.Expression, walk: Walk) -> Cell:
    if cell.kind == "integer":
        return _same(cell)
    if cell.kind == "number":
        cell = calculable(cell, node.this)
        low, high = check_bounds(*interval(cell), node)
        # Rounded to the nearest, a half to the even one, as Python does.
        nearest = exp.cast(nearest_whole(as_double(cell), walk.dialect), _Type.BIGINT)
        ends = float(round(low)), float(round(high))
        return integer(*ends, cell.missing, sql=nearest, domain=image(round, cell))
    if cell.kind == "boolean":
        bit = exp.cast(exp.cast(cell.sql.copy(), _Type.INT), _Type.BIGINT)
        return integer(0.0, 1.0, cell.missing, sql=bit, domain=image(int, cell))
    if cell.kind != "text":
        refuse(node, "a date is no number; take EXTRACT(YEAR FROM x) or a difference of dates")
    sql = _read(cell, WHOLE, _Type.BIGINT, walk)
    return integer(1.0 - LARGEST, LARGEST - 1.0, True, sql=sql, domain=_read_keys(cell, WHOLE, int))


def _to_number(cell: Cell, node: exp.Expression, walk: Walk) -> Cell:
    if cell.kind == "number":
        return _same(cell)
    if cell.kind == "text":
        sql = _read(cell, NUMBER, _Type.DOUBLE, walk)
        # Fifteen digits after the point: nothing but nought is below 2**-50.
        return number(sql, -LARGEST, LARGEST, True, -103, _read_keys(cell, NUMBER, float))
    if cell.kind == "integer":
        if not cell.bounded:
            return Cell(as_double(cell), "number", cell.low, cell.high, missing=cell.missing, step=0)
        domain = image(float, calculable(cell, node.this))
        return number(as_double(cell), cell.low or 0.0, cell.high or 0.0, cell.missing, 0, domain)
    whole = _to_integer(cell, node, walk)
    return number(as_double(whole), 0.0, 1.0, whole.missing, 0, image(float, whole))


def _to_text(cell: Cell, node: exp.Expression, walk: Walk) -> Cell:
    if cell.kind == "text":
        return _same(cell)
    if cell.kind == "number":
        refuse(node, "engines write broken numbers differently; CAST it to BIGINT first, or ROUND it")
    if cell.kind == "date":
        sql: exp.Expression = exp.cast(cell.sql.copy(), _Type.TEXT)
        if walk.dialect == "postgres":  # whose CAST follows a setting of the server
            sql = call("TO_CHAR", cell.sql.copy(), exp.Literal.string("YYYY-MM-DD"))
        return text(sql, cell.missing, 10, cell.domain)
    if cell.kind == "timestamp":  # to the second: engines write fractions differently
        moment = cell.sql.copy()
        if walk.dialect == "postgres":
            sql = call("TO_CHAR", moment, exp.Literal.string("YYYY-MM-DD HH24:MI:SS"))
        elif walk.dialect == "spark":
            sql = call("DATE_FORMAT", moment, exp.Literal.string("yyyy-MM-dd HH:mm:ss"))
        else:
            sql = call("STRFTIME", moment, exp.Literal.string("%Y-%m-%d %H:%M:%S"))
        return text(sql, cell.missing, 19, image(lambda value: value[:19], cell))
    shown = image(lambda value: str(value).lower(), cell)
    return text(exp.cast(cell.sql.copy(), _Type.TEXT), cell.missing, 20, shown)


def _to_boolean(cell: Cell, node: exp.Expression) -> Cell:
    if cell.kind == "boolean":
        return _same(cell)
    if cell.numeric:
        return boolean(exp.NEQ(this=in_parentheses(as_double(cell)), expression=double(0.0)), cell.missing)
    if cell.kind in TEMPORAL:
        refuse(node, "a date is neither true nor false; compare it")
    space = exp.Literal.string(" ")
    trimmed = call("RTRIM", call("LTRIM", cut(cell, _WINDOW).sql.copy(), space), space.copy())
    ifs = [
        exp.If(this=exp.Literal.string(word), true=exp.Boolean(this=value)) for word, value in TRUTHS.items()
    ]
    return boolean(exp.Case(this=call("LOWER", trimmed), ifs=ifs), missing=True)


def _to_date(cell: Cell, node: exp.Expression, walk: Walk) -> Cell:
    if cell.kind in TEMPORAL:
        return _same(as_date(cell))
    if cell.kind != "text":
        refuse(node, "only a text such as '2024-01-31' becomes a date")
    written = constant(cell)
    if isinstance(written, str):
        return literal_date(written, node)
    return Cell(_read(cell, DAY, _Type.DATE, walk), "date")


def _to_moment(cell: Cell, node: exp.Expression, walk: Walk) -> Cell:
    if cell.kind in TEMPORAL:
        return _same(as_moment(cell))
    if cell.kind != "text":
        refuse(node, "only a text such as '2024-01-31 10:00:00' becomes a timestamp")
    written = constant(cell)
    if isinstance(written, str):
        return literal_moment(written, node)
    return Cell(_read(cell, MOMENT, _Type.TIMESTAMP, walk), "timestamp")


def _same(cell: Cell) -> Cell:
    """The same value, and no longer a column."""
    domain, bounds = cell.domain, (cell.low, cell.high)
    return Cell(
        cell.sql,
        cell.kind,
        *bounds,
        domain,
        missing=cell.missing,
        step=cell.step,
        length=cell.length,
        real=cell.real,
    )


def _read(cell: Cell, pattern: str, to: exp.DType, walk: Walk) -> exp.Expression:
    """What matches in a text, cast; null where nothing does. The text is named once: trees stay small."""
    window = cut(cell, _WINDOW).sql.copy()
    # Java's $ also stands before a line feed at the end.
    found = exp.Literal.string(f"^ *({pattern}) *" + (r"\z" if walk.dialect == "spark" else "$"))
    if walk.dialect == "postgres":
        return exp.cast(call("SUBSTRING", window, found), to)
    read = call("REGEXP_EXTRACT", window, found, exp.Literal.number(1))
    return exp.TryCast(this=read, to=exp.DataType.build(to), safe=True)


def _read_keys(cell: Cell, pattern: str, make: type[int] | type[float]) -> tuple[Value, ...] | None:
    def value(word: str) -> Value:
        found = re.fullmatch(f" *({pattern}) *", word[:_WINDOW])
        return make(found[1]) if found else None

    return image(value, cell)
