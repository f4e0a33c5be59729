"""Every command of docs/queries.md, run on the demo's files in the order of the page."""

import re
import shlex
import threading
from pathlib import Path

import pytest

from faces.shell import Run, shoal
from patience import all_done, until
from shoal.demo.hospital import patients
from shoal.demo.live_queries import write_database
from shoal.engines.files import write_frame
from shoal.jobs.queries.project import open_service, project_of
from shoal.queries.service.run import server

pytest.importorskip("uvicorn")
PAGE = Path(__file__).parents[2] / "docs" / "queries.md"
ADDRESS = "http://127.0.0.1:8765"


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    found = [line for line in lines if line.startswith("shoal query ")]
    assert len(found) > 15
    return found


@pytest.fixture
def hospital() -> Path:
    Path("demo-output").mkdir()
    write_frame(patients(3_000), Path("demo-output/patients.csv"))
    write_database(Path("demo-output/database.toml"))
    return Path("demo-output")


def test_every_command_on_the_page_runs(hospital: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = open_service(project_of(hospital / "database.toml"))
    made = server(service, port=0)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    until(lambda: made.started, "the service")
    url = f"http://127.0.0.1:{made.servers[0].sockets[0].getsockname()[1]}"
    later = []
    try:
        for line in commands():
            words = shlex.split(line.replace(ADDRESS, url), comments=True)[1:]
            if words[1] == "serve":
                continue
            if words[1] == "ask" and "--config" in words:
                later.append(words)  # "while no service runs"
                continue
            run = shoal(*words)
            assert run.code == (1 if "# is refused" in line else 0), (line, run.err)
            if "ada" in words:
                monkeypatch.setenv("SHOAL_TOKEN", token(run))
    finally:
        made.should_exit = True
        all_done([thread])
        service.close()
    assert later
    for words in later:
        assert shoal(*words).code == 0


def token(run: Run) -> str:
    found = re.search(r"shoal_[\w-]+", run.out)
    assert found
    return found[0]


def test_the_examples_in_python_run(hospital: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hospital.exists()
    for block in re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        if "demo-output" in block:
            exec(compile(block, PAGE.name, "exec"), {})
    assert "True" in capsys.readouterr().out
