"""Ways to answer side by side."""

import json

from shoal.core.chart_style import svg_of
from shoal.core.outcome import Finding, Rate
from shoal.queries.alternatives_comparison import Compared, Comparison

FOUND = Finding("differencing", Rate(15, 20), 0.5, (), "a budget")
TOLD = Comparison(
    1.0,
    100,
    10,
    (
        Compared("private(epsilon=1/2)", 1.0, 12.5, 0, FOUND, "noise"),
        Compared("plain", None, 0.0, 0, FOUND, "everything"),
        Compared("auditing", None, None, 10, FOUND, "refusals"),
    ),
)


def test_a_comparison_becomes_json_a_table_and_a_picture() -> None:
    told = json.loads(json.dumps(TOLD.to_json(), allow_nan=False))
    assert [row["epsilon"] for row in told["alternatives"]] == [1.0, None, None]
    assert told["alternatives"][0]["rate"] == 0.75 and told["alternatives"][2]["error"] is None
    (rows,) = TOLD.to_tables().values()
    assert len(rows) == 4 and "none" in rows[2]
    assert "<title>" in svg_of(TOLD.to_chart())
