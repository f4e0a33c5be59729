"""Promise: which models must hold, how to get there, and how many rows may be left out."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.core.part_syntax import split
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.part_form import PartForm
from shoal.faces.studio.widgets.text import chip, note, problem, section, text
from shoal.faces.studio.widgets.unguarded import unguarded


def build(desk: Desk) -> None:
    """The chosen promises, the way to more, and what the search is held to."""
    body = ui.element("div").classes("s-stack s-wide")

    async def load() -> None:
        try:
            known = await desk.ask("reading the catalog", tasks.catalog_forms)
        except ShoalError as error:
            with body.clear():
                problem(str(error))
            return
        with body.clear():
            _Promises(desk, known).build()
            _way(desk, known["methods"], known["objectives"])
            with ui.element("div").classes("s-row"):
                ui.button("Next: run", on_click=lambda: desk.go("run")).props("unelevated")

    with body:
        text("p", "Reading the catalog …").classes("s-soft")
    ui.timer(0, load, once=True)


class _Promises:
    """The promises of one table. A form being filled in is left alone; undo and other tabs renew it."""

    def __init__(self, desk: Desk, known: dict[str, Any]) -> None:
        self._desk, self._questions = desk, known["questions"]
        self._forms = {form["name"]: form for form in known["models"]}
        self._shown: tuple[str, ...] = ()
        self._holder: ui.element | None = None

    def build(self) -> None:
        with section("What must hold", "A release that breaks one of these is never written."):
            self._holder = ui.element("div").classes("s-stack")
            self._follow()
            self._desk.on_change(self._follow)
            with ui.element("div").classes("s-row"):
                names = {name: f"{name} — {form['promise']}" for name, form in self._forms.items()}
                picked = ui.select(names, label="Add a promise", with_input=True).props("outlined dense")
                picked.classes("s-grow")
                picked.on_value_change(lambda event: self._pick(picked, event.value))
                ui.button("Which do I need?", icon="help_outline", on_click=self._ask, color=None).classes(
                    "s-plain"
                )
            unguarded(self._desk)

    def _pick(self, picked: ui.select, name: str | None) -> None:
        if name:
            self._add(self._forms[name])
            picked.set_value(None)

    def _add(self, form: dict[str, Any]) -> None:
        """The model with parameters to begin with."""
        given = [f"{one['name']}={one['example']}" for one in form["parameters"] if one["needed"]]
        spelling = f"{form['name']}({','.join(given)})" if given else form["name"]
        table = self._desk.table
        if not any(one.partition("(")[0] == form["name"] for one in table.settings.model):
            table.change(f"promise {form['name']}", model=(*table.settings.model, spelling))

    def _follow(self) -> None:
        holder, model = self._holder, self._desk.table.settings.model
        if holder is None or holder.is_deleted or (model == self._shown and model):
            return
        self._shown = model
        with holder.clear():
            if not model:
                note("No promise yet: without one there is nothing to protect.", "warn")
            for place, spelling in enumerate(model):
                self._promise(place, spelling)

    def _promise(self, place: int, spelling: str) -> None:
        table = self._desk.table
        name, given = split(spelling)
        with ui.element("div").classes("s-inner").props('role="group"') as card:
            card.props["aria-label"] = name
            with ui.element("div").classes("s-row"):
                text("h3", name)
                for kind in self._forms.get(name, {}).get("stops", ()):
                    chip(f"stops {kind}")
                ui.space()

                def remove() -> None:
                    kept = [one for number, one in enumerate(table.settings.model) if number != place]
                    table.change(f"without {name}", model=tuple(kept))

                button = ui.button(icon="close", on_click=remove, color=None).props("flat round dense")
                button.classes("s-quiet").props["aria-label"] = f"Remove {name}"
            if name not in self._forms:
                note(f"{name} is not in the catalog of this machine.", "warn")
                return

            def changed(new: str) -> None:
                model = tuple(new if number == place else one for number, one in enumerate(self._shown))
                self._shown = model
                table.change(f"promise {new}", model=model)

            columns = (table.inspection or {}).get("columns", {})
            form = PartForm(self._desk, "model", self._forms[name], given, changed, [*columns])
            ui.timer(0, form.check, once=True)
            text("span", self._forms[name]["paper"]).classes("s-soft s-small")

    def _ask(self) -> None:
        """The questions that lead to a promise."""
        with ui.dialog(value=True) as dialog, ui.element("div").classes("s-card s-dialog"):
            text("h2", "Which promise do I need?")
            text("p", "Say yes wherever it is so. Two or three promises are usual.").classes("s-soft")
            for form in self._questions:
                with ui.element("div").classes("s-question"):
                    with ui.element("div").classes("s-stack s-grow"):
                        text("strong", form["question"])
                        text("span", f"{form['name']}: {form['promise']}").classes("s-soft s-small")

                    def yes(form: dict[str, Any] = form) -> None:
                        dialog.close()
                        self._add(form)

                    button = ui.button("Yes", on_click=yes, color=None).classes("s-plain")
                    button.props["aria-label"] = f"Yes: {form['question']}"
            ui.button("Close", on_click=dialog.close, color=None).props("flat").classes("s-quiet")


def _way(desk: Desk, methods: list[dict[str, Any]], objectives: dict[str, str]) -> None:
    table = desk.table
    why = "Automatic tries several methods on your table and keeps the release that loses least."
    with section("How to get there", why):
        with ui.element("div").classes("s-columns"):
            names = {form["name"]: f"{form['name']} — {form['promise']}" for form in methods if _ready(form)}
            names = {"auto": "Automatic", **{name: told for name, told in names.items() if name != "auto"}}
            chosen = table.settings.method
            method = ui.select({chosen: chosen, **names}, label="Method", value=chosen)
            method.on_value_change(lambda event: table.change(f"method {event.value}", method=event.value))
            kept = table.settings.objective
            words = {name: name.replace("-", " ").capitalize() for name in (kept, *objectives)}
            objective = ui.select(words, label="What counts as loss", value=kept)
            objective.on_value_change(
                lambda event: table.change(f"objective {event.value}", objective=event.value)
            )
            for field in (method, objective):
                field.props("outlined dense").classes("s-field")
        told = text("p", "").classes("s-soft s-small")

        def explain() -> None:
            named = str(objective.value)
            told.text = f"{words.get(named, named)}: {objectives.get(named, '').partition(': ')[2]}."

        objective.on_value_change(explain)
        explain()
        with ui.element("div").classes("s-stack"):
            text("label", "Rows that may be left out").props["id"] = "s-suppress"
            with ui.element("div").classes("s-row"):
                slider = ui.slider(min=0, max=30, step=1, value=round(table.settings.suppress * 100))
                slider.classes("s-grow").props('label aria-labelledby="s-suppress"')
                said = text("span", f"{table.settings.suppress:.0%}")
            text("span", "A few odd rows left out can save much detail for all others.").classes(
                "s-soft s-small"
            )

        def suppress(value: float) -> None:
            said.text = f"{value:.0f}%"
            table.change(f"leave out {value:.0f} %", suppress=value / 100)

        slider.on("change", lambda event: suppress(float(event.args)))

        def follow() -> None:
            now = desk.table.settings
            said.text = f"{now.suppress:.0%}"
            slider.set_value(round(now.suppress * 100))
            for field, value in ((method, now.method), (objective, now.objective)):
                field.set_value(value)

        desk.on_change(follow)


def _ready(form: dict[str, Any]) -> bool:
    """Whether a method can be chosen without filling anything in."""
    return not any(one["needed"] for one in form["parameters"])


PAGE = Page(
    "promise",
    "Promise",
    "handshake",
    "Choose what must hold for everybody in the table, in plain words.",
    build,
)
