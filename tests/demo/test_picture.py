from pathlib import Path
from xml.etree import ElementTree

import pytest

from shoal.demo.picture import ALARM, CALM, draw, in_hundred


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("picture") / "before-after"
    draw(target, rows=1_000, before=583, after=0, alike=5)
    return target


def test_it_is_an_svg_with_a_hundred_people_on_each_side(picture: Path) -> None:
    svg = picture.with_suffix(".svg").read_text("utf-8")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert svg.count(f'fill="{ALARM}"') == 58 + 1  # the heading is red too
    assert svg.count(f'fill="{CALM}"') == 42 + 100


def test_it_is_also_a_png(picture: Path) -> None:
    assert picture.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_the_title_says_it_in_plain_words(picture: Path) -> None:
    svg = picture.with_suffix(".svg").read_text("utf-8")
    assert "Removing names is not enough" in svg
    assert "58 of 100" in svg


def test_it_asks_no_other_machine_for_anything(picture: Path) -> None:
    svg = picture.with_suffix(".svg").read_text("utf-8")
    for word in ("href", "url(", "@import", "<script"):
        assert word not in svg


def test_somebody_is_never_rounded_to_nobody() -> None:
    assert in_hundred(0, 20_000) == 0
    assert in_hundred(1, 20_000) == 1
    assert in_hundred(11_576, 20_000) == 58
    assert in_hundred(20_000, 20_000) == 100
