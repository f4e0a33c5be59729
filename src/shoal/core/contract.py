"""What a model, a method, a step, an attack and a measure must offer, and what they may add.

Every part is a frozen dataclass that derives from one of these: parameters in the constructor, data in the
call. `name` is what users write; the class docstring is the promise, then the paper. What others want to know
of a part stands on the part, the defaults stand here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from shoal.core.frequency_bound import Bound
from shoal.core.outcome import Finding
from shoal.core.progress import Watch

Mask = NDArray[np.bool_]
# Class sizes alone, the sensitive values of each class too, or also those of the whole table.
Reads = Literal["sizes", "values", "distribution"]
# Whether a class keeps a promise by itself, or only the table as a whole does.
Scope = Literal["class", "table"]
Need = Literal[  # besides the subject
    "external", "others", "original", "control", "sensitive", "manifest", "auxiliary", "seeds", "truth",
    "known"]  # fmt: skip
AttackKind = Literal["record linkage", "attribute linkage", "table linkage", "probabilistic"]
# What people fear of a release.
Threat = Literal["linkability", "identifiability", "detectability", "disclosure of information"]
# What a method makes finer in one step: a column of the whole table, a label wherever it is, or one class.
Refines = Literal["column", "label", "class"]
Cuts = Literal["median", "best"]  # where a method cuts numbers
Better = Literal["more", "less"]

Seen = TypeVar("Seen", contravariant=True)
Subject = TypeVar("Subject", contravariant=True)
Value = TypeVar("Value", covariant=True)
Made = TypeVar("Made", covariant=True)
Changed = TypeVar("Changed")

EACH = "each sensitive column"  # of a promise that names none


def first_sentence(part: type[Any]) -> str:
    """What a part does: the first paragraph of its docstring."""
    return " ".join((part.__doc__ or "").split("\n\n")[0].split())


class Named(ABC):
    """What every part has."""

    name: ClassVar[str]
    example: ClassVar[str] = ""  # parameters with which it can be tried on a small table or graph
    asks: ClassVar[Mapping[str, str]] = {}  # what its parameters mean, in a few words each; others are usual


class Model(Named, Generic[Seen]):
    """A promise about a subject: how much it offers, and whether that is enough."""

    stops: ClassVar[tuple[AttackKind, ...]]
    question: ClassVar[str] = ""  # whoever says yes to it needs this promise; none for variants of another
    # The methods that alone can make this promise; none where the release itself shows whether it holds.
    mechanisms: ClassVar[tuple[str, ...]] = ()
    usual_method: ClassVar[str | None] = None  # the one to take where the user names none
    rank: ClassVar[int] = 0  # of several promises the one with the highest chooses that method
    composes: ClassVar[bool] = False  # it still says something when releases are put together
    counts_people: ClassVar[bool] = False  # and not rows, of which one person may have several
    knows_distance: ClassVar[bool] = False  # of values: different ones may all be bad news
    any_knowledge: ClassVar[bool] = False  # it holds whatever of the subject an attacker knows

    @abstractmethod
    def level(self, seen: Seen, /) -> float:
        """What the subject offers, in the model's own unit (k, l, t …)."""

    @abstractmethod
    def holds(self, seen: Seen, /) -> Mask:
        """Per class or node, whether it keeps the promise; a model of the whole answers alike for all."""

    @property
    def people(self) -> int:
        """How many rows or people must be there at least for the promise to be possible at all."""
        return 0

    def in_words(self) -> str:
        """What is promised, in one sentence for readers who never heard of the model."""
        told = re.sub(r"\bclasses\b", "groups", first_sentence(type(self)))
        return re.sub(r"\bclass\b", "group", told).replace("`", "")


class ClassModel(Model[Seen], Generic[Seen]):
    """A promise about classes of rows, which a search may ask ahead."""

    reads: ClassVar[Reads]
    scope: ClassVar[Scope]
    lower_is_better: ClassVar[bool] = False
    strict: ClassVar[bool] = False  # the level itself does not hold

    @abstractmethod
    def doomed(self, seen: Seen, /) -> NDArray[np.float64]:
        """Per class, how many of its rows no refinement of the class can ever release.

        Too low only costs time; too high would lose the optimum. 0 is always right.
        """

    @property
    def column(self) -> str | None:
        """The sensitive column that the promise speaks of; None for each."""
        return None

    @property
    def held(self) -> tuple[str, ...]:
        """Columns that are counted and never released."""
        return ()

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        """Sensitive values that parameters name, by parameter: a slip of the pen would protect nobody's."""
        return {}

    @property
    def bound(self) -> Bound | None:
        """How often one value may occur in a class, where that is all that the promise says of values."""
        return None

    def together(self, sensitive: tuple[str, ...], /) -> Sequence[tuple[str, ...]]:
        """The groups of columns whose combinations are counted."""
        return ()

    def unmet(self, whole: Seen, /) -> str | None:
        """What the whole table as one class lacks, and the cure; None where the level says it."""
        return None


Kept = TypeVar("Kept", bound=Model[Any], contravariant=True)


