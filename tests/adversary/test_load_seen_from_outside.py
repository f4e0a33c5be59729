"""How soon a reply comes that costs nothing tells how busy the machine is with somebody's question.

`/health` could be asked by anybody, as often as they liked, and replied at once: by thousands of such replies
the end of a question could be seen to a thousandth of a second, whatever border its answer waited for.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from queries.service.houses import COUNT, FAST, furnish, served
from shoal.queries.service import access_middleware
from shoal.queries.service.settings import Settings

PAGES = ("/", "/health", "/openapi.json", "/docs", "/docs.js")


def test_whatever_is_no_question_is_looked_at_after_a_time_drawn_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float, *others: Any) -> Any:
        waits.append(seconds)
        return await sleep(0, *others)

    class Clock:
        """asyncio, but for its sleep."""

        sleep = staticmethod(noted)

        def __getattr__(self, name: str) -> Any:
            return getattr(asyncio, name)

    monkeypatch.setattr(access_middleware, "asyncio", Clock())
    house = furnish(tmp_path, replace(FAST, blur=0.05))
    try:
        with served(house.service) as at:
            for path in (*PAGES, "/budget?dataset=clinic", "/log?dataset=clinic", "/datasets"):
                assert at.call("GET", path, house.ada).status == 200
            assert at.call("GET", "/budget?dataset=clinic").status == 401
            assert len(set(waits)) == len(PAGES) + 4
            assert 0 <= min(waits) < max(waits) <= 0.05
            body = {"dataset": "clinic", "sql": COUNT, "epsilon": 0.01}
            assert at.call("POST", "/query", house.ada, body).status == 200
            assert len(waits) == len(PAGES) + 4  # an answer leaves at a border of time
    finally:
        house.service.close()


def test_pages_that_anybody_may_see_are_not_to_be_had_by_the_thousand(tmp_path: Path) -> None:
    assert Settings().blur > 0
    house = furnish(tmp_path, replace(FAST, rate=0.01, burst=3))
    try:
        with served(house.service) as at:
            found = [at.call("GET", path) for path in PAGES]
            assert [got.status for got in found] == [200, 200, 200, 429, 429]
            assert int(found[-1].headers["retry-after"]) >= 1
    finally:
        house.service.close()
