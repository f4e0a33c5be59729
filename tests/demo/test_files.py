import shlex
from pathlib import Path

from shoal.demo.files import files_in


def test_every_file_comes_with_words_and_a_command() -> None:
    told = files_in(Path("demo-output"), ("zip", "sex"))
    for name, (what, command) in told.items():
        assert name and what and command
        if command.startswith("shoal "):
            assert shlex.split(command)[1] in ("table", "graph", "query", "report", "catalog")
    assert "--quasi zip,sex" in told["names-removed.csv"][1]
