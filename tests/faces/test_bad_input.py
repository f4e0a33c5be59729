"""Whatever is wrong with a request: one sentence on standard error, the right exit code, nothing written."""

import os
from pathlib import Path

import pytest

from faces.shell import ROLES, contents, patients, refused, shoal

OUT = ("-o", "out.csv")
ASKED = ("table", "protect", "patients.csv", *OUT, *ROLES)

FILES = {
    "missing.csv": (None, "no file 'missing.csv'"),
    "empty.csv": (b"", "is empty"),
    "blank.csv": (b"\n\n\n", "is empty"),
    "header.csv": (b"zip,age\n", "no rows"),
    "ragged.csv": (b"zip,age\n1,2\n3\n", "line 3"),
    "long.csv": (b"zip,age\n1,2,3\n", "line 2"),
    "bare.csv": (b"1,34,f\n2,51,m\n3,34,f\n4,29,m\n", "no header"),
    "nameless.csv": (b"zip,,age\n1,2,3\n", "no name"),
    "quote.csv": (b'zip,age\n1,"2\n3,4\n', "quote"),
    "binary.csv": (b"zip,age\n\x00\x01,2\n", "0x00"),
    "broken.csv": ("zip,age\né,ü\n".encode() + b"\x81,\xff\n", "0x"),
    "broken.parquet": (b"PAR1 and then nothing", "broken.parquet"),
    "broken.arrow": (b"ARROW1\0\0", "broken.arrow"),
    "pattern.csv": (b"^zip.*$,zip,age\n1,2,3\n", "rename it"),
    "star.csv": (b"*,zip,age\n1,2,3\n", "rename it"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "verb",
    [
        ("protect", "-o", "out.csv", "--quasi", "zip", "--k", 1),
        ("verify", "--quasi", "zip", "--k", 1),
        ("measure", "--quasi", "zip"),
        ("inspect",),
        ("hierarchy", "--column", "zip"),
        ("attack", "linkage", "--quasi", "zip", "--external", "patients.csv"),
    ],
    ids=lambda verb: verb[0],
)
def test_a_file_that_is_no_table_is_refused_by_every_command(name: str, verb: tuple[object, ...]) -> None:
    content, cause = FILES[name]
    if content is not None:
        Path(name).write_bytes(content)
    words = [verb[0], *verb[1:2], name, *verb[2:]] if verb[0] == "attack" else [verb[0], name, *verb[1:]]
    assert cause in refused("table", *words)


def test_the_wrong_encoding_is_refused_with_the_line() -> None:
    Path("latin.csv").write_bytes("zip,ill\n1,flu\n2,fièvre\n".encode("latin-1"))
    assert "line 3" in refused("table", "inspect", "latin.csv", "--encoding", "utf-8")
    assert shoal("table", "inspect", "latin.csv").code == 0  # Windows-1252 explains every byte


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("--quasi", "zipp", "--k", 3), "no column 'zipp'; the table has name, zip, age, sex, ill"),
        (("--quasi", "zip,ill", "--sensitive", "ill", "--k", 3), "'ill' is declared quasi and sensitive"),
        (("--quasi", "zip,zip", "--k", 3), "one role"),
        (("--quasi", "zip", "--identifier", "zip", "--k", 3), "one role"),
        (("--quasi", "zip", "--insensitive", "zip", "--k", 3), "one role"),
        (("--quasi", "zip", "--insensitive", "zz", "--k", 3), "no column 'zz'"),
        (("--k", 3), "say --identifier name --quasi zip,age,sex --sensitive ill"),
        (("--quasi", "zip"), "no promise asked for"),
        (("--quasi", "zip", "--model", "l-diversity(l=2)"), "needs a sensitive column"),
    ],
)
def test_roles_that_cannot_be(words: tuple[object, ...], cause: str) -> None:
    assert cause in refused("table", "protect", "patients.csv", *OUT, *words)


@pytest.mark.parametrize("k", ["61", "0", "-1", "abc", "", "1e3", "2.5", "1" + "0" * 30])
def test_a_k_that_cannot_be(k: str) -> None:
    assert k in refused(*ASKED, "--k", k)
    assert k in refused(*ASKED, "--model", f"k-anonymity(k={k})")


