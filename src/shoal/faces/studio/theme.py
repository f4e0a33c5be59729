"""How the studio looks: one accent colour, calm type, light and dark; contrast as WCAG AA asks for."""

from __future__ import annotations

from pathlib import Path

ACCENT = "#0b6b8a"
RISK = "#b3261e"
SAFE = "#1b7a46"
# Of charts: the original, the release, then others.
SERIES = ("#8a97a6", ACCENT, "#c2762b", "#6a4fa3", "#4c8c4a")

CSS = "\n".join(Path(__file__).with_name(name).read_text("utf-8") for name in ("studio.css", "release.css"))

# A shoal: three fish that swim one way.
MARK = (
    '<svg viewBox="0 0 32 32" width="26" height="26" fill="currentColor" aria-hidden="true">'
    '<path d="M3 10c4-4 9-4 13 0l4-3v6l-4-3c-4 4-9 4-13 0z"/>'
    '<path d="M12 17c4-4 9-4 13 0l4-3v6l-4-3c-4 4-9 4-13 0z" opacity=".75"/>'
    '<path d="M3 24c4-4 9-4 13 0l4-3v6l-4-3c-4 4-9 4-13 0z" opacity=".5"/></svg>'
)
