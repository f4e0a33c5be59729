"""What a result needs in this process and must not carry: it is found by a seal that says nothing itself.

A result is printed, pickled, copied and shown in notebooks, and all that is in it goes along. Whatever tells
of people beyond the result stays here, for as long as somebody holds the seal, and in this process alone.
"""

from __future__ import annotations

from typing import Any, TypeVar
from weakref import WeakKeyDictionary

Kind = TypeVar("Kind")


class Seal:
    """Ties a result, and results made from it, to what is kept apart; pickled, it is tied to nothing."""

    __slots__ = ("__weakref__",)

    def __repr__(self) -> str:
        return "Seal()"

    def __copy__(self) -> Seal:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Seal:
        return self

    def __reduce__(self) -> tuple[type[Seal], tuple[()]]:
        return Seal, ()


_APART: WeakKeyDictionary[Seal, object] = WeakKeyDictionary()


def keep_apart(what: object) -> Seal:
    """A new seal for what is kept apart."""
    seal = Seal()
    _APART[seal] = what
    return seal


def find_kept(seal: Seal, kind: type[Kind]) -> Kind | None:
    """What is kept apart under a seal; None when nothing is, or not any more."""
    found = _APART.get(seal)
    return found if isinstance(found, kind) else None
