"""What a browser does and what its copies do is one and the same job, whatever the request."""

import string
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from shoal.catalog import names, noun_of
from shoal.core.errors import BadParameter
from shoal.faces.cli.app import app
from shoal.jobs.command_line import command_line
from shoal.jobs.copy_as import project_file, python_lines
from shoal.jobs.graphs import requests as graph_requests
from shoal.jobs.queries import question_requests
from shoal.jobs.queries import requests as query_requests
from shoal.jobs.queries.question_requests import TOKEN, AskQuery, AuditQuery, DeclaredTables
from shoal.jobs.queries.requests import LearnQuery
from shoal.jobs.request import Kind, Request, known, texts_of
from shoal.jobs.tables import owner_requests
from shoal.jobs.tables import requests as table_requests

REQUESTS = sorted(
    {
        cls
        for module in (table_requests, owner_requests, graph_requests, question_requests, query_requests)
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, Request) and "verb" in vars(cls)
        if cls.__module__ == module.__name__
    },
    key=lambda cls: cls.__name__,
)
# Requests have dozens of fields, and shrinking one takes minutes.
EXAMPLES = {
    many: settings(
        max_examples=many, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    for many in (3, 60)
}
few_or_many = pytest.mark.parametrize("many", [3, pytest.param(60, marks=pytest.mark.slow)])
SECRET = "shl_very-secret"
FILED = [cls for cls in REQUESTS if cls.filed]

WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("-=\"',| \t\n$`\\é*"),
    min_size=1,
    max_size=8,
)
PLAIN = st.text(string.ascii_letters + " -='$", min_size=1, max_size=6).map(str.strip).filter(bool)
FILES = PLAIN.map(lambda name: f"{name}.csv")
SMALL = st.integers(1, 40)
NUMBERS = st.floats(0.001, 1, exclude_max=True)
PAIRS = st.lists(st.tuples(PLAIN.filter(lambda name: "=" not in name), SMALL), max_size=2)


def spellings(kind: str, noun: str) -> SearchStrategy[Any]:
    mine = [name for name in names(cast("Any", kind)) if noun_of(cast("Any", kind), name) == noun]
    return st.sampled_from(mine)


def of_kind(kind: Kind, word: str, noun: str) -> SearchStrategy[Any]:
    """Values that a setting may have."""
    chosen: dict[str, SearchStrategy[Any]] = {
        "objective": st.sampled_from(["loss", "entropy"]),
        "undeclared": st.sampled_from(["refuse", "keep"]),
        "labels": st.sampled_from(["keep", "random"]),
        "seed": st.integers(0, 99),
        "step": st.just(("noise(column=income)",)),
        "file": FILES,
        "quasi": st.lists(WORDS, min_size=1, max_size=3).map(tuple),
        "levels": st.lists(st.tuples(WORDS, SMALL).map(lambda pair: f"{pair[0]}={pair[1]}"), max_size=2).map(
            tuple
        ),
    }
    if word in chosen:
        return chosen[word]
    if word in ("model", "attack", "method", "mechanism") and kind in ("text", "texts"):
        one = spellings(word, noun)
        return one if kind == "text" else st.lists(one, min_size=1, max_size=2, unique=True).map(tuple)
    if word == "weight":
        return st.dictionaries(PLAIN.filter(lambda name: name.strip("\"' ") == name), NUMBERS, max_size=2)
    kinds: dict[Kind, SearchStrategy[Any]] = {
        "text": WORDS,
        "texts": st.lists(WORDS, min_size=1, max_size=2).map(tuple),
        "columns": st.lists(WORDS, max_size=3).map(tuple),
        "path": FILES,
        "paths": st.lists(FILES, min_size=1, max_size=2).map(tuple),
        "mapping": st.dictionaries(
            WORDS, st.sampled_from(["mask()", "interval(width=5)", "z.csv"]), max_size=2
        ),
        "whole": SMALL,
        "number": NUMBERS | SMALL,
        "numbers": st.lists(SMALL, min_size=1, max_size=3, unique=True).map(tuple),
        "exact": st.sampled_from(["0.5", "1", "2.25", 3, 0.1]),
        "flag": st.just(True),
    }
    return kinds[kind]


