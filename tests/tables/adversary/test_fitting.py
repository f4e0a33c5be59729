"""Which classes a person may be in."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.adversary.fitting import fits
from shoal.tables.adversary.row_classes import RowClasses

RELEASE = pl.DataFrame({"zip": ["476**", "4767*", "*"], "age": ["2*", "[25, 40]", "*"]})


def test_everybody_fits_the_classes_whose_labels_may_be_theirs() -> None:
    classes = RowClasses.of(RELEASE, ["zip", "age"])
    people = pl.DataFrame({"zip": ["47678", "47602", "90210"], "age": [27, 30, 80]})
    found = fits(people, classes, {})
    told = [{classes.labels.row(number) for number in found.of(person)} for person in range(3)]
    assert told == [set(classes.labels.rows()), {("*", "*")}, {("*", "*")}]


def test_a_column_that_nobody_fits_is_refused() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["north"]}), ["zip"])
    with pytest.raises(BadParameter, match="give the hierarchy it was made with as --hierarchy zip=FILE"):
        fits(pl.DataFrame({"zip": ["12345"]}), classes, {})
