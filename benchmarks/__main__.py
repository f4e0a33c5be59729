"""`python -m benchmarks [NAME]…`: all benchmarks when none is named."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import (
    accuracy,
    adult,
    algorithms,
    attacks,
    chapter_nine,
    crossing,
    edge_files,
    edge_tables,
    engines,
    findings,
    graph_matching,
    graphs,
    growth,
    messy,
    methods,
    peers,
    queries,
    scale,
    spark_questions,
    studio,
    synthetic,
    timing,
    wide,
)
from benchmarks.roles import measuring as roles
from benchmarks.sql import measuring as sql

BENCHMARKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "accuracy": lambda options: accuracy.run(options.rows, options.rounds, options.only),
    "adult": lambda options: adult.run(options.rows, options.rounds, options.only),
    "algorithms": lambda options: algorithms.run(options.rows, options.rounds),
    "attacks": lambda options: attacks.run(options.rows, options.only),
    "chapter-nine": lambda options: chapter_nine.run(options.rounds, options.only),
    "crossing": lambda options: crossing.run(options.rows, options.only),
    "engines": lambda options: engines.run(options.rows, options.rounds, options.only),
    "edge-files": lambda options: edge_files.run(options.rows, options.only),
    "edge-tables": lambda options: edge_tables.run(options.rows),
    "findings": lambda options: findings.run(options.rows, options.only),
    "graphs": lambda options: graphs.run(options.rows, options.rounds, options.only),
    "graph-matching": lambda options: graph_matching.run(options.rows, options.rounds, options.only),
    "growth": lambda options: growth.run(options.rows, options.only),
    "scale": lambda options: scale.run(options.rows, options.rounds),
    "messy": lambda options: messy.run(options.only),
    "methods": lambda options: methods.run(options.rows, options.only),
    "queries": lambda options: queries.run(options.rows, options.rounds, options.only),
    "spark-questions": lambda options: spark_questions.run(options.rows, options.rounds),
    "sql": lambda options: sql.run(options.only),
    "studio": lambda options: studio.run(options.rows, options.rounds),
    "synthetic": lambda options: synthetic.run(options.rows, options.rounds, options.only),
    "timing": lambda options: timing.run(options.rounds),
    "roles": lambda options: roles.run(options.only),
    "wide": lambda options: wide.run(options.rows, options.only),
    "peers": lambda options: peers.run(options.rows, options.rounds, options.only, options.offline),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"{', '.join(BENCHMARKS)}; all when none is named")
    parser.add_argument("--rows", type=int, help="a generated table of this many rows (graph: nodes) instead")
    parser.add_argument("--rounds", type=int, help="best of so many (3; for more than a million rows 1)")
    parser.add_argument("--only", default="", help="only settings with this text in their name")
    parser.add_argument("--offline", action="store_true", help="install nothing")
    options = parser.parse_args()
    for name in options.name:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark '{name}'; choose from {', '.join(BENCHMARKS)}")
    for name in options.name or BENCHMARKS:
        BENCHMARKS[name](options)


if __name__ == "__main__":
    main()
