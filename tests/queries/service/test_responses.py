"""What the OpenAPI document tells about answers."""

from shoal.queries.service import responses as replies


def test_every_refusal_is_of_the_one_form() -> None:
    told = replies.refusal_responses(400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503)
    assert {part["model"] for part in told.values()} == {replies.ErrorReply}
    assert all(part["description"] for part in told.values())


def test_an_answer_is_told_with_its_status() -> None:
    told = replies.route_responses(replies.TokenReply, 404, status=201)
    assert set(told) == {201, 404}
    assert told[201]["model"] is replies.TokenReply
