"""Every way to answer on the same people: error at the same privacy, and what attackers learn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from shoal import catalog, verbs
from shoal.core.contract import Attack
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import Finding
from shoal.core.part_syntax import spell
from shoal.engines.atomic_write import check_place
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.queries.attack import alternative_of, known_columns, pairs_given, people_of
from shoal.jobs.queries.declare import epsilon_from
from shoal.jobs.queries.requests import CompareQuery
from shoal.queries.alternatives_comparison import Compared, Comparison
from shoal.queries.attacker_reasoning.attributes import attributes_of
from shoal.queries.attacker_reasoning.conversation import Conversation
from shoal.queries.attacker_reasoning.scene import Scene
from shoal.queries.attacker_reasoning.secret import Secret
from shoal.queries.attacks.differencing import Differencing
from shoal.queries.attacks.reconstruction.reconstruction import Reconstruction
from shoal.queries.attacks.refusals import Refusals
from shoal.queries.attacks.tracker import Tracker
from shoal.queries.endpoints.endpoint import Alternative
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.question import Question

# Cheap ones that between them defeat all that promises nothing.
TRIED: tuple[Attack[Scene], ...] = (
    Differencing(targets=30),
    Tracker(targets=30),
    Reconstruction(people=40, decoder="least-squares"),
    Refusals(targets=30),
)


def compare_query(job: CompareQuery) -> Comparison:
    """How far off each way to answer is, and the best attack against it."""
    if job.output is not None:
        check_form(job.output)
        check_place(job.output, list(pairs_given(job.data).values()))
    loss = epsilon_from(job.epsilon)
    people = people_of(job)
    if job.secret is None:
        raise BadParameter("what is the secret? Name it, as in --secret diagnosis=HIV")
    secret = Secret.of(job.secret, people)
    if not secret.binary:
        raise BadParameter(f"compare counts people; name a value, as in --secret {secret.column}=VALUE")
    known = known_columns(people, secret)
    asked = [
        secret.question(one.condition)
        for one in attributes_of(people.frame, people.frame, known, people.table, job.questions)
    ]
    if not asked:
        raise BadParameter("people do not differ in any column that could be asked about; give more columns")
    ways = job.against or tuple(catalog.names("alternative"))
    rows = [
        _compared(alternative_of(way, secret).within(loss), people, secret, known, asked, job.seed)
        for way in ways
    ]
    rows.sort(key=lambda row: (row.loss is None, row.error or 0.0))
    people.close()
    told = Comparison(float(loss), len(people), len(asked), tuple(rows))
    if job.output is not None:
        draw(told.to_chart(), job.output)
    return told


def _compared(
    way: Alternative,
    people: People,
    secret: Secret,
    known: tuple[str, ...],
    asked: list[Question],
    seed: int | None,
) -> Compared:
    talk = Conversation(way.open(people))
    talk.plan(len(asked))
    answers = [talk.ask(question) for question in asked]
    truths = [people.answer(question) for question in asked]
    talk.close()
    gaps = [answer - truth for answer, truth in zip(answers, truths, strict=True) if answer is not None]
    error = float(np.sqrt(np.mean(np.square(gaps)))) if gaps else None
    loss: Fraction | None = way.loss
    found: list[Finding] = []
    for attacker in TRIED:
        talk = Conversation(way.open(people))
        scene = Scene(talk, people, secret=secret, known=known, loss=loss, seed=seed)
        try:
            found.append(verbs.attack(scene, attacker))
        except ShoalError:
            continue  # there is nobody to try it on
        finally:
            talk.close()
    if not found:
        raise BadParameter(
            f"no attack can be tried on these people; name another --secret than {secret.column}"
        )
    best = max(found, key=lambda one: one.rate.interval[0])
    # The best of several is chosen, which its interval allows for.
    best = replace(best, rate=replace(best.rate, chosen_from=len(found)))
    return Compared(
        spell(way), None if loss is None else float(loss), error, answers.count(None), best, way.weakness
    )