@pytest.mark.parametrize(
    "model",
    [
        "k-anonymity",
        "k-anonymity()",
        "k-anonymity(",
        "k-anonymity)",
        "(k=2)",
        "",
        "K-ANONYMITY(k=2)",
        "k-anon(k=2)",
        "optimal",
        "k-anonymity(2)",
        "k-anonymity(q=2)",
        "k-anonymity(k)",
        "k-anonymity(k=2,k=3)",
        "k-anonymity(k=2) and more",
        "l-diversity(l=inf)",
        "l-diversity(l=nan)",
        "l-diversity(l=0)",
        "l-diversity(l=2.5)",
        "l-diversity(l=2,kind=round)",
        "l-diversity(l=2,kind=recursive)",
        "l-diversity(l=2,kind=recursive,c=nan)",
        "l-diversity(l=2,c=3)",
        "l-diversity(l=2,column=zip)",
        "l-diversity(l=2,column=nowhere)",
        "t-closeness(t=2)",
        "t-closeness(t=nan)",
        "t-closeness(t=0.2,distance=round)",
        "t-closeness(t=0.2,distance=ordered)",
        "t-closeness(t=0.2,distance=hierarchical)",
    ],
)
def test_a_model_that_cannot_be(model: str) -> None:
    refused(*ASKED, "--model", model)
    Path("release.csv").write_text(patients(), "utf-8")
    refused("table", "verify", "release.csv", "--quasi", "zip", "--sensitive", "ill", "--model", model)


@pytest.mark.parametrize(
    ("flag", "value", "cause"),
    [
        ("--suppress", "1.5", "between 0 and 1, not 1.5"),
        ("--suppress", "-0.1", "not -0.1"),
        ("--suppress", "nan", "nan"),
        ("--suppress", "much", "'much' is not a number"),
        ("--time-limit", "-1", "above 0, not -1"),
        ("--time-limit", "0", "above 0"),
        ("--seed", "-1", "not -1"),
        ("--seed", "abc", "'abc' is not a whole number"),
        ("--objective", "beauty", "no objective 'beauty'"),
        ("--method", "magic", "no method 'magic'; there is auto, cell-suppression, "),
        ("--class-column", "nowhere", "no class column 'nowhere'"),
        ("--separator", "ab", "'ab'"),
        ("--encoding", "klingon", "klingon"),
        ("--frobnicate", "1", "--frobnicate"),
        ("--config", "nowhere.toml", "nowhere.toml"),
        ("--save-config", "nowhere/shoal.toml", "no folder 'nowhere'"),
        ("--save-config", "patients.csv", "other files"),
        ("--save-config", "out.csv", "other files"),
        ("--save-config", "out.csv.shoal.json", "other files"),
        ("--save-config", ".", "is a folder"),
    ],
)
def test_a_flag_with_a_value_that_cannot_be(flag: str, value: str, cause: str) -> None:
    assert cause in refused(*ASKED, "--k", 3, flag, value)


@pytest.mark.parametrize(
    ("spec", "content", "cause"),
    [
        ("age", "", "COLUMN=FILE.csv"),
        ("=mask()", "", "COLUMN=FILE.csv"),
        ("age=", "", "COLUMN=FILE.csv"),
        ("agee=mask()", "", "'agee'"),
        ("name=mask()", "", "'name'"),
        ("age=round()", "", "round()"),
        ("age=interval(width=-5)", "", "-5"),
        ("sex=interval(width=5)", "", "'F'"),
        ("sex=nowhere.csv", "", "nowhere.csv"),
        ("sex=hierarchy.csv", "", "hierarchy.csv"),
        ("sex=hierarchy.csv", "M;*\n", "'F'"),
        ("sex=hierarchy.csv", "M;a;*\nF;a;+\n", "line 1"),
        ("sex=hierarchy.csv", "M;a;*\nF;*\n", "line 2"),
        ("sex=hierarchy.csv", "M;*\nF;*\nM;*\n", "lines 1 and 3"),
        ("sex=parents(file=hierarchy.csv)", "M,F\nF,M\n", "circle"),
    ],
)
def test_a_hierarchy_that_cannot_be(spec: str, content: str, cause: str) -> None:
    Path("hierarchy.csv").write_text(content, "utf-8")
    assert cause in refused(*ASKED, "--k", 3, "--hierarchy", spec)


