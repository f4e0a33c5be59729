"""What is told of the lattice of solutions."""

from shoal.tables.appraisal.solution_lattice import Solution, SolutionLattice

LATTICE = SolutionLattice(
    heights={"age": 2, "the zip, code": 1},
    rows=10,
    allowed=1,
    objective="loss",
    solutions=(
        Solution((1, 0), "optimal", 0.25, 1),
        Solution((2, 0), "safe", 0.5, 0),
        Solution((0, 0), "unsafe", 0.9, 9),
    ),
    nodes=6,
    proved=True,
)


def test_counts_cover_the_whole_lattice() -> None:
    told = LATTICE.to_json()
    assert told["states"] == {"optimal": 1, "safe": 1, "unsafe": 1, "undecided": 3}
    assert told["optimal"] == {"age": 1, "the zip, code": 0}
    assert not told["whole"] and "3 of 6" in LATTICE.words()


def test_a_solution_is_spelled_as_the_flag_takes_it() -> None:
    assert LATTICE.optimum is not None
    assert LATTICE.chosen(LATTICE.optimum) == 'age=1,"the zip, code=0"'


def test_tables_tell_what_is_safe() -> None:
    best = LATTICE.to_tables()["best solutions"]
    assert [row[1] for row in best] == ["state", "optimal", "safe"]
