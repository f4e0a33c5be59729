"""A furnished service for each test, because each of them tries to break it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from queries.service.houses import House, furnish


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()
