"""Call and differentiate functions of a SavedModel in a process without tfnp: `python saved_models.py DIRECTORY`.

The directory has the model in `model`, and operands in `operands.npz`; values and gradients are written to
`results.npz`. This program is run by itself.
"""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf


def differentiate(function, operands):
    """Return the value, and the gradients of a weighted sum of its elements."""
    with tf.GradientTape() as tape:
        tape.watch(operands)
        result = function(*operands)
        weights = tf.reshape(tf.cast(tf.range(1, tf.size(result) + 1), result.dtype), tf.shape(result))
        total = tf.reduce_sum(tf.math.real(result * weights))
    gradients = tape.gradient(total, operands, unconnected_gradients="zero")
    return [result, *map(tf.convert_to_tensor, gradients)]


def main(directory):
    operands = np.load(directory / "operands.npz")
    model = tf.saved_model.load(str(directory / "model"))
    results = {}
    for name in sorted({key.rpartition("-")[0] for key in operands}):
        arrays = [tf.constant(operands[key]) for key in operands if key.rpartition("-")[0] == name]
        for index, part in enumerate(differentiate(getattr(model, name), arrays)):
            results[f"{name}-{index}"] = part.numpy()
    np.savez(directory / "results.npz", **results)
    assert "tfnp" not in sys.modules


if __name__ == "__main__":
    main(Path(sys.argv[1]))
