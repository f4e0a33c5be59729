"""What to do about a refusal, in words of the browser: where a sentence names a flag, here is a page."""

from __future__ import annotations

import re

_WORD = r"[^\s;,)]+"
_LIST = rf"{_WORD}(?:, {_WORD})*"
_COMMAS = r"[^\s;,)]+(?:,[^\s;,)]+)*"  # as a flag takes it
# From the longest to the shortest: the first that fits is taken at each place.
_RULES = (
    # files
    (r"(save the file as UTF-8|save it as UTF-8),? or pass (?:its true )?--encoding(?: utf-16)?", r"\1"),
    # roles, on Data
    (
        rf"add --quasi ({_LIST}), or leave it out with --identifier {_LIST}",
        r"make \1 a quasi-identifier on the page Data, or an identifier, which is removed",
    ),
    (
        r"name those that others may know with --quasi, or leave them out with --identifier",
        "on the page Data make those that others may know quasi-identifiers, and the rest identifiers",
    ),
    (
        rf"--identifier, --quasi, --sensitive or --insensitive|--sensitive {_WORD} or --insensitive {_WORD}",
        "on the page Data",
    ),
    (
        r"[Gg]ive the table that the release was made from as --original FILE|give --original FILE(?: too)?",
        "the table may have been removed; upload it anew",
    ),
    (
        r"(?:name|give) (?:one|those of all releases|the columns|it) with --(?:quasi|sensitive)\b"
        r"(?: or --insensitive)?",
        "give columns that role on the page Data",
    ),
    (rf"(?:choose )?with --quasi from ({_LIST})", r"choose on the page Data from \1"),
    (rf"declare it --identifier {_WORD}", "make it an identifier on the page Data"),
    (rf", as in --quasi {_COMMAS},", " on the page Data,"),
    (rf"--quasi ({_WORD}(?:,[^\s;,)]+)+)", r"the role quasi-identifier for \1, on the page Data"),
    (rf"(?:as in )?--quasi ({_LIST})", r"the role quasi-identifier for \1, on the page Data"),
    (r"leave the column out of --quasi", "give the column another role on the page Data"),
    (rf"--sensitive ({_LIST})", r"the role sensitive for \1, on the page Data"),
    (rf"--insensitive ({_LIST}) keeps it", r"the role harmless on the page Data keeps it"),
    # hierarchies
    (
        r"(?:give )?(?:the one|the hierarchy|one that does)?(?: it| the release| they)?"
        rf"(?: was made with| were made with)? ?as --hierarchy ({_WORD}?)=FILE(?:\.csv)?",
        r"check the hierarchy of \1 on the page Hierarchies",
    ),
    (
        rf"give --hierarchy ({_WORD}?)=FILE(?:\.csv)?",
        r"import a file as the hierarchy of \1 on the page Hierarchies",
    ),
    (rf"give --hierarchy for ({_LIST})", r"check the hierarchies of \1 on the page Hierarchies"),
    (r"give a --hierarchy whose", "import a hierarchy on the page Hierarchies whose"),
    (r", with the --hierarchy of each column", ""),
    # promises and the way there
    (
        r'(?:add|give) --model "([^"]+)"(?: or keep the manifest)?',
        r"add the promise \1 on the page Promise",
    ),
    (r'--model "([^"]+)" closes it', r"the promise \1 closes it"),
    (
        r"--suppress ([\d.]+) would do",
        lambda found: f"leaving out {100 * float(found[1]):.3g} % would do (the slider on the page Promise)",
    ),
    (r"--suppress allows more", "the slider on the page Promise allows more"),
    (
        r"--time-limit \d+ gives the best of ten minutes and says how far off it can be, or use",
        "or use",
    ),
    (r"; --time-limit allows more, and another run may find another release", "; another run may go further"),
    (r"; give --time-limit more", ""),
    (r"use --method ([\w-]+(?: or [\w-]+)*)", r"choose the method \1 on the page Promise"),
    # attacks
    (r"give --external FILE(?:, or --target name=Ann,zip=12345)?", "choose or upload a list above"),
    (r"give the people as --external FILE", "choose or upload a list above"),
    (r"give --control FILE", "choose or upload a list of them above"),
    (r"without --control nobody", "without a list of people who are not in the data nobody"),
    (r"name a second file, or give --other FILE", "choose or upload it above"),
)
_FLAG = re.compile(r'--[a-z][\w-]*(?: (?:FILE|N)\b|[ =]"[^"]*")?')
_PATTERN = re.compile("|".join(f"(?P<r{place}>{rule})" for place, (rule, _) in enumerate(_RULES)))


def in_browser(sentence: str) -> str:
    """The same sentence for somebody who has a page and no command line; what no page has is said so."""

    def told(found: re.Match[str]) -> str:
        rule, words = _RULES[int(str(found.lastgroup)[1:])]
        return re.sub(rule, words, found[0])

    plain = _PATTERN.sub(told, sentence)
    flags = list(dict.fromkeys(_FLAG.findall(plain)))
    if not flags:
        return plain
    named = _FLAG.sub(lambda found: f"“{found[0].split()[0][2:].replace('-', ' ')}”", plain)
    return f"{named.rstrip('.')} (the command line has that, this page has not)"
