"""A field for SQL that offers names of tables and columns while somebody types."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nicegui import events, ui

MOST = 8  # names that are offered at once
_WORD = re.compile(r"[A-Za-z_][\w]*$")
_PLAIN = re.compile(r"[A-Za-z_]\w*")
# In the browser: sent from here, the text would come back over whatever was typed meanwhile.
_TAKE = r"""(event) => {
  const { area, name } = event.currentTarget.dataset, field = document.getElementById(area);
  const { value, selectionStart: at, selectionEnd: end } = field;
  const word = value.slice(0, at).search(/[A-Za-z_][\p{L}\p{N}_]*$/u);
  field.focus();
  field.setRangeText(name, word < 0 ? at : word, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


class SqlBox:
    """The text, and below it the names that could complete the word at the cursor."""

    def __init__(self, names: Sequence[str], value: str) -> None:
        self.names = tuple(names)
        self._area = ui.textarea("Question in SQL", value=value).classes("s-sql")
        self._area.props("outlined autogrow spellcheck=false autocapitalize=off")
        where = "(event) => emit(event.target.value, event.target.selectionStart)"
        self._area.on("keyup", self._typed, js_handler=where)
        self._area.on("click", self._typed, js_handler=where)
        self._offers = ui.element("div").classes("s-row s-offers")
        self._offers.props('role="group" aria-label="Names that fit"')
        self._offer(self.names)

    @property
    def text(self) -> str:
        return str(self._area.value or "")

    def _typed(self, event: events.GenericEventArguments) -> None:
        text, cursor = event.args
        self._offer(completions(str(text)[: int(cursor)], self.names))

    def _offer(self, names: Sequence[str]) -> None:
        with self._offers.clear():
            for name in names[:MOST]:
                button = ui.button(name, color=None).on("click", js_handler=_TAKE)
                button.props("dense no-caps").classes("s-chip s-plain")
                button.props["data-area"], button.props["data-name"] = self._area.html_id, quoted(name)


def completions(before: str, names: Sequence[str]) -> list[str]:
    """The names that begin like the word before the cursor; all of them where there is none."""
    found = _WORD.search(before)
    word = found[0].lower() if found else ""
    return [name for name in names if name.lower().startswith(word) and name.lower() != word]


def quoted(name: str) -> str:
    """A name as SQL wants it."""
    return name if _PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'
