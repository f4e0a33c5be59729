"""People at a service: the rest is in test_service, where there is one with data sets."""

from fractions import Fraction
from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.service.admission import Exists, NoDataset, NoPerson
from shoal.queries.service.service import Service


def test_a_person_comes_before_the_first_data_set(tmp_path: Path) -> None:
    service = Service(tmp_path)
    token = service.add("olga", "owner")
    found = service.find(token)
    assert found is not None and found.role == "owner"
    with pytest.raises(Exists):
        service.add("olga")
    with pytest.raises(NoDataset):
        service.add("ada", dataset="none")
    with pytest.raises(BadParameter, match="no data set"):
        service.add("ada", epsilon=Fraction(1))
    with pytest.raises(NoPerson):
        service.revoke("ada")
    assert [one["name"] for one in service.everybody()] == ["olga"]  # type: ignore[index, call-overload]
    service.close()
