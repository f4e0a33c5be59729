"""Attack: play the attacker against a release, before somebody else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import release_tasks
from shoal.faces.studio.browser_words import in_browser
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.lists import add_list, find_list, list_mark, lists_of
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.project import KINDS
from shoal.faces.studio.widgets.copy_as import copy_button
from shoal.faces.studio.widgets.grid import plain_table
from shoal.faces.studio.widgets.run_choice import run_choice
from shoal.faces.studio.widgets.text import chip, figure, note, problem, section, text
from shoal.faces.studio.widgets.upload import upload
from shoal.faces.studio.widgets.work import worked

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run

LISTS = {
    "external": "a list of people",
    "control": "people who are not in the data",
    "other": "another release",
}
NEEDS = {"external": "external", "others": "other", "control": "control"}  # of an attack → what a list is for
SHOWN = 10


def build(desk: Desk) -> None:
    """Lists, an attack, and who is hit."""
    run_choice(desk, lambda run: _attacks(desk, run), "There is no release to attack yet.")


def _attacks(desk: Desk, run: Run) -> None:
    chosen: dict[str, str] = {}
    renew: list[Callable[[], None]] = []  # what speaks of the chosen lists, once it is there

    def changed() -> None:
        for one in renew:
            one()

    with section(
        "What an attacker has",
        "A list of people with some of the same columns: voters, customers. It stays in the project folder.",
    ):
        holder = ui.element("div").classes("s-stack")
        said = ui.element("div")

        def choose_list(word: str, name: str) -> None:
            chosen[word] = name
            changed()

        def show_lists() -> None:
            there = list(lists_of(desk.table))
            with holder.clear():
                if not there:
                    ui.label("No list yet. Some attacks work without one.").classes("s-soft")
                    return
                with ui.element("div").classes("s-levels"):
                    for word, what in LISTS.items():
                        options = {"": "none", **{name: name for name in there}}
                        value = chosen.setdefault(word, there[0] if word == "external" else "")
                        select = ui.select(options, label=what[:1].upper() + what[1:], value=value)
                        select.props("outlined dense").classes("s-fill")
                        select.on_value_change(lambda event, word=word: choose_list(word, event.value))

        def take(name: str, place: Path) -> None:
            chosen["external"] = add_list(desk.table, name, place)
            show_lists()
            changed()

        show_lists()
        choose = upload(desk, KINDS, take, said)
        ui.button("Upload a list", on_click=choose, color=None).classes("s-plain")
    body = ui.element("div").classes("s-stack s-wide")
    with body:
        text("p", "Reading the list of attacks …").classes("s-soft")

    async def show() -> None:
        try:
            choices = await desk.ask("listing attacks", release_tasks.attacks)
        except ShoalError as error:
            with body.clear():
                problem(str(error))
            return
        if not body.is_deleted:
            with body.clear():
                _choose(desk, run, choices, chosen, renew)

    with ui.element("div").classes("s-row"):
        ui.button("Next: report", on_click=lambda: desk.go("report")).props("unelevated")
    ui.timer(0, show, once=True)


def _choose(
    desk: Desk,
    run: Run,
    choices: list[dict[str, Any]],
    chosen: dict[str, str],
    renew: list[Callable[[], None]],
) -> None:
    by_name = {one["name"]: one for one in choices}
    first = next((one["name"] for one in choices if tuple(one["needs"]) == ("external",)), choices[0]["name"])
    with section(
        "Attack the release", "The original is attacked as well, so that you see what the release stops."
    ):
        options = {name: name.replace("-", " ") for name in by_name}
        select = ui.select(options, label="Attack", value=first).props("outlined dense").classes("s-fill")
        words = text("p", by_name[first]["words"]).classes("s-soft")
        said = ui.element("div")
        results = ui.element("div").classes("s-stack s-wide")

        def change() -> None:
            words.text = by_name[select.value]["words"]
            said.clear()
            show()

        def show() -> None:
            name = str(select.value)
            lists = {word: list_mark(desk.table, one) for word, one in chosen.items() if one}
            key = f"attack {name} {sorted(lists.items())}"
            with results.clear():
                worked(
                    desk,
                    run,
                    key,
                    "Run the attack",
                    release_tasks.attack,
                    lambda: complete(name),
                    lambda found: _found(desk, run, found, chosen),
                )

        def lists() -> dict[str, Any]:
            paths = {word: str(find_list(desk.table, one)) for word, one in chosen.items() if one}
            return {word: (path,) if word == "other" else path for word, path in paths.items()}

        def given(name: str) -> tuple[Any, ...]:
            release = str(desk.table.runs.release(run))
            return (str(desk.table.folder), release, run.settings.to_json(), name, lists())

        def complete(name: str) -> tuple[Any, ...] | None:
            for need in by_name[name]["needs"]:
                word = NEEDS.get(need)
                if word is not None and not chosen.get(word):
                    with said.clear():
                        problem(f"this attack needs {LISTS[word]}; upload it above and choose it")
                    return None
            said.clear()
            return given(name)

        copy_button(lambda: desk.ask("copying", release_tasks.attack_copies, *given(str(select.value))))
        select.on_value_change(change)
        renew[:] = [change]
        show()


def _found(desk: Desk, run: Run, found: dict[str, Any], chosen: dict[str, str]) -> None:
    after, before = found["after"], found.get("before")
    with ui.element("div").classes("s-columns s-figures"):
        if before is not None:
            figure(
                f"{before['hits']:,}",
                f"of {before['targets']:,} people hit in the original ({before['rate']:.1%})",
            )
        figure(
            f"{after['hits']:,}", f"of {after['targets']:,} people hit in the release ({after['rate']:.1%})"
        )
        figure(f"{after['baseline']:.1%}", "of blind guesses are right")
    if before is None:
        note(in_browser(f"The original could not be attacked: {found['why_not_before']}."), "plain")
    if after["hits"]:
        low, high = after["interval"]
        cure = in_browser(str(after["cure"]))
        note(f"The attack succeeds for {low:.1%} to {high:.1%} of people. To stop it: {cure}.", "risk")
    else:
        note(f"Nobody is hit. {after['cure'][:1].upper()}{after['cure'][1:]}.", "safe")
    group = ui.element("div").classes("s-stack")
    people = (chosen.get("external", ""), set(found.get("listed", ())))
    for side, title in ((after, "Hit in the release"), (before, "Hit in the original")):
        if side is not None and side["findings"]:
            _people(desk, run, side["findings"], title, people, group)


def _people(
    desk: Desk,
    run: Run,
    findings: list[dict[str, Any]],
    title: str,
    people: tuple[str, set[str]],
    group: ui.element,
) -> None:
    """Who is hit; whoever is told by columns of the list, `people`, can be looked up in the release."""
    name, listed = people
    with ui.element("div").classes("s-stack"):
        text("h3", f"{title}: {min(len(findings), SHOWN)} of them")
        with ui.element("div").classes("s-scroll").props('tabindex="0" role="region"') as frame:
            frame.props["aria-label"] = title
            with ui.element("table").classes("s-table"):
                with ui.element("thead"), ui.element("tr"):
                    for head in ("Who", "What is learned", "How sure", ""):
                        text("th", head).props('scope="col"')
                with ui.element("tbody"):
                    for one in findings[:SHOWN]:
                        with ui.element("tr"):
                            text("td", _told(one.get("who", {})))
                            text("td", _told(one.get("learned", {})))
                            text("td", f"{one.get('confidence', 1):.0%}")
                            with ui.element("td"):
                                if name and isinstance(one.get("who"), dict) and listed >= set(one["who"]):
                                    _look_button(desk, run, one["who"], name, group)


def _look_button(desk: Desk, run: Run, who: dict[str, Any], people: str, group: ui.element) -> None:
    async def look() -> None:
        button.props("loading")
        release, settings = str(desk.table.runs.release(run)), run.settings.to_json()
        names = {name: str(value) for name, value in who.items()}
        try:
            path = str(find_list(desk.table, people))
            given = (str(desk.table.folder), release, settings, path, names)
            found = await desk.ask("looking for the group", release_tasks.group, *given)
        except ShoalError as error:
            with group.clear():
                problem(str(error))
            return
        finally:
            button.props(remove="loading")
        with group.clear():
            _group(_told(who), found)

    button = ui.button("See the group", on_click=look, color=None).props("dense no-caps").classes("s-plain")
    button.props["aria-label"] = f"See the group of {_told(who)}"


def _group(who: str, found: dict[str, Any]) -> None:
    text("h3", f"Rows of the release that may be {who}")
    with ui.element("div").classes("s-row"):
        for name, value in found["known"].items():
            chip(f"{name}: {value}")
        ui.label(f"{found['many']:,} rows in {found['groups']:,} groups").classes("s-soft s-small")
    if found["rows"]:
        plain_table(found["columns"], found["rows"][:SHOWN], f"Rows that may be {who}")
    else:
        note("No row of the release fits: this person was left out, or never was in it.", "safe")


def _told(what: Any) -> str:
    if isinstance(what, dict):
        return (
            ", ".join(f"{name}: {value}" for name, value in what.items())
            if len(what) > 1
            else str(next(iter(what.values()), ""))
        )
    return str(what)


PAGE = Page(
    "attack",
    "Attack",
    "gps_fixed",
    "Find out who could be recognised, before somebody else does. Nothing of this leaves your machine.",
    build,
)
