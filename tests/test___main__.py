"""`python -m shoal` is the command line."""

import subprocess
import sys

from shoal import __version__


def test_the_module_runs_as_the_command_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shoal", "--version"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout.strip()) == (0, __version__)
    bad = subprocess.run(
        [sys.executable, "-m", "shoal", "table", "inspect", "nothing.csv"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert bad.returncode == 2 and bad.stderr.startswith("shoal: no file 'nothing.csv'")
