"""Every part of the catalog as a form, and the questions that lead to a model as the docs ask them."""

from __future__ import annotations

import dataclasses
import re

import pytest

from house.sources import ROOT
from shoal import catalog
from shoal.catalog import Catalog
from shoal.core.errors import BadParameter
from shoal.jobs.part_forms import described, filled_in, forms_of, questions_of

MODELS = forms_of("model", "table")


@pytest.mark.parametrize("form", MODELS, ids=lambda form: form["name"])
def test_a_form_filled_in_with_its_examples_makes_the_model(form: dict[str, object]) -> None:
    given = {one["name"]: one["example"] for one in form["parameters"] if one["needed"]}  # type: ignore[attr-defined]
    made = filled_in("model", str(form["name"]), given)
    assert catalog.make("model", made["spelling"]).name == form["name"]
    assert made["words"].endswith(".")
    assert described("model", made["spelling"])["words"] == made["words"]


def test_kinds_of_parameters_come_from_their_types() -> None:
    kinds = {
        (form["name"], one["name"]): (one["kind"], one["needed"])
        for form in MODELS
        for one in form["parameters"]
    }
    assert kinds["k-anonymity", "k"] == ("whole", True)
    assert kinds["t-closeness", "t"] == ("number", True)
    assert kinds["t-closeness", "distance"] == ("choice", False)
    assert kinds["t-closeness", "column"] == ("text", False)
    assert kinds["confidence-bounding", "values"] == ("texts", False)
    flags = [
        one for form in forms_of("method", "table") for one in form["parameters"] if one["kind"] == "flag"
    ]
    assert flags


@pytest.mark.parametrize("noun", ["table", "graph"])
def test_every_parameter_of_a_promise_is_told_in_words(noun: str) -> None:
    bare = [
        f"{form['name']}: {one['name']}"
        for form in forms_of("model", noun)
        for one in form["parameters"]
        if not one["words"]
    ]
    assert not bare


def test_words_are_about_parameters_that_are_there() -> None:
    for part in Catalog.whole().parts:
        assert {*part.cls.asks} <= {field.name for field in dataclasses.fields(part.cls)}, part.name


def test_what_makes_no_sense_is_one_sentence() -> None:
    with pytest.raises(BadParameter, match="k"):
        filled_in("model", "k-anonymity", {"k": "many"})
    with pytest.raises(BadParameter, match="k"):
        filled_in("model", "k-anonymity", {"k": ""})


def test_the_studio_asks_what_the_docs_ask_and_leads_to_the_same_models() -> None:
    page = (
        (ROOT / "docs" / "which-model.md").read_text("utf-8").split("## A table")[1].split("## A network")[0]
    )
    docs = {
        row[0]: set(re.findall(r"\[([\w-]+)\]\(models\.md", row[1]))
        for line in page.splitlines()
        if line.startswith("|")
        and "?" in line
        and (row := [cell.strip() for cell in line.strip("|").split("|")])
    }
    asked = {form["question"]: form["name"] for form in questions_of(MODELS)}
    assert asked.keys() == docs.keys()
    assert all(asked[question] in names for question, names in docs.items())
