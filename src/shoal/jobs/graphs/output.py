"""Write a released graph: the file is checked before it gets its name, the manifest goes beside it."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Json
from shoal.engines.local import fingerprint, write_text
from shoal.engines.write import file_kind
from shoal.graphs.graph import Cleaning, Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import beside, is_directed, record
from shoal.graphs.release import GraphRelease
from shoal.graphs.view import GraphModel, Sight
from shoal.jobs.graphs.requests import ProtectGraph
from shoal.jobs.graphs.source import shown
from shoal.jobs.output import check_place


def check_output(job: ProtectGraph) -> None:
    """Refuse files that could not be written after the work is done, or that are among the inputs."""
    if job.output is None:
        return
    from shoal.graphs.formats.files import check_target

    check_place(job.output, [job.data, job.kinds])
    check_target(job.output)
    if str(job.output) != "-":
        check_place(beside(job.output), [job.data, job.kinds])
    if job.mapping is not None:
        check_place(job.mapping, [job.data, job.kinds, *_written(job)])


def check_project_file(path: str | Path, job: ProtectGraph) -> None:
    """Refuse a project file that could not be written after the release, or that would replace another."""
    check_place(path, [job.data, job.kinds, job.mapping, *_written(job)])


def write_release(
    release: GraphRelease,
    job: ProtectGraph,
    method: Any,
    models: Sequence[GraphModel],
    cleaned: Cleaning,
    style: Any,
) -> None:
    """The released graph, its manifest and the mapping that was asked for, or nothing at all."""
    from shoal.graphs.formats.files import read_graph, write_graph

    assert job.output is not None
    if not release.nodes:
        raise Unreachable(f"{release.method} left nobody, so there is nothing to write; raise epsilon")
    if str(job.output) == "-":
        with _mapped(release, job) as mapped:
            write_graph(release.graph, "-", style)
            mapped()
        return
    kinds = _kinds_in(release, job.output, style)
    settings: dict[str, Json] = {"method": shown(method), "kinds": kinds}
    output = Path(job.output).resolve()  # a link keeps pointing where it points
    mark = output.with_name(f".shoal-{secrets.token_hex(6)}")
    trial, trial_record = Path(f"{mark}{''.join(output.suffixes[-2:])}"), Path(f"{mark}.json")
    try:
        write_graph(release.graph, trial, style)
        # The release on disk is what people get, so that is what must keep the promise.
        back = read_graph(trial, directed=is_directed(release) or None, kinds=kinds).graph
        _check_whole(back, release)
        verbs.kept(verbs.verify(Sight(back, release.guarantees), models))
        del back
        # No fingerprint of the original: whoever takes some edges out of the release, a few at a time, would
        # know by it when the original is met.
        hashes = {"input": None, "output": fingerprint(trial)}
        write_text(record(release, settings, cleaned, hashes), trial_record)
        if output.exists():
            trial.chmod(stat.S_IMODE(output.stat().st_mode))
        with _mapped(release, job) as mapped:
            # All is on disk; what is left are renames, which need no space.
            mapped()
            trial_record.replace(beside(job.output))
            trial.replace(output)
    except OSError as error:
        raise BadParameter(f"cannot write '{job.output}': {error.strerror}; choose another name") from error
    finally:
        trial.unlink(missing_ok=True)
        trial_record.unlink(missing_ok=True)


def _written(job: ProtectGraph) -> list[Any]:
    return [] if job.output is None else [job.output, beside(job.output)]


def kinds_told(release: GraphRelease, job: ProtectGraph, models: Sequence[GraphModel]) -> list[str]:
    """A remark where kinds of nodes do not go out (an edge list has no room), or go out unprotected."""
    if not isinstance(release.graph, Graph) or release.graph.kinds is None:
        return []
    if job.output is not None and not _kinds_in(release, job.output, None):
        return [
            "the kinds of nodes are not in the release, which is an edge list; .graphml or .gml takes them"
        ]
    if any(model.sees_kinds for model in models):
        return []
    return [
        "the kinds of nodes go out with the release, and no promise looks at them: whoever is the only one "
        "of a kind is found by it; leave out --kinds, or promise k-neighbourhood"
    ]


def _kinds_in(release: GraphRelease, output: str | Path, style: Any) -> str | None:
    """The attribute under which kinds of nodes go out."""
    from shoal.graphs.formats.style import MARKED

    if not isinstance(release.graph, Graph) or release.graph.kinds is None:
        return None
    return ((style and style.kinds) or "kind") if file_kind(output)[0] in MARKED else None


def _check_whole(back: Graph | Grouping, release: GraphRelease) -> None:
    """The file must hold what was released, nodes without edges too."""
    same = type(back) is type(release.graph)
    if not same or (back.nodes, back.edges) != (release.nodes, release.edges):
        raise verbs.BrokenPromise(
            f"the written file holds {back.nodes:,} nodes and {back.edges:,} edges instead of "
            f"{release.nodes:,} and {release.edges:,}, so it is withheld; this is a defect of Shoal, please "
            "report it"
        )


@contextmanager
def _mapped(release: GraphRelease, job: ProtectGraph) -> Iterator[Callable[[], None]]:
    """The mapping on disk, readable by its owner alone; the function gives it its name."""
    if job.mapping is None or release.mapping is None:
        yield lambda: None
        return
    target = Path(job.mapping).resolve()
    trial = target.with_name(f".shoal-{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
        with os.fdopen(handle, "wb") as stream:
            release.mapping.write_csv(stream)
            stream.flush()
            os.fsync(stream.fileno())

        def named() -> None:
            trial.replace(target)

        yield named
    finally:
        trial.unlink(missing_ok=True)
