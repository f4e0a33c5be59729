"""One look for all charts."""

from shoal.core.charting import FONT, headline


def test_a_headline_carries_its_sentences() -> None:
    made = headline("What there is to see", ["one", "two"], 16).to_dict()
    assert made["text"] == "What there is to see"
    assert made["subtitle"] == ["one", "two"]
    assert made["font"] == made["subtitleFont"] == FONT
