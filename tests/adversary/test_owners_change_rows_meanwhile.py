"""Analysts who ask together while an owner changes rows and data sets: no question is lost or free."""

from __future__ import annotations

import threading
from collections import Counter
from fractions import Fraction
from pathlib import Path

from queries.service.houses import FAST, clinic, rows, served
from shoal.queries.budget_balance import budget_state
from shoal.queries.service.service import Service

QUESTIONS = (
    "SELECT COUNT(*) AS n FROM visits WHERE age > {0}",
    "SELECT AVG(age), MEDIAN(age) FROM visits WHERE age <> {0}",
    "SELECT ward, RANK() OVER (ORDER BY COUNT(*)) FROM visits WHERE age < {0} GROUP BY ROLLUP (ward)",
)
LIMIT = 25  # questions that the budget of all is enough for
EACH = 12


def test_three_analysts_together_spend_what_all_of_them_may_and_no_more(tmp_path: Path) -> None:
    service = Service(tmp_path, settings=FAST)
    statuses: Counter[tuple[str, int]] = Counter()
    paid: Counter[str] = Counter()
    try:
        service.register(clinic(epsilon=LIMIT / 100), {"visits": rows(40)})
        owner = service.add("olga", "owner")
        tokens = {
            name: service.add(name, "analyst", "clinic", Fraction(LIMIT, 100))
            for name in ("ada", "bob", "cyd")
        }
        with served(service) as address:

            def asks(name: str) -> None:
                for number in range(EACH):
                    sql = QUESTIONS[number % 3].format(number)
                    got = address.ask(tokens[name], sql, "0.01")
                    statuses[name, got.status] += 1
                    paid[name] += got.status == 200 and not got.json["archived"]

            def changes() -> None:
                place = "/datasets/clinic/tables/visits/rows"
                for number in range(3):
                    row = {"id": "new", "age": number, "ward": "heart", "ill": True}
                    calls = (("POST", place, [row]), ("PUT", place, [row]))
                    for method, path, body in calls:
                        statuses["olga", address.call(method, path, owner, body).status] += 1
                    told = {"name": f"d{number}", "epsilon": 1,
                            "tables": {"t": {"unit": "id", "columns": {"id": "text"}}}}  # fmt: skip
                    made = address.call("POST", "/datasets", owner, {"declaration": told})
                    statuses["olga", made.status] += 1
                    for path in ("/datasets/clinic/units/new", f"/datasets/d{number}"):
                        statuses["olga", address.call("DELETE", path, owner).status] += 1

            threads = [threading.Thread(target=asks, args=(name,), daemon=True) for name in tokens]
            threads.append(threading.Thread(target=changes, daemon=True))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(120)
                assert not thread.is_alive()
        assert sum(paid.values()) == LIMIT
        assert {status for _, status in statuses} <= {200, 201, 403}, statuses
        assert budget_state(service.ledger, "clinic").spent["epsilon"] == LIMIT / 100
    finally:
        service.close()
