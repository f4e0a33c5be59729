"""How results look in a notebook, and how they become frames of other libraries."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.core.extras import require

if TYPE_CHECKING:
    import polars as pl

    from shoal.core.outcome import Rows, Tables

MOST_ROWS = 25  # of each table; a notebook is saved with all that it shows


class Shown:
    """A result that a notebook shows as tables: those of the command line."""

    if TYPE_CHECKING:

        def to_tables(self) -> Tables:
            """The result as text tables by title."""

    def _repr_html_(self) -> str:
        return as_html(self.to_tables())


def as_html(tables: Tables) -> str:
    """Text tables as a notebook shows them."""
    return "\n".join(_table(title, rows) for title, rows in tables.items())


def _table(title: str, rows: Rows) -> str:
    """One table; every text is escaped, as column names and values are anybody's."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows[1 : MOST_ROWS + 1]]
    more = len(rows) - 1 - len(body)
    if more:
        body.append(f'<td colspan="{len(rows[0])}">… and {more:,} more</td>')
    lines = "".join(f"<tr>{row}</tr>" for row in body)
    return (
        f"<table><caption><b>{escape(title)}</b></caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    )


class Framed:
    """A result with rows that other libraries can have."""

    if TYPE_CHECKING:

        def to_polars(self) -> pl.DataFrame:
            """The rows as a Polars frame."""

    def to_arrow(self) -> Any:
        """The rows as a PyArrow table."""
        require("arrow", "to_arrow()", "take to_polars()")
        return self.to_polars().to_arrow()

    def to_pandas(self) -> Any:
        """The rows as a pandas frame."""
        try:
            import_module("pandas")
        except ModuleNotFoundError:
            raise BadParameter(
                "pandas is not installed; pip install pandas, or take to_polars() or to_arrow()"
            ) from None
        require("arrow", "to_pandas()", "take to_polars()")
        return self.to_polars().to_pandas()
