"""# Exporting a SavedModel

A `tf.Module` whose function is written with NumPy's functions, traced for batches of any length, saved, and loaded
again. The loaded object is a graph: it needs neither this source nor tfnp.

```text
same result: True
batches of: [1, 4]
```
"""

import tempfile

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def softmax(x):
    """Return weights that sum to 1 along the last axis."""
    weights = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return weights / np.sum(weights, axis=-1, keepdims=True)


class Classifier(tf.Module):
    """A linear classifier with standardised inputs."""

    def __init__(self, weights, mean, deviation):
        super().__init__()
        self.w = tf.Variable(weights)
        self.mean = tf.Variable(mean)
        self.deviation = tf.Variable(deviation)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def __call__(self, x):
        return softmax((x - self.mean) / self.deviation @ self.w)


def make_classifier(seed):
    """Return a classifier of three features and two classes."""
    weights = np.random.default_rng(seed).standard_normal((3, 2), dtype="float32")
    return Classifier(weights, np.ones(3, dtype="float32"), np.full(3, 2, dtype="float32"))


def main():
    model = make_classifier(seed=0)
    batches = [np.random.default_rng(1).standard_normal((count, 3), dtype="float32") for count in (1, 4)]
    with tempfile.TemporaryDirectory() as directory:
        tf.saved_model.save(model, directory)
        loaded = tf.saved_model.load(directory)
        print("same result:", all(np.array_equal(model(x), loaded(x)) for x in batches))
        print("batches of:", [len(loaded(x)) for x in batches])


if __name__ == "__main__":
    main()
