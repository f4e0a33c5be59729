"""Pieces of one kind are done together, and each gets what is its own."""

from shoal.queries.service.joint_work import Apart, Joint, do_all


def test_pieces_of_a_kind_are_done_at_once_and_everybody_gets_their_own() -> None:
    calls: list[list[int]] = []

    def doubles(pieces: list[int]) -> list[int]:
        calls.append(pieces)
        return [piece * 2 for piece in pieces]

    def negatives(pieces: list[int]) -> list[int]:
        calls.append(pieces)
        return [-piece for piece in pieces]

    works = [Joint(1, doubles), Joint(2, negatives), Joint(3, doubles), Joint(4, negatives)]
    assert do_all(works) == [2, -2, 6, -4]
    assert calls == [[1, 3], [2, 4]]


def test_an_error_and_what_takes_long_stay_with_their_piece() -> None:
    def some(pieces: list[str]) -> list[str | Exception | Apart[str]]:
        outcomes: dict[str, str | Exception | Apart[str]] = {
            "quick": "done",
            "wrong": ValueError("wrong"),
            "long": Apart(lambda: "later"),
        }
        return [outcomes[piece] for piece in pieces]

    quick, wrong, long = do_all([Joint(piece, some) for piece in ("quick", "wrong", "long")])
    assert quick == "done"
    assert isinstance(wrong, ValueError)
    assert isinstance(long, Apart) and long.work() == "later"
