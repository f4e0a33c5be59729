"""Every benchmark runs and says what it should; how fast is not asked here."""

import subprocess
import sys
from pathlib import Path

import pytest

from patience import LONG

ROOT = Path(__file__).parents[2]


def said(*words: str) -> str:
    call = [sys.executable, "-m", "benchmarks", *words, "--rounds", "1"]
    ran = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=LONG)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


def test_a_generated_table_gets_no_claim_about_ratios() -> None:
    text = said("adult", "--rows", "400", "--only", "recursive")
    assert "l-diversity(l=3,kind=recursive,c=3), 5%" in text
    assert "ratios do not apply" in text


def test_the_whole_command_is_measured_against_the_whole_process_of_arx() -> None:
    text = said("adult", "--rows", "400", "--only", "--suppress 0.05")
    assert "start, imports, read, search, write, verify" in text


def test_growth_tells_seconds_by_rows_and_by_columns_and_leaves_the_chart_alone() -> None:
    kept = ROOT / "docs" / "growth.json"
    before = kept.read_bytes()
    text = said("growth", "--rows", "300")
    assert "Growth in rows" in text and "Growth in columns" in text and "local-recoding" in text
    assert kept.read_bytes() == before


def test_scale_tells_seconds_and_memory() -> None:
    text = said("scale", "--rows", "700")
    assert "peak GiB" in text
    assert "700" in text


@pytest.mark.parametrize(("name", "most"), [("passengers", 0.13), ("staff", 0.48), ("defendants", 0.03)])
def test_the_default_loses_little_on_messy_tables(name: str, most: float) -> None:
    words = said("messy", "--only", name).split(name)[1].split()
    optimal, auto = float(words[1]), float(words[2])
    assert auto <= most < optimal


@pytest.mark.parametrize(
    ("part", "line"),
    [("adult", "accuracy, k=100"), ("million", "Mondrian"), ("fourteen", "L=4"), ("wide", "30 binary")],
)
def test_methods_stand_side_by_side_or_are_left_out_politely(part: str, line: str) -> None:
    text = said("methods", "--rows", "600", "--only", part)
    assert line in text or "is not in the catalog" in text


def test_local_recoding_loses_less_than_mondrian_on_a_wide_table() -> None:
    words = said("wide", "--rows", "300", "--only", "16").split()
    losses = {method: float(words[words.index(method) + 1]) for method in ("mondrian", "heuristic")}
    ours = float(words[words.index("local-recoding(ranges=True)") + 1])
    assert ours < losses["mondrian"] < losses["heuristic"]


def test_synthetic_tables_are_compared_marginal_by_marginal() -> None:
    text = said("synthetic", "--rows", "500", "--only", "tree), δ")
    assert "synthetic(selection=tree), δ" in text and "distance of 3 columns" in text


def test_algorithms_stand_beside_those_of_the_literature() -> None:
    text = said("algorithms", "--rows", "800")
    assert "true centres" in text and "density of 800 elements" in text


def test_peers_run_or_say_why_not() -> None:
    text = said("peers", "--rows", "300", "--only", "5 QI, k=5 + l", "--offline")
    assert "5 QI, k=5 + l-diversity(l=3)" in text
    assert "pyCANON" in text or "no peer to compare with" in text


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("by k", "optimal, k=50"),
        ("by model", "t-closeness(t=0.2)"),
        ("by secret", "1,000 values"),
        ("by bodies", "4 bodies, k=10"),
        ("homogeneity", "mondrian + l-diversity(l=2)"),
    ],
)
def test_findings_of_the_literature_are_measured_again(part: str, line: str) -> None:
    text = said("findings", "--rows", "600", "--only", part)
    assert line in text and "figures are not those of Adult" in text


def test_every_attack_is_timed_on_two_kinds_of_release() -> None:
    text = said("attacks", "--rows", "500", "--only", "linkage(")
    assert "full domain" in text and "local recoding" in text and "CPU s" in text


def test_suggested_roles_are_counted_beside_labels_of_tables_that_nobody_tuned_on() -> None:
    text = said("roles", "--only", "held-out")
    assert "Suggested roles, held-out part: 297 columns of 19 tables" in text
    assert "called insensitive" in text and "let something out unprotected" in text


@pytest.mark.parametrize("rows", [300, 301])
def test_the_same_size_gives_the_same_table(rows: int) -> None:
    work = (
        "from benchmarks import people; from pathlib import Path; import tempfile, hashlib\n"
        "people.DATA = Path(tempfile.mkdtemp())\n"
        f"print(hashlib.sha256(people.people({rows}).table.read_bytes()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", work], cwd=ROOT, check=True, capture_output=True, timeout=LONG
        ).stdout
        for _ in range(2)
    }
    assert len(found) == 1


def test_tables_in_engines_are_measured_against_the_plain_work() -> None:
    text = said("engines", "--rows", "2000", "--only", "folder")
    assert "plain group-by and write" in text and "2,000" in text
