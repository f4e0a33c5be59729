"""Which room may open which door: imports point one way, by the syntax tree."""

import ast
from collections.abc import Iterable

import pytest

from house.sources import imports, modules, tree

KNOWN = modules()
PILLARS = ("tables", "graphs", "queries")
# room → the rooms it may open; the longest room that a module is in decides
MAY_OPEN: dict[str, tuple[str, ...]] = {
    "core": ("core",),
    "engines": ("engines", "core"),
    **{pillar: (pillar, "engines", "core", "version") for pillar in PILLARS},
    "verbs": ("core",),
    "catalog": ("core", *PILLARS),
    "jobs": ("jobs", "catalog", "verbs", "core", "engines", "version", *PILLARS),
    **dict.fromkeys(("api", "api_tables", "api_graphs", "api_queries"), ("jobs", "core", *PILLARS)),
    "demo": ("demo", "api", "api_tables", "api_graphs", "jobs", "report", "core", "engines", *PILLARS),
    "faces": ("faces", "jobs", "catalog", "report", "core", "demo", "version"),
    "report": ("report", "jobs", "catalog", "core"),
    "version": (),
    "__main__": ("faces",),
    "": ("api", "api_tables", "api_graphs", "api_queries", "core", "tables", "graphs", "queries", "version"),
}
# Inside a pillar: who must not know whom.
MUST_NOT_OPEN = {
    # Noise knows nothing of SQL, engines or budgets.
    "mechanisms": ("sql", "stores", "ledger", "service", "accounting", "methods", "models"),
    "models": ("methods", "attacks", "measures", "kernels", "tuples", "lattice", "search", "construction"),
    "construction": ("methods", "models", "attacks", "measures", "mechanisms"),
    "formats": ("methods", "models", "attacks", "measures", "mechanisms", "construction"),
    "search": ("methods", "attacks"),
    "attacks": ("models", "methods", "search"),
    "adversary": ("models", "methods", "search", "attacks", "measures"),
    "measures": ("models", "methods", "attacks", "search", "construction"),
    # What `verify` looks with shares nothing with the search whose result it judges.
    "classes": ("kernels", "tuples", "lattice", "search", "methods"),
    "manifest": ("kernels", "tuples", "lattice", "search", "methods"),
    "values": ("kernels", "tuples", "lattice", "search", "methods"),
    "table": ("kernels", "tuples", "lattice", "search", "methods"),
    "hierarchies": ("models", "methods", "attacks", "measures", "kernels", "tuples", "lattice", "search"),
}


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def opened(module: str) -> set[str]:
    return set(imports(KNOWN[module], KNOWN))


def closure(start: Iterable[str]) -> set[str]:
    """Everything that is loaded with some modules, theirs and what those import in turn."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        module = waiting.pop()
        if module in found or module not in KNOWN:
            continue
        found.add(module)
        waiting += opened(module)
    return found


@pytest.mark.parametrize("module", KNOWN, ids=lambda name: name or "shoal")
def test_a_module_opens_only_the_doors_of_its_room(module: str) -> None:
    room = max((room for room in MAY_OPEN if room and within(module, room)), key=len, default="")
    assert room or module == "", f"{module} is in no room; add the room to the house first"
    for other in opened(module):
        if module and other == "":
            pytest.fail(f"{module} imports the package itself; name the module it needs")
        assert any(within(other, allowed) for allowed in MAY_OPEN[room]), f"{module} must not import {other}"


@pytest.mark.parametrize("module", [name for name in KNOWN if name.startswith(PILLARS)])
def test_a_pillar_keeps_its_own_order(module: str) -> None:
    pillar, _, inner = module.partition(".")
    for room, closed in MUST_NOT_OPEN.items():
        if not within(inner, room):
            continue
        for other in opened(module):
            _, _, target = other.partition(".")
            wrong = other.startswith(f"{pillar}.") and any(within(target, door) for door in closed)
            assert not wrong, f"{module} must not import {other}"


def test_what_verify_looks_with_loads_nothing_of_the_search() -> None:
    models = [name for name in KNOWN if within(name, "tables.models")]
    loaded = closure(["tables.classes", "verbs", *models])
    search = ("tables.kernels", "tables.tuples", "tables.lattice", "tables.search", "tables.methods")
    assert not [name for name in loaded if any(within(name, room) for room in search)]


def test_what_verify_looks_at_graphs_with_loads_nothing_of_the_search() -> None:
    models = [name for name in KNOWN if within(name, "graphs.models")]
    loaded = closure(["graphs.sight", "graphs.formats.files", "graphs.manifest", "verbs", *models])
    search = ("graphs.construction", "graphs.methods", "graphs.mechanisms", "graphs.measures")
    assert not [name for name in loaded if any(within(name, room) for room in search)]


def test_no_two_pillars_know_each_other() -> None:
    for module in KNOWN:
        home = module.split(".")[0]
        if home in PILLARS:
            assert not {other.split(".")[0] for other in opened(module)} & ({*PILLARS} - {home})


@pytest.mark.parametrize("module", KNOWN, ids=lambda name: name or "shoal")
def test_the_library_never_prints(module: str) -> None:
    if within(module, "faces"):
        return
    for node in ast.walk(tree(KNOWN[module])):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        assert name not in ("print", "input", "breakpoint"), f"{module} prints on line {node.lineno}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            # The engine writes a table to standard output when asked for `-`; nobody else touches a stream.
            allowed = module in ("engines.local", "engines.write")
            assert allowed or node.attr not in ("stdout", "stderr", "stdin", "exit"), (
                f"{module} uses sys.{node.attr} on line {node.lineno}"
            )
