"""How precise a released label may be under HIPAA's Safe Harbor: postal codes, dates, ages.

45 CFR 164.514(b)(2)(i)(B) and (C). Labels are read as a release has them: `021**`, `[20, 30)`, `1970s`,
`>= 90`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Three-digit areas with 20,000 people or fewer, by the census of 2000, as the Department of Health and Human
# Services lists them.
SMALL_AREAS = frozenset([
    "036", "059", "063", "102", "203", "556", "692", "790",
    "821", "823", "830", "831", "878", "879", "884", "890", "893"
])  # fmt: skip
OLDEST = 89
NOBODY = 110  # a group up to here is one without an end
_NUMBER = r"\d+(?:\.\d+)?"
_STRETCH = re.compile(
    rf"([\[(])?\s*({_NUMBER})\s*(?:,|;|\.\.|-|–|to|bis)\s*({_NUMBER})\s*([\])])?", re.IGNORECASE
)
_ONE_END = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})|({_NUMBER})\s*(\+)")
_AGE = re.compile(rf"({_NUMBER})(?:\s*(?:y|yrs?|years?|jahre?|ans?|años?)\b.*)?", re.IGNORECASE)
_HIDDEN = "*xX#•_"
_DAY = r"\d{4}-\d{2}-\d{2}"
_STRETCH_OF_DAYS = re.compile(rf"[\[(]?\s*({_DAY})\s*(?:,|;|\.\.|–|to|bis)\s*({_DAY})\s*([\])])?")
_MONTH = re.compile(
    r"(?<![^\W\d_])(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz])", re.IGNORECASE
)
_YEARS = re.compile(
    r"\d{4}(?:\.0)?|\d{3}0s|\d{1,3}[*xX]+|(?:<=|>=|<|>|≤|≥)\s*\d{4}|\d{4}(?:-[*xX]{1,2}){1,2}"
    r"|[\[(]?\s*\d{4}\s*(?:,|;|\.\.|-|–|to|bis)\s*\d{4}\s*[\])]?|\{[\d,; ]+\}"
)


@dataclass(frozen=True)
class Remark:
    """Why a label is too precise, or may be."""

    why: str
    sure: bool = True


def zip_remark(label: str) -> Remark | None:
    """Whether a postal code shows more than three digits, or three of an area with few people."""
    text = label.strip()
    stretch = _STRETCH.fullmatch(text)
    if stretch and len(stretch[2]) == len(stretch[3]) == 5:
        low, high = int(stretch[2]), int(stretch[3])
        end = high if stretch[4] == ")" else high + 1
        if low % 100 == 0 and end % 100 == 0 and end > low:
            areas = range(low // 100, end // 100)
            small = len(areas) == 1 and f"{areas[0]:03}" in SMALL_AREAS
            return Remark("an area with 20,000 people or fewer; it must be 000") if small else None
        return Remark("a stretch that cuts through a three-digit area")
    shown = text.rstrip(_HIDDEN)
    if not shown:
        return None
    if not re.search(r"\d", shown):
        return Remark("no postal code; perhaps a place smaller than a state", sure=False)
    if not shown.isdigit():
        if len(re.sub(r"\W", "", shown)) > 3:
            return Remark("a postal code with more than its first three signs")
        return Remark("a postal code that is none of the United States", sure=False)
    # A code of four places is one of five whose leading zero was lost when it was read as a number.
    if len(text) == 4:
        shown = f"0{shown}"
    if len(shown) > 3:
        return Remark("a postal code with more than three digits")
    if shown in SMALL_AREAS:
        return Remark("an area with 20,000 people or fewer; it must be 000")
    return None


def age_remark(label: str) -> Remark | None:
    """Whether an age over 89 shows; one group of 90 and more may."""
    text = label.strip()
    stretch = _STRETCH.fullmatch(text)
    if stretch:
        low, high = float(stretch[2]), float(stretch[3])
        last = high - 1 if stretch[4] == ")" and high == int(high) else high
        first = low + 1 if stretch[1] == "(" else low
        if last <= OLDEST or (first <= OLDEST + 1 and last >= NOBODY):
            return None
        if first > OLDEST:
            return Remark("ages over 89 in a group narrower than 90 and more")
        return Remark("a group of ages that ends above 89", sure=False)
    one = _ONE_END.fullmatch(text)
    if one:
        sign, end = one[1] or ">=", float(one[2] or one[3])
        first = end + 1 if sign == ">" else end
        if sign[0] not in "<≤" and first > OLDEST + 1:
            return Remark("ages over 89 in a group narrower than 90 and more")
        return None
    plain = _AGE.fullmatch(text)
    if plain and float(plain[1]) >= OLDEST + 1:
        return Remark("an age over 89")
    return None


def date_remark(label: str) -> Remark | None:
    """Whether a label says more about a date than its year."""
    text = label.strip()
    if _MONTH.search(text):
        return Remark("a date more precise than the year")
    if _YEARS.fullmatch(text) or not re.search(r"\d", text):
        return None
    stretch = _STRETCH_OF_DAYS.fullmatch(text)
    if stretch:
        low, high = stretch[1], stretch[2]
        ends = high.endswith("-01-01") if stretch[3] == ")" else high.endswith("-12-31")
        return None if low.endswith("-01-01") and ends else Remark("a stretch of dates finer than years")
    measured = re.fullmatch(r"\d+\.\d+", text)  # as in a column of birth weights
    if not measured and re.search(r"\d{4}.*\d|\d.*\d{4}|\d[-/.]\d", text):
        return Remark("a date more precise than the year")
    return Remark("perhaps a part of a date finer than the year", sure=False)


def born_remark(label: str, year: int) -> Remark | None:
    """Whether a year of birth tells that a person is over 89; a group that is open below may."""
    text = label.strip()
    years = [int(found) for found in re.findall(r"\b(?:18|19|20)\d{2}", text)]
    if not years or re.match(r"<|≤", text):
        return None
    last = max(years) + (9 if re.fullmatch(r"\d{3}0s", text) else 0)
    if len(years) > 1 and text.endswith(")"):
        last -= 1
    if year - last > OLDEST:
        return Remark("a year of birth that tells of an age over 89")
    if year - min(years) > OLDEST:
        return Remark("a group of years of birth, some of people over 89", sure=False)
    return None
