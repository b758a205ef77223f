"""The modes `all` and `safe` are TensorFlow's own."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import tensorflow as tf
tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=MODE)
from tensorflow.python.framework import flexible_dtypes
from tfnp._core import dtypes

def name_or_error(function, *values):
    try:
        return function(*values).name
    except TypeError:
        return "TypeError"

dtypes.set_promotion(MODE)
values = [tf.zeros((), dtype) for dtype in dtypes.HELD] + [1, 1.0, 1j]
pairs = [(x, y) for number, x in enumerate(values) for y in values[number:]]
for x, y in pairs:
    theirs = name_or_error(lambda x, y: flexible_dtypes.result_type(x, y)[0], x, y)
    assert name_or_error(dtypes.result_type, x, y) == theirs, (x, y, theirs)
print(len(pairs))
"""


def test_every_pair_of_dtypes_meets_where_tensorflow_says():
    for mode in ("all", "safe"):
        program = f"MODE = {mode!r}\n{PROGRAM}"
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert run.stdout.strip() == "171"
