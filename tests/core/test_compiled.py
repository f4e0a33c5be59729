import subprocess
import sys
import tempfile
from pathlib import Path

from patience import LONG
from shoal.core.compiled import compiled, compiled_without_lock


@compiled
def _sum_to(number: int) -> int:
    total = 0
    for each in range(number + 1):
        total += each
    return total


@compiled_without_lock
def _twice(number: int) -> int:
    return 2 * number


def test_a_compiled_loop_does_what_it_says() -> None:
    assert _sum_to(10) == 55 and _twice(21) == 42


def test_it_is_machine_code() -> None:
    _sum_to(3)
    assert _sum_to.signatures  # type: ignore[attr-defined]


def test_linear_algebra_is_loaded_for_loops_that_use_it_and_for_no_other() -> None:
    work = (
        "import sys, numpy as np\n"
        "from shoal.core.compiled import compiled\n"
        "@compiled\n"
        "def first(values): return values[0] + 1\n"
        "assert first(np.ones(2)) == 2 and 'scipy.linalg' not in sys.modules\n"
        "from numba import njit\n"
        "assert njit(lambda one, other: np.dot(one, other))(np.ones(3), np.ones(3)) == 3\n"
        "assert 'scipy.linalg.cython_blas' in sys.modules\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "work.py"
        file.write_text(work, "utf-8")
        subprocess.run([sys.executable, str(file)], check=True, timeout=LONG)


LOOPS = """
import sys, numpy as np
from shoal.core.compiled import compiled

@compiled
def summed(values):
    if values.size == 0:
        raise ValueError("nothing to add")
    return values[::-1].copy().sum() + len([1, 2])

@compiled
def drawn(seed):
    np.random.seed(seed)
    return np.random.random(3)

found = [summed(np.array([3.0, 1.0, 3.0])), drawn(7).tolist()]
try:
    summed(np.empty(0))
except ValueError as error:
    found.append(str(error))
print(repr(found), "numba.np.arraymath" in sys.modules)
"""


def test_what_was_compiled_before_is_loaded_without_the_compiler_and_does_the_same(tmp_path: Path) -> None:
    file = tmp_path / "loops.py"
    file.write_text(LOOPS, "utf-8")
    first, second = (
        subprocess.run([sys.executable, str(file)], check=True, timeout=LONG, capture_output=True, text=True)
        for _ in range(2)
    )
    found, compiler = first.stdout.strip().rsplit(" ", 1)
    assert "nothing to add" in found and compiler == "True"
    assert second.stdout.strip().rsplit(" ", 1) == [found, "False"]


def test_a_loop_that_calls_a_kept_one_is_compiled_with_it(tmp_path: Path) -> None:
    kept = (
        "from shoal.core.compiled import compiled\n@compiled\ndef one(values): return values[::-1].copy()[0]"
    )
    (tmp_path / "kept.py").write_text(kept, "utf-8")
    for added in (1, 2):  # the second process has `one` on disk and a new loop to compile
        work = (
            "import numpy as np\nfrom kept import one\nfrom shoal.core.compiled import compiled\n"
            f"assert one(np.arange(3)) == 2\n@compiled\ndef two(values): return one(values) + {added}\n"
            f"assert two(np.arange(3)) == 2 + {added}\nassert one(np.ones(2)) == 1.0\n"
        )
        file = tmp_path / f"work{added}.py"
        file.write_text(work, "utf-8")
        subprocess.run([sys.executable, str(file)], check=True, timeout=LONG, cwd=tmp_path)
