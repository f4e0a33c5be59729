"""The benchmarks of engines run on tiny tables, on real servers, and say what they should."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from spark_session import require_java

ROOT = Path(__file__).parents[2]
LONG = 900.0  # seconds: Spark with two workers on a busy machine


def said(*words: str, **more: str) -> str:
    call = [sys.executable, "-m", "benchmarks", *words, "--rounds", "1"]
    done = subprocess.run(
        call, cwd=ROOT, check=False, capture_output=True, text=True, timeout=LONG, env={**os.environ, **more}
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def figures(text: str, name: str) -> list[float]:
    """The cells of a line after its name, as numbers."""
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return [float(cell.replace(",", "")) for cell in re.split(r"\s{2,}", line.removeprefix(name).strip())]


def test_what_crosses_the_wire_of_postgresql_is_counted(postgres: str) -> None:
    text = said("crossing", "--only", "postgresql", "--rows", "3000", SHOAL_BENCHMARK_POSTGRES=postgres)
    rows, distinct, here, there, each, python, *_ = figures(text, "postgresql")
    assert rows == 3000 and 500 < distinct <= 3000
    assert here > there > 0 and each > 10 and python > 50


def test_without_a_server_nothing_is_made_up() -> None:
    text = said("crossing", "--only", "postgresql", "--rows", "3000", SHOAL_BENCHMARK_POSTGRES="")
    assert "no PostgreSQL: SHOAL_BENCHMARK_POSTGRES names none" in text
    assert "3,000" not in text


@pytest.mark.slow
def test_what_crosses_the_wire_of_spark_is_counted_and_every_process_measured() -> None:
    require_java()
    text = said("crossing", "--only", "spark", "--rows", "3000")
    rows, distinct, here, there, each, python, driver, executor, read, shuffled, cpu = figures(text, "spark")
    assert rows == 3000 and 500 < distinct <= 3000
    assert here > 0 and there > 0 and each > 10
    assert min(python, driver, executor) > 50
    assert read >= 3 * rows and min(shuffled, cpu) > 0


@pytest.mark.slow
def test_private_questions_are_timed_beside_plain_ones_in_spark() -> None:
    require_java()
    text = said("spark-questions", "--rows", "2000")
    for question in ("count", "group by (16)"):
        assert len(found := figures(text, question)) == 8 and min(found) > 0


def test_a_file_of_edges_is_protected_whole_and_verified() -> None:
    text = said("edge-files", "--rows", "4000")
    assert "limit MB" in text and "usual" in text and "verify was run after each" in text
