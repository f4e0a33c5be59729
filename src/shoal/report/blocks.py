"""What a report is made of. The words are chosen once, as blocks; each form draws the same blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

Tone = Literal["", "good", "warn", "bad", "quiet", "strong"]


@dataclass(frozen=True)
class Title:
    """The head of the report."""

    kind: ClassVar[str] = "title"
    over: str
    text: str
    under: str


@dataclass(frozen=True)
class Box:
    """The verdict: what a hurried reader must see."""

    kind: ClassVar[str] = "box"
    tone: Tone
    head: str
    text: str


@dataclass(frozen=True)
class Figure:
    """One large number and what it counts."""

    value: str
    label: str
    tone: Tone = ""


@dataclass(frozen=True)
class Figures:
    """A row of large numbers."""

    kind: ClassVar[str] = "figures"
    items: tuple[Figure, ...]


@dataclass(frozen=True)
class Heading:
    """A numbered heading."""

    kind: ClassVar[str] = "heading"
    number: int
    text: str


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    kind: ClassVar[str] = "words"
    text: str
    tone: Tone = ""


@dataclass(frozen=True)
class Cell:
    """One cell of a grid."""

    text: str
    tone: Tone = ""
    code: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; `widths` are shares of the line, `numbers` the columns set flush right."""

    kind: ClassVar[str] = "grid"
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[int, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A picture, and the same in words for those who cannot see it."""

    kind: ClassVar[str] = "chart"
    svg: str
    alt: str
    caption: str


@dataclass(frozen=True)
class Card:
    """One threat: the question, the answer in a word, and what stands behind it."""

    head: str
    tag: str
    tone: Tone
    question: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Cards:
    """Cards side by side."""

    kind: ClassVar[str] = "cards"
    items: tuple[Card, ...]


@dataclass(frozen=True)
class Item:
    """A term and what is to be said of it."""

    head: str
    text: str


@dataclass(frozen=True)
class Items:
    """A list of terms."""

    kind: ClassVar[str] = "items"
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Code:
    """A command as one types it."""

    kind: ClassVar[str] = "code"
    text: str


@dataclass(frozen=True)
class Sign:
    """The place to sign."""

    kind: ClassVar[str] = "sign"
    text: str
    choices: tuple[str, ...]
    lines: tuple[str, ...]


Block = Title | Box | Figures | Heading | Words | Grid | Chart | Cards | Items | Code | Sign


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    foot: str  # what every page says at its foot
    made: str  # the day, as 2026-01-31
    blocks: tuple[Block, ...]
