"""One draw of a mechanism by hand: numbers in, the same numbers as they may be told out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.core.part_syntax import spell
from shoal.core.sampling.integer_values import integers

_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")  # longer ones no program reads


@dataclass(frozen=True)
class Drawn(Shown):
    """What a mechanism lets out. Nothing in here depends on the numbers but through the noise."""

    mechanism: str
    released: Json
    error: float | None  # the expected size of the noise, where that is one number
    interval: float | None  # half the width in which the noise lies with 95 %

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal query mechanism --json` prints."""
        return {
            "mechanism": self.mechanism,
            "released": self.released,
            "error": number(self.error),
            "interval": number(self.interval),
        }

    def to_tables(self) -> Tables:
        """One line."""
        told = [f"{figure:g}" if figure is not None else "–" for figure in (self.error, self.interval)]
        return {
            "one draw": [
                ["mechanism", "released", "expected error", "95 % within ±"],
                [self.mechanism, _value_text(self.released), *told],
            ]
        }


def draw(mechanism: Any, values: str | float | Sequence[str | float], real: bool = False) -> Drawn:
    """Hand numbers to a mechanism once. Each call costs its ε anew, and no ledger notes it.

    Whether the noise is whole or real is told by `real`, not seen from the number: that would tell something.
    """
    made = catalog.part_of("mechanism", mechanism, "query")
    single = not isinstance(values, list | tuple) and "," not in str(values)
    given = values.split(",") if isinstance(values, str) else values
    several = list(given) if isinstance(given, Sequence) else [given]
    if real:
        if not made.takes_real or len(several) != 1:
            able = [name for name in catalog.names("mechanism") if catalog.find("mechanism", name).takes_real]
            many = "1 number" if len(several) == 1 else f"{len(several)} numbers"
            raise BadParameter(f"--real takes one number and {' or '.join(able)}, not {many} and {made.name}")
        released: Any = made.release_real(_number(several[0]))
    else:
        released = made.release(integers(np.array([_whole(value) for value in several], object)))
        if single and isinstance(released, np.ndarray):
            released = released[0]
    return Drawn(spell(made), _plain(released), made.error, made.interval())


def _whole(value: object) -> int:
    text = str(value).strip()
    if not _WHOLE.fullmatch(text):
        raise BadParameter(f"'{text}' is not a whole number; round it, or give --real for one real number")
    return int(text)


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise BadParameter(f"'{value}' is not a number; give one such as 14.5") from None


def _plain(value: Any) -> Json:
    """What was released as JSON carries it."""
    if isinstance(value, np.ndarray | np.generic):
        told: Json = value.tolist()
        return told
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    assert isinstance(value, bool | int | float | str | None)
    return value


def _value_text(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(_value_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
