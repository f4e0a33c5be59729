"""A furnished service for the tests that need one, shared by those of one file."""

from collections.abc import Iterator

import pytest

from queries.service.houses import Address, House, furnish, served


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = furnish(tmp_path_factory.mktemp("house"))
    yield made
    made.service.close()


@pytest.fixture(scope="module")
def at(house: House) -> Iterator[Address]:
    with served(house.service) as address:
        yield address
