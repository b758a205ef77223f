"""reduce_max(sqrt(x)) in tf.function loses the nan of a negative number.

Grappler moves a monotonic function behind the maximum, and takes sqrt and log for monotonic on all numbers: the
maximum of [-1, 4] is 4, and the nan of -1 is never computed. For ArgMax the same rewrite has been reported
(tensorflow/tensorflow#116436, tensorflow/tensorflow#118675).
"""

# /// upstream
# op = ["Max", "Sqrt", "Log"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["max", "amax"]
# shows = "nan"
# ///

import sys

import tensorflow as tf

x = tf.constant([-1.0, 4.0])
FUNCTIONS = {
    "reduce_max(sqrt(x))": lambda x: tf.reduce_max(tf.sqrt(x)),
    "reduce_max(log(x))": lambda x: tf.reduce_max(tf.math.log(x)),
}
expected = {text: f(x).numpy().tolist() for text, f in FUNCTIONS.items()}
actual = {text: tf.function(f)(x).numpy().tolist() for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
