"""What is kept apart is found by whoever holds the seal, in this process alone."""

import copy
import gc
import pickle
from weakref import ref

from shoal.core.private_state import Seal, find_kept, keep_apart


class Secret:
    """Something that weak references can point to."""


def test_a_seal_leads_to_what_is_kept_apart_and_to_nothing_of_another_kind() -> None:
    secret = Secret()
    seal = keep_apart(secret)
    assert find_kept(seal, Secret) is secret
    assert find_kept(seal, dict) is None
    assert find_kept(Seal(), Secret) is None


def test_copies_lead_there_too_and_pickles_lead_nowhere() -> None:
    seal = keep_apart(Secret())
    assert copy.copy(seal) is seal and copy.deepcopy(seal) is seal
    back = pickle.loads(pickle.dumps(seal))
    assert isinstance(back, Seal) and find_kept(back, Secret) is None
    assert repr(seal) == "Seal()"


def test_what_is_kept_apart_goes_with_the_last_seal() -> None:
    secret = Secret()
    seal, gone = keep_apart(secret), ref(secret)
    del secret
    gc.collect()
    assert gone() is not None
    del seal
    gc.collect()
    assert gone() is None
