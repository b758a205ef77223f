from __future__ import annotations

import numpy as np

from fuzz.engine.feedback import hash_answers, hash_structure
from oracle import Case
from oracle.harness import judge_siblings

FLOATS = np.ones((2, 3))


def structure(*args, **kwargs):
    return hash_structure(Case("sum", args, kwargs))


def test_what_a_parameter_is_given_is_a_feature():
    plain = structure(FLOATS)
    for other in (
        structure(FLOATS.astype(np.int8)),
        structure(FLOATS[0]),
        structure(FLOATS.T),
        structure(FLOATS, axis=1),
        structure(FLOATS, axis=None),
        structure(FLOATS, 1),
        structure([1.0]),
        structure(np.float64(1)),
        structure(Case("sin", (FLOATS,))),
    ):
        assert other - plain


def test_values_of_elements_are_none():
    assert structure(FLOATS) == structure(FLOATS * 7)
    assert structure(FLOATS, 1e9) != structure(FLOATS, 0.0)


def answers(mode, *args):
    return hash_answers(judge_siblings([Case("sum", args)], [mode], "tfnp"), mode)


def test_errors_and_traced_operations_are_features():
    eager = answers("eager", FLOATS)
    assert eager == answers("eager", FLOATS * 7)
    assert answers("eager", FLOATS, 5) - eager
    graph = answers("graph", FLOATS)
    assert len(graph) > len(eager)
    assert answers("graph", FLOATS.astype(np.int8)) - graph
