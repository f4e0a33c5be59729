"""A file from the browser, bounded in size, at a place in the project folder that Shoal names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import isawaitable
from pathlib import Path

from nicegui import events, ui

from shoal.core.errors import ShoalError
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.project import arriving
from shoal.faces.studio.upload_limit import room_for_upload, size_in_words
from shoal.faces.studio.widgets.text import problem


def upload(
    desk: Desk, kinds: Sequence[str], take: Callable[[str, Path], object], said: ui.element
) -> Callable[[], object]:
    """An upload that stays hidden; the function that is returned lets somebody choose a file.

    `take` gets the name that the browser told, for which nobody vouches, and where the file lies until it
    returns. What goes wrong is told in `said`.
    """

    async def arrived(event: events.UploadEventArguments) -> None:
        said.clear()
        made.reset()
        place = arriving(desk.project)
        try:
            await event.file.save(place)
            done = take(event.file.name, place)
            if isawaitable(done):
                await done
        except ShoalError as error:
            tell(str(error))
        finally:
            place.unlink(missing_ok=True)

    def tell(sentence: str) -> None:
        with said.clear():
            problem(sentence)

    def rejected() -> None:
        tell(
            f"the file was not taken: it is none of {', '.join(kinds)}, or larger than "
            f"{size_in_words(most)}; a large one can be put into the project folder instead"
        )

    most = room_for_upload(desk.project.folder)
    made = ui.upload(on_upload=arrived, on_rejected=rejected, auto_upload=True, max_file_size=most)
    made.on("failed", lambda: tell("the file did not arrive; perhaps the disk is full. Try again"), args=[])
    made.classes("s-hidden")
    made.props["accept"] = ",".join(dict.fromkeys(f".{kind.rsplit('.', 1)[-1]}" for kind in kinds))
    return lambda: made.run_method("pickFiles")
