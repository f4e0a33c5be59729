"""A column gets the role that an expert would give it; where nothing tells, the careful one."""

import polars as pl
import pytest

from shoal.tables.column_decisions import Role
from shoal.tables.discovery.discovery import inspect
from shoal.tables.discovery.roles import encode, look
from shoal.tables.discovery.surrounding_columns import in_company
from shoal.tables.table import Table


def role_of(name: str, values: list[str]) -> Role:
    return look(encode(pl.Series(name, values * 40))).role


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("raceethnicity", ["White", "Black", "Hispanic/Latino", "Unknown"], "quasi"),
        ("HispanicLatino", ["No", "Yes"], "quasi"),
        ("TEST_RESULTS", ["Negative", "Positive", "Inconclusive"], "sensitive"),
        ("is_recid", ["0", "1"], "sensitive"),
        ("c_charge_desc", ["Battery", "arrest case no charge", "Poss Cannabis"], "sensitive"),
        ("c_charge_degree", ["F", "M"], "sensitive"),
        ("symptoms", ["fever", "cough", "sore throat"], "sensitive"),
        ("x", ["fever", "cough", "sore throat"], "sensitive"),
        ("first", ["Miguel", "Xiu", "Ann"], "identifier"),
        ("last", ["Petrov", "Okafor", "Dixon"], "identifier"),
        ("sex", ["F", "M"], "quasi"),
        ("x", ["F", "M"], "quasi"),
        ("dob", ["1987-01-31", "1990-12-01"], "quasi"),
        ("MaritalStatusID", ["0", "1", "2"], "quasi"),
        ("host_name", ["Petrov", "Okafor"], "identifier"),
        ("product_name", ["lamp", "chair"], "insensitive"),
        ("Cost Ctr", ["4100", "4200", "4300"], "quasi"),
        ("treatment cost", ["4100", "4200", "4300"], "sensitive"),
        ("Geburtsort", ["Bern", "Ulm"], "quasi"),
        ("Support", ["open", "closed"], "insensitive"),
    ],
)
def test_columns_that_were_misjudged_once(name: str, values: list[str], role: Role) -> None:
    assert role_of(name, values) == role


def test_last_prices_are_no_last_names() -> None:
    assert role_of("last", ["1", "2"]) != "identifier"


def test_a_court_number_is_a_case_number_and_no_medical_record() -> None:
    report = look(encode(pl.Series("c_case_number", [f"13{i:06d}CF10A" for i in range(100)])))
    assert (report.role, report.pattern) == ("identifier", "case")
    assert report.reason == "looks like case numbers (HIPAA kind 18)"


def test_reasons_are_plain_english() -> None:
    assert look(encode(pl.Series("salary", ["1", "2"]))).reason == (
        "the column name suggests income or other money matters"
    )


def flags(*names: str) -> pl.DataFrame:
    # Different in every column, so that none gives another away.
    return pl.DataFrame(
        {name: [str((i >> place) & 1) for i in range(512)] for place, name in enumerate(names)}
    )


def test_a_flag_among_illnesses_is_taken_for_one() -> None:
    report = inspect(Table(flags("diabetes", "asthma", "xq7"))).columns["xq7"]
    assert report.role == "sensitive"
    assert report.reason == "has the same values as 'diabetes' and 'asthma', which are sensitive"


