"""Names of groups, texts made of results, and plans that are kept: all of them have an end."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from adversary.hospital import NAME, open_hospital
from patience import LONG as PATIENCE
from queries.service.houses import House
from shoal.queries.plan_cache import KEPT

ROOM = 1_500_000_000  # bytes beyond what the process has when it begins to ask
SIGN = "\N{GRINNING FACE}"  # four bytes in memory
GROUPS = f"(SELECT pid, age + 121 * (age % 8) AS g, '{SIGN * 990}' AS e FROM patients) AS s"
LONG = f"(SELECT pid, CAST(g AS VARCHAR) || {'||'.join(['e'] * 9)} AS k FROM {GROUPS}) AS t"
SHORT = f"(SELECT pid, CAST(g AS VARCHAR) AS k FROM {GROUPS}) AS t"
BRANCHES = " ".join(f"WHEN TRUE THEN k || '{number}'" for number in range(60))
QUESTIONS = {
    "names": f"SELECT k, COUNT(*) FROM {LONG} GROUP BY k",
    "names again and again": f"SELECT {', '.join(f'k AS k{n}' for n in range(150))}, COUNT(*) FROM {LONG} "
    "GROUP BY k",
    "names in a row": f"SELECT {'||'.join(['k'] * 90)} AS b, COUNT(*) FROM {LONG} GROUP BY k",
    "written numbers": f"SELECT CAST(COUNT(*) AS VARCHAR) || k AS b FROM {LONG} GROUP BY k",
    "short names in rows": "SELECT "
    + ", ".join(f"{'||'.join(['k'] * 80)} || '{SIGN * 900}{n}' AS b{n}" for n in range(15))
    + f", COUNT(*) FROM {SHORT} GROUP BY k",
    "numbers that are written and read": "SELECT "
    + ", ".join(f"CAST(CAST(COUNT(*) AS VARCHAR) || '{n}' AS DOUBLE) AS b{n}" for n in range(50))
    + f" FROM {SHORT} GROUP BY k",
    "choices": f"SELECT COUNT(*) FROM {LONG} WHERE CASE {BRANCHES} END = 'x'",
}
CHILD = """
import json, pathlib, resource, sys
sys.path[:0] = json.loads(sys.argv[3])
from adversary.hospital import open_hospital
with open_hospital(pathlib.Path(sys.argv[1])) as hospital:
    hospital.ask("SELECT age, COUNT(*), AVG(age) FROM patients GROUP BY age")
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]),) * 2)
    got = hospital.ask(json.loads(sys.stdin.read()), "0.001")
    print(json.dumps([got.status, len(got.body), [line.get("trouble") for line in hospital.log()]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a limit to what a process may take")
@pytest.mark.parametrize("kind", QUESTIONS)
def test_names_and_texts_of_an_answer_have_an_end(tmp_path: Path, kind: str) -> None:
    child = [sys.executable, "-c", CHILD, str(tmp_path), str(ROOM), json.dumps(sys.path)]
    asked = json.dumps(QUESTIONS[kind]).encode()
    ran = subprocess.run(child, input=asked, capture_output=True, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr.decode()[-2000:]
    status, size, troubles = json.loads(ran.stdout)
    assert status in (200, 400)
    assert size < 100_000_000
    assert not any(troubles)


def test_plans_are_kept_by_their_size(house: House) -> None:
    service = house.service
    person = service.find(house.ada)
    assert person is not None
    session = service._sessions["clinic"]
    for number in range(40):
        numbers = ", ".join(str(number * 1_000 + n) for n in range(400))
        sql = f"SELECT COUNT(*) FROM visits WHERE age IN ({numbers})"
        service.estimate(person, "clinic", sql, Fraction(1, 10))
    assert 0 < session._plans.characters <= KEPT


def test_a_long_text_made_in_a_sub_query_is_priced_by_its_length(tmp_path: Path) -> None:
    """It was taken for one that a store holds, a tenth as long."""
    made = f"(SELECT pid, {'||'.join(['note'] * 9)} AS t FROM patients) AS s"
    likes = " AND ".join(f"t LIKE '%{'n' * 12}{n}%'" for n in range(5))
    with open_hospital(tmp_path) as hospital:
        body = {"dataset": NAME, "sql": f"SELECT COUNT(*) FROM {made} WHERE {likes}", "epsilon": "0.001"}
        got = hospital.at.call("POST", "/estimate", hospital.ada, body)
    assert got.status == 400
    assert "steps for one person" in got.json["detail"]
