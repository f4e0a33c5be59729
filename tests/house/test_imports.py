"""Which room may open which door: imports point one way, by the syntax tree."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from house.sources import imports, modules, tree

KNOWN = modules()
PILLARS = ("tables", "graphs", "queries")
APIS = ("api", "api_attack", "api_tables", "api_graphs", "api_queries")
# room → the rooms it may open; the longest room that a module is in decides
MAY_OPEN: dict[str, tuple[str, ...]] = {
    "core": ("core",),
    "engines": ("engines", "core"),
    **{pillar: (pillar, "engines", "core", "version") for pillar in PILLARS},
    # What an attacker knows of methods and models is what everybody can look up.
    "tables.attacker_reasoning.manifest_clues": ("tables", "catalog", "core"),
    "verbs": ("core",),
    "catalog": ("core", *PILLARS),
    "jobs": ("jobs", "catalog", "verbs", "core", "engines", "version", *PILLARS),
    **dict.fromkeys(APIS, ("jobs", "core", *PILLARS)),
    "demo": (
        "demo",
        "api",
        "api_attack",
        "api_tables",
        "api_graphs",
        "jobs",
        "report",
        "core",
        "engines",
        *PILLARS,
    ),
    "faces": ("faces", "jobs", "catalog", "report", "core", "demo", "version", "tables.appraisal.dossier"),
    # What a report tells is a result; `report` words and draws it.
    "report": (
        "report",
        "jobs",
        "catalog",
        "core",
        "tables.appraisal.dossier",
        "graphs.appraisal.dossier",
        "queries.owner_dossier",
        "graphs.appraisal.degrees",
        "graphs.appraisal.estimate",
    ),
    "version": (),
    "__main__": ("faces",),
    "": (*APIS, "core", "jobs", *PILLARS, "version"),
}
# Inside a pillar: who must not know whom.
MUST_NOT_OPEN = {
    # Noise knows nothing of SQL, engines or budgets.
    "mechanisms": ("sql", "stores", "ledger", "service", "accounting", "methods", "models"),
    "models": ("methods", "attacks", "measures", "search", "building"),
    "building": ("methods", "models", "attacks", "measures", "mechanisms"),
    "formats": ("methods", "models", "attacks", "measures", "mechanisms", "building"),
    "search": ("methods", "attacks"),
    "attacks": ("models", "methods", "search"),
    "attacker_reasoning": ("models", "methods", "search", "attacks", "measures"),
    "measures": ("models", "methods", "attacks", "search", "building"),
    # What `verify` looks with shares nothing with the search whose result it judges.
    "model_inputs": ("search", "methods"),
    "manifest": ("search", "methods"),
    "table": ("search", "methods"),
    "in_engine.written_rows": ("search", "methods", "in_engine.distinct_rows", "in_engine.release_tree"),
    "in_engine.written_degrees": ("building", "methods", "in_engine.degree_plan", "in_engine.edge_table"),
    "hierarchies": ("models", "methods", "attacks", "measures", "search"),
}


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


@cache
def opened(module: str) -> frozenset[str]:
    return frozenset(imports(KNOWN[module], KNOWN))


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


def room_of(module: str) -> str:
    return max((room for room in MAY_OPEN if room and within(module, room)), key=len, default="")


def test_every_module_is_in_a_room() -> None:
    assert not [name for name in KNOWN if name and not room_of(name)], "add the room to the house first"


def test_every_rule_is_about_a_room_that_there_is() -> None:
    rooms = {*MAY_OPEN, *(room for doors in MAY_OPEN.values() for room in doors)}
    assert not rooms - {*KNOWN}
    inner = {name.partition(".")[2] for name in KNOWN if name.partition(".")[0] in PILLARS}
    assert not {*MUST_NOT_OPEN, *(door for doors in MUST_NOT_OPEN.values() for door in doors)} - inner


def test_a_module_opens_only_the_doors_of_its_room() -> None:
    assert not [
        f"{module} must not import {other}"
        for module in KNOWN
        for other in opened(module)
        if other and not any(within(other, allowed) for allowed in MAY_OPEN[room_of(module)])
    ]


def test_no_module_imports_the_package_itself() -> None:
    assert not [name for name in KNOWN if name and "" in opened(name)], "name the module it needs"


def test_a_pillar_keeps_its_own_order() -> None:
    found = []
    for module in KNOWN:
        pillar, _, inner = module.partition(".")
        if pillar not in PILLARS:
            continue
        closed = {door for room, doors in MUST_NOT_OPEN.items() if within(inner, room) for door in doors}
        for other in opened(module):
            home, _, target = other.partition(".")
            if home == pillar and any(within(target, door) for door in closed):
                found.append(f"{module} must not import {other}")
    assert not found


def test_what_verify_looks_with_loads_nothing_of_the_search() -> None:
    models = [name for name in KNOWN if within(name, "tables.models")]
    loaded = closure(["tables.model_inputs.classes", "verbs", *models])
    search = ("tables.search", "tables.methods")
    assert not [name for name in loaded if any(within(name, room) for room in search)]


def test_what_verify_looks_at_graphs_with_loads_nothing_of_the_search() -> None:
    models = [name for name in KNOWN if within(name, "graphs.models")]
    loaded = closure(["graphs.model_view", "graphs.formats.files", "graphs.manifest", "verbs", *models])
    search = ("graphs.building", "graphs.methods", "graphs.mechanisms", "graphs.measures")
    assert not [name for name in loaded if any(within(name, room) for room in search)]


def test_no_two_pillars_know_each_other() -> None:
    for module in KNOWN:
        home = module.split(".")[0]
        if home in PILLARS:
            assert not {other.split(".")[0] for other in opened(module)} & ({*PILLARS} - {home})


def loud(module: str) -> Iterator[str]:
    """Where a module prints, asks or touches a stream."""
    for node in ast.walk(tree(KNOWN[module])):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("print", "input", "breakpoint"):
                yield f"{module} prints on line {node.lineno}"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            # The engine writes a table to standard output when asked for `-`; nobody else touches a stream.
            allowed = module in ("engines.files", "engines.atomic_write")
            if not allowed and node.attr in ("stdout", "stderr", "stdin", "exit"):
                yield f"{module} uses sys.{node.attr} on line {node.lineno}"


def test_the_library_never_prints() -> None:
    assert not [line for module in KNOWN if not within(module, "faces") for line in loud(module)]
