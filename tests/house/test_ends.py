"""Every wait ends, every test has a time limit, and no test asks how long something took."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.sources import ROOT, SOURCE, TESTS, tree
from patience import LONG

HERE = TESTS / "house" / "test_ends.py"
OURS = sorted({*TESTS.rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py"), *SOURCE.rglob("*.py")} - {HERE})
STARTS = {"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"}
MAY_WAIT = re.compile(r"subprocess|Thread\(|\.(?:wait|communicate|join|result|acquire)\(\)")
WAITS = {"wait", "communicate", "join", "result", "acquire"}  # for ever, when told nothing
READS = {"read", "readline", "readlines"}  # of a pipe: until somebody else closes it
CLOCKS = {
    f"time.{name}{unit}"
    for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time")
    for unit in ("", "_ns")
}
# A wait without an end of its own, each with what ends it.
ENDED = {
    "tests/queries/service/test_worker_threads.py": "an asyncio event, inside wait_for",
    "benchmarks/serving.py": "a timer kills the process that is read",
    "src/shoal/queries/service/worker_threads.py": "the result of a future that is done",
}


def dotted(code: ast.AST) -> str:
    """`process.stdout.read` as it is written; a link that is no plain name is `…`."""
    if isinstance(code, ast.Attribute):
        return f"{dotted(code.value)}.{code.attr}"
    return code.id if isinstance(code, ast.Name) else "…"


def endless(code: ast.AST) -> Iterator[str]:
    """The waits in a piece of code that nothing ends."""
    for node in ast.walk(code):
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                if isinstance(item.context_expr, ast.Call) and dotted(item.context_expr.func).endswith(
                    "Popen"
                ):
                    yield f"{node.lineno}: leaving `with Popen` waits for ever"
        if not isinstance(node, ast.Call):
            continue
        called, words = dotted(node.func), {word.arg for word in node.keywords}
        if called in STARTS and "timeout" not in words:
            yield f"{node.lineno}: {called} without timeout"
        if called == "threading.Thread" and "daemon" not in words:
            yield f"{node.lineno}: a thread that Python waits for at its end; say daemon"
        if not isinstance(node.func, ast.Attribute):
            continue
        name, of = node.func.attr, dotted(node.func.value)
        if name in WAITS and not node.args and not words & {"timeout", "blocking"}:
            yield f"{node.lineno}: {called}() has no end"
        if name in READS and of.endswith((".stdout", ".stderr")):
            yield f"{node.lineno}: {called}() ends when the process wants; use patience.line_of or last_words"


def timed(code: ast.AST) -> Iterator[str]:
    """The assertions of a piece of code that read a clock, directly or by a name."""
    for function in ast.walk(code):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and _is_time(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        } | {
            dotted(node.func.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
            and any(map(_is_time, node.args))
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Assert) and (
                any(map(_is_time, ast.walk(node.test)))
                or names & {name.id for name in ast.walk(node.test) if isinstance(name, ast.Name)}
            ):
                yield f"{node.lineno}: {ast.unparse(node.test)}"


def _is_time(code: ast.AST) -> bool:
    """A clock, or what is worked out from one; not what a clock was handed to, such as a deadline."""
    if isinstance(code, ast.BinOp):
        return _is_time(code.left) or _is_time(code.right)
    return isinstance(code, ast.Call) and dotted(code.func) in CLOCKS


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_wait_ends() -> None:
    found = {named(path): [*endless(tree(path))] for path in OURS if MAY_WAIT.search(path.read_text("utf-8"))}
    assert not [f"{name}:{line}" for name, lines in found.items() if name not in ENDED for line in lines]
    assert not [name for name in ENDED if not found.get(name)], "no longer an exception"


@pytest.mark.parametrize(
    "code",
    [
        "subprocess.run(['true'])",
        "process.wait()",
        "process.communicate()",
        "thread.join()",
        "pool.submit(work).result()",
        "process.stdout.readline()",
        "process.stderr.read()",
        "with subprocess.Popen(['true']) as process:\n    pass",
        "threading.Thread(target=work)",
    ],
)
def test_a_wait_without_an_end_would_be_found(code: str) -> None:
    assert [*endless(ast.parse(code))]


def test_a_wait_with_an_end_is_none_of_them() -> None:
    code = "process.wait(5)\nprocess.communicate(timeout=5)\n', '.join(words)\nsubprocess.run([], timeout=5)"
    assert not [*endless(ast.parse(code))]


def test_no_test_asks_how_long_something_took() -> None:
    clocked = [path for path in OURS if TESTS in path.parents and "import time" in path.read_text("utf-8")]
    clocked.remove(TESTS / "core" / "test_clock.py")  # it is about clocks
    found = [f"{named(path)}:{line}" for path in clocked for line in timed(tree(path))]
    assert not found, "the machine is shared: count the work, or test the order"


@pytest.mark.parametrize(
    "code",
    [
        "start = time.monotonic()\n    work()\n    assert time.monotonic() - start < 2",
        "start = time.perf_counter()\n    taken = time.perf_counter() - start\n    assert taken < 2",
        "taken.append(time.process_time())\n    assert sorted(taken)[5] < 2",
    ],
)
def test_an_assertion_about_time_would_be_found(code: str) -> None:
    assert [*timed(ast.parse(f"def test() -> None:\n    {code}"))]


def test_a_test_that_hangs_fails_and_the_others_go_on(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("timeout"), "pytest-timeout is not installed; run make"
    (tmp_path / "test_hanging.py").write_text(
        "import threading\n"
        "def test_hangs():\n    threading.Event().wait()\n"
        "def test_hangs_behind_a_thread():\n"
        "    thread = threading.Thread(target=threading.Event().wait, daemon=True)\n"
        "    thread.start()\n    thread.join()\n"
        "def test_goes_on():\n    pass\n"
    )
    settings = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, "-o", "timeout=1", "-n", "1", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "Timeout" in done.stdout


def test_the_time_limit_is_in_force(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("timeout"), "pytest-timeout is not installed"
    assert float(pytestconfig.getini("timeout")) == 900
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True
