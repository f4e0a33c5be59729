"""What measures of tables look at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.measure_results import Figures
from shoal.tables.appraisal.appraisal import appraise, appraise_evidence
from shoal.tables.appraisal.measure_inputs import Evidence
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.zayatz import Zayatz
from shoal.tables.table import Table
from tables.appraisal.test_appraisal import table


def test_a_population_counts_who_is_alone_in_it() -> None:
    people = pl.DataFrame({"age": ["20", "21", "21", "30"]})
    found = appraise(table(age=["20", "21"]), population=people)
    assert (found.risks.uniques.sample, found.risks.uniques.population) == (2, 1)
    assert found.risks.population_size == 4
    with pytest.raises(BadParameter, match="has 4 people and not 9"):
        appraise(table(age=["20", "21"]), population=people, population_size=9)


@dataclass(frozen=True)
class Guest(Measure[Table, int]):
    """How many rows there are. Nobody 2020."""

    name: ClassVar[str] = "guest"

    def measure(self, table: Table) -> int:
        return table.rows


@dataclass(frozen=True)
class Lost(Measure[bytes, int]):
    """Looks at something that no table has. Nobody 2020."""

    name: ClassVar[str] = "lost"

    def measure(self, content: bytes) -> int:
        return len(content)


PARTS = [part for part in catalog.Catalog.whole().parts if (part.kind, part.noun) == ("measure", "table")]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_measure_of_the_catalog_is_found_by_name(
    part: catalog.Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("queries.csv").write_text("age,ill\n20,\n31,a\n", "utf-8")
    frame = pl.DataFrame({"age": ["20", "20", "31"], "sex": ["F", "F", "M"], "ill": ["a", "b", "a"]})
    given: dict[str, Any] = {"quasi": "age,sex", "sensitive": "ill", "original": frame, "population_size": 9}
    found = shoal.measure(frame, only=f"{part.name}({part.cls.example})", class_column="ill", **given)
    assert isinstance(found, Figures)
    (spelling,) = found.found
    assert spelling.startswith(part.name)


def test_what_a_measure_cannot_do_without_is_asked_for() -> None:
    alone = Evidence(table(age=["20", "21"]))
    with pytest.raises(BadParameter, match="loss needs the table that the release was made from"):
        alone.measured(Loss())
    with pytest.raises(BadParameter, match="zayatz needs to know how many people there are"):
        alone.measured(Zayatz())
    with pytest.raises(BadParameter, match="lost measures a bytes; of a table there is"):
        alone.measured(Lost())


def test_a_measure_of_another_package_shows_up_beside_the_others() -> None:
    found = appraise_evidence(Evidence(table(age=["20", "21"])), further=[Guest(), Lost(), Loss()])
    assert found.to_json()["further"] == {"guest": 2}
    assert found.to_tables()["by further measures"] == [["figure", "value"], ["guest", "2"]]
