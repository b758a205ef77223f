"""# A training loop

A small network written with NumPy's functions, trained with `tf.GradientTape`. The parameters are variables, which
change in place; the step is a `tf.function`, optionally with `jit_compile=True`.

```text
loss before: 0.69, after: 0.06
accuracy: 0.99
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def predict(parameters, x):
    """Return a score for each example."""
    w1, b1, w2, b2 = parameters
    return np.tanh(x @ w1 + b1) @ w2 + b2


def loss(parameters, x, y):
    """Return the mean logistic loss for labels 0 and 1."""
    scores = predict(parameters, x)[:, 0]
    return np.mean(np.logaddexp(0, scores) - y * scores)


def make_step(parameters, rate):
    """Return a function that updates the parameters and returns the loss before the update."""

    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss(parameters, x, y)
        for parameter, gradient in zip(parameters, tape.gradient(value, parameters), strict=True):
            parameter.assign_sub(rate * gradient)
        return value

    return step


def make_parameters(seed, hidden):
    """Return the initial parameters."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((2, hidden)), np.zeros(hidden), rng.standard_normal((hidden, 1)) / 3, np.zeros(1)]


def make_data(seed):
    """Return points, and whether each lies outside the unit circle."""
    x = np.random.default_rng(seed).standard_normal((100, 2))
    x = x * (1 + 0.5 * np.sign(np.sum(x**2, axis=1, keepdims=True) - 1.4))
    return x, (np.sum(x**2, axis=1) > 1).astype("float64")


def main():
    x, y = make_data(seed=0)
    parameters = [tf.Variable(value) for value in make_parameters(seed=1, hidden=8)]
    step = tf.function(make_step(parameters, rate=1.0))
    losses = [step(x, y) for _ in range(150)]
    print(f"loss before: {losses[0]:.2f}, after: {losses[-1]:.2f}")
    print("accuracy:", float(np.mean((predict(parameters, x)[:, 0] > 0) == (y == 1))))


if __name__ == "__main__":
    main()
