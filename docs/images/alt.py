"""Give every picture of the pages a title: the words that stand for it there. Run it after drawing one.

python docs/images/alt.py
"""

from __future__ import annotations

import re
from pathlib import Path

from shoal.core.chart_style import add_title

HERE = Path(__file__).parent


def about(name: str) -> str:
    """The text that stands for a picture on the first page that shows it."""
    for page in [HERE.parents[1] / "README.md", *sorted(HERE.parent.rglob("*.md"))]:
        found = re.search(rf"!\[([^\]]+)\]\([^)]*{re.escape(name)}\)", page.read_text("utf-8"))
        if found:
            return found[1]
    return ""


def main() -> None:
    for picture in sorted(HERE.rglob("*.svg")):
        drawn = picture.read_text("utf-8")
        if "<title>" not in drawn:
            picture.write_text(add_title(drawn, about(picture.name)), "utf-8")


if __name__ == "__main__":
    main()
