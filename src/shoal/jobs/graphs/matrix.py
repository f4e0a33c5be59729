"""Carry out `attack matrix`: protect one network in every way, and play every attack against each release."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

import numpy as np

from shoal import catalog, verbs
from shoal.core.contract import Attack, first_sentence
from shoal.core.deadline import OutOfTime, give_up_in_time, until
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.part_syntax import build, spell
from shoal.core.progress import Follow
from shoal.core.randomness import generator
from shoal.engines.atomic_write import check_place
from shoal.graphs.appraisal.attack_matrix import (
    AttackMatrix,
    MatrixAttack,
    MatrixCell,
    Protection,
    State,
)
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import GraphModel
from shoal.graphs.release import GraphRelease
from shoal.jobs.attack_trials import TimeLimit
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.graphs.attack import check_needs, scene_of
from shoal.jobs.graphs.requests import AttackGraph, MatrixGraph
from shoal.jobs.graphs.source import name_of, people, read, spell_without_seed

# Of the time, for one release and for one cell: a slow one must not cost all others theirs.
RELEASE, CELL = 0.3, 0.1
KNOWN = 20  # of so many people, an attacker knows one from the start at most
IN_THE_HOUSE = "the matrix names nobody, but it has exact figures of your network: keep it in the house"


@dataclass(frozen=True, eq=False)
class Planned:
    """A way to protect a network."""

    method: Any
    models: tuple[GraphModel, ...]

    @property
    def spelled(self) -> str:
        return " ".join([spell_without_seed(self.method), *map(spell, self.models)])


def matrix_graph(job: MatrixGraph, follow: Follow | None = None) -> AttackMatrix:
    """What every attack achieves against every protection of a network; what has no figure says why."""
    started = time.monotonic()
    if job.output is not None:
        check_form(job.output)
        check_place(job.output, [job.data, job.kinds])
    plans = plans_of(job)
    source = read(job.data, job)
    graph = people(source.graph, name_of(job.data))
    attackers = attackers_of(job, graph.nodes)
    clock, steps = _Shares(job.time_limit), len(plans) * (1 + len(attackers))

    def say(done: int, part: str) -> None:
        if follow is not None:
            follow(done, steps, part)

    rows: list[tuple[Protection, Scene | str]] = []
    for place, plan in enumerate(plans):
        say(place, plan.spelled)
        rows.append(_release(plan, graph, job, clock))
    found: dict[tuple[str, str], MatrixCell] = {}
    done = len(plans)
    for attacker in sorted(attackers, key=lambda one: one.slow):  # the quick ones first: time may run out
        for protection, scene in rows:
            say(done, f"{attacker.name} on {protection.protection}")
            done += 1
            found[protection.protection, spell(attacker)] = _cell(attacker, protection, scene, clock)
    spelled = [spell(attacker) for attacker in attackers]
    matrix = AttackMatrix(
        graph.nodes,
        graph.edges,
        tuple(MatrixAttack(spell(one), first_sentence(type(one)), one.counts) for one in attackers),
        tuple(protection for protection, _ in rows),
        tuple(found[protection.protection, attack] for protection, _ in rows for attack in spelled),
        job.overlap,
        job.seed,
        time.monotonic() - started,
    )
    matrix = replace(matrix, notes=(*source.notes, *graph.cleaned.notes, *_notes(matrix)))
    if job.output is not None:
        draw(matrix.to_chart(), job.output)
    return matrix


def attackers_of(job: MatrixGraph, nodes: int) -> list[Attack[Scene]]:
    """The attacks that were named, or all of the catalog, with the settings of the request."""
    named = job.attack or [name for name in catalog.names("attack") if _of_graphs("attack", name)]
    found = []
    for name in named:
        asked: dict[str, Any] = {"overlap": job.overlap}
        if job.trials is not None:
            asked["trials"] = job.trials
        usual: dict[str, Any] = {
            field.name: field.default for field in fields(catalog.part_of("attack", name, "graph"))
        }
        if "seeds" in usual:  # an attacker who knows everybody has nobody to find
            asked["seeds"] = min(usual["seeds"], max(1, nodes // KNOWN))
        found.append(catalog.part_of("attack", name, "graph", **asked))
    return list({spell(one): one for one in found}.values())


def plans_of(job: MatrixGraph) -> list[Planned]:
    """Every method of the catalog, or those named, with every promise that it can keep."""
    named = job.method or [name for name in catalog.names("method") if _of_graphs("method", name)]
    methods = [catalog.part_of("method", name, "graph") for name in named]
    asked = catalog.parts_of("model", job.model, "graph")
    for model in asked:
        if not any(model.name in method.reaches for method in methods):
            told = ", ".join(method.name for method in methods)
            raise BadParameter(f"no method keeps {spell(model)} among {told}; name another with --method")
    plans = [plan for method in methods for plan in _plans(method, asked, job)]
    if not plans:
        raise BadParameter("no protection is left; name a --method and a --model that it keeps")
    # First what keeps no promise, which all others are held against; then by how much is promised.
    plans.sort(key=lambda plan: [model.rank for model in plan.models])
    return list({plan.spelled: plan for plan in plans}.values())


def _plans(method: Any, asked: Sequence[GraphModel], job: MatrixGraph) -> Iterator[Planned]:
    if not method.reaches:
        yield Planned(method, ())
    for name in method.reaches:
        if asked:
            models = [model for model in asked if model.name == name]
        else:
            models = [_model(name, k, job) for k in job.k]
        for model in dict.fromkeys(models):
            yield Planned(method.fitted([model]), (model,))


def _model(name: str, k: int, job: MatrixGraph) -> GraphModel:
    """A promise with what the request says of the parameters that it cannot do without."""
    cls = catalog.find("model", name)
    needed = {field.name for field in fields(cls) if field.default is MISSING}
    given = {"k": str(k), "epsilon": str(job.epsilon)}
    made: GraphModel = build(cls, {word: text for word, text in given.items() if word in needed})
    return made


def _of_graphs(kind: catalog.Kind, name: str) -> bool:
    return catalog.noun_of(kind, name) == "graph"


class _Shares(TimeLimit):
    """The time for all, of which one part may take a share."""

    def after(self, share: float) -> float:
        """When a part that begins now must end, if a share of the time is for it."""
        assert self.end is not None and self.seconds is not None
        return min(self.end, time.monotonic() + share * self.seconds)

    def given_up(self, error: OutOfTime) -> str:
        return f"it was {error}; give --time-limit more than {self.seconds:g}"


def _release(plan: Planned, graph: Graph, job: MatrixGraph, clock: _Shares) -> tuple[Protection, Scene | str]:
    """A protection with the scene around its release, or with why there is none."""
    row = Protection(plan.spelled, plan.method.name, tuple(map(spell, plan.models)))
    if clock.over:
        return replace(row, reason=clock.words, late=True), ""
    began = time.monotonic()
    try:
        with until(clock.after(RELEASE)):
            release = _made(plan, graph, job.seed)
    except OutOfTime as error:
        return replace(row, reason=clock.given_up(error), late=True, seconds=time.monotonic() - began), ""
    except (ShoalError, MemoryError) as error:
        why = str(error) or "it does not fit into the memory of this machine"
        return replace(row, reason=why, seconds=time.monotonic() - began), ""
    row = replace(row, added=release.added, removed=release.removed, seconds=time.monotonic() - began)
    if not release.paired:
        return row, _nobody(release)
    asked = AttackGraph(
        data=release, original=graph, attack="", method=plan.method, model=plan.models, seed=job.seed, show=1
    )
    return row, scene_of(asked)


def _made(plan: Planned, graph: Graph, seed: int | None) -> GraphRelease:
    seeded = "seed" in {field.name for field in fields(plan.method)}
    method = replace(plan.method, seed=seed) if seeded else plan.method
    release: GraphRelease = verbs.protect(graph, method, plan.models, give_up_in_time)
    if release.paired and release.mapping is None:
        # Nodes that stay where they are would tell who is who wherever an attack has to choose.
        release = release.relabelled(np.asarray(generator(seed).permutation(graph.nodes), np.int64))
    return release


def _nobody(release: GraphRelease) -> str:
    """Why nobody can be found in a release whose nodes stand for nobody."""
    if isinstance(release.graph, Grouping):
        smallest = int(release.graph.sizes.min())
        return f"the release has groups of at least {smallest:,} and no people: there is nobody to find"
    return "the people of the release are made up: none of them is anybody"


def _cell(attacker: Attack[Scene], row: Protection, scene: Scene | str, clock: _Shares) -> MatrixCell:
    spelled = spell(attacker)
    if row.reason:
        state: State = "out of time" if row.late else "failed"
        return MatrixCell(spelled, row.protection, state, reason=row.reason)
    if isinstance(scene, str):
        return MatrixCell(spelled, row.protection, "does not apply", reason=scene)
    if why := attacker.inapplicable(scene):
        return MatrixCell(spelled, row.protection, "does not apply", reason=why)
    if clock.over:
        return MatrixCell(spelled, row.protection, "out of time", reason=clock.words)
    began = time.monotonic()

    def without(state: State, why: str) -> MatrixCell:
        return MatrixCell(spelled, row.protection, state, reason=why, seconds=time.monotonic() - began)

    try:
        check_needs(attacker, scene)
        with until(clock.after(CELL)):
            finding = verbs.attack(scene, attacker)
        if finding.details.get("complete") is False:  # the matches so far, which are no rate to compare
            raise OutOfTime("not finished within its time")
    except OutOfTime as error:
        return without("out of time", clock.given_up(error))
    except ShoalError as error:
        return without("failed", str(error))
    except MemoryError:
        return without("failed", "it does not fit into the memory of this machine")
    if not finding.rate.targets:
        return without("does not apply", "there is nobody whom it could be after")
    return MatrixCell.of(spelled, row.protection, finding, time.monotonic() - began)


def _notes(matrix: AttackMatrix) -> list[str]:
    notes = [IN_THE_HOUSE]
    late = [cell for cell in matrix.cells if cell.state == "out of time"]
    if late:
        notes.append(
            f"{len(late):,} of {len(matrix.cells):,} cells were left out because the time was over; give "
            "--time-limit more, or fewer with --attack, --method and --trials"
        )
    return notes
