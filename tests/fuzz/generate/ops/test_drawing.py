"""Programs of TensorFlow's ops are drawn from a table, call by call; the same seed draws the same."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.generate.ops.drawing import draw_programs
from fuzz.generate.ops.vocabulary import read_table
from oracle.harness import OPS, is_of_ops

NAMES = (
    "tf.math.divide",
    "tf.boolean_mask",
    "tf.math.top_k",
    "tf.linalg.solve",
    "tf.map_fn",
    "tf.random.stateless_normal",
)


def draw(name, seed, count=1):
    return list(draw_programs(name, seed, count))


def test_every_op_that_is_drawn_is_in_the_vocabulary_and_the_other_way_round():
    assert {row.op for row in read_table()} == OPS


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_draws_the_same_programs_and_another_others(name):
    first, again, other = (
        [case.json() for seed in seeds for case in draw(name, seed, 2)] for seeds in ((1, 2), (1, 2), (3, 4))
    )
    assert first == again
    assert set(first).isdisjoint(other)


@pytest.mark.parametrize("name", NAMES)
def test_programs_begin_with_their_op_and_can_be_stored(name):
    for case in (draw(name, seed)[0] for seed in range(6)):
        assert is_of_ops(case)
        assert name in {call.name for call in case.calls()}
        assert type(case).from_json(case.json()).json() == case.json()


def test_later_programs_have_the_same_calls_and_constants_on_other_values():
    first, second = draw("tf.math.multiply", 4, 2)
    assert [call.name for call in first.calls()] == [call.name for call in second.calls()]
    pairs = list(zip(first.arrays(), second.arrays(), strict=True))
    assert all((one.dtype, one.shape) == (other.dtype, other.shape) for one, other in pairs)
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in pairs if not one.flags.writeable)
    assert any(one.tobytes() != other.tobytes() for one, other in pairs)


def test_a_program_can_be_drawn_as_far_as_a_call_that_is_not_run():
    announced = []
    whole = next(seed for seed in range(99) if len(draw("tf.math.add", seed)[0].calls()) > 2)
    (begun,) = draw_programs("tf.math.add", whole, 4, announced.append, halt=1)
    assert announced == [0, 1]
    assert len(begun.calls()) == 2
    assert begun.calls()[0].json() == draw("tf.math.add", whole)[0].calls()[0].json()


def test_chains_gradients_and_constants_are_drawn():
    drawn = [draw("tf.math.ceil", seed)[0] for seed in range(80)]
    assert {len(case.calls()) for case in drawn} >= {1, 2, 3}
    assert any(case.name == "tf.gradient" for case in drawn)
    assert any(not array.flags.writeable for case in drawn for array in case.arrays())
