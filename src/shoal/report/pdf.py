"""A report as PDF: the same blocks, set by Typst, whose package brings all it needs."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from importlib.resources import as_file, files
from typing import Literal

from shoal.core.extras import require
from shoal.report.blocks import Document
from shoal.report.wording import visible


def pdf(document: Document) -> bytes:
    """The whole file; the same document gives the same bytes."""
    require("report", "a PDF")
    import typst

    document = visible(document)

    day = datetime.fromisoformat(document.made).replace(tzinfo=UTC)
    told = {
        "title": document.title,
        "foot": document.foot,
        "date": {"year": day.year, "month": day.month, "day": day.day},
        "blocks": [{"kind": block.kind, **dataclasses.asdict(block)} for block in document.blocks],
    }
    words = json.dumps(told, ensure_ascii=False)
    with as_file(files("shoal.report")) as room:

        def made(standard: Literal["ua-1"] | None) -> bytes:
            return typst.compile(
                room / "report.typ",
                format="pdf",
                font_paths=[room / "fonts"],
                sys_inputs={"document": words},
                pdf_standards=standard,
                timestamp=int(day.timestamp()),
            )

        try:
            return made("ua-1")  # a screen reader can read it
        except typst.TypstError:
            return made(None)  # a sign that no font here has is no reason to go without a report
