"""The documentation is complete, current, linked, and every command in it exists."""

import ast
import importlib.util
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml  # type: ignore[import-untyped]

from shoal.catalog import Catalog
from shoal.demo.story import tell
from shoal.faces.cli.app import app
from shoal.tables.hierarchies.spec import FORMS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), *DOCS.glob("methods/*.md")])
METHODS = [part for part in Catalog.whole().parts if part.kind == "method"]
WRITTEN = [page for page in PAGES if page.name != "reference.md"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def blocks(page: Path, *languages: str) -> list[str]:
    return [body for language, body in FENCE.findall(page.read_text("utf-8")) if language in languages]


def commands(page: Path) -> list[str]:
    lines = "\n".join(blocks(page, "sh", "console")).replace("\\\n", " ").splitlines()
    return [line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith("shoal ")]


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    heads = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def resolve(words: list[str]) -> None:
    """Parse a command line as the program would, without running it."""
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        two = " ".join(words[:2])  # some commands are called by two words
        words = [two, *words[2:]] if two in command.commands else words
        assert words[0] in command.commands, f"no command {words[0]}"
        command, words = command.commands[words[0]], words[1:]
        command = getattr(command, "made", command)
    command.make_context(command.name, [*words])


def module_in_docs(name: str) -> Any:
    """A script beside the pages, which is in no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_reference_is_up_to_date() -> None:
    assert module_in_docs("generate").reference() == (DOCS / "reference.md").read_text("utf-8"), (
        "docs/reference.md is stale; run .venv/bin/python docs/generate.py"
    )


@pytest.mark.parametrize("part", Catalog.whole().parts, ids=lambda part: part.name)
def test_every_part_of_the_catalog_is_explained_in_the_docs(part: Any) -> None:
    if not part.cls.__module__.startswith("shoal."):
        pytest.skip("brought by another package")
    assert f"### {part.name}\n" in (DOCS / "reference.md").read_text("utf-8")
    pages = [page.name for page in DOCS.glob("*.md") if page in WRITTEN]
    told = [name for name in pages if re.search(rf"\b{part.name}\b", (DOCS / name).read_text("utf-8"))]
    assert told, f"no page but the reference speaks of {part.name}"


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_hierarchy_is_explained(form: str) -> None:
    word = form.split("(")[0] if form[0] != "a" else "FILE.csv"
    assert f"`{word}" in (DOCS / "hierarchies.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        assert not link.startswith("http"), f"{link}: the docs stand on their own"
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_every_command_line_parses(page: Path) -> None:
    for line in commands(page):
        resolve(shlex.split(line, comments=True)[1:])


def test_a_wrong_flag_in_the_docs_would_be_found() -> None:
    with pytest.raises(Exception, match="no-such-flag"):
        resolve(["table", "verify", "x.csv", "--no-such-flag"])
    with pytest.raises(AssertionError, match="no command nonsense"):
        resolve(["nonsense"])
    assert len(commands(ROOT / "README.md")) > 8
    assert len(commands(DOCS / "tables.md")) > 8


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_python_blocks_are_python(page: Path) -> None:
    for block in blocks(page, "python"):
        ast.parse(block)


def test_the_examples_in_python_run_on_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tell("demo-output", 400, lambda _: None)
    shutil.copytree("demo-output", "as-told")
    for page in (ROOT / "README.md", DOCS / "tables.md"):  # each finds the demo as it was told
        shutil.rmtree("demo-output")
        shutil.copytree("as-told", "demo-output")
        for block in blocks(page, "python"):
            exec(compile(block, page.name, "exec"), {})
        assert "True" in capsys.readouterr().out, page.name


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    for page in DOCS.rglob("*.md"):
        assert page.name == "index.md" or f"({page.relative_to(DOCS).as_posix()})" in index


def pages_in(navigation: Any) -> Iterator[str]:
    """The pages of a navigation, whatever they are below."""
    for entry in navigation if isinstance(navigation, list) else [navigation]:
        for below in entry.values() if isinstance(entry, dict) else [entry]:
            yield from [below] if isinstance(below, str) else pages_in(below)


def site() -> dict[str, Any]:
    """What mkdocs.yml says, as far as it is plain."""
    text = re.sub(r"!!python/\S+", "", (ROOT / "mkdocs.yml").read_text("utf-8"))
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def test_every_page_is_in_the_navigation_once() -> None:
    there = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert sorted(pages_in(site()["nav"])) == there


def test_the_first_level_of_the_navigation_is_what_people_look_for() -> None:
    assert [name for entry in site()["nav"] for name in entry] == [
        *("Start", "Which model do I need?", "Tables", "Graphs", "Queries", "Attacks", "Reference"),
        *("Promises", "Other tools"),
    ]


def test_wrong_links_and_forgotten_pages_end_the_build_of_the_site() -> None:
    checks = {name: level for part in site()["validation"].values() for name, level in part.items()}
    assert {"omitted_files", "not_found", "anchors"} <= checks.keys() and {*checks.values()} == {"warn"}
    (line,) = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "mkdocs build" in line]
    assert "--strict" in line and "quiet" not in line, "warnings must be errors, and heard"
    assert "make docs" in (ROOT / ".ci" / "run").read_text("utf-8")


@pytest.mark.parametrize(
    ("html", "many"),
    [
        ('<script src="https://example.org/a.js"></script>', 1),
        ("<script defer src=//example.org/a.js></script>", 1),
        ('<link rel="stylesheet" href="https://example.org/font.css">', 1),
        ("<style>@import url(https://example.org/font.css)</style>", 1),
        ('<img alt="a" src="http://example.org/a.png">', 1),
        ('<link rel="canonical" href="https://example.org/">', 0),
        ('<a href="https://example.org/">a link to click</a>', 0),
        ('<script src="assets/a.js"></script><img src="images/a.svg">', 0),
    ],
)
def test_what_a_page_would_fetch_from_elsewhere_is_found(html: str, many: int) -> None:
    assert len(module_in_docs("hooks").fetched(html)) == many
    assert site()["hooks"] == ["docs/hooks.py"] and site()["theme"]["font"] is False


def test_the_page_on_other_tools_says_where_figures_come_from_and_where_ours_is_worse() -> None:
    text = (DOCS / "other-tools.md").read_text("utf-8")
    assert "Where the figures come from" in text and "worse" in text


def test_the_questions_lead_to_every_model_that_has_one() -> None:
    text = (DOCS / "which-model.md").read_text("utf-8")
    asked = [part.name for part in Catalog.whole().parts if part.kind == "model" and part.cls.question]
    assert asked
    assert not [name for name in asked if f"[{name}](" not in text and f"`{name}`" not in text]


@pytest.mark.parametrize("method", METHODS, ids=lambda part: part.name)
def test_every_method_has_a_page_with_a_picture_and_a_command(method: Any) -> None:
    if not method.cls.__module__.startswith("shoal."):
        pytest.skip("brought by another package")
    page = DOCS / "methods" / f"{method.name}.md"
    assert page.exists(), f"write docs/methods/{method.name}.md"
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text("utf-8"))
    assert f"../images/{method.name}.svg" in pictures, "a picture with words for those who cannot see it"
    assert "choose it" in page.read_text("utf-8").lower()
    uses = [line for line in commands(page) if re.search(rf"--method \"?{method.name}\b", line)]
    assert uses, "a command that uses it"


def test_no_picture_of_a_method_is_left_over_or_drawn_by_hand() -> None:
    pictures = {path.stem for path in (DOCS / "images").glob("*.svg")} - {"before-after", "compare", "growth"}
    pictures = {name for name in pictures if not name.startswith(("findings-", "query-"))}
    assert pictures == {method.name for method in METHODS}
    scripts = "".join(path.read_text("utf-8") for path in (DOCS / "images").glob("*.py"))
    for name in pictures:
        assert f'"{name}"' in scripts or f"{name}.svg" in scripts, f"no script draws {name}.svg"


def test_every_picture_of_the_pages_has_a_title() -> None:
    pictures = sorted((ROOT / "docs").rglob("*.svg"))
    assert pictures
    silent = [path.name for path in pictures if "<title>" not in path.read_text("utf-8")]
    assert not silent, "run python docs/images/alt.py"


def test_the_pages_count_parts_as_the_catalog_does() -> None:
    written = module_in_docs("generate")
    for page in written.COUNTING:
        text = page.read_text("utf-8")
        assert re.search(r"\d+ attacks", text), page
        assert written.counted(text) == text, f"{page.name} is stale; run .venv/bin/python docs/generate.py"
