"""Every command of docs/query-attacks.md and docs/alternatives.md, run on a small hospital."""

import re
import shlex
from pathlib import Path

import pytest

from faces.shell import shoal
from shoal.demo.hospital import patients
from shoal.engines.files import write_frame

DOCS = Path(__file__).parents[2] / "docs"
# As many as make an attack win on 20,000 patients are more than a page needs to be shown to run.
SMALLER = {
    "averaging": "averaging(targets=2,repeats=3)",
    "reconstruction": "reconstruction(people=6)",
    "auxiliary-information": "auxiliary-information(targets=5)",
    "tracker": "tracker(targets=4)",
    "refusals": "refusals(targets=4)",
    "differencing": "differencing(targets=4)",
}


def commands(page: str) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith("shoal query ")]


@pytest.fixture
def hospital() -> None:
    Path("demo-output").mkdir()
    whole = patients(1_600)
    write_frame(whole[:1_200], Path("demo-output/patients.csv"))
    write_frame(whole[1_200:], Path("demo-output/control.csv"))
    write_frame(whole[:1_200].drop("patient_id", "name"), Path("demo-output/names-removed.csv"))


@pytest.mark.usefixtures("hospital")
def test_every_attack_on_the_page_runs() -> None:
    found = commands("query-attacks.md")
    assert len(found) > 8
    for line in found:
        words = shlex.split(line)[1:]
        words[2] = SMALLER.get(words[2], words[2].replace("people=100", "people=10"))
        run = shoal(*words)
        assert run.code == 0, (line, run.err)
    assert len(list(Path().glob("*.svg"))) == 7


@pytest.mark.usefixtures("hospital")
def test_the_comparison_on_the_page_runs() -> None:
    (line,) = commands("alternatives.md")
    words = shlex.split(line)[1:]
    run = shoal(*words, "--against", "plain", "--against", "sample")
    assert run.code == 0 and Path("demo-output/ways.svg").exists(), run.err


@pytest.mark.usefixtures("hospital")
def test_the_example_in_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(
        r"^```python\n(.*?)^```", (DOCS / "query-attacks.md").read_text("utf-8"), re.M | re.S
    )
    exec(compile(block, "query-attacks.md", "exec"), {})
    assert capsys.readouterr().out.startswith("1.0 ")
