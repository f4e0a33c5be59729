"""A real PostgreSQL for tests: a fresh cluster in a folder of its own, thrown away afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PACKAGE = "postgresql"  # Debian's name for the server


def binaries() -> Path | None:
    """The folder of the newest installed server, or nothing."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda folder: float(folder.parent.name))
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).parent if elsewhere else None


def _owner() -> str | None:
    """PostgreSQL refuses to run as root; then somebody else has to."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@contextmanager
def running(durable: bool = False) -> Iterator[str]:
    """Run a server and give the address of its database `postgres`.

    `durable` keeps fsync on, as tests of durability want it; the others are faster without.
    """
    home = binaries()
    if home is None:
        pytest.skip(f"no PostgreSQL server here; install Debian's package {PACKAGE}")
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="shoal-postgres-"))
    try:
        if owner:
            account = pwd.getpwnam(owner)
            os.chown(folder, account.pw_uid, account.pw_gid)
        with _served(home, owner, folder, durable) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _served(home: Path, owner: str | None, folder: Path, durable: bool) -> Iterator[str]:
    data, port = folder / "data", _free_port()
    _run(
        owner,
        folder,
        [home / "initdb", "-D", data, "-U", "shoal", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    )
    on = "on" if durable else "off"
    options = (
        f"-p {port} -h 127.0.0.1 -k {folder} -c fsync={on} -c synchronous_commit={on} "
        f"-c full_page_writes={on} -c max_connections=120 -c shared_buffers=32MB"
    )
    log = folder / "log"
    _run(owner, folder, [home / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "-t", "60", "start"])
    try:
        yield f"postgresql://shoal@127.0.0.1:{port}/postgres"
    finally:
        _run(owner, folder, [home / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])


def _run(owner: str | None, folder: Path, command: list[str | Path]) -> None:
    """As the owner, with no other groups; the server's own words when it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        user=owner,
        group=pwd.getpwnam(owner).pw_gid if owner else None,
        extra_groups=[] if owner else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if "initdb" in str(command[0]) else subprocess.DEVNULL,
        stderr=subprocess.PIPE if "initdb" in str(command[0]) else subprocess.DEVNULL,
        timeout=120,
        env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"},
    )
    if done.returncode:
        log = folder / "log"
        words = log.read_text() if log.exists() else (done.stderr or b"").decode()
        raise RuntimeError(f"{Path(command[0]).name} failed: {words[-2000:]}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL that all tests of a run share; a test makes its own schema or table."""
    with running() as address:
        yield address


@pytest.fixture(scope="session")
def durable_postgres() -> Iterator[str]:
    """The same with fsync on, for tests that end a client or the server with kill -9."""
    with running(durable=True) as address:
        yield address
