"""ARX beside Shoal in one run: `SHOAL_ARX` names the jar of ARX 3.9, which no registry of ours has.

`ArxSearch.java` is compiled against it by the machine's javac: a run time of Java alone cannot do that. It
reads the same table, hierarchies and settings, and says what each round took (CPU of the whole process; Java
compiles and collects beside the search) and which levels it found. Those are priced by Shoal's loss.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks import clock
from shoal.core.contract import ClassModel
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness

SOURCE = Path(__file__).with_name("ArxSearch.java")
WARM_UP = 5  # rounds that are not counted as warm: Java compiles what it runs often


@dataclass(frozen=True)
class Found:
    """Milliseconds of the first call and of the best warm one, and the levels that ARX chose."""

    cold: float
    warm: float
    levels: tuple[int, ...]


def jar() -> Path | None:
    """Where ARX is, if it was named and Java can compile against it."""
    named = os.environ.get("SHOAL_ARX")
    return Path(named) if named and why_not() is None else None


def why_not() -> str | None:
    """Why ARX is not run here, in words."""
    named = os.environ.get("SHOAL_ARX")
    if not named:
        return "SHOAL_ARX names no jar: ARX's figures are the recorded ones"
    if not Path(named).exists():
        return f"SHOAL_ARX names {named}, which is not there: ARX's figures are the recorded ones"
    if shutil.which("javac") is None:
        return "SHOAL_ARX needs javac (a JDK, not only Java's run time): ARX's figures are the recorded ones"
    return None


def search(
    frame: pl.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    models: Sequence[ClassModel[Any]],
    suppress: float,
    rounds: int,
) -> Found | None:
    """Run ARX; None for a model that it is not asked for here."""
    spelled = [spell(model) for model in models]
    home = jar()
    if home is None or None in spelled:
        return None
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        path = os.pathsep.join([str(home.resolve()), place])
        _said(["javac", "-cp", path, "-d", place, str(SOURCE)])
        data = folder / "table.csv"
        frame.select(*quasi, *sensitive).write_csv(data, separator=";")
        words = [str(data), str(WARM_UP + rounds), repr(float(suppress))]
        for number, column in enumerate([*quasi, *sensitive]):
            file = folder / f"hierarchy-{number}.csv"
            levels = dict(zip(map(str, range(99)), hierarchies[column].levels(), strict=False))
            pl.DataFrame(levels).write_csv(file, separator=";", include_header=False)
            words += ["quasi" if column in quasi else "sensitive", column, str(file)]
        words += [word for model in spelled if model for word in ("model", *model)]
        found = json.loads(_said(["java", "-cp", path, "ArxSearch", *words]))
    spent = found["milliseconds"]
    return Found(spent[0], min(spent[WARM_UP:]), tuple(found["levels"]))


def spell(model: ClassModel[Any]) -> tuple[str, str, str] | None:
    """A model in the words of `ArxSearch.java`."""
    if isinstance(model, KAnonymity):
        return "k", str(model.k), "0"
    if isinstance(model, LDiversity) and model.kind != "probabilistic":
        return model.kind, repr(float(model.l)), repr(float(model.c or 0))
    if isinstance(model, TCloseness) and model.distance != "ordered":
        return model.distance, repr(float(model.t)), "0"
    return None


def _said(words: Sequence[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=clock.LONGEST)
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr}")
    return done.stdout
