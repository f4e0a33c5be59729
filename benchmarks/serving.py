"""The service that `benchmarks.queries` asks, in a process of its own: prints where it is and who may ask."""

from __future__ import annotations

import json
import socket
import sys
from fractions import Fraction

from benchmarks.queries import CLIENTS, declared, frame
from shoal.queries.service.run import serve
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings

ROWS = 100_000


def main(folder: str) -> None:
    """Register the people, let eight analysts in, and answer until told to stop."""
    service = Service(folder, settings=Settings(rate=10_000, burst=10_000, first_bucket=0.001))
    dataset = declared()
    service.register(dataset, {"people": frame(ROWS)})
    tokens = []
    for index in range(CLIENTS):
        tokens.append(service.add(f"analyst{index}", "analyst", dataset.name, Fraction(10**5)))
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    print(json.dumps({"port": port, "tokens": tokens}), flush=True)
    serve(service, port=port)


if __name__ == "__main__":
    main(sys.argv[1])
