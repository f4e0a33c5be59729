"""Which pillar an attack is of."""

from shoal.graphs.attacks.degree import Degree
from shoal.jobs.queries.is_query_call import about_query
from shoal.queries.attacks.differencing import Differencing


def test_an_attack_tells_what_it_is_about() -> None:
    assert about_query("differencing(targets=4)") and about_query(Differencing())
    assert not about_query("degree") and not about_query(Degree()) and not about_query("nonsense")
