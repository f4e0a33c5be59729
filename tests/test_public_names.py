"""The public names: there for Python, the type checker and the notebook, and loaded when first used."""

import ast
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import shoal
from house.sources import ROOT, SOURCE, tree
from patience import LONG

LAZY = {name for names in shoal._HOMES.values() for name in names}
USER = """\
import shoal

def people(path: str) -> shoal.TableRelease:
    release = shoal.protect(path, quasi="zip,age", sensitive="ill", k=5)
    return release

verdict: shoal.Verdict = shoal.verify("out.csv", k=5)
finding: shoal.Finding = shoal.attack("out.csv", "linkage", external="people.csv")
answer: shoal.Answer = shoal.ask("SELECT COUNT(*) FROM t", {"t": "people.csv"}, epsilon=1)
graph: shoal.GraphRelease = shoal.protect(shoal.read_graph("net.csv"), k=3)
database: shoal.Database = shoal.open_database(config="shoal.toml")
"""
WRONG = """\
import shoal

def people(path: str) -> shoal.TabelRelease: ...
holds: int = shoal.verify("out.csv", k=5)
shoal.protekt("people.csv")
"""


def test_what_a_type_checker_reads_is_what_python_finds() -> None:
    told = {
        (node.module, alias.name)
        for block in tree(SOURCE / "__init__.py").body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == {(home, name) for home, names in shoal._HOMES.items() for name in names}
    assert {"__version__", *LAZY} - {*shoal.__all__} == {"Database", "GraphAnswer"}, "they need an extra"
    for name in LAZY:
        assert getattr(shoal, name).__name__ == name


def test_a_wrong_name_is_wrong() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        shoal.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_what_the_functions_return_has_a_name_at_the_door() -> None:
    own = {"TableRelease", "GraphRelease", "Verdict", "Finding", "Appraisal", "GraphAppraisal", "TradeOff"}
    assert own | {"Inspection", "Answer", "GraphAnswer", "Database", "Client", "Grouping"} <= LAZY


def test_the_names_are_offered_and_nothing_else() -> None:
    offered = {name for name in dir(shoal) if not name.startswith("__")}
    assert offered == LAZY and "__version__" in dir(shoal)


def test_a_notebook_completes_them() -> None:
    jedi = pytest.importorskip("jedi")
    live = jedi.Interpreter("shoal.pro", [{"shoal": shoal}])
    assert "protect" in [found.name for found in live.complete()]
    project = jedi.Project(str(ROOT), added_sys_path=[str(SOURCE.parent)])
    written = jedi.Script("import shoal\nshoal.pro", path=str(ROOT / "notebook.py"), project=project)
    assert "protect" in [found.name for found in written.complete()]


def test_opening_the_door_loads_nothing_behind_it() -> None:
    code = "import sys, shoal; dir(shoal); print(sorted(name for name in sys.modules if 'shoal' in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=LONG, check=True)
    assert done.stdout.decode().strip() == "['shoal', 'shoal.version']"


def test_the_package_says_that_it_is_typed() -> None:
    assert files("shoal").joinpath("py.typed").is_file()


@pytest.mark.slow
def test_a_script_of_a_user_type_checks_and_wrong_names_do_not(tmp_path: Path) -> None:
    """Slow where `make types` has not filled the cache yet."""
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text(WRONG)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "user.py"), str(tmp_path / "wrong.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * LONG,
        check=False,
    )
    said = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert not [line for line in said if "wrong.py" not in line], done.stdout
    assert "TabelRelease" in said[0] and "Verdict" in said[1] and "protekt" in said[2] and len(said) == 3
