"""The exception tree and its exit codes."""

import shoal
from shoal.core import errors


def test_bad_input_is_2_and_unreachable_is_1() -> None:
    for error in (errors.BadInput, errors.BadTable, errors.BadHierarchy, errors.BadParameter):
        assert issubclass(error, errors.BadInput) and error.exit_code == 2
    assert errors.Unreachable.exit_code == 1
    assert not issubclass(errors.Unreachable, errors.BadInput)


def test_one_root_catches_all_and_the_drawing_names_them() -> None:
    found = [value for value in vars(errors).values() if isinstance(value, type)]
    assert all(issubclass(error, errors.ShoalError) for error in found)
    assert all(error.__name__ in (errors.__doc__ or "") for error in found)
    assert shoal.ShoalError is errors.ShoalError
