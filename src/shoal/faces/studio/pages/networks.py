"""Networks: who knows whom, protected, before and after, and attacked by their owner first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui

from shoal.core.errors import BadParameter, ShoalError
from shoal.faces.studio import network_tasks as tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.networks import KINDS, add_network, find_network, networks
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.project import arriving
from shoal.faces.studio.widgets.copy_as import copy_button
from shoal.faces.studio.widgets.grid import plain_table
from shoal.faces.studio.widgets.network_figures import figure_text, network_beside
from shoal.faces.studio.widgets.part_form import PartForm
from shoal.faces.studio.widgets.text import Tone, chip, figure, note, picture, problem, section, steps, text
from shoal.faces.studio.widgets.upload import upload
from shoal.faces.studio.widgets.waiting import waiting

BEGIN = {"k": "10"}  # what a form is filled with at first
# What somebody can do who has no network here yet.
NEXT = (
    ("Look", "How many people have a number of friends that nobody else has: each of them can be found."),
    ("Protect", "A few friendships are added, until everybody has as many as several others."),
    ("Compare and attack", "What that changed, and whom an attacker still finds."),
    ("Hand over", "The release, its manifest and a report to sign; who is who stays with you."),
)
SAFE: Tone = "safe"
RISK: Tone = "risk"


def build(desk: Desk) -> None:
    """The way in, and one network at a time."""
    body = ui.element("div").classes("s-stack s-wide")

    def show(name: str | None = None) -> None:
        found = networks(desk.project)
        with body.clear():
            _add(desk, show)
            if not found:
                with section("What happens next"):
                    steps(*NEXT)
            else:
                chosen = name if name in found else next(iter(found))
                select = ui.select(list(found), label="Network", value=chosen).props("outlined dense")
                select.on_value_change(lambda event: show(str(event.value)))
                _Network(desk, str(chosen)).build()

    show()


def _add(desk: Desk, done: Callable[[str], None]) -> None:
    with section("Add a network", "Two columns: who knows whom. CSV, text, Parquet, GraphML or GML."):
        said = ui.element("div")

        def take(name: str, place: Path) -> None:
            done(add_network(desk.project, name, place.rename).name)

        async def take_sample() -> None:
            place = arriving(desk.project)
            try:
                await desk.ask("making friends", tasks.sample, str(place))
                take("network.csv", place)
            except ShoalError as error:
                with said.clear():
                    problem(str(error))
            finally:
                place.unlink(missing_ok=True)

        choose = upload(desk, KINDS, take, said)
        with ui.element("div").classes("s-row"):
            ui.button("Open the sample network", on_click=take_sample).props("unelevated")
            ui.button("Choose a file", on_click=choose, color=None).classes("s-plain")


class _Network:
    """One network on the page: what it is like, the promise, the release, attacks and files."""

    def __init__(self, desk: Desk, name: str) -> None:
        self._desk, self._network = desk, find_network(desk.project, name)

    def build(self) -> None:
        self._measured = ui.element("div").classes("s-stack s-wide")
        self._below = ui.element("div").classes("s-stack s-wide")
        if self._network.recall("measured") is None:
            self._work(self._measured, "Looking at it", tasks.look, self._show)
        else:
            self._show()

    def _work(self, place: ui.element, title: str, task: Any, then: Callable[[], None], *given: Any) -> None:
        """Have a worker do something long, and show how far it is or why it failed in its place."""
        work = self._desk.studio.workers.start(title, task, str(self._network.folder), *given)

        def ended() -> None:
            if work.state == "done":
                then()
                return
            with place.clear():
                problem(work.error or "it was cancelled")

        with place.clear():
            waiting(work, ended)

    def _copy(self, verb: str, part: Callable[[], str] = str) -> None:
        """A button for what this part of the page does, elsewhere."""
        folder = str(self._network.folder)
        copy_button(lambda: self._desk.ask("copying", tasks.copies, folder, verb, part()))

    def _show(self) -> None:
        found = self._network.recall("measured")
        released = self._network.recall("released")
        with self._measured.clear(), section(self._network.name):
            with ui.element("div").classes("s-columns s-figures"):
                figure(f"{found['nodes']:,}", "people")
                figure(f"{found['edges']:,}", "edges")
                figure(str(found["anonymity"]["degree"]), "people in the smallest group with as many friends")
            picture((released or {}).get("picture") or found["picture"], "The network as a picture")
            with ui.element("div").classes("s-row"):
                self._copy("measure")
        with self._below.clear():
            self._promise()
            if released is not None:
                self._released(found, released)
                self._attacks()
                self._files()

    def _promise(self) -> None:
        with section("Promise", "How many friends somebody has is enough to find them."):
            body = ui.element("div").classes("s-stack")
            with body:
                text("p", "Reading the catalog …").classes("s-soft")

            async def fill() -> None:
                parts = await self._desk.ask("", tasks.parts)
                models = {one["name"]: one for one in parts["model"]}
                with body.clear():
                    names = {name: f"{name} — {one['promise']}" for name, one in models.items()}
                    model = ui.select(names, label="Model", value=parts["usual"]).props("outlined dense")
                    fields, said = ui.element("div").classes("s-stack"), ui.element("div")

                    def show_form() -> None:
                        form = models[str(model.value)]
                        needed = {one["name"] for one in form["parameters"] if one["needed"]}
                        begin = {word: value for word, value in BEGIN.items() if word in needed}
                        with fields.clear():
                            self._form = PartForm(self._desk, "model", form, begin, lambda _: None)
                            ui.timer(0, self._form.check, once=True)

                    model.on_value_change(show_form)
                    show_form()

                    async def protect() -> None:
                        if (spelling := await self._form.check()) is not None:
                            self._work(said, "Protecting", tasks.protect, self._show, spelling)

                    with ui.element("div").classes("s-row"):
                        ui.button("Protect", on_click=protect).props("unelevated")
                        copy_button(self._copies_of_promise)

            ui.timer(0, fill, once=True)

    async def _copies_of_promise(self) -> list[dict[str, str]]:
        if (spelling := await self._form.check()) is None:
            raise BadParameter("fill in the promise first")
        folder = str(self._network.folder)
        copies: list[dict[str, str]] = await self._desk.ask(
            "copying", tasks.copies, folder, "protect", spelling
        )
        return copies

    def _released(self, before: dict[str, Any], released: dict[str, Any]) -> None:
        with section("Release", f"{released['model']} by {released['method']}, checked from the file."):
            with ui.element("div").classes("s-row"):
                _show_promises(released["models"])
            with ui.element("div").classes("s-columns"):
                figure(figure_text(released["added"]), "edges added")
                figure(figure_text(released["removed"]), "edges removed")
            if released["after"] is None:
                note("Nobody of the network is in this release, so there is nothing to compare one by one.")
                return
            network_beside(before, released["after"])

    def _attacks(self) -> None:
        with section("Attack it before somebody else does"):
            body = ui.element("div").classes("s-stack")
            with body:
                text("p", "Reading the list of attacks …").classes("s-soft")
            results = ui.element("div")

            def show() -> None:
                with results.clear():
                    _show_attacks(self._network.recall("attacks") or [])

            async def fill() -> None:
                attacks = {one["name"]: one for one in (await self._desk.ask("", tasks.parts))["attack"]}
                with body.clear():
                    chosen = ui.select(list(attacks), label="Attack", value=next(iter(attacks)))
                    chosen.props("outlined dense")
                    words = text("p", attacks[str(chosen.value)]["promise"]).classes("s-soft")
                    chosen.on_value_change(
                        lambda: words.set_text(attacks[str(chosen.value)]["promise"])  # the plain sentence
                    )
                    said = ui.element("div")

                    def attack() -> None:
                        def done() -> None:
                            said.clear()
                            show()

                        self._work(said, "Attacking", tasks.attack, done, str(chosen.value))

                    with ui.element("div").classes("s-row"):
                        ui.button("Attack", on_click=attack).props("unelevated")
                        self._copy("attack", lambda: str(chosen.value))

            show()
            ui.timer(0, fill, once=True)

    def _files(self) -> None:
        network = self._network
        with section("Files", "The release and its manifest may go out. Who is who stays with you."):
            with ui.element("div").classes("s-row"):
                _download("Release", network.release)
                _download("Manifest", network.manifest)
                if network.mapping.exists():
                    _download("Who is who (for you alone)", network.mapping)
                if network.report.exists():
                    _download("Report", network.report)
            said = ui.element("div")
            with ui.element("div").classes("s-row"):
                make = ui.button("Make the report", color=None).classes("s-plain")
                make.on_click(lambda: self._work(said, "Writing the report", tasks.report, self._show))
                self._copy("report")


def _show_promises(promises: list[dict[str, Any]]) -> None:
    for promise in promises:
        told, tone = ("holds", SAFE) if promise["holds"] else ("does not hold", RISK)
        chip(f"{promise['name']} {told}", tone)


def _show_attacks(found: list[dict[str, Any]]) -> None:
    if not found:
        return
    rows = [
        [
            one["attack"],
            f"{one['hits']:,} of {one['targets']:,}",
            "–" if one["rate"] is None else f"{one['rate']:.1%}",
            "–" if one["baseline"] is None else f"{one['baseline']:.1%}",
            str(one["cure"] or ""),
        ]
        for one in found
    ]
    plain_table(["Attack", "People found", "Rate", "Blind guess", "What stops it"], rows, "Attacks")


def _download(words: str, place: Path) -> None:
    button = ui.button(words, icon="download", color=None).classes("s-plain")
    button.on_click(lambda: ui.download.file(place))


PAGE = Page(
    "networks",
    "Networks",
    "hub",
    "Who knows whom singles people out as well as any table does.",
    build,
    about="project",
)
