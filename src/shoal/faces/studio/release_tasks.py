"""What the pages about releases ask of a working process. Nothing here knows the browser."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shoal.core.errors import ShoalError
from shoal.core.progress import tell
from shoal.faces.studio.lists import lists_of
from shoal.faces.studio.project import TableFolder
from shoal.faces.studio.settings import Settings
from shoal.faces.studio.worker import follow

KS = (2, 3, 5, 7, 10, 15, 20, 30, 50)
NODES = 400  # of a lattice that are looked at


def explore(folder: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The lattice of solutions, and its choices as a method takes them."""
    from shoal.jobs import run

    found: Any = run(job_of(folder, settings, "explore"), follow)
    return {**found.to_json(), "words": found.words()}


def method_with_levels(levels: list[str]) -> str:
    """The method that releases one choice of levels, as settings spell it."""
    from shoal.jobs.tables.explore import method_with

    return method_with(tuple(levels))


def diff(folder: str, release: str, settings: dict[str, Any], first: int, show: int) -> dict[str, Any]:
    """A release beside its original."""
    from shoal.jobs import run

    job = _beside(folder, release, settings, first=first, show=show)
    told: dict[str, Any] = run(job).to_json()
    return told


def _beside(folder: str, release: str, settings: dict[str, Any], **more: Any) -> Any:
    from shoal.jobs.tables.owner_requests import DiffTable

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    specs = {column: table.located(spec) for column, spec in asked.used_hierarchies().items()}
    return DiffTable(data=release, original=str(table.file), hierarchy=specs, **more)


def curve(folder: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Risk against loss over values of k, with everything else as it is set."""
    from shoal.core.part_syntax import split
    from shoal.jobs import run
    from shoal.jobs.tables.requests import CompareTable
    from shoal.jobs.tables.source import models_of

    asked = Settings.from_json(settings)
    of_k = models_of((), 2)[0].name  # what --k is short for
    others = tuple(model for model in asked.model if split(model)[0] != of_k)
    job = TableFolder(Path(folder)).request(
        CompareTable,
        asked,
        model=others,
        k=KS,
        suppress=(asked.suppress,),
        objective=asked.objective,
        method=("auto",) if "(" in asked.method else (asked.method,),  # not the levels that somebody chose
        time_limit=5.0,
    )
    told: Any = run(job, follow).to_json()
    points = [
        {
            "k": int(re.findall(r"k=(\d+)", one["setting"])[0]),
            "suppressed": one["suppressed"],
            **one["figures"],
        }
        for one in told["points"]
    ]
    return {"points": sorted(points, key=lambda point: point["k"])}


def attacks() -> list[dict[str, Any]]:
    """The attacks on tables, with what each needs."""
    from shoal.jobs.tables.attack_choices import attack_choices

    return [asdict(one) for one in attack_choices()]


def attack(
    folder: str, release: str, settings: dict[str, Any], name: str, lists: dict[str, Any]
) -> dict[str, Any]:
    """One attack on the original without names, and on the release: who is hit before and after."""
    from shoal.jobs import run
    from shoal.jobs.tables.source import frame_of

    told: dict[str, Any] = {"listed": []}
    for place, side in enumerate(("after", "before")):
        tell(place, 2, f"attacking {'the release' if side == 'after' else 'the original'}")
        try:
            job = _attack_job(folder, release if side == "after" else "", settings, name, lists)
            told[side] = run(job).to_json()
            if "external" in lists:  # who is told by other columns is not looked up on it
                told["listed"] = frame_of(lists["external"], job).columns
        except ShoalError as error:
            if side == "after":
                raise
            told["why_not_before"] = str(error)
    return told


def attack_copies(
    folder: str, release: str, settings: dict[str, Any], name: str, lists: dict[str, Any]
) -> list[dict[str, str]]:
    """The attack on a release, as a command line, as Python and as a project file."""
    from shoal.jobs.copy_as import copies_of

    job = _attack_job(folder, release, settings, name, lists)
    return [asdict(copy) for copy in copies_of(job, folder)]


def _attack_job(folder: str, release: str, settings: dict[str, Any], name: str, lists: dict[str, Any]) -> Any:
    """An attack on a release, or without one on the original without names."""
    from shoal.jobs.tables.requests import AttackTable

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    specs = {column: table.located(spec) for column, spec in asked.used_hierarchies().items()}
    roles = {role: asked.columns(role) for role in ("identifier", "quasi", "sensitive")}
    more: dict[str, Any] = {**lists, **({} if release else roles)}
    data, original = release or str(table.file), str(table.file)
    return AttackTable(data=data, attack=name, original=original, hierarchy=specs, show=200, **more)


def group(
    folder: str, release: str, settings: dict[str, Any], people: str, who: dict[str, str]
) -> dict[str, Any]:
    """The released rows that may be one person's."""
    from shoal.jobs.tables.group_of_person import group_of_person

    return asdict(group_of_person(_beside(folder, release, settings), people, who))


def report(folder: str, release: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The report of a release as HTML and PDF, beside it."""
    from shoal.report.document import make_report, verdict_box

    dossier = make_report(job_of(folder, settings, "report", release), follow)
    box = verdict_box(dossier)
    told = {"tone": box.tone, "head": box.head, "text": box.text}
    return {"holds": bool(dossier.verdict.holds), "notes": list(dossier.notes), **told}


def mapping(folder: str, release: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Which value became which label, as a file beside the release."""
    from shoal.jobs import run

    told = run(job_of(folder, settings, "mapping", release)).to_json()
    return {"publishable": told["publishable"], "notes": told["notes"]}


def copies(folder: str, settings: dict[str, Any], what: str, release: str = "") -> list[dict[str, str]]:
    """What a page does, as a command line, as Python and as a project file."""
    from shoal.jobs.copy_as import copies_of

    return [asdict(copy) for copy in copies_of(job_of(folder, settings, what, release), folder)]


def job_of(folder: str, settings: dict[str, Any], what: str, release: str = "") -> Any:
    """The request that a page carries out, and that is copied; without a release the one that makes it."""
    from shoal.jobs.tables import owner_requests, requests

    table, asked = TableFolder(Path(folder)), Settings.from_json(settings)
    place = Path(release).parent
    if what == "data":
        return requests.InspectTable(data=str(table.file))
    if what == "explore":
        search = {word: getattr(asked, word) for word in ("model", "suppress", "objective")}
        limits = {"nodes": NODES, "time_limit": 20.0}
        return table.request(owner_requests.ExploreTable, asked, **search, **limits)
    if what == "diff" and release:
        return _beside(folder, release, settings)
    if what == "mapping" and release:
        beside = _beside(folder, release, settings)
        about = {"data": release, "original": beside.original, "hierarchy": beside.hierarchy}
        return owner_requests.MappingTable(**about, output=str(place / "mapping.csv"))
    if what == "report" and release:
        beside, people = _beside(folder, release, settings), next(iter(lists_of(table).values()), None)
        return requests.ReportTable(
            data=release,
            output=str(place / "report.html"),
            pdf=str(place / "report.pdf"),
            original=beside.original,
            hierarchy=beside.hierarchy,
            title=f"Release of {table.name}",
            time_limit=120.0,
            external=None if people is None else str(people),
        )
    return table.protect_job(release or str(table.folder / "release.csv"), asked)
