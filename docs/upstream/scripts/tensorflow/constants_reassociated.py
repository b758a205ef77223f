"""(x + 2**52) - 2**52 in tf.function does not round: the constants are added first.

Grappler gathers the constants of a chain of sums or products and folds them to one, which changes the rounding, and
makes infinities of finite numbers and the other way round. Sums that are compensated on purpose, and the usual way
to round to an integer, no longer do what they say.
"""

# /// upstream
# op = ["AddV2", "Sub", "Mul"]
# part = "Grappler, constant folding; of products arithmetic optimization, too"
# modes = ["graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#52045"]
# state = "closed as stale"
# workarounds = [
#     "tfnp/_kernels/bits.py",
#     "tfnp/_kernels/complex/exponentials.py",
#     "oracle/accepted_differences/known_issues.py",
# ]
# names = ["add", "subtract", "multiply"]
# ///

import sys

import tensorflow as tf

x = tf.constant([0.3, 2.7, 1e10], tf.float64)
FUNCTIONS = {
    "(x + 2**52) - 2**52": lambda x: (x + 2.0**52) - 2.0**52,
    "1e16 - (1e16 - x)": lambda x: 1e16 - (1e16 - x),
    "1e-300 * (1e300 * x)": lambda x: 1e-300 * (1e300 * x),
}
expected = {text: f(x).numpy().tolist() for text, f in FUNCTIONS.items()}
actual = {text: tf.function(f)(x).numpy().tolist() for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
