"""What a flag may say, a project file may say too."""

import dataclasses

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import ATTACK, COMPARE, MEASURE, PROTECT, SHARED, VERIFY, number, whole
from shoal.jobs import AttackTable, CompareTable, InspectTable, MeasureTable, ProtectTable, VerifyTable


def test_numbers_are_read_and_anything_else_is_shown_back() -> None:
    assert whole("5") == 5 and number("0.05") == 0.05
    for text in ("", "five", "5.0", "1e3"):
        with pytest.raises(BadParameter, match=f"'{text}' is not a whole number"):
            whole(text)
    with pytest.raises(BadParameter, match="'some' is not a number"):
        number("some")


@pytest.mark.parametrize(
    ("known", "request_type"),
    [
        (SHARED, InspectTable),
        (PROTECT, ProtectTable),
        (COMPARE, CompareTable),
        (VERIFY, VerifyTable),
        (MEASURE, MeasureTable),
        (ATTACK, AttackTable),
    ],
)
def test_a_project_file_knows_every_field_of_its_request(known: dict[str, str], request_type: type) -> None:
    fields = {field.name.replace("_", "-") for field in dataclasses.fields(request_type)}
    # Agreeing and saying who decided are no settings: a project file is itself somebody's decision.
    assert set(known) == (fields - {"data", "yes", "decided"}) | {"file"}
