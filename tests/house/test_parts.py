"""A part is one file and one line: nothing else knows it by name, or asks it for what it may not have."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module

from typer.main import get_command

from house.sources import SOURCE, modules, tree
from shoal import catalog
from shoal.catalog import KINDS, Part
from shoal.jobs.graphs.requests import AskGraph, AttackGraph, MeasureGraph, ProtectGraph
from shoal.jobs.queries.requests import AttackQuery
from shoal.jobs.request import known
from shoal.jobs.tables.requests import AttackTable, MeasureTable, ProtectTable

# Rooms that may know names: the list itself, the made-up story, and what others rely on.
MAY_NAME = ("catalog", "demo", "jobs.schemas")
# Names that are words of the language, or of SQL, or keys of the JSON that users rely on.
WORDS = {
    "auto",
    "background",
    "belief",
    "clustering",
    "combinations",
    "contribution",
    "degree",
    "density",
    "diameter",
    "discernibility",
    "distinction",
    "entropy",
    "exponential",
    "gaussian",
    "grouping",
    "histogram",
    "inference",
    "intersection",
    "isolation",
    "journalist",
    "laplace",
    "linkability",
    "linkage",
    "loss",
    "marketer",
    "neighbourhood",
    "noise",
    "optimal",
    "overlap",
    "plain",
    "precision",
    "private",
    "prosecutor",
    "pseudonyms",
    "quantile",
    "relaxed",
    "sample",
    "sampling",
    "selection",
    "separation",
    "swapping",
    "triangles",
    "uniqueness",
}
# A cure, a usual method and the methods that make a promise name another part on purpose.
ON_PURPOSE = ("usual_method", "mechanisms", "reaches")
PARTS = catalog.Catalog.whole().parts
FOLDERS = ("models", "methods", "steps", "attacks", "measures", "mechanisms", "alternatives")


def module_of(part: Part) -> str:
    return part.cls.__module__.removeprefix("shoal.")


def home(part: Part) -> str:
    """The module of a part, or its folder where it has one of its own."""
    *rooms, last = module_of(part).split(".")
    return ".".join(rooms) if rooms[-1] == last else ".".join([*rooms, last])


def literals(module: str) -> Iterator[tuple[int, str]]:
    """Texts in the code of a module that are no docstrings, nor what a part says on purpose."""
    found = tree(modules()[module])
    quiet = set()
    for node in ast.walk(found):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            quiet.add(id(node.body[0].value))  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) in ON_PURPOSE:
            quiet.update(map(id, ast.walk(node)))
        if isinstance(node, ast.Call) and "remed" in ast.unparse(node.func):
            quiet.update(map(id, ast.walk(node)))
    for node in ast.walk(found):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
            yield node.lineno, node.value


def test_nothing_outside_its_own_file_knows_a_part_by_name() -> None:
    homes: dict[str, list[str]] = {}
    for part in PARTS:
        homes.setdefault(part.name, []).append(home(part))
    found = []
    for module in modules():
        if module.startswith(MAY_NAME):
            continue
        for line, text in literals(module):
            named = re.match(r"[\w-]+", text)
            name = named[0] if named and text in (named[0], f"{named[0]}(") else ""
            own = any(module == place or module.startswith(f"{place}.") for place in homes.get(name, ()))
            if name in homes and name not in WORDS and not own:
                found.append(f"{module}:{line} knows '{name}'")
    assert not found, "\n".join(found)


KINDS_IN_WORDS = re.compile(rf"\b(?:{'|'.join(KINDS)})s?\b")


def test_nothing_is_decided_by_the_name_of_a_part_though_it_is_a_word() -> None:
    names = {part.name for part in PARTS} - {"auto"}  # what users get who name no method
    found = []
    for module, path in modules().items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                texts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                asked = " ".join(ast.unparse(side) for side in sides if not isinstance(side, ast.Constant))
                if texts & names and KINDS_IN_WORDS.search(asked.replace("_", " ")):
                    found.append(f"{module}:{node.lineno} {ast.unparse(node)}")
    assert not found, "declare it on the part:\n" + "\n".join(found)


def test_the_words_are_names_of_parts() -> None:
    assert {part.name for part in PARTS} >= WORDS


# Objects of other libraries, of which nobody knows what they have.
FOREIGN = (
    "catalog",
    "core.part_syntax",
    "core.notebook",
    "core.cache",
    "engines.",
    "queries.dbapi.",
    "graphs.formats.objects",
    "queries.service.",
    "queries.sql.",
)


def test_nothing_asks_a_part_what_it_may_not_have() -> None:
    found = []
    for module, path in modules().items():
        if module.startswith(FOREIGN) or not module:
            continue
        for node in ast.walk(tree(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            literal = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
            if node.func.id in ("getattr", "hasattr") and literal:
                found.append(f"{module}:{node.lineno} {ast.unparse(node)}")
    assert not found, "declare it in core/contract.py:\n" + "\n".join(found)


def test_folders_of_parts_hold_parts_only() -> None:
    homes = {home(part) for part in PARTS} | {module_of(part) for part in PARTS}
    found = []
    for module in modules():
        rooms = module.split(".")
        if len(rooms) < 3 or rooms[0] == "jobs" or rooms[1] not in FOLDERS:
            continue
        inside = any(module.startswith(f"{place}.") for place in homes)
        if module not in homes and not inside:
            found.append(module)
    assert not found, "a helper lives with its callers, or in the folder of its only one:\n" + "\n".join(
        found
    )


def test_every_part_derives_from_what_the_contract_says() -> None:
    for part in PARTS:
        catalog.check(part.kind, part.cls)
    assert {part.kind for part in PARTS} == set(KINDS)


# A command that several files serve, or whose word alone would not say what is in the file.
OTHERWISE = {
    "graph attack matrix": "matrix",
    "query mechanism": "draw_from_mechanism",
    "query budget": "change_budget",
    "query analysts": "owner",
    "query log": "owner",
    "query check": "owner",
}


def test_every_command_has_its_file() -> None:
    for noun, pillar in {"table": "tables", "graph": "graphs", "query": "queries"}.items():
        app = get_command(import_module(f"shoal.faces.cli.{noun}").app)
        verbs = app.commands  # type: ignore[attr-defined]
        assert len(verbs) > 2
        for verb in verbs:
            name = OTHERWISE.get(f"{noun} {verb}", verb)
            assert (SOURCE / "jobs" / pillar / f"{name}.py").is_file(), f"jobs/{pillar}/{name}.py"


# Per kind and noun the request that takes such a part, and the word that names it.
TAKEN_BY = {
    ("model", "table"): (ProtectTable, "model"),
    ("model", "graph"): (ProtectGraph, "model"),
    ("method", "table"): (ProtectTable, "method"),
    ("method", "graph"): (ProtectGraph, "method"),
    ("step", "table"): (ProtectTable, "step"),
    ("attack", "table"): (AttackTable, "attack"),
    ("attack", "graph"): (AttackGraph, "attack"),
    ("measure", "table"): (MeasureTable, "only"),
    ("measure", "graph"): (MeasureGraph, "only"),
    ("mechanism", "graph"): (AskGraph, "mechanism"),
    ("attack", "query"): (AttackQuery, "attack"),
    ("alternative", "query"): (AttackQuery, "against"),
}


def test_every_part_can_be_named_in_a_request() -> None:
    asked = {(part.kind, part.noun) for part in PARTS}
    assert asked - {*TAKEN_BY} <= {("mechanism", "query"), ("attack", "query")}, "which verb?"
    for request, word in TAKEN_BY.values():
        assert word in known(request), f"{request.__name__} takes no --{word}"
    for part in PARTS:  # as all of these requests look it up
        found = catalog.parts_of(part.kind, [f"{part.name}({part.cls.example})"], part.noun)
        assert [type(one) for one in found] == [part.cls]
