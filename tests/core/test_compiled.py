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
