"""The source files as syntax trees."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from patience import LONG

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "shoal"
TESTS = ROOT / "tests"


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name, without the leading `shoal.`."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    """One file, parsed."""
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of ours that a file imports, anywhere in it, the package itself as ``."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "shoal" or alias.name.startswith("shoal."):
                    yield alias.name.removeprefix("shoal").removeprefix(".")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by dots; write the whole name"
            home = node.module or ""
            if home == "shoal" or home.startswith("shoal."):
                inner = home.removeprefix("shoal").removeprefix(".")
                for alias in node.names:
                    # `from shoal.tables import kernels` imports a module, not a name in one.
                    whole = f"{inner}.{alias.name}".removeprefix(".")
                    yield whole if whole in known else inner


def tracked() -> list[Path]:
    """Every file of the project that is, or is about to be, in its history."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=LONG,
    )
    if listed.returncode:  # no git here: an unpacked archive
        return [path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts]
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
