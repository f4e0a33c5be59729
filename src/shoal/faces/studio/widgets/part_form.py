"""A form for one part of the catalog, made from its parameters, with its plain sentence below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.text import problem, text

_SAID = {"whole": "a whole number", "number": "a number", "texts": "a|b|c", "text": ""}


class PartForm:
    """Fields for the parameters of one part; `on_change` gets the spelling whenever all of it makes sense."""

    def __init__(
        self,
        desk: Desk,
        kind: str,
        form: Mapping[str, Any],
        given: Mapping[str, str],
        on_change: Callable[[str], None],
        columns: Sequence[str] = (),
    ) -> None:
        self._desk, self._kind, self._name, self._on_change = desk, kind, form["name"], on_change
        self._columns = list(columns)  # that a text may name
        self.fields: dict[str, Any] = {}
        with ui.element("div").classes("s-fields"):
            for one in form["parameters"]:
                with ui.element("div"):
                    self.fields[one["name"]] = self._field(one, given)
                    self._explain(one)
        self._said = ui.element("div").props('aria-live="polite"')

    @property
    def given(self) -> dict[str, str]:
        """What was filled in, as texts; nothing for what was left open."""
        return {name: _text(field.value) for name, field in self.fields.items()}

    async def check(self) -> str | None:
        """The spelling, if what was filled in makes sense; else the sentence is shown below the fields."""
        try:
            made = await self._desk.ask("checking", tasks.fill_in, self._kind, self._name, self.given)
        except ShoalError as error:
            with self._said.clear():
                problem(str(error))
            return None
        with self._said.clear():
            text("p", made["words"]).classes("s-promise")
        spelling: str = made["spelling"]
        return spelling

    async def _changed(self) -> None:
        spelling = await self.check()
        if spelling is not None:
            self._on_change(spelling)

    def _explain(self, one: Mapping[str, Any]) -> None:
        """What the parameter means, below its field, and read out with it."""
        if not one["words"]:
            return
        told = text("p", one["words"]).classes("s-soft s-small s-hint")
        told.props["id"] = f"s-hint-{told.id}"
        self.fields[one["name"]].props["aria-describedby"] = f"s-hint-{told.id}"

    def _field(self, one: Mapping[str, Any], given: Mapping[str, str]) -> Any:
        name, kind = one["name"], one["kind"]
        default = "" if one["default"] is None else _text(one["default"])
        value = given.get(name, default or (one["example"] if one["needed"] else ""))
        label = name if one["needed"] else f"{name} (optional)"
        if kind == "choice":
            choices = one["choices"] if one["needed"] or default else ["", *one["choices"]]
            field: Any = ui.select(choices, label=name, value=value or choices[0])
            field.on_value_change(self._changed)
        elif kind == "flag":
            field = ui.switch(name, value=value in ("true", "True", "yes"))
            field.on_value_change(self._changed)
            return field
        else:
            field = ui.input(label, value=value, placeholder=_SAID[kind])
            if kind in ("text", "texts"):
                field.set_autocomplete(self._columns)
            else:
                field.props("inputmode=decimal")
            field.on("change", self._changed)
        return field.props("outlined dense").classes("s-field")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value).strip()
