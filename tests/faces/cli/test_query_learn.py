"""`shoal query learn` and `stream`."""

from faces.shell import refused, shoal


def test_a_stream_is_told_line_by_line_and_ends_at_its_horizon_with_nothing_lost() -> None:
    counter = "continual-count(epsilon=1000,horizon=3)"
    assert shoal("query", "stream", counter, stdin=b"1\nx\xff\n1\n").out.split() == ["1", "1", "2"]
    run = shoal("query", "stream", counter, "--json", stdin=b"1\n" * 5)
    assert run.code == 2 and run.json["answers"] == [1, 2, 3] and "beyond its horizon of 3" in run.err
    assert "does not follow streams" in refused("query", "stream", "laplace(epsilon=1)")


def test_learning_needs_a_mechanism_and_bounds() -> None:
    run = shoal("query", "learn", "k-means(k=2,epsilon=1)", "patients.csv", "--bounds", "age=0:120")
    assert run.code == 0 and "centres" in run.out and "no budget is kept" in run.err
    assert "Name a mechanism" in refused("query", "learn")
    assert "give --bounds" in refused("query", "learn", "k-means(k=2,epsilon=1)", "patients.csv")
