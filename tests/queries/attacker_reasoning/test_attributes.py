"""What everybody may know of a person, as questions."""

from queries.attacked import TABLE, people
from shoal.queries.attacker_reasoning.attributes import attributes_of


def test_attributes_are_counted_by_their_questions() -> None:
    some = people()
    found = attributes_of(some.frame, some.frame, ("sex", "town", "age"), TABLE, 40)
    assert len({one.condition for one in found}) == len(found) == 40
    for one in found:
        assert some.answer(one.question) == one.of(some.frame).sum()
    assert {one.column for one in found} == {"sex", "town", "age"}


def test_single_values_come_before_pairs_and_of_each_column_one_is_left_out() -> None:
    some = people()
    found = attributes_of(some.frame, some.frame, ("sex", "town"), TABLE, 40)
    assert [one.beside is None for one in found][:3] == [True] * 3
    assert sum(one.beside is None for one in found) == 3  # one of two sexes, two of three towns
    assert not attributes_of(some.frame, some.frame.drop("sex"), ("sex", "nothing"), TABLE, 40)
