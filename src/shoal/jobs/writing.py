"""Write a release: the file is checked before it gets its name, then the manifest goes beside it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from shoal import verbs
from shoal.core.contract import Model
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.engines.local import fingerprint, read_frame, write_frame, write_text
from shoal.jobs.tables import ProtectTable
from shoal.tables.classes import Classes
from shoal.tables.manifest import beside, record
from shoal.tables.release import TableRelease


def write_release(
    release: TableRelease,
    job: ProtectTable,
    source: str | Path | None,
    identifier: tuple[str, ...],
    models: Sequence[Model[Classes]],
) -> None:
    """The released rows and their manifest, or nothing at all."""
    assert job.output is not None
    settings: dict[str, Json] = {
        "objective": job.objective,
        "suppress": job.suppress,
        "time_limit": job.time_limit,
    }
    if str(job.output) == "-":
        write_frame(release.table.frame, "-", job.separator)
        return
    output = Path(job.output)
    if source is not None and str(source) != "-" and output.resolve() == Path(source).resolve():
        raise BadParameter(f"{output} is the original itself; choose another name for the release")
    trial = output.with_name(f".shoal-{secrets.token_hex(6)}-{output.name}")
    try:
        write_frame(release.table.frame, trial, job.separator)
        reread = release.table.with_frame(read_frame(trial, job.separator))
        # The release on disk is what people get, so that is what must keep the promise.
        verbs.kept(verbs.verify(Classes.of(reread, release.domains), models))
        original = None if source is None or str(source) == "-" else fingerprint(source)
        text = record(release, identifier, settings, {"input": original, "output": fingerprint(trial)})
        write_text(text, beside(output))
        trial.replace(output)
    except BaseException:
        trial.unlink(missing_ok=True)
        raise
