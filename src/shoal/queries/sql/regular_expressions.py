"""Regular expressions that take no longer than the text is long, and mean the same in every engine.

What is understood is read sign by sign and written anew: letters, classes, groups, alternatives, repetitions
and anchors. There are no back-references and no looking around, so that DuckDB (RE2) and PostgreSQL (which
then only builds an automaton) go through a text once. The number of states is limited.
"""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 200  # characters of a pattern
_STATES = 400  # of the automaton, with repetitions written out
_REPEATED = 50
_CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": " \\t\\n\\f\\r"}
_SPECIAL = r"\^$.|?*+()[]{}"


class Unreadable(ValueError):
    """A pattern that is not understood here, and why."""


@dataclass
class _Reader:
    text: str
    capture: bool  # whether groups are told apart
    at: int = 0
    groups: int = 0
    depth: int = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        sign = self.peek()
        self.at += 1
        return sign

    def alternatives(self) -> tuple[str, int]:
        """Branches with | between them, up to a closing bracket or the end; and how many states they take."""
        written, states = self._branch()
        while self.peek() == "|":
            self.take()
            more, size = self._branch()
            written, states = f"{written}|{more}", states + size + 1
        return written, states

    def _branch(self) -> tuple[str, int]:
        parts, states = [], 0
        while self.peek() not in ("", "|", ")"):
            part, size = self._repeated()
            parts.append(part)
            states += size
            if states > _STATES:
                raise Unreadable("it repeats too much")
        if not parts:
            raise Unreadable("an alternative is empty")
        return "".join(parts), states

    def _repeated(self) -> tuple[str, int]:
        atom, states = self._atom()
        if atom in ("^", "$"):
            return atom, states
        sign = self.peek()
        if sign == "" or sign not in "*+?{":
            return atom, states
        self.take()
        if sign == "{":
            sign, times = self._counts()
        else:
            times = 1
        if self.peek() == "?":  # as few as possible: where a match begins and ends, not whether there is one
            self.take()
            sign += "?" if self.capture else ""
        if self.peek() and self.peek() in "*+?{":
            raise Unreadable("one repetition follows another")
        return atom + sign, states * max(times, 1) + 1

    def _counts(self) -> tuple[str, int]:
        end = self.text.find("}", self.at)
        inside = self.text[self.at : end] if end >= 0 else ""
        low, comma, high = inside.partition(",")
        for number in (low, *([high] if high else [])):
            if not (number.isascii() and number.isdigit()) or len(number) > 2 or int(number) > _REPEATED:
                raise Unreadable(f"counts are written as {{2,5}}, up to {_REPEATED}")
        if high and int(low) > int(high):
            raise Unreadable("a repetition counts down")
        self.at = end + 1
        return "{" + inside + "}", int(high or low) + (1 if comma and not high else 0)

    def _atom(self) -> tuple[str, int]:
        sign = self.take()
        if sign == "(":
            return self._group()
        if sign == "[":
            return self._class(), 1
        if sign == "\\":
            escaped = self.take()
            if escaped.lower() in _CLASSES and escaped:
                inside = _CLASSES[escaped.lower()]
                return (f"[^{inside}]" if escaped.isupper() else f"[{inside}]"), 1
            return _escaped(escaped, backslash=True), 1
        if sign in ("^", "$", "."):
            return sign, 1
        if sign in _SPECIAL:
            raise Unreadable(f"'{sign}' stands where nothing can be repeated or closed")
        return _escaped(sign), 1

    def _group(self) -> tuple[str, int]:
        self.depth += 1
        if self.depth > 10:
            raise Unreadable("it is nested too deeply")
        counted = True
        if self.peek() == "?":
            if self.text[self.at : self.at + 2] != "?:":
                raise Unreadable("of groups with ? only (?: is known")
            self.at += 2
            counted = False
        self.groups += counted
        inside, states = self.alternatives()
        if self.take() != ")":
            raise Unreadable("a bracket stays open")
        self.depth -= 1
        return f"({inside})" if counted and self.capture else f"(?:{inside})", states + 1

    def _class(self) -> str:
        """[a-z], [^0-9]: letters, ranges of letters and digits, and known classes."""
        negated = self.peek() == "^"
        if negated:
            self.take()
        parts: list[str] = []
        while self.peek() != "]" or not parts:
            first = self._member()
            if len(first) > 1 and not first.startswith("\\"):  # a class such as \d
                parts.append(first)
                continue
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.take()
                last = self._member()
                ends = [_bare(end) for end in (first, last)]
                if any(len(end) != 1 for end in ends) or ends[0] > ends[1]:
                    raise Unreadable("a range goes from a smaller sign to a larger one")
                parts.append(f"{first}-{last}")
            else:
                parts.append("\\-" if first == "-" else first)
        self.take()
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _member(self) -> str:
        sign = self.take()
        if sign == "" or sign == "[":
            raise Unreadable("a class stays open, or has another one in it")
        if sign == "\\":
            escaped = self.take()
            if escaped in _CLASSES:
                return _CLASSES[escaped]
            return _escaped(escaped, backslash=True)
        return f"\\{sign}" if sign in "^]" else sign


def _bare(member: str) -> str:
    return member[1:] if member.startswith("\\") else member


def _escaped(sign: str, backslash: bool = False) -> str:
    """A sign that stands for itself."""
    if not sign.isprintable() or not sign:
        raise Unreadable("it ends with a backslash, or has control characters in it")
    if backslash and sign.isalnum():
        raise Unreadable(f"'\\{sign}' is not known; there is \\d, \\w and \\s")
    return f"\\{sign}" if sign in _SPECIAL else sign


@dataclass(frozen=True)
class Pattern:
    """A pattern written anew, how many groups it tells apart, and how many states it takes."""

    text: str
    groups: int
    states: int


def read_pattern(text: str, capture: bool = False) -> Pattern:
    """A pattern that is understood, or Unreadable."""
    if not text or len(text) > LONGEST:
        raise Unreadable(f"a pattern has 1 to {LONGEST} signs")
    reader = _Reader(text, capture)
    written, states = reader.alternatives()
    if reader.at < len(text):
        raise Unreadable("a bracket closes that was not opened")
    if states > _STATES:
        raise Unreadable("it repeats too much")
    return Pattern(written, reader.groups, states)
