"""A report as one HTML file: no script, no network, readable anywhere and fit to print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from shoal.jobs.report_files import write_files
from shoal.report.blocks import (
    Block,
    Box,
    Cards,
    Cell,
    Chart,
    Code,
    Document,
    Figures,
    Grid,
    Heading,
    Items,
    Sign,
    Title,
    Words,
)
from shoal.report.wording import visible

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write(document: Document, places: Mapping[str, str | Path]) -> None:
    """Write a document in each form to its place, once all of them are drawn."""
    made: dict[str | Path, bytes] = {}
    for form, place in places.items():
        if form == "html":
            made[place] = html(document).encode()
        else:
            from shoal.report.pdf import pdf

            made[place] = pdf(document)
    write_files(made)


def html(document: Document) -> str:
    """The whole file as text."""
    document = visible(document)
    style = files("shoal.report").joinpath("style.css").read_text("utf-8")
    body = "\n".join(_block_html(block) for block in document.blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a column is called, nothing is ever loaded and nothing runs.
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n<footer>{escape(document.foot)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _block_html(block: Block) -> str:
    draw: dict[type[Any], Callable[[Any], str]] = {
        Title: _title,
        Box: _box,
        Figures: _figures,
        Heading: lambda b: f'<h2><span class="number">{b.number}</span> {escape(b.text)}</h2>',
        Words: lambda b: (
            f'<p class="{b.tone}">{escape(b.text)}</p>' if b.tone else f"<p>{escape(b.text)}</p>"
        ),
        Grid: _grid,
        Chart: _chart,
        Cards: _cards,
        Items: _items,
        Code: lambda b: f"<pre>{escape(b.text)}</pre>",
        Sign: _sign,
    }
    return draw[type(block)](block)


def _title(block: Title) -> str:
    return (
        f'<header>\n<p class="over">{escape(block.over)}</p>\n<h1>{escape(block.text)}</h1>\n'
        f'<p class="under">{escape(block.under)}</p>\n</header>'
    )


def _box(block: Box) -> str:
    return (
        f'<div class="box {block.tone}" role="note"><strong>{escape(block.head)}</strong>'
        f"<p>{escape(block.text)}</p></div>"
    )


def _figures(block: Figures) -> str:
    inner = "".join(
        f"<div><dt>{escape(item.label)}</dt><dd{_tone(item.tone)}>{escape(item.value)}</dd></div>"
        for item in block.items
    )
    return f'<dl class="figures">{inner}</dl>'


def _grid(block: Grid) -> str:
    whole = sum(block.widths)
    columns = "".join(f'<col style="width:{100 * width / whole:.1f}%">' for width in block.widths)
    head = "".join(
        f'<th scope="col"{_number(block, place)}>{escape(text)}</th>' for place, text in enumerate(block.head)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            f'<td{_number(block, place)} data-head="{escape(block.head[place])}">{_cell(cell)}</td>'
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in block.rows
    )
    return (
        f'<div class="grid"><table><caption>{escape(block.caption)}</caption><colgroup>{columns}</colgroup>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _number(block: Grid, place: int) -> str:
    return ' class="number-cell"' if place in block.numbers else ""


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.code:
        text = f"<code>{text}</code>"
    return f"<span{_tone(cell.tone)}>{text}</span>" if cell.tone else text


def _tone(tone: str) -> str:
    return f' class="{tone}-text"' if tone else ""


def _chart(block: Chart) -> str:
    caption = f"<figcaption>{escape(block.caption)}</figcaption>" if block.caption else ""
    return f'<figure class="wide">{caption}{block.svg}</figure>'


def _cards(block: Cards) -> str:
    cards = []
    for card in block.items:
        lines = "".join(f"<li>{escape(line)}</li>" for line in card.lines)
        cards.append(
            f'<section class="card {card.tone}"><h3>{escape(card.head)} '
            f"<span{_tone(card.tone)}>{escape(card.tag)}</span></h3>"
            f"<p>{escape(card.question)}</p><ul>{lines}</ul></section>"
        )
    return '<div class="cards">\n' + "\n".join(cards) + "\n</div>"


def _items(block: Items) -> str:
    inner = "".join(f"<dt>{escape(item.head)}</dt><dd>{escape(item.text)}</dd>" for item in block.items)
    return f'<dl class="terms">{inner}</dl>'


def _sign(block: Sign) -> str:
    choices = "".join(f"<li>{escape(choice)}</li>" for choice in block.choices)
    lines = "".join(f'<div class="line">{escape(line)}</div>' for line in block.lines)
    return f'<div class="sign"><p>{escape(block.text)}</p><ul>{choices}</ul>{lines}</div>'
