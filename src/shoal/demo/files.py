"""The files of the demo: what each is, and a command to try with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def files_in(place: Path, shared: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Per file what it is and what to try with it; `shared` are the columns that the voter list has too."""

    def at(name: str) -> str:
        return str(place / name)

    knows = "--hierarchy 'birth_date=date()' --hierarchy 'zip=mask()'"
    told: Sequence[tuple[str, str, str]] = (
        ("patients.csv", "the hospital's table", f"shoal table inspect {at('patients.csv')}"),
        (
            "names-removed.csv",
            "what many would call anonymous",
            f"shoal table attack linkage {at('names-removed.csv')} --external {at('voters.csv')} "
            f"--quasi {','.join(shared)}",
        ),
        (
            "voters.csv",
            "the list anybody can buy",
            f"shoal table attack linkage {at('release.csv')} --external {at('voters.csv')} {knows}",
        ),
        (
            "control.csv",
            "patients who are not in the table",
            f'shoal table attack "inference(column=diagnosis)" {at("release.csv")} '
            f"--original {at('patients.csv')} --control {at('control.csv')} {knows} "
            f"--hierarchy occupation={at('occupation.csv')}",
        ),
        ("release.csv", "the protected table", f"shoal table verify {at('release.csv')}"),
        (
            "release.csv.shoal.json",
            "its manifest: what was promised",
            f"shoal table measure {at('release.csv')} --original {at('patients.csv')} {knows} "
            f"--hierarchy occupation={at('occupation.csv')}",
        ),
        ("shoal.toml", "the request, to repeat it", f"shoal table protect --config {at('shoal.toml')}"),
        (
            "occupation.csv",
            "a hierarchy, one line per value",
            f"shoal table hierarchy {at('patients.csv')} --column zip",
        ),
        ("diagnosis.csv", "another, of the diagnoses", "shoal catalog"),
        (
            "database.toml",
            "the live database of the last act",
            f'shoal query ask "SELECT sex, COUNT(*) AS patients FROM patients GROUP BY sex" '
            f"--config {at('database.toml')} --epsilon 0.5",
        ),
        (
            "network.csv",
            "who knows whom, 3,000 people",
            f"shoal graph protect {at('network.csv')} -o {at('network-release.csv')} --k 10 "
            f"--mapping {at('network-who-is-who.csv')}",
        ),
        (
            "network-release.csv",
            "the protected network",
            f"shoal graph measure {at('network-release.csv')} --original {at('network.csv')} "
            f"--mapping {at('network-who-is-who.csv')}",
        ),
        (
            "network-who-is-who.csv",
            "who is who in it: not to be published",
            f'shoal graph attack "pooled-knowledge(size=3)" {at("network-release.csv")} '
            f"--original {at('network.csv')} --truth {at('network-who-is-who.csv')}",
        ),
        ("before-after.svg", "the picture, also as .png", "open it in a browser"),
        (
            "report.html",
            "the report to read, also as .pdf to sign",
            f"shoal report {at('release.csv')} --config {at('shoal.toml')} --original {at('patients.csv')} "
            f"--external {at('voters.csv')} --control {at('control.csv')} -o {at('report.html')}",
        ),
    )
    return {name: (what, command) for name, what, command in told}
