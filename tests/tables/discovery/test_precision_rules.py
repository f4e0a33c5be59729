"""Which labels are coarse enough for Safe Harbor."""

import pytest

from shoal.tables.discovery.precision_rules import (
    SMALL_AREAS,
    age_remark,
    born_remark,
    date_remark,
    zip_remark,
)


@pytest.mark.parametrize(
    "label",
    ["021**", "021xx", "021", "02***", "*****", "000**", "000", "[02100, 02200)", "02100-02199", "21**"],
)
def test_three_digits_of_a_large_area_may_be_shown(label: str) -> None:
    assert zip_remark(label) is None


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("02139", "more than three digits"),
        ("0213*", "more than three digits"),
        ("2139", "more than three digits"),  # its zero was lost
        ("213*", "more than three digits"),
        ("02139-4307", "first three signs"),
        ("{02138, 02139}", "first three signs"),
        ("[02130, 02140)", "cuts through"),
        ("036**", "20,000"),
        ("036", "20,000"),
        ("36**", "20,000"),
        ("[03600, 03700)", "20,000"),
        ("893**", "20,000"),
        ("K1A 0B1", "first three signs"),
    ],
)
def test_a_finer_postal_code_is_found(label: str, why: str) -> None:
    remark = zip_remark(label)
    assert remark is not None and remark.sure and why in remark.why


@pytest.mark.parametrize("label", ["K1A***", "New England", "MA"])
def test_what_is_no_american_code_is_left_to_people(label: str) -> None:
    remark = zip_remark(label)
    assert remark is not None and not remark.sure


def test_there_are_seventeen_small_areas() -> None:
    assert len(SMALL_AREAS) == 17 and all(len(area) == 3 for area in SMALL_AREAS)


@pytest.mark.parametrize(
    "label",
    [
        "89",
        "0",
        "89.5",
        ">= 90",
        "> 89",
        "90+",
        ">= 85",
        "[85, 90)",
        "80-89",
        "< 18",
        "*",
        "old",
        "[90, 120]",
    ],
)
def test_ages_up_to_89_and_one_group_above_may_be_shown(label: str) -> None:
    assert age_remark(label) is None


@pytest.mark.parametrize(
    "label", ["90", "90.0", "101", "93 years", "[90, 95)", "90-94", ">= 95", "95+", "> 90"]
)
def test_an_age_over_89_is_found(label: str) -> None:
    remark = age_remark(label)
    assert remark is not None and remark.sure


def test_a_group_that_reaches_over_89_is_left_to_people() -> None:
    remark = age_remark("[80, 95)")
    assert remark is not None and not remark.sure


@pytest.mark.parametrize(
    "label",
    ["1975", "1975.0", "1970s", "197*", "[1970, 1980)", "1970-1979", "< 1950", "1975-**-**", "*", "unknown",
     "[1970-01-01, 1980-01-01)", "1970-01-01 to 1979-12-31", "{1975, 1976}"],
)  # fmt: skip
def test_years_may_be_shown(label: str) -> None:
    assert date_remark(label) is None


@pytest.mark.parametrize(
    "label",
    ["1975-06-12", "1975-06", "1975-Q2", "12.06.1975", "6/12/75", "19750612", "June 1975", "12 Mar 1975",
     "Juni", "1975-06-12T10:00", "[1970-01-01, 1970-07-01)", "1975-06-**"],
)  # fmt: skip
def test_more_than_a_year_is_found(label: str) -> None:
    remark = date_remark(label)
    assert remark is not None and remark.sure


@pytest.mark.parametrize("label", ["12", "3.25"])
def test_a_bare_number_may_be_part_of_a_date(label: str) -> None:
    remark = date_remark(label)
    assert remark is not None and not remark.sure


@pytest.mark.parametrize(
    ("label", "sure"),
    [("1930", True), ("1930-05-01", True), ("1920s", True), ("[1920, 1931)", True), ("[1930, 1940)", False),
     ("1930s", False), ("1931", None), ("< 1940", None), ("*", None), ("1980s", None)],
)  # fmt: skip
def test_a_year_of_birth_may_tell_of_an_age_over_89(label: str, sure: bool | None) -> None:
    remark = born_remark(label, 2020)
    assert (None if remark is None else remark.sure) is sure
