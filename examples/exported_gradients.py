"""# Exporting a function with its gradient

A SavedModel keeps the gradients of tfnp's functions, which are finite where TensorFlow's may not be: here that of a
length, at the origin. A process that loads the file can differentiate the function without tfnp. That holds for first
derivatives: TensorFlow does not save the gradients of gradients, and warns of that when it loads the file.

```text
lengths:  [5. 0.]
gradient: [[0.6, 0.8], [0.0, 0.0]]
by tf.norm: [nan, nan] at the origin
```
"""

import tempfile

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


class Lengths(tf.Module):
    """A function of points in the plane."""

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float64)])
    def __call__(self, points):
        return np.hypot(points[:, 0], points[:, 1])


def differentiate(function, points):
    """Return values, and the gradient of their sum."""
    with tf.GradientTape() as tape:
        tape.watch(points)
        values = function(points)
    return values, tape.gradient(values, points)


def main():
    points = np.array([[3.0, 4.0], [0.0, 0.0]])
    with tempfile.TemporaryDirectory() as directory:
        tf.saved_model.save(Lengths(), directory)
        values, gradient = differentiate(tf.saved_model.load(directory), points)
    print("lengths: ", values.numpy())
    print("gradient:", gradient.tolist())
    print("by tf.norm:", differentiate(lambda points: tf.norm(points, axis=1), points)[1][1].tolist(), "at the origin")


if __name__ == "__main__":
    main()
