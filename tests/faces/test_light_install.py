"""The base install alone: tables work, and everything else names its extra in one sentence, with exit code 2.

Every command runs in a process of its own whose import system refuses the modules of the extras.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.core.extras import EXTRAS

pytestmark = pytest.mark.slow

LIMIT = 120  # seconds
BLOCKED = """
import importlib.abc, sys

class Refuses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuses())
"""
SHOAL = "sys.argv[0] = 'shoal'\nfrom shoal.faces.cli import main\nmain()\n"
ALL = tuple(sorted({module for modules in EXTRAS.values() for module in modules}))
ROLES = ("--identifier", "name", "--quasi", "age,zip,sex", "--sensitive", "ill")
ASK = ("query", "ask", "SELECT COUNT(*) FROM people", "--data", "people=people.csv", "--unit", "name")


def run(folder: Path, code: str, *words: str, without: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED.format(modules=set(without)) + code, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def shoal(folder: Path, *words: str, without: tuple[str, ...] = ALL) -> subprocess.CompletedProcess[str]:
    return run(folder, SHOAL, *words, without=without)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("light")
    chance = random.Random(1)
    people = ["name,age,zip,sex,ill"]
    for number in range(200):
        ill = chance.choice(["flu", "cold", "cough"])
        people.append(
            f"n{number},{chance.randrange(20, 80)},021{chance.randrange(10, 40)},{number % 2},{ill}"
        )
    (made / "people.csv").write_text("\n".join(people) + "\n")
    edges = {tuple(sorted(chance.sample(range(60), 2))) for _ in range(150)}
    (made / "net.csv").write_text("a,b\n" + "".join(f"{one},{other}\n" for one, other in sorted(edges)))
    (made / "sex.csv").write_text("0;*\n1;*\n")
    return made


def test_everything_at_once_is_imported_with_the_base_install_alone(folder: Path) -> None:
    done = run(folder, "from shoal import *\nprint(protect.__name__, Answer.__name__)", without=ALL)
    assert (done.returncode, done.stdout) == (0, "protect Answer\n"), done.stderr
    done = run(folder, "import shoal\nshoal.Database", without=ALL)
    assert done.returncode == 1 and "pip install 'shoal[queries]'" in done.stderr


def test_tables_work_with_the_base_install_alone(folder: Path) -> None:
    for words in (
        ("--help",),
        ("catalog",),
        ("table", "inspect", "people.csv"),
        ("table", "hierarchy", "people.csv", "--column", "zip"),
        ("table", "protect", "people.csv", "-o", "release.csv", *ROLES, "--k", "3", "--suppress", "0.05"),
        ("table", "protect", "people.csv", "-o", "fine.csv", *ROLES, "--k", "3", "--method", "mondrian"),
        ("table", "verify", "release.csv"),
        ("table", "measure", "release.csv", "--original", "people.csv"),
        ("table", "attack", "homogeneity", "release.csv"),
        ("table", "compare", "people.csv", *ROLES, "--k", "2,3"),
        ("table", "compare", "people.csv", *ROLES, "--k", "2,3", "-o", "curve.json"),
        ("report", "release.csv", "-o", "report.html"),
        ("graph", "protect", "net.csv", "-o", "net-release.csv", "--model", "k-degree(k=3)"),
        ("graph", "verify", "net-release.csv"),
    ):
        done = shoal(folder, *words)
        assert done.returncode == 0, (words, done.stderr)
    assert (folder / "release.csv").exists() and (folder / "report.html").exists()


def test_python_works_with_the_base_install_alone(folder: Path) -> None:
    code = """
import shoal
release = shoal.protect("people.csv", output="python.csv", identifier="name", quasi="age,zip,sex",
                        sensitive="ill", k=3)
print(shoal.verify("python.csv").holds)
try:
    shoal.ask("SELECT COUNT(*) FROM people", data={"people": "people.csv"}, unit="name", epsilon=1)
except shoal.BadInput as error:
    print(error)
"""
    done = run(folder, code, without=ALL)
    assert done.returncode == 0, done.stderr
    holds, sentence = done.stdout.splitlines()
    assert holds == "True" and "pip install 'shoal[queries]'" in sentence


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("arrow", ("table", "protect", "people.csv", "-o", "out.parquet", *ROLES, "--k", "3")),
        ("arrow", ("graph", "protect", "net.csv", "-o", "out.arrow", "--model", "k-degree(k=3)")),
        ("queries", (*ASK, "--epsilon", "1")),
        ("queries", ("query", "mechanism", "laplace(epsilon=1)", "--value", "3")),
        ("queries", ("query", "budget", "--ledger", "ledger.sqlite")),
        ("queries", ("query", "log", "--ledger", "ledger.sqlite")),
        ("queries", ("query", "check", "--ledger", "ledger.sqlite")),
        ("queries", ("query", "analysts", "--config", "shoal.toml")),
        ("queries", ("query", "serve", "--config", "shoal.toml")),
        ("queries", ("graph", "ask", "net.csv", "edge-count(epsilon=1)", "--budget", "2")),
        (
            "queries",
            (
                *("table", "protect", "people.csv", "-o", "out.csv", "--identifier", "name,age,zip,ill"),
                *("--quasi", "sex", "--hierarchy", "sex=sex.csv", "--method", "noisy-counts(epsilon=1)"),
                *("--model", "differential-privacy(epsilon=1)"),
            ),
        ),
        (
            "queries",
            (
                *("graph", "protect", "net.csv", "-o", "out.csv", "--method", "noisy-degrees(epsilon=1)"),
                *("--model", "edge-differential-privacy(epsilon=1)"),
            ),
        ),
        ("graphs", ("graph", "measure", "net.csv")),
        (
            "graphs",
            (
                *("graph", "protect", "net.csv", "-o", "out.csv", "--method", "neighbourhood"),
                *("--model", "k-neighbourhood(k=3)"),
            ),
        ),
        ("graphs", ("graph", "verify", "net.csv", "--model", "k-neighbourhood(k=3)")),
        ("report", ("table", "compare", "people.csv", *ROLES, "--k", "2,3", "-o", "out.svg")),
        ("report", ("report", "people.csv", "-o", "out.pdf")),
        ("report", ("report", "people.csv", "-o", "out.html", "--pdf", "out.pdf")),
        ("report", ("graph", "measure", "net.csv", "--chart", "out.svg")),
        ("report", (*ASK, "--epsilon", "1", "--budget", "2", "--ledger", "out.sqlite", "--chart", "out.svg")),
        ("demo", ("demo", "--rows", "300", "--output", "out")),
        ("serve", ("query", "serve", "--config", "shoal.toml")),
    ],
    ids=lambda given: given if isinstance(given, str) else " ".join(given[:3]),
)
def test_a_missing_extra_is_one_sentence_with_the_command(
    folder: Path, extra: str, words: tuple[str, ...]
) -> None:
    before = sorted(folder.iterdir())
    done = shoal(folder, *words, without=EXTRAS[extra])
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    said = done.stderr.strip().splitlines()[-1]
    assert said.startswith("shoal: ") and "Traceback" not in done.stderr and "defect" not in said
    assert re.search(rf"; run pip install 'shoal\[{extra}\]'", said), said
    assert sorted(folder.iterdir()) == before, "nothing is written"
