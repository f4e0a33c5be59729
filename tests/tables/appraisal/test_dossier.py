import json

from report.conftest import Case, case  # noqa: F401  the fixture
from shoal.core.outcome import Outcome


def test_a_dossier_is_an_outcome_and_valid_json(case: Case) -> None:  # noqa: F811
    assert isinstance(case.dossier, Outcome)
    document = json.loads(json.dumps(case.dossier.to_json(), allow_nan=False))
    assert document["holds"] is True and document["made"] == "2026-01-31"
    assert [found["attack"] for found in document["attacks"]] == ["linkage", "homogeneity"]
    assert "Person" not in json.dumps(document)
    for rows in case.dossier.to_tables().values():
        assert len({len(row) for row in rows}) == 1
