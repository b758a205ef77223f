"""argmin(relu(x)) in tf.function is argmin(x): of equal elements not the first.

Grappler drops monotonic functions before an argmin or argmax. Where they make elements equal, as relu does with
negative numbers, the index is another.
"""

# /// upstream
# op = ["ArgMin", "ArgMax"]
# part = "Grappler, arithmetic optimization"
# modes = ["graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#116436", "tensorflow/tensorflow#118374", "tensorflow/tensorflow#118675"]
# state = "open; changes were merged after 2.21 (tensorflow/tensorflow#122826)"
# names = ["argmin", "argmax"]
# ///

import sys

import tensorflow as tf

x = tf.constant([1.0, -1.0, -5.0, 2.0])
FUNCTIONS = {
    "argmin(relu(x))": lambda x: tf.argmin(tf.nn.relu(x)),
    "argmax(tanh(20 - x))": lambda x: tf.argmax(tf.tanh(20.0 - x)),
}
expected = {text: int(f(x)) for text, f in FUNCTIONS.items()}
actual = {text: int(tf.function(f)(x)) for text, f in FUNCTIONS.items()}
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
