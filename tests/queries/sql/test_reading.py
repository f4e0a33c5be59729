"""The entrance: every text ends soon, in a tree or in one sentence."""

import pytest

from adversary.nasty import texts
from shoal.core.errors import NotAllowed
from shoal.queries.sql.reading import LONGEST, parsed
from work import calls_of

TEXTS = texts()


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_keeps_the_service_busy(name: str) -> None:
    def read() -> None:
        try:
            parsed(TEXTS[name])
        except NotAllowed as refusal:
            assert "\n" not in str(refusal)

    # What others wait for is work in this process; what is read apart keeps nobody. Ten times the worst seen.
    assert calls_of(read) < 2_300_000


def test_a_text_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(NotAllowed, match="20,001 characters"):
        parsed(" " * (LONGEST + 1))


def test_a_long_but_honest_question_is_read() -> None:
    columns = ", ".join(f"SUM(CASE WHEN x = {n} THEN 1 ELSE 0 END) AS n{n}" for n in range(150))
    tree = parsed(f"SELECT {columns} FROM t")
    assert len(tree.expressions) == 150
