from shoal.core.compiled import compiled, compiled_without_lock


@compiled
def _sum_to(number: int) -> int:
    total = 0
    for each in range(number + 1):
        total += each
    return total


@compiled_without_lock
def _twice(number: int) -> int:
    return 2 * number


def test_a_compiled_loop_does_what_it_says() -> None:
    assert _sum_to(10) == 55 and _twice(21) == 42


def test_it_is_machine_code() -> None:
    _sum_to(3)
    assert _sum_to.signatures  # type: ignore[attr-defined]
