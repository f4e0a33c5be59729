"""One look for all charts."""

from shoal.core.chart_style import FONT, add_title, headline, svg_of, words_of


def test_a_headline_carries_its_sentences() -> None:
    made = headline("What there is to see", ["one", "two"], 16).to_dict()
    assert made["text"] == "What there is to see"
    assert made["subtitle"] == ["one", "two"]
    assert made["font"] == made["subtitleFont"] == FONT


def test_a_picture_says_in_words_what_it_shows() -> None:
    chart = {
        "title": {"text": "A < B", "subtitle": ["seen by all.", "and told"]},
        "data": {"values": [{"a": 1}]},
        "mark": "bar",
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
    }
    assert words_of(chart) == "A < B. seen by all. and told."
    made = svg_of(chart)
    assert made.startswith("<svg ") and "<title>A &lt; B. seen by all. and told.</title>" in made
    assert 'role="img"' in made.split(">")[0]
    assert "<title>told otherwise</title>" in svg_of(chart, "told otherwise")
    assert (
        add_title("<svg/>", "") == "<svg/>" and words_of({"title": "plain"}) == "plain" and words_of({}) == ""
    )
