"""log(exp(x)) and sqrt(x * x) under XLA are x, also where the inner function overflows.

The algebraic simplifier drops functions together with their inverse, which holds for real numbers and not for
floats: 100, where eager mode has infinity. The result is nearer to mathematics and differs from every other mode.
"""

# /// upstream
# op = ["Log", "Exp", "Sqrt"]
# part = "XLA, algebraic simplifier"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The simpler form has the better value."
# search = "reported"
# issues = ["openxla/xla#42732"]
# state = "closed; a change was proposed (openxla/xla#45560)"
# ///

import sys

import tensorflow as tf

FUNCTIONS = {
    "log(exp(x))": (lambda x: tf.math.log(tf.exp(x)), tf.constant([100.0])),
    "sqrt(x * x)": (lambda x: tf.sqrt(x * x), tf.constant([1e30])),
    "exp(x) * exp(-x)": (lambda x: tf.exp(x) * tf.exp(-x), tf.constant([100.0])),
}
expected = {text: f(x).numpy().tolist() for text, (f, x) in FUNCTIONS.items()}
actual = {text: tf.function(f, jit_compile=True)(x).numpy().tolist() for text, (f, x) in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