@st.composite
def requests(draw: Any, cls: type[Request]) -> Any:
    """Any request of a class that its own checks let pass, and that is complete enough for a command."""
    given_words: dict[str, Any] = {}
    for word, setting in known(cls).items():
        name = "data" if word == "file" else word.replace("-", "_")
        needed = (
            word in ("file", "attack", "mechanism")
            or (cls.verb == "diff" and word == "original")
            or (cls.verb == "protect" and word in ("output", "quasi", "k"))
        )
        if (
            (needed and cls.noun != "query")
            or (word == "attack" and cls.verb == "attack")
            or draw(st.integers(0, 2)) == 0
        ):
            given_words[name] = draw(of_kind(setting.kind, word, cls.noun))
    if cls.verb == "learn":
        given_words |= {"mechanism": draw(WORDS), "data": draw(FILES)}
    elif cls.noun == "query" and cls.verb != "report":
        given_words = placed(draw, cls, given_words)
    for word in ("sql", "subject", "question") if cls.noun == "query" else ():
        if word in known(cls):
            given_words[word] = draw(WORDS.filter(lambda text: text != "-"))  # that is standard input
    if cls.verb == "epsilon":
        for word in ("error", "epsilon", "sensitivity"):
            given_words.pop(word, None)
        given_words["within"] = 5.0
    if given_words.get("service") is not None:
        given_words["token"] = SECRET
    given_words = {name: value for name, value in given_words.items() if name not in cls.flagless}
    try:
        return cls(**given_words)
    except BadParameter:
        assume(False)


def placed(draw: Any, cls: type[Request], given_words: dict[str, Any]) -> dict[str, Any]:
    """A question goes to tables, to a project file or to a service, and says nothing of the others."""
    may = [word for word in ("data", "config", "service") if any(one.name == word for one in fields(cls))]
    where = draw(st.sampled_from(may))
    if where != "data":
        tables = {one.name for one in fields(DeclaredTables)}
        if issubclass(cls, DeclaredTables):
            tables |= {"budget", "ledger"}
        given_words = {word: value for word, value in given_words.items() if word not in tables}
    for word in may:
        given_words.pop(word, None)
    if where == "data":
        given_words.pop("dataset", None)
        return {**given_words, "data": (f"t={draw(FILES)}",)}
    return {**given_words, where: "shoal.toml" if where == "config" else "http://127.0.0.1:8765"}


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, SECRET)


class Caught(Exception):
    """The request that somebody was about to carry out."""


@contextmanager
def catching() -> Iterator[list[Any]]:
    """Every way to carry a request out hands it over instead."""
    seen: list[Any] = []

    def catch(job: Any, *_: Any, **__: Any) -> None:
        seen.append(job)
        raise Caught

    with ExitStack() as stack:
        places = [
            "shoal.api",
            "shoal.api_attack",
            "shoal.api_tables",
            "shoal.report.document",
            "shoal.report.owner_report",
        ]
        acts: set[str] = {"make_report", "make_owner_report"}
        for cls in REQUESTS:
            noun, verb = cls.noun, cls.verb
            pillar = {"table": "tables", "graph": "graphs", "query": "queries"}[noun]
            acts.add(f"{verb}_{noun}")
            places.append(f"shoal.jobs.{pillar}.{verb}")
        for place in dict.fromkeys(places):
            module = import_module(place)
            for act in acts:
                if hasattr(module, act):
                    stack.enter_context(mock.patch.object(module, act, catch))
        yield seen


def caught(run: Callable[[], object]) -> Any:
    with catching() as seen:
        with pytest.raises(Caught):
            run()
        return seen[0]


