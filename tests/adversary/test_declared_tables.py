"""A release with noise tells nothing but the noise: neighbours that an exact rule would tell apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import shoal

ICD = "child,parent\nJ45.1,J45\nJ45.9,J45\nJ20.1,J20\nJ20.9,J20\n"
LEAVES = "J45.1;J45;*\nJ45.9;J45;*\nJ20.1;J20;*\nJ20.9;J20;*\n"
SEX = "F;*\nM;*\n"
CROWD = [("F", "J45.1"), ("M", "J20.9")] * 150
STRANGE = [("F", "J45"), ("F", "HIV"), ("F", ""), ("X", "J45.1"), ("", "")]
METHODS = {
    "noisy-counts(epsilon=1)": "differential-privacy(epsilon=1)",
    "sampled-generalisation(beta=0.4,k=5,epsilon=1)": "differential-privacy(epsilon=1,delta=0.6)",
    "retention(rho=0.2)": "d-gamma-privacy(d=0.0001,gamma=0.9)",
}


def told(
    place: Path, rows: list[tuple[str, str]], method: str, hierarchy: str, **more: Any
) -> dict[str, Any]:
    """All that a stranger can see but for the noise: which fields the manifest has, and what they say."""
    (place / "sex.csv").write_text(SEX)
    (place / "icd.csv").write_text(ICD)
    (place / "leaves.csv").write_text(LEAVES)
    (place / "table.csv").write_text("sex,ill\n" + "".join(f"{sex},{ill}\n" for sex, ill in rows))
    release = shoal.protect(
        place / "table.csv",
        output=place / "out.csv",
        quasi="sex",
        sensitive="ill",
        hierarchy={"sex": str(place / "sex.csv"), "ill": hierarchy.format(place)},
        method=method,
        model=METHODS[method],
        **more,
    )
    manifest = json.loads((place / "out.csv.shoal.json").read_text())
    assert manifest["rows"] == release.released and not manifest["suppressed"]
    for noisy in ("rows", "released", "losses"):
        del manifest[noisy]
    del manifest["hashes"]["output"]
    return {**manifest, "notes": release.notes, "columns": release.table.columns}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("one", STRANGE)
def test_a_value_that_nobody_declared_neither_stops_a_release_nor_shows(
    method: str, one: tuple[str, str], tmp_path: Path
) -> None:
    leaves = "{}/leaves.csv"
    assert told(tmp_path, [*CROWD, one], method, leaves) == told(tmp_path, CROWD, method, leaves)
    out = (tmp_path / "out.csv").read_text()
    assert "HIV" not in out and "X," not in out


@pytest.mark.parametrize("method", METHODS)
def test_the_domain_of_a_tree_does_not_grow_with_the_rows(method: str, tmp_path: Path) -> None:
    """A general code in one row used to become a label of its own, and `cells` in the manifest told so."""
    tree = "parents(file={}/icd.csv)"
    assert told(tmp_path, [*CROWD, ("F", "J45")], method, tree) == told(tmp_path, CROWD, method, tree)


def test_a_promise_of_k_does_not_compare_itself_with_the_number_of_rows(tmp_path: Path) -> None:
    """Fewer rows than k are a release without rows, as they are by chance, and no other sentence."""
    method = "sampled-generalisation(beta=0.4,k=5,epsilon=1)"
    texts = set()
    for rows in (CROWD[:4], CROWD[:6]):
        with pytest.raises(shoal.ShoalError) as refused:  # of six rows three are alike at most
            told(tmp_path, rows, method, "{}/leaves.csv", k=5)
        texts.add(str(refused.value))
    assert len(texts) == 1 and "left no row" in texts.pop()


def test_a_population_is_refused_where_a_row_outside_of_it_would_tell(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("sex\nF\nM\n")
    with pytest.raises(shoal.ShoalError, match="--population"):
        told(tmp_path, CROWD, "noisy-counts(epsilon=1)", "{}/leaves.csv", population=tmp_path / "people.csv")
