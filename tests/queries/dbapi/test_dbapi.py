"""What PEP 249 asks of a module."""

from shoal.queries import dbapi


def test_the_module_says_what_it_is() -> None:
    assert (dbapi.apilevel, dbapi.threadsafety, dbapi.paramstyle) == ("2.0", 2, "qmark")
    assert issubclass(dbapi.BudgetSpent, dbapi.OperationalError)
    for name in ("Warning", "Error", "DataError", "IntegrityError", "NotSupportedError"):
        assert getattr(dbapi.Connection, name) is getattr(dbapi, name)


def test_a_type_is_equal_to_the_names_of_its_kind() -> None:
    assert dbapi.NUMBER == "BIGINT" and dbapi.STRING == "VARCHAR" and dbapi.NUMBER != "VARCHAR"
    assert dbapi.NUMBER == dbapi.NUMBER and dbapi.NUMBER != dbapi.STRING
    assert len({dbapi.NUMBER, dbapi.STRING, dbapi.DATETIME, dbapi.BINARY, dbapi.ROWID}) == 5
