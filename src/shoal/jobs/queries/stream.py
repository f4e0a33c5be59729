"""A stream of elements, one per line, told about while it goes on or when it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell
from shoal.queries.stream_mechanism import StreamMechanism


def stream_query(mechanism: Any, lines: Iterable[str]) -> Iterator[float]:
    """The answers of a stream mechanism to lines with a whole number each, as they come.

    A line that is no whole number counts as an element that says nothing: an error would tell of it.
    """
    made = catalog.part_of("mechanism", mechanism, "query")
    if not isinstance(made, StreamMechanism):
        able = [
            name
            for name in catalog.names("mechanism")
            if issubclass(catalog.find("mechanism", name), StreamMechanism)
        ]
        raise BadParameter(f"{spell(made)} does not follow streams; there is {', '.join(able)}")
    return made.follow(map(_element, lines))


def _element(line: str) -> int:
    try:
        return int(line)
    except ValueError:
        return -1