class Method(Named, Generic[Subject, Kept, Made]):
    """A way to change a subject until the models hold."""

    in_words: ClassVar[str] = ""  # what it does, for readers who never heard its name
    declared: ClassVar[bool] = False  # it adds noise: looks at what was declared, and takes no seed
    chance: ClassVar[str] = ""  # what chance did to the release, so that nothing learned from it is certain
    made_up: ClassVar[bool] = False  # rows are drawn or changed by chance: none is anybody's
    # What it makes finer in one step as long as its models allow; None where a coarse class proves nothing.
    refines: ClassVar[Refines | None] = None
    tight: ClassVar[bool] = False  # labels are no wider than the rows under them
    cuts: ClassVar[Cuts | None] = None
    all_or_nothing: ClassVar[bool] = False  # it knows nothing between a value and *
    relabels: ClassVar[bool] = False  # new labels, and the mapping to them, are its own work
    # Distinct rows with their counts are all it needs, so the rows themselves may stay in an engine.
    counts_suffice: ClassVar[bool] = False
    adds: ClassVar[bool] = True  # of a graph: there may be edges that were not there before,
    removes: ClassVar[bool] = True  # or edges may be gone
    reaches: ClassVar[tuple[str, ...]] = ()  # of a graph: the models it can keep; none for new labels alone

    @abstractmethod
    def protect(self, subject: Subject, models: Sequence[Kept], watch: Watch | None, /) -> Made:
        """A release of the subject; raises Unreachable when there is none."""

    @property
    def suppress(self) -> float | None:
        """The share of rows that may be left out; None for a method that leaves none out by itself."""
        return None

    def chosen(self, models: Sequence[Kept], /) -> Method[Subject, Kept, Made]:
        """The method that does the work for these models: itself, but for one that chooses among others."""
        return self

    def fitted(self, models: Sequence[Kept], /) -> Method[Subject, Kept, Made]:
        """The method with the settings that these models need, where nobody chose them."""
        return self

    def hurried(self) -> Method[Subject, Kept, Made]:
        """The method with as little search as the promise needs: to see what that stops, at any cost."""
        return self


class Step(Named, Generic[Changed]):
    """A change made before a method runs: noise, swapping, sampling, pseudonyms."""

    remark: ClassVar[str]  # what everybody should know who gets the result
    chance: ClassVar[str] = ""  # as of a method
    seedless: ClassVar[bool] = False  # whoever knew a seed could undo it
    hidden: ClassVar[tuple[str, ...]] = ()  # parameters that no record may show
    mixes: ClassVar[bool] = False  # what a row shows has values of other rows in it

    @abstractmethod
    def apply(self, subject: Changed, chance: np.random.Generator, /) -> Changed:
        """The changed subject; the one given is left alone."""

    @property
    def keeps(self) -> tuple[str, ...]:
        """Columns that would be removed as identifiers but for this step."""
        return ()

    @property
    def changes(self) -> tuple[str, ...]:
        """Columns whose values it changes, where its parameters name some."""
        return ()

    @property
    def key_file(self) -> str | None:
        """The file with a key that it reads, or makes."""
        return None


class Attack(Named, Generic[Subject]):
    """Somebody who breaks a release."""

    needs: ClassVar[tuple[Need, ...]]  # what it cannot do without, besides the release
    threat: ClassVar[Threat]
    # It does not guess about everybody: of whom it hits it is sure, so a single hit is one too many.
    sure: ClassVar[bool] = False
    # It picks one of the rows that look alike, which a promise about classes limits and does not prevent.
    picks: ClassVar[bool] = False
    slow: ClassVar[bool] = False  # on large tables
    roles: ClassVar[bool] = True  # False for attacks that ask for their columns by name
    counts: ClassVar[str] = "people"  # what its rate is a share of
    counts_suffice: ClassVar[bool] = False  # as of a method: the rows may stay in an engine

    @abstractmethod
    def attack(self, subject: Subject, /) -> Finding:
        """Who was hit, what was learned, how sure, and what would stop it."""

    @property
    def column(self) -> str | None:
        """The sensitive column it is after: None for any, an empty text for an attack after no column."""
        return ""

    @property
    def confidence(self) -> float:
        """How sure it must be of a person to count a hit."""
        return 1.0

    def inapplicable(self, subject: Subject, /) -> str:
        """Why there is nothing that it could find here, whoever carries it out; empty where there may be."""
        return ""

    def remedied(self, subject: Subject, /) -> tuple[Any, str] | None:
        """The subject after a cure that is no model, and how it was cured; None where the cure is a model."""
        return None


class Measure(Named, Generic[Subject, Value]):
    """What a change cost, or what risk is left."""

    title: ClassVar[str] = ""  # the figure, as an axis is labelled
    called: ClassVar[str] = ""  # the same for readers of a report
    in_words: ClassVar[str] = ""  # how to read it
    better: ClassVar[Better] = "less"
    share: ClassVar[bool] = True  # from 0 to 1, or nearly

    @abstractmethod
    def measure(self, subject: Subject, /) -> Value:
        """The figure; never alters its input."""

    @classmethod
    def subject(cls) -> type[Any]:
        """What it looks at, as its base says: `Measure[Graph, float]` looks at a graph."""
        for parent in cls.__mro__:
            for base in parent.__dict__.get("__orig_bases__", ()):
                if get_origin(base) is Measure:
                    found: type[Any] = get_args(base)[0]
                    return found
        raise TypeError(f"{cls.__name__} measures what? Derive it from Measure[Subject, Value]")

    @classmethod
    def says(cls) -> str:
        """What the figure says, in a few words."""
        return cls.in_words or cls.title or first_sentence(cls)
