"""People to attack, and those who answer about them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.attacker_reasoning.secret import Secret
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.endpoints.endpoint import Alternative, Endpoint
from shoal.queries.endpoints.function import FunctionEndpoint
from shoal.queries.endpoints.people import People

TABLE = Table(
    "patients",
    (
        Column("id"),
        Column("sex"),
        Column("town"),
        Column("age", "integer", 0, 120),
        Column("ill"),
        Column("income", "number", 0, 1000),
    ),
    "id",
)


def people(number: int = 60, seed: int = 1) -> People:
    """Made-up patients, a third of whom have flu."""
    chance = np.random.default_rng(seed)
    return People.of(
        TABLE,
        pl.DataFrame(
            {
                "id": [f"P{place:03}" for place in range(number)],
                "sex": chance.choice(["F", "M"], number),
                "town": chance.choice(["Ulm", "Bonn", "Kiel"], number),
                "age": chance.integers(18, 90, number),
                "ill": chance.choice(["flu", "cold", "gout"], number),
                "income": chance.integers(0, 1000, number).astype(float),
            }
        ),
    )


def scene(
    answers: Alternative | Endpoint | Callable[[str], Any],
    some: People | None = None,
    secret: str | None = "ill=flu",
    epsilon: Fraction | None = None,
    **more: Any,
) -> Scene:
    """Somebody who answers about people, and an attacker with a seed."""
    some = some or people()
    given: dict[str, Any] = {"known": ("sex", "town", "age"), "seed": 1, **more}
    if isinstance(answers, Alternative):
        way = answers
        given = {"reopen": lambda others: Conversation(way.open(others)), "loss": way.loss, **given}
        answers = way.open(some)
    elif not isinstance(answers, Endpoint):
        answers = FunctionEndpoint(answers, "patients")
    about = None if secret is None else Secret.of(secret, some)
    return Scene(Conversation(answers, epsilon), some, secret=about, **given)
