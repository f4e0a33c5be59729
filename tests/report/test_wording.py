import pytest

from shoal import catalog
from shoal.core.attack_results import Trial
from shoal.core.outcome import Promise
from shoal.report.wording import (
    attack_name,
    batched,
    count,
    listed,
    plain,
    promise_name,
    promise_words,
    sentence,
    visible,
)
from shoal.tables.appraisal.losses import LOSSES

SPELLED = {
    "k-anonymity": "k-anonymity(k=5)",
    "l-diversity": "l-diversity(l=3,column=ill)",
    "t-closeness": "t-closeness(t=0.2)",
    "alpha-k-anonymity": "alpha-k-anonymity(alpha=0.5,k=3)",
    "beta-likeness": "beta-likeness(beta=1)",
    "confidence-bounding": "confidence-bounding(h=0.5)",
    "delta-presence": "delta-presence(low=0,high=0.5)",
    "differential-privacy": "differential-privacy(epsilon=1)",
    "multir-k-anonymity": "multir-k-anonymity(k=3,person=id)",
    "lkc": "lkc(L=2,K=3,C=0.5)",
    "isolation": "isolation(c=2,t=3)",
}


@pytest.mark.parametrize("name", SPELLED)
def test_a_promise_is_one_plain_sentence(name: str) -> None:
    words = promise_words(Promise(name, 1.0, True, SPELLED[name]))
    assert words.endswith(".") and 20 < len(words) < 260
    assert "class" not in words.split()


@pytest.mark.parametrize("kind", ["distinct", "probabilistic", "entropy", "recursive"])
def test_every_reading_of_l_diversity_has_its_words(kind: str) -> None:
    more = ",c=3" if kind == "recursive" else ""
    assert "ill" in promise_words(
        Promise("l-diversity", 1.0, True, f"l-diversity(l=2,kind={kind}{more},column=ill)")
    )


def test_every_model_has_words() -> None:
    for name in catalog.names("model"):
        part = catalog.Part("model", name, catalog.find("model", name))
        assert name in SPELLED or part.promise


def test_what_is_no_model_has_words_too() -> None:
    assert "names people" in promise_words(
        Promise("no-identifiers", None, False, "no-identifiers(name is there)")
    )
    assert promise_words(Promise("their-own", 1.0, True, "their-own")) == ""


def test_small_words() -> None:
    assert (count(1, "row", "rows"), count(2000, "row", "rows")) == ("1 row", "2,000 rows")
    assert (listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"]), listed([])) == (
        "a",
        "a and b",
        "a, b and c",
        "",
    )
    assert sentence("leave it out") == "Leave it out."
    assert sentence("t-closeness stops it.") == "t-closeness stops it."
    assert visible("a\x00b") == "a\ufffdb"


def test_columns_are_named_as_a_reader_would() -> None:
    assert attack_name(Trial("homogeneity", "homogeneity(column=ill)", "")) == "homogeneity of ill"
    assert (
        promise_name(Promise("l-diversity", 2, True, "l-diversity(l=2,column=ill)")) == "l-diversity of ill"
    )
    assert promise_name(Promise("k-anonymity", 2, True, "k-anonymity(k=2)")) == "k-anonymity"


def test_every_loss_and_every_method_is_explained() -> None:
    assert all(loss.called and loss.in_words and loss.title for loss in LOSSES)
    for name in catalog.names("method"):
        method = catalog.find("method", name)
        assert method.in_words or not method.__module__.startswith("shoal.tables."), name


def test_batches_are_few_and_alike() -> None:
    assert batched(list("abcdefghi"), 8) == [list("abcd"), list("efghi")]
    assert batched("ab", 8) == ["ab"] and batched("", 8) == []


def test_attacks_and_cures_speak_of_groups_too() -> None:
    said = "a class of one; --class-column 'class' and two classes"
    assert plain(said) == "a group of one; --class-column 'class' and two groups"


def test_no_attack_speaks_of_classes_in_a_report() -> None:
    for name in catalog.names("attack"):
        about = plain(catalog.Part("attack", name, catalog.find("attack", name)).promise)
        assert not {"class", "classes"} & set(about.replace(".", "").replace(",", "").split()), about
