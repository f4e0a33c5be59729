"""Tests mirror the source, files stay small, and nothing of one machine is in the history."""

import ast
import re
from pathlib import Path

from house.sources import ROOT, SOURCE, TESTS, modules, tracked, tree

LONGEST = 300
# Modules without a test file of their own, each with the reason.
WITHOUT = {
    "": "lazy names, tested in test_public_names",
    "version": "one string",
    "core.frequency_bound": "fields without a line of code",
    "core.contract": "what parts derive from, held by contract/test_parts",
    "core.progress": "fields without a line of code",
    "demo": "asks for its extra, tested in faces/test_light_install",
    "faces.cli": "the way out of every command, tested in faces/",
    "faces.studio.desk": "what pages are built with, tested by every page",
    "faces.studio.pages": "names",
    "faces.studio.pages.page": "fields without a line of code",
    "faces.studio.serve": "the way in, tested by every page in faces/studio",
    "faces.studio.tasks": "what pages ask of workers, tested by the pages",
    "faces.studio.theme": "a stylesheet and colours",
    "faces.studio.widgets.declaration_form": "a form, tested in faces/studio/pages/test_questions",
    "faces.studio.widgets.before_after": "drawn rows and charts, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.charts": "options of charts, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.copy_as": "a dialog, tested in faces/studio/pages/test_report",
    "faces.studio.widgets.curve": "a chart and a slider, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.hierarchy_tree": "tested in faces/studio/widgets/test_hierarchy_editor",
    "faces.studio.widgets.lattice": "a chart and a choice, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.run_choice": "a choice, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.work": "a button and a bar, tested in faces/studio/pages/test_explore",
    "faces.studio.widgets.text": "elements with text in them, tested by every page",
    "faces.studio.widgets.upload": "a hidden field, tested in faces/studio/pages/test_home",
    "faces.studio.widgets.waiting": "a bar, tested in faces/studio/pages/test_run",
    "jobs": "names, and run: tested in jobs/tables/test_inspect",
    "tables.appraisal.task_objective": "what tasks derive from, held by tables/search/test_task_costs",
    "report": "names",
    "report.blocks": "what the others are made of: fields without a line of code",
    "queries.endpoints.endpoint": "what alternatives derive from, held by contract/test_query_parts",
    "queries.endpoints.people_endpoint": "exact answers, tested in queries/alternatives/test_plain",
    "queries.sql": "asks for its extra, tested in faces/test_light_install",
    "queries.stores": "asks for its extra, tested in faces/test_light_install",
    "queries.stores.store": "a protocol, held by the tests of both stores",
    "tables.hierarchies": "names",
    "tables.model_inputs.text_values": "one cast, tested wherever a value is compared",
}
WORDS = {
    "",
    ".cfg",
    ".csv",
    ".html",
    ".json",
    ".lock",
    ".md",
    ".py",
    ".svg",
    ".toml",
    ".txt",
    ".yaml",
    ".yml",
}
# Where packages come from and where a checkout lies are matters of one machine, not of the project.
MACHINE = re.compile(
    r"https?://[^\s\"'<>)]*(?:pypi|artifactory|nexus|devpi|/simple\b)[^\s\"'<>)]*"
    r"|--(?:extra-)?index-url\b|--find-links\b|\bfiles\.pythonhosted\b"
    r"|(?<![\w.~<{])/(?:home|Users|work|root)/\w",
    re.IGNORECASE,
)


def place_of(module: str) -> Path:
    """Where the tests of a module are."""
    *rooms, name = module.split(".")
    if modules()[module].name == "__init__.py":
        rooms, name = [*rooms, name], name
    return TESTS.joinpath(*rooms, f"test_{name}.py")


def test_every_module_has_a_test_file_of_its_name() -> None:
    told = {
        module for module, path in modules().items() if all(isinstance(n, ast.Expr) for n in tree(path).body)
    }
    places = {
        module: place_of(module) for module in modules() if module not in WITHOUT and module not in told
    }
    assert not [
        f"no {place.relative_to(ROOT)} for {modules()[module].relative_to(ROOT)}"
        for module, place in places.items()
        if not place.is_file()
    ]


def test_the_list_of_exceptions_is_no_longer_than_it_must_be() -> None:
    assert set(WITHOUT) <= set(modules())


def test_a_file_is_one_idea() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    long = [
        f"{path.relative_to(ROOT)}: {size} lines"
        for path, size in sizes.items()
        if size > LONGEST and path.name != "catalog.py"
    ]
    assert not long, f"past {LONGEST} lines it is two ideas"


def test_no_folder_is_empty_handed() -> None:
    folders = [folder for folder in SOURCE.rglob("*/") if folder.is_dir() and folder.name != "__pycache__"]
    assert not [
        str(folder.relative_to(ROOT))
        for folder in folders
        if {path.name for path in folder.iterdir()} <= {"__pycache__", "__init__.py"}
    ]


def test_nothing_of_one_machine_is_in_the_history() -> None:
    found = []
    for path in tracked():
        if path.suffix not in WORDS or path == TESTS / "house" / "test_mirror.py":
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {hit[0]}" for hit in MACHINE.finditer(text)]
    assert not found, found[:10]


def test_every_docstring_of_a_module_says_what_it_is_for() -> None:
    docs = {name: ast.get_docstring(tree(path)) or "" for name, path in modules().items()}
    assert not [
        name or "shoal" for name, doc in docs.items() if not doc.split("\n")[0].rstrip().endswith((".", ":"))
    ]
