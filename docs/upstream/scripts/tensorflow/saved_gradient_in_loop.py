"""A custom gradient in the body of a loop is lost when a SavedModel is loaded.

The saved gradient function refers to placeholders of the body's graph. When the loop is differentiated after loading,
these are out of scope. Outside a loop, the same gradient is restored.
"""

# /// upstream
# op = ["While", "IdentityN"]
# part = "Python, gradients"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# workarounds = ["oracle/execution/export.py"]
# ///

import sys
import tempfile

import tensorflow as tf


@tf.custom_gradient
def multiply(x, y):
    return x * y, lambda upstream: (upstream * y, upstream * x)


def power(x):
    return tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, multiply(y, x)), (tf.constant(0), x))[1]


def differentiate(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = function(x)
    return tape.gradient(result, x).numpy()


module, x = tf.Module(), tf.constant(2.0)
module.power = tf.function(power, input_signature=[tf.TensorSpec((), tf.float32)], autograph=False)
with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(module, folder)
    loaded = tf.saved_model.load(folder)
print("expected", differentiate(module.power, x))
try:
    print("actual  ", differentiate(loaded.power, x))
except TypeError as error:
    print("actual  ", type(error).__name__, str(error).splitlines()[0])
    sys.exit(1)
