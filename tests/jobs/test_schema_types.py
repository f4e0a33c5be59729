"""What schemas are made of."""

from shoal.jobs.schema_types import TEXT, all_of, by_name, list_of, maybe, object_of


def test_words() -> None:
    assert maybe(TEXT) == {"anyOf": [TEXT, {"type": "null"}]}
    assert list_of(TEXT, minItems=2) == {"type": "array", "items": TEXT, "minItems": 2}
    assert by_name(TEXT)["additionalProperties"] == TEXT
    assert all_of(TEXT, "a b") == {"a": TEXT, "b": TEXT}
    made = object_of({"c": TEXT}, a=TEXT)
    assert made["required"] == ["a"] and set(made["properties"]) == {"a", "c"}