def test_the_same_column_with_two_hierarchies_is_refused() -> None:
    assert "twice" in refused(*ASKED, "--k", 3, "--hierarchy", "age=mask()", "--hierarchy", "age=flat()")


@pytest.mark.parametrize(
    "output",
    [
        "nowhere/out.csv",
        ".",
        "",
        "patients.csv",
        "./patients.csv",
        "linked.csv",
        "hierarchy.csv",
        "out.xlsx",
        "out.parquet.gz",
        "pipe",
        "patients.csv/out.csv",
        "x" * 250 + ".csv",
        "x" * 300 + ".csv",
    ],
    ids=lambda name: name[:24] or "empty",
)
def test_an_output_that_cannot_be(output: str) -> None:
    Path("linked.csv").symlink_to("patients.csv")
    Path("hierarchy.csv").write_text("M;*\nF;*\n", "utf-8")
    os.mkfifo("pipe")
    words = ("--k", 3, "--hierarchy", "sex=hierarchy.csv")
    sentence = refused("table", "protect", "patients.csv", "-o", output, *ROLES, *words)
    assert ".shoal-" not in sentence  # the name that the user gave, not ours


def test_a_release_never_replaces_a_file_that_it_reads_through_a_rule() -> None:
    Path("family.csv").write_text("flu,any\ncancer,any\nheart,any\nhiv,any\n", "utf-8")
    words = ("--k", 3, "--hierarchy", "ill=parents(file=family.csv)")
    assert "other files" in refused("table", "protect", "patients.csv", "-o", "family.csv", *ROLES, *words)


def test_a_link_to_an_output_is_followed_and_kept() -> None:
    Path("link.csv").symlink_to("real.csv")
    assert shoal("table", "protect", "patients.csv", "-o", "link.csv", *ROLES, "--k", 3).code == 0
    assert Path("link.csv").is_symlink() and Path("real.csv").is_file()
    assert shoal("table", "verify", "link.csv").code == 0


def test_a_failed_request_leaves_an_older_release_as_it_was(release: Path) -> None:
    words = ("table", "protect", "patients.csv", "-o", release, *ROLES)
    refused(*words, "--model", "l-diversity(l=9)", code=1)
    refused(*words, "--k", 99)


def test_an_unreachable_promise_says_what_would_make_it_reachable() -> None:
    rows = [f"{row},{'rare' if row == 0 else 'flu'}" for row in range(20)]
    Path("rare.csv").write_text("\n".join(["zip,ill", *rows]) + "\n", "utf-8")
    asked = ("table", "protect", "rare.csv", *OUT, "--quasi", "zip", "--sensitive", "ill")
    sentence = refused(*asked, "--model", "l-diversity(l=3)", code=1)
    assert "offers 2" in sentence and "no more than that" in sentence
    Path("seven.csv").write_text("sex,ill\n" + "M,flu\n" * 7 + "F,flu\n" * 3, "utf-8")
    Path("sex.csv").write_text("M;M\nF;F\n", "utf-8")
    asked = ("table", "protect", "seven.csv", *OUT, "--quasi", "sex", "--sensitive", "ill")
    assert shoal(*asked, "--time-limit", "1e-9", "--k", 4).code == 0  # the top is tried before giving up


