"""A furnished service for each test, because each of them tries to break it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from queries.service.houses import House, furnish


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All play attacks with real services and engines: for CI, and for whoever changes those."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = furnish(tmp_path / "house")
    yield made
    made.service.close()