def test_what_nobody_understands_follows_the_table() -> None:
    odd = pl.Series("xq7", ["uvww"[i // 8 % 4] for i in range(512)])
    report = inspect(Table(flags("diabetes", "asthma").with_columns(odd))).columns["xq7"]
    assert report.role == "sensitive"
    assert report.reason == "nothing tells what it is, in a table with 2 sensitive columns"
    assert inspect(Table(flags("sex", "race").with_columns(odd))).columns["xq7"].role == "insensitive"


def test_a_harmless_name_is_believed_in_any_company() -> None:
    assert (
        inspect(Table(flags("diabetes", "asthma", "app_version"))).columns["app_version"].role
        == "insensitive"
    )


def test_company_changes_nothing_that_is_understood() -> None:
    columns = [encode(series) for series in flags("diabetes", "asthma", "sex", "xq7")]
    reports = {column.name: look(column) for column in columns}
    told = in_company(columns, reports)
    assert {name for name in told if told[name] != reports[name]} == {"xq7"}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (['{"name": "Ida Berger", "hiv": true}', '{"name": "Hans Moser", "hiv": false}'], "several facts"),
        (["{'who': 'Ida Berger'}", "{'who': 'Hans Moser'}", ""], "several facts"),
        (['["Ida Berger", "yes"]', '["Hans Moser", "no"]'], "several facts"),
        (["<p><n>Ida Berger</n></p>", "<p><n>Hans Moser</n></p>"], "several facts"),
        (["flu", "gout", "gout, see ida.berger@example.org", "none"], "e-mail"),
    ],
)
@pytest.mark.parametrize("name", ["payload", "diagnosis", "note"])
def test_a_name_inside_of_a_cell_does_not_go_out_as_a_secret(name: str, values: list[str], why: str) -> None:
    """A column of JSON used to be taken for sensitive, by an illness in it, and went out with the names."""
    report = look(encode(pl.Series(name, values * 40)))
    assert report.role == "identifier" and why in report.reason


@pytest.mark.parametrize("values", [["[20, 30)", "[30, 40]"], ["<5", ">=5"], ["{}", "[]"]])
def test_an_interval_is_one_fact(values: list[str]) -> None:
    assert role_of("band", values) != "identifier"


@pytest.mark.parametrize("name", ["Bemerkung", "notes", "Commentaire", "case description", "observaciones"])
def test_remarks_are_taken_for_what_names_can_hide_in(name: str) -> None:
    assert role_of(name, ["", "rief an, Frau Moser ist krank", "-"]) == "identifier"
    assert role_of(name, ["a", "b", "c"]) != "identifier"


def test_a_number_given_once_is_an_identifier_whatever_else_its_name_says() -> None:
    """`loan_id` was taken for a money matter, and every number of a loan went out."""
    report = look(encode(pl.Series("loan_id", [f"L{row:06d}" for row in range(500)])))
    assert report.role == "identifier" and "named like a number given to one person" in report.reason
    assert role_of("loan_id", ["1", "2", "3"]) == "sensitive"


def test_a_church_is_a_belief() -> None:
    assert {role_of(name, ["ev.", "rk.", "keine"]) for name in ("Kirche", "Iglesia", "church")} == {
        "sensitive"
    }


def test_what_is_called_harmless_by_nothing_is_not_understood() -> None:
    guess, known = (look(encode(pl.Series(name, ["a", "b"] * 40))) for name in ("xq7", "app_version"))
    assert (guess.role, guess.understood) == ("insensitive", False)
    assert (known.role, known.understood) == ("insensitive", True)


@pytest.mark.parametrize("name", ["диагноз", "诊断", "διάγνωση", "診断_1"])
def test_a_name_in_other_letters_is_not_called_harmless(name: str) -> None:
    assert role_of(name, ["a", "b", "c"]) == "sensitive"
    assert role_of("übung_x", ["a", "b", "c"]) == "insensitive"
    assert role_of("_", ["a", "b", "c"]) == "insensitive"


@pytest.mark.parametrize("name", ["user", "user_id", "id", "PatientNo", "Kundennummer", "mac", "pseudonym"])
def test_a_key_that_repeats_stands_for_one_person(name: str) -> None:
    report = look(encode(pl.Series(name, [f"{row % 50 * 7919:06x}" for row in range(600)])))
    assert report.role == "identifier" and report.key and "rows, not people" in report.reason


def test_what_merely_repeats_is_no_key_of_a_person() -> None:
    codes = pl.Series([str(10_000 + row % 50) for row in range(600)])
    for name in ("zip", "position_id", "product", "age", "year"):
        assert not look(encode(codes.alias(name))).key
    once = pl.Series("user_id", [str(row) for row in range(600)])
    assert look(encode(once)).role == "identifier" and not look(encode(once)).key
    few = pl.Series("guest", [str(row % 8) for row in range(600)])
    assert not look(encode(few)).key
    assert not look(encode(codes.alias("doctor_id"))).key  # every table has few doctors
    assert look(encode(codes.alias("doctor_id"))).role == "identifier"


def test_opaque_tokens_that_repeat_are_keys_whatever_they_are_called() -> None:
    report = look(encode(pl.Series("x", [f"{(row % 50 + 1) * 7919 * 104729:010x}a1" for row in range(600)])))
    assert report.role == "identifier" and report.key


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Imię i nazwisko", [f"{one} Nowak" for one in ("Zdzisława", "Bożena", "Wiesław") * 20]),
        ("Lekarz", ["lek. Nowak", "dr hab. Wójcik", "Prof. Dr. Zielińska"] * 20),
        ("x", ["Prof. Meier", "Dr Khan", "Mrs. O'Neill"] * 20),
        ("Member #", [f"GM-{10_000 + row}" for row in range(60)]),
        ("code", [f"GM-{10_000 + row}" for row in range(60)]),
        ("matric", [f"s{row % 20:07d}" for row in range(60)]),
        ("Cognome", ["Rossi", "Bianchi", "Verdi"] * 20),
        ("Achternaam", ["de Vries", "Jansen", "Bakker"] * 20),
    ],
)
def test_names_and_numbers_of_people_are_known_in_other_tongues(name: str, values: list[str]) -> None:
    assert look(encode(pl.Series(name, values))).role == "identifier"


@pytest.mark.parametrize("form", ["{} €", "€{}", "{} zł", "{}", "$ {}"])
def test_an_amount_is_no_number_of_a_person_though_each_is_there_once(form: str) -> None:
    amounts = [form.format(f"1 {row},{row % 90 + 10}") for row in range(100, 300)]
    report = look(encode(pl.Series("Betrag hier", amounts)))
    assert report.pattern == "number" and report.role != "identifier"


def test_a_column_with_the_numbers_of_others_names_people_too() -> None:
    table = pl.DataFrame(
        {
            "Member #": [f"GM-{row:05d}" for row in range(200)],
            "Referred by": [f"GM-{row % 40:05d}" if row % 3 else None for row in range(200)],
            "Locker": [str(row % 40) for row in range(200)],
        }
    )
    found = inspect(Table(table)).columns
    assert found["Referred by"].role == "identifier" and "'Member #'" in found["Referred by"].reason
    assert found["Locker"].role != "identifier"


def test_a_personal_number_that_few_have_twice_counts_people_and_gaps_are_nobody() -> None:
    """65 of 2,200 rows of a care register were somebody's second one, and k counted them."""
    once = [f"P-{row:05d}" for row in range(1_000)]
    told = {}
    for name, cells in {
        "twice": [*once[:970], *once[:30]],
        "once": once,
        "gaps": [*once[:800], *[""] * 200],
    }.items():
        told[name] = look(encode(pl.Series("patient id", cells))).key
    assert told == {"twice": True, "once": False, "gaps": False}