def test_what_would_do_does(folder: Path) -> None:
    lines = ["zip,ill"] + ["1,flu", "1,cold"] * 6 + ["2,flu"] * 2
    (folder / "skew.csv").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "flat.csv").write_text("1;*\n2;*\n", "utf-8")
    asked = ("table", "protect", "skew.csv", *OUT, "--quasi", "zip", "--sensitive", "ill")
    models = ("--hierarchy", "zip=flat.csv", "--model", "l-diversity(l=2,kind=probabilistic)")
    sentence = refused(*asked, *models, "--suppress", 0, "--method", "optimal", code=1)
    share = sentence.split("--suppress ")[1].split()[0]
    assert shoal(*asked, *models, "--suppress", share, "--method", "optimal").code == 0


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("measure", "patients.csv"), "no quasi-identifier"),
        (("measure", "patients.csv", "--quasi", "zip", "--original", "small.csv"), "60 rows"),
        (("measure", "small.csv", "--quasi", "zip,age", "--original", "one.csv"), "original has no column"),
        (("measure", "patients.csv", "--quasi", "zip", "--original", "nowhere.csv"), "nowhere.csv"),
        (("measure", "patients.csv", "--quasi", "zip", "--population", "small.csv"), "does not contain"),
        (("measure", "patients.csv", "--quasi", "sex", "--population", "small.csv"), "has no column 'sex'"),
        (("measure", "patients.csv", "--quasi", "zip", "--hierarchy", "zz=mask()"), "'zz'"),
        (("measure", "patients.csv", "--quasi", "zip", "--k", "some"), "'some'"),
        (("attack", "magic", "patients.csv", "--quasi", "zip", "--external", "small.csv"), "no attack"),
        (("attack", "linkage", "patients.csv", "--quasi", "zip"), "--external"),
        (
            ("attack", "linkage", "patients.csv", "--quasi", "sex", "--external", "small.csv"),
            "finds no quasi-identifier",
        ),
        (("attack", "linkage(show=x)", "patients.csv", "--quasi", "zip", "--external", "small.csv"), "'x'"),
        (("attack", "linkage(x=1)", "patients.csv", "--quasi", "zip", "--external", "small.csv"), "'x'"),
        (("attack",), "NAME"),
        (("verify", "patients.csv"), "no promise to verify"),
        (("verify", "patients.csv", "--k", 2), "no quasi-identifier"),
        (("hierarchy", "patients.csv", "--column", "zz"), "'zz'"),
        (("hierarchy", "patients.csv", "--column", "age", "-o", "patients.csv"), "other files"),
        (("hierarchy", "patients.csv", "--column", "age", "-o", "nowhere/x.csv"), "nowhere"),
        (("hierarchy", "patients.csv", "--column", "age", "-o", "-"), "--json"),
        (("frobnicate",), "frobnicate"),
        (("protect", "-o", "out.csv", "--quasi", "zip", "--k", 2), "no table given"),
        (("protect", "patients.csv", "--quasi", "zip", "--k", 2), "give -o patients-release.csv"),
        (
            ("protect", "patients.csv"),
            "no quasi-identifier named, no promise asked for, nowhere to write the release; add --yes to "
            "accept what the columns suggest, or say --identifier name --quasi zip,age,sex --sensitive ill "
            "--k 5 -o patients-release.csv",
        ),
        (
            ("protect", "patients.csv", "--quasi", "zip", "--k", 2, "--undeclared", "refuse", "-o", "x.csv"),
            "no role for name,age,sex,ill",
        ),
        (("protect", "-", "--k", 2, "--yes"), "give -o OUT.csv"),
        (("protect", "patients.csv", "-o", "-", "--quasi", "zip", "--k", 2, "--json"), "standard output"),
    ],
)
def test_other_requests_that_cannot_be(words: tuple[object, ...], cause: str) -> None:
    Path("small.csv").write_text("zip,age\n1,2\n3,4\n", "utf-8")
    Path("one.csv").write_text("zip\n1\n3\n5\n", "utf-8")
    assert cause in refused("table", *words)


def test_standard_input_may_be_empty() -> None:
    assert "standard input is empty" in refused("table", "inspect", "-")


def test_more_quasi_identifiers_than_a_lattice_can_hold_are_told_the_method_that_works() -> None:
    names = [f"q{place}" for place in range(70)]
    rows = [",".join(str((row * place) % 3) for place in range(70)) for row in range(20)]
    Path("wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n", "utf-8")
    asked = ("table", "protect", "wide.csv", *OUT, "--quasi", ",".join(names), "--k", 2)
    sentence = refused(*asked, "--method", "optimal")
    assert "too many combinations" in sentence and "use --method local-recoding or auto" in sentence
    assert shoal(*asked, "--time-limit", 2).code == 0
    assert shoal("table", "measure", "wide.csv", "--quasi", ",".join(names)).code == 0


def test_the_help_is_not_squeezed_into_a_sentence() -> None:
    run = shoal()
    assert run.code == 2 and run.err.startswith("Usage:") and run.err.count("\n") > 5


def test_nothing_is_written_by_questions(release: Path) -> None:
    before = contents()
    for words in (
        ("inspect", "patients.csv"),
        ("verify", release),
        ("measure", release, "--original", "patients.csv"),
        ("attack", "linkage", release, "--external", "patients.csv"),
        ("hierarchy", "patients.csv", "--column", "age"),
    ):
        assert shoal("table", *words).code == 0
    assert contents() == before
