"""Whether a call from Python is about somebody who answers questions: by the attack that it names."""

from __future__ import annotations

from typing import Any

from shoal.catalog import Part, known


def about_query(attack: Any) -> bool:
    """Whether an attack, by its spelling or as an object, is one on questions."""
    cls = known("attack", attack) if isinstance(attack, str) else type(attack)
    return cls is not None and Part("attack", "", cls).noun == "query"
