"""Start the studio on this machine alone, and say where it is."""

from __future__ import annotations

import html
import os
import socket
import sys
import webbrowser
from pathlib import Path

import uvicorn

from shoal.core.errors import BadParameter
from shoal.faces.studio.access import Access, make_token
from shoal.faces.studio.app import make_app
from shoal.faces.studio.desk import Studio, path_of
from shoal.faces.studio.project import HIDDEN, Project
from shoal.faces.studio.upload_limit import keep_arriving_files_in, room_for_upload

HOST = "127.0.0.1"


def serve(project: Project, file: str | None, port: int, browser: bool) -> None:
    """Serve until somebody ends it; the address with the token goes to standard error."""
    table = None if file is None else project.add_copy(Path(file))
    door = _bind(port)
    studio, token = Studio(project), make_token()
    keep_arriving_files_in(project.folder / HIDDEN / "arriving")
    app = Access(make_app(studio), token, door.getsockname()[1], lambda: room_for_upload(project.folder))
    page = "/" if table is None else path_of("data", table.name)
    address = f"http://{HOST}:{door.getsockname()[1]}{page}?token={token}"
    # Frames of a socket stay small: pages come from the server one at a time.
    config = uvicorn.Config(app, log_level="warning", ws="wsproto", server_header=False)
    way = project.folder / HIDDEN / "open.html"
    try:
        _Server(config, address, way if browser else None).run(sockets=[door])
    finally:
        way.unlink(missing_ok=True)


class _Server(uvicorn.Server):
    """A server that says where it is once it is there."""

    def __init__(self, config: uvicorn.Config, address: str, way: Path | None) -> None:
        super().__init__(config)
        self._address, self._way = address, way

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"Shoal Studio is at {self._address}\nPress Ctrl+C to end it.", file=sys.stderr, flush=True)
        if self._way is not None:
            open_in_browser(self._address, self._way)


def open_in_browser(address: str, way: Path) -> None:
    """Open an address by way of a file that only this user may read.

    Whatever a browser is started with, everybody on the machine can see in the list of processes; and whoever
    has the token has the tables.
    """
    way.parent.mkdir(parents=True, exist_ok=True)
    way.unlink(missing_ok=True)
    told = html.escape(address)
    with os.fdopen(os.open(way, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(
            f'<!doctype html><title>Shoal Studio</title><meta http-equiv="refresh" content="0;url={told}">'
        )
    webbrowser.open(way.absolute().as_uri())


def _bind(port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((HOST, port))
    except (OSError, OverflowError) as error:
        door.close()
        raise BadParameter(f"port {port} cannot be used ({error}); give another one with --port") from error
    return door
