"""What costs an analyst nothing leaves next to nothing on the owner's disk."""

from pathlib import Path

from queries.service.houses import furnish, lines, served
from shoal.queries.service.settings import Settings

LONG = "SELECT COUNT(*) AS n FROM visits WHERE ward = '" + "\N{FISH}" * 900 + "'" + " " * 18_000
FREE = 4_000  # bytes of a line about a question that cost nothing, escapes and all


def test_refused_estimated_and_archived_questions_leave_a_short_note(tmp_path: Path) -> None:
    house = furnish(tmp_path, epsilon=1)
    with served(house.service) as url:
        assert url.ask(house.ada, LONG, epsilon=0.5).status == 200
        for path, sql, epsilon, status in (
            ("/query", LONG, 0.9, 403),  # more than there is left
            ("/query", "SELECT 1 -- " + "\N{FISH}" * 19_000, 0.1, 400),
            ("/query", LONG, 0.5, 200),  # told again at no cost
            ("/estimate", LONG, 0.1, 200),
        ):
            body = {"dataset": "clinic", "sql": sql, "epsilon": epsilon}
            assert url.call("POST", path, house.ada, body).status == status
    paid, *free = [line["question"] for line in lines(house)]
    assert paid.count("\N{FISH}") == 900  # kept whole
    assert all(len(question) < 600 and question.endswith(" characters)") for question in free)
    _, *written = house.service.audit.path.read_bytes().splitlines()
    assert len(written) == 4 and all(len(line) < FREE for line in written)
    entries = house.service.ledger.entries("clinic", "ada")
    assert {"refuse", "recall", "reserve"} < {entry.kind for entry in entries}
    assert all(len(entry.question) < 600 for entry in entries if entry.kind != "reserve")
    assert next(entry for entry in entries if entry.kind == "reserve").question.count("\N{FISH}") == 900
    assert house.service.ledger.check().holds
    house.service.close()


def test_of_a_flood_of_one_person_the_first_refusal_is_noted(tmp_path: Path) -> None:
    house = furnish(tmp_path, Settings(rate=0.001, burst=2))
    with served(house.service) as url:
        got = [url.call("GET", "/datasets", house.ada).status for _ in range(30)]
    house.service.close()
    assert got.count(429) == 28
    assert [line["status"] for line in lines(house)].count(429) == 1
