"""The modes `all` and `safe` are TensorFlow's own."""

from __future__ import annotations

from tests.warm_start import warm_start

PROGRAM = """
import tensorflow as tf
from tensorflow.python.framework import flexible_dtypes
from tfnp._core import dtypes

def name_or_error(function, *values):
    try:
        return function(*values).name
    except TypeError:
        return "TypeError"

for mode in ("all", "safe"):
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    dtypes.set_promotion(mode)
    values = [tf.zeros((), dtype) for dtype in dtypes.SUPPORTED] + [1, 1.0, 1j]
    pairs = [(x, y) for number, x in enumerate(values) for y in values[number:]]
    answers = set()
    for x, y in pairs:
        theirs = name_or_error(lambda x, y: flexible_dtypes.result_type(x, y)[0], x, y)
        assert name_or_error(dtypes.result_type, x, y) == theirs, (mode, x, y, theirs)
        answers.add(theirs)
    print(mode, len(pairs), "TypeError" in answers)
"""


def test_common_types_are_tensorflows():
    run = warm_start.run(PROGRAM)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["all", "171", "False", "safe", "171", "True"]
