"""What the page of networks asks of a working process. Nothing here knows the browser."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from shoal.core.errors import BadGraph
from shoal.faces.studio.networks import NetworkFolder
from shoal.faces.studio.project import HIDDEN
from shoal.faces.studio.worker import follow

LONGEST = 120.0  # seconds for one attack


def sample(place: str) -> None:
    """The made-up network that comes with Shoal, as a file."""
    from shoal.demo.social_network import write_network

    write_network(place)


def parts() -> dict[str, Any]:
    """Promises and attacks for networks as forms, and the promise that is usual."""
    from shoal.jobs.graphs.source import USUAL
    from shoal.jobs.part_forms import forms_of

    return {"model": forms_of("model", "graph"), "attack": forms_of("attack", "graph"), "usual": USUAL.name}


def look(folder: str) -> dict[str, Any]:
    """What a network is like, and its picture."""
    from shoal.jobs import run
    from shoal.jobs.graphs.picture import draw_graph

    network = NetworkFolder(Path(folder))
    found = run(job_of(network, "measure"), follow)
    told = {**found.to_json(), "picture": draw_graph(network.file)}
    network.keep("measured", told)
    return told


def protect(folder: str, model: str) -> dict[str, Any]:
    """The release with its manifest, who is who for the owner alone, and what it did to the network."""
    from shoal.jobs import run

    network = NetworkFolder(Path(folder))
    with TemporaryDirectory(dir=network.folder / HIDDEN) as trial:
        place = Path(trial) / network.release.name
        made: Any = run(replace(job_of(network, "protect", model), output=str(place)), follow)
        network.forget("released", "attacks")
        for gone in (network.mapping, network.report):
            gone.unlink(missing_ok=True)
        for path in Path(trial).iterdir():
            path.replace(network.folder / path.name)
    if made.mapping is not None:
        network.mapping.touch(0o600)  # it must never go out, so nobody else may read it
        made.mapping.write_csv(network.mapping)
    compared: dict[str, Any] = {"after": None, "picture": ""}
    if made.mapping is not None:
        with suppress(BadGraph):  # groups are no people, so that nobody can be compared
            compared = _before_and_after(network, model)
    told = {"model": model, **made.to_json(), **compared}
    network.keep("released", told)
    return told


def _before_and_after(network: NetworkFolder, model: str) -> dict[str, Any]:
    """Figures of the release against the network, and a picture of both."""
    from shoal.jobs import run
    from shoal.jobs.graphs.picture import draw_graph
    from shoal.jobs.graphs.requests import MeasureGraph

    job = MeasureGraph(data=str(network.release), original=str(network.file), mapping=str(network.mapping))
    after = run(job, follow).to_json()
    return {"after": after, "picture": draw_graph(network.file, network.release, network.mapping, model)}


def attack(folder: str, name: str) -> list[dict[str, Any]]:
    """One attack on the newest release; what was achieved is kept beside what the others achieved."""
    from shoal.jobs import run

    network = NetworkFolder(Path(folder))
    found = {**run(job_of(network, "attack", name)).to_json(), "attack": name}
    others = [one for one in network.recall("attacks") or [] if one["attack"] != name]
    network.keep("attacks", [*others, found])
    return [*others, found]


def report(folder: str) -> None:
    """The report about the newest release, to read and to sign."""
    from shoal.report.document import make_report

    make_report(job_of(NetworkFolder(Path(folder)), "report"), follow)


def copies(folder: str, verb: str, part: str = "") -> list[dict[str, str]]:
    """What the page does, as a command line, as Python and as a project file."""
    from shoal.jobs.copy_as import copies_of

    return [asdict(copy) for copy in copies_of(job_of(NetworkFolder(Path(folder)), verb, part), folder)]


def job_of(network: NetworkFolder, verb: str, part: str = "") -> Any:
    """The request that the page carries out, and that is copied; `part` is a model or an attack."""
    from shoal.jobs.graphs import requests

    if verb == "measure":
        return requests.MeasureGraph(data=str(network.file))
    if verb == "protect":
        return requests.ProtectGraph(data=str(network.file), output=str(network.release), model=(part,))
    truth = str(network.mapping) if network.mapping.exists() else None
    about: dict[str, Any] = {"data": str(network.release), "original": str(network.file), "truth": truth}
    if verb == "attack":
        return requests.AttackGraph(**about, attack=part, time_limit=LONGEST)
    return requests.ReportGraph(**about, output=str(network.report))
