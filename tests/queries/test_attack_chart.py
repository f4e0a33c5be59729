"""What an attack achieved, drawn."""

from shoal.core.chart_style import svg_of
from shoal.core.outcome import Cured, Finding, Json, Rate
from shoal.queries.attack_chart import attack_picture


def test_the_picture_has_the_guess_the_attack_and_the_cure() -> None:
    details: dict[str, Json] = {"against": "plain", "questions": 21}
    found = Finding("differencing", Rate(20, 20), 0.5, (), "a budget", details=details)
    before = attack_picture(found)
    after = attack_picture(
        Finding("it", Rate(20, 20), 0.5, (), "", details=details, cured=Cured("so", Rate(9, 20), 0.0))
    )
    assert "differencing against plain" in str(before) and "21 questions" in str(before)
    assert "after the cure" in str(after) and "after the cure" not in str(before)
    assert "<title>" in svg_of(after)
