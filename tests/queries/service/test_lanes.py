"""Threads for each kind of work."""

import asyncio
from fractions import Fraction

from shoal.queries.service.lanes import Lane, lanes


def test_one_person_leaves_half_of_the_workers_to_others() -> None:
    made = lanes(workers=5, waiting=8)
    assert set(made.named) == {"questions", "estimates", "looks", "owner", "rows"}

    async def scene() -> Fraction:
        return await Lane(made.looks, "a").run(lambda: Fraction(1, 2))

    assert asyncio.run(scene()) == Fraction(1, 2)
    made.close()
