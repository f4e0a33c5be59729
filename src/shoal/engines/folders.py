"""Folders of Parquet or CSV files: what is in one, whether it stays so; new ones are whole or not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.address import FORMATS, Address
from shoal.engines.frames import quote_value, reason
from shoal.engines.leftovers import TRIAL, HeldFolder, sweep


@dataclass(frozen=True)
class FolderState:
    """The files of a folder, and what tells whether one was changed."""

    folder: Path
    files: tuple[Path, ...]
    extension: str
    marks: tuple[tuple[int, int], ...]
    separator: str = ","

    @classmethod
    def of(cls, address: Address) -> FolderState:
        """All files in a folder and those inside it, of one kind.

        Hidden files and marks of other tools, such as _SUCCESS, are no data.
        """
        folder = Path(address.place).absolute()
        found = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file() and not any(part[0] in "._" for part in path.relative_to(folder).parts)
        )
        kinds = sorted({path.suffix.lower() for path in found})
        if not found:
            raise BadTable(
                f"{quote_value(folder)} is a folder without files; give one with Parquet or CSV files"
            )
        if len(kinds) > 1 or kinds[0] not in FORMATS:
            raise BadTable(
                f"{quote_value(folder)} holds {', '.join(kind or 'no extension' for kind in kinds)};"
                " give a folder that holds .parquet files only, or .csv files only"
            )
        return cls(folder, tuple(found), kinds[0], tuple(_mark(path) for path in found))

    def check(self) -> None:
        """Refuse to go on where files came, went or changed."""
        try:
            now = FolderState.of(Address("folder", str(self.folder)))
        except (BadTable, OSError):
            now = None
        if now is None or (now.files, now.marks) != (self.files, self.marks):
            raise BadTable(
                f"{quote_value(self.folder)} changed while it was read; run it again when nobody writes to it"
            )


def _mark(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_size, state.st_mtime_ns


def check_new_folder(target: Address) -> None:
    """Refuse a folder that is there already, or that nobody could make."""
    path = Path(target.place)
    if path.exists():
        raise BadParameter(f"there is a folder {quote_value(path)} already; choose a new name")
    if not path.absolute().parent.is_dir():
        raise BadParameter(
            f"cannot write {quote_value(path)}: no folder {quote_value(path.absolute().parent)}; "
            "create it or choose another"
        )


@contextmanager
def new_folder(target: Address) -> Iterator[Path]:
    """An empty folder beside its place; it gets its name when nothing failed, and is gone otherwise."""
    check_new_folder(target)
    place = Path(target.place).absolute()
    trial: HeldFolder | None = None
    try:
        trial = HeldFolder(place.parent, TRIAL)
        yield trial.path
        check_new_folder(target)
        trial.path.rename(place)
    except OSError as error:
        raise BadParameter(
            f"cannot write {quote_value(target)}: {reason(error)}; choose another name"
        ) from error
    finally:
        if trial is not None:
            trial.remove()


def swept_folders(target: Address) -> list[str]:
    """A remark for every folder of a killed run that stood beside a target and was taken away."""
    gone = sweep(Path(target.place).absolute().parent, TRIAL)
    return [f"removed {quote_value(path)}, which a run that was killed had left" for path in gone]
