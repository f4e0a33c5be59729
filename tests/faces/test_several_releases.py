"""Attacks on several releases from the command line."""

from __future__ import annotations

from pathlib import Path

from faces.shell import refused, shoal

PEOPLE = "name,zip,age\nAlice,13053,28\nBob,14850,47\n"


def write(name: str, rows: str) -> str:
    Path(name).write_text(f"zip,age,ill\n{rows}", "utf-8")
    return name


def three() -> tuple[str, str, str]:
    return (
        write("a.csv", "130**,2*,AIDS\n130**,2*,Flu\n130**,2*,Cancer\n148**,4*,Flu\n148**,4*,Gout\n"),
        write(
            "b.csv",
            '13***,"[20, 40]",AIDS\n13***,"[20, 40]",Flu\n14***,"[40, 50]",Flu\n14***,"[40, 50]",Cold\n',
        ),
        write("c.csv", "1305*,< 30,AIDS\n1305*,< 30,Gout\n1485*,≥ 30,Gout\n1485*,≥ 30,Flu\n"),
    )


def test_three_releases_leave_one_value() -> None:
    Path("people.csv").write_text(PEOPLE, "utf-8")
    roles = ("--external", "people.csv", "--sensitive", "ill", "--quasi", "zip,age")
    run = shoal("table", "attack", "intersection", *three(), *roles, "--json")
    assert run.code == 0, run.err
    assert run.json["details"]["releases"] == 3 and run.json["hits"] == 2
    told = [(finding["who"]["name"], finding["learned"]["ill"]) for finding in run.json["findings"]]
    assert told == [("Alice", "AIDS"), ("Bob", "Flu")]
    assert run.json["cured"]["how"] == "with the first release alone" and run.json["cured"]["hits"] == 0
    two = shoal("table", "attack", "intersection", *three()[:2], *roles, "--json")
    assert two.json["hits"] == 1 and two.json["details"]["partial"] == {"2": 1, "3": 0}
    assert "publish one joint release" in shoal("table", "attack", "intersection", *three(), *roles).err


def test_releases_of_shoal_know_their_roles() -> None:
    for name, k in (("one.csv", 3), ("two.csv", 4), ("three.csv", 5)):
        roles = ("--identifier", "name", "--quasi", "zip,age,sex", "--sensitive", "ill")
        run = shoal("table", "protect", "patients.csv", "-o", name, *roles, "--k", k, "--method", "mondrian")
        assert run.code == 0, run.err
    files = ("one.csv", "two.csv", "three.csv")
    attack = ("table", "attack", "intersection", *files, "--external", "patients.csv", "--sensitive", "ill")
    run = shoal(*attack, "--original", "patients.csv", "--json")
    assert run.code == 0, run.err
    assert run.json["targets"] == 60 and run.json["details"]["contradictions"] == 0
    assert run.json["details"]["right"] == run.json["details"]["judged"] == run.json["hits"]
    assert shoal("table", "attack", "unsorted-matching", *files, "--json").json["hits"] == 0
    assert shoal("table", "attack", "temporal(kind=difference)", *files, "--json").json["hits"] == 0


def test_one_release_is_not_enough() -> None:
    one = three()[0]
    for attack in ("intersection", "unsorted-matching", "temporal"):
        told = refused("table", "attack", attack, one, "--quasi", "zip,age", "--sensitive", "ill")
        assert f"{attack} needs another release; name a second file" in told


def test_a_wrong_kind_is_refused() -> None:
    told = refused("table", "attack", "temporal(kind=both)", *three(), "--quasi", "zip", "--sensitive", "ill")
    assert "both" in told and "difference" in told
