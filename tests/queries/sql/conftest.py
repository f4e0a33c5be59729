"""Both engines with one table of nasty values, for tests of row expressions."""

from collections.abc import Iterator

import pytest

from queries.sql.rows_scene import Engines, engines


@pytest.fixture(scope="package")
def nasty(postgres: str) -> Iterator[Engines]:
    """DuckDB and PostgreSQL, filled alike."""
    with engines(postgres) as both:
        yield both
