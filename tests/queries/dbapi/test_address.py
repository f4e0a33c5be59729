"""Addresses of services."""

import pytest

from shoal.queries.dbapi.address import address_of
from shoal.queries.dbapi.errors import ProgrammingError


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        ("shoal://localhost/d", "http://localhost:8765"),
        ("shoal://[::1]/d", "http://[::1]:8765"),
        ("shoal://data.example.org/d", "https://data.example.org"),
        ("shoal://data.example.org:99/d", "https://data.example.org:99"),
        ("shoal://data.example.org/d?tls=false", "http://data.example.org:8765"),
        ("shoal://localhost:99/d?tls=true", "https://localhost:99"),
    ],
)
def test_an_address_means_tls_beyond_this_machine(url: str, meant: str) -> None:
    assert address_of(url).url == meant


@pytest.mark.parametrize("url", ["", "http://localhost", "shoal://", "shoal://a:port/d", "shoal:d", "[["])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ProgrammingError):
        address_of(url)