def typed(line: str) -> list[str]:
    """The words that a shell makes of a line, as bytes tell them."""
    said = subprocess.run(
        ["sh", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True, timeout=60
    ).stdout
    return said.decode().split("\0")[:-1]


def plain(job: Any) -> dict[str, Any]:
    """A request with what faces spell differently spelled alike: exact numbers, and who decided."""
    found: dict[str, Any] = {}
    for one in fields(job):
        value = getattr(job, one.name)
        if one.name in ("epsilon", "delta", "budget", "sensitivity") and value is not None:
            value = Fraction(str(value))
        if isinstance(value, list | tuple):
            value = tuple(value)
        if job.noun == "query" and isinstance(value, dict):
            value = tuple(texts_of(value, one.name))
        if one.name != "decided":
            found[one.name] = value
    return found


@few_or_many
@pytest.mark.parametrize("cls", REQUESTS, ids=lambda cls: cls.__name__)
def test_a_command_line_makes_the_equal_request(cls: type[Request], many: int) -> None:
    @EXAMPLES[many]
    @given(requests(cls))
    def same(job: Any) -> None:
        try:
            line = command_line(job)
        except BadParameter as error:
            assert "would not take" in str(error)
            return
        words = typed(line)
        assert words[0] == "shoal"
        assert plain(caught(lambda: app(words[1:], standalone_mode=False))) == plain(job)

    same()


@few_or_many
@pytest.mark.parametrize("cls", REQUESTS, ids=lambda cls: cls.__name__)
def test_lines_of_python_make_the_equal_request(cls: type[Request], many: int) -> None:
    @EXAMPLES[many]
    @given(requests(cls))
    def same(job: Any) -> None:
        assert plain(caught(lambda: exec(python_lines(job), {}))) == plain(job)

    same()


@few_or_many
@pytest.mark.parametrize("cls", FILED, ids=lambda cls: cls.__name__)
def test_a_project_file_makes_the_equal_request(cls: type[Request], many: int) -> None:
    @EXAMPLES[many]
    @given(requests(cls))
    def same(job: Any) -> None:
        text = project_file(job)
        Path("shoal.toml").write_text(text, "utf-8")
        head = text.splitlines()[0].removeprefix("# ")
        also = ["--json"] if cls.verb == "report" else []
        try:
            found = caught(lambda: app([*typed(head)[1:], *also], standalone_mode=False))
        except BadParameter as error:  # which subject a report is about is seen in the file alone
            assert cls.verb == "report" and "graph" in str(error)
            return
        assert plain(found) == plain(job)

    same()


ASKED: tuple[Any, ...] = (
    AskQuery(
        sql="SELECT COUNT(*) FROM visits WHERE name <> 'O''Hara'",
        epsilon="0.5",
        data={"visits": "visits of May.csv"},
        unit="who",
        bounds={"age": (0, 120)},
        keys={"sex": ["F", "M"]},
        rows=3,
        budget="2",
        ledger="ledger.sqlite",
    ),
    AskQuery(sql="SELECT 1", epsilon="1", config="shoal.toml", dataset="clinic", estimate=True),
    AskQuery(sql="SELECT 1", epsilon="1", service="http://127.0.0.1:8765", token=SECRET),
    AuditQuery(subject="laplace", epsilon="1", samples=2000),
    AuditQuery(subject="SELECT COUNT(*) FROM t", epsilon="1", data={"t": "t.csv"}, unit="who"),
    LearnQuery(mechanism="k-means(k=3,epsilon=1)", data="points.csv", bounds=["x=0:1", "y=-1:1"]),
)


@pytest.mark.parametrize("job", ASKED, ids=lambda job: f"{job.verb}")
def test_questions_audits_and_lessons_are_copied_too(job: Any) -> None:
    line, lines = command_line(job), python_lines(job)
    assert SECRET not in line + lines
    words = typed(line)
    assert plain(caught(lambda: app(words[1:], standalone_mode=False))) == plain(job)
    assert plain(caught(lambda: exec(lines, {}))) == plain(job)
