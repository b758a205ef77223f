"""# The gradient of each example

`tf.vectorized_map` runs a function of one example for a whole batch at once. Clipping the gradient of each example, as
differentially private training does, is then one line.

```text
gradients: (8, 3, 1) (8, 1)
largest norm before: 18.86, after clipping: 1.00
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def loss(weights, bias, x, y):
    """Return the squared error of a linear model on one example."""
    return np.sum((x @ weights + bias - y) ** 2)


def example_gradients(weights, bias, inputs, labels):
    """Return the gradients with respect to weights and bias, one for each example."""

    def of_one(example):
        with tf.GradientTape() as tape:
            tape.watch([weights, bias])
            value = loss(weights, bias, *example)
        return tape.gradient(value, [weights, bias])

    return tf.vectorized_map(of_one, (inputs, labels))


def norms(gradients):
    """Return the norm over all gradients of each example."""
    return np.sqrt(sum(np.sum(g**2, axis=tuple(range(1, g.ndim))) for g in gradients))


def clip(gradients, largest):
    """Return the gradients, each example's scaled down to a norm of at most `largest`."""
    factors = np.minimum(1, largest / norms(gradients))
    return [g * factors.reshape(-1, *[1] * (g.ndim - 1)) for g in gradients]


def main():
    rng = np.random.default_rng(0)
    inputs, labels = rng.standard_normal((8, 3)), rng.standard_normal((8, 1))
    gradients = example_gradients(np.ones((3, 1)), np.zeros(1), inputs, labels)
    print("gradients:", *(gradient.shape for gradient in gradients))
    print(f"largest norm before: {norms(gradients).max():.2f}, after clipping: {norms(clip(gradients, 1)).max():.2f}")


if __name__ == "__main__":
    main()
