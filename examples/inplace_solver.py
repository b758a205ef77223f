"""# Gradients through in-place code

A finite-difference solver of the heat equation on a rod, written with slices and in-place updates, as for NumPy. With
`tfnp.numpy` its arrays are TensorFlow's: a `tf.GradientTape` differentiates through the views and the writes, and a
`tf.function` compiles the same source.

Which part of the rod was hot, if we measure its temperatures after some steps? Gradient descent on the initial
temperatures finds out.

```text
initial temperatures:  [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
after 3 steps:         [0.0, 0.02, 0.22, 0.76, 0.76, 0.22, 0.02, 0.0, 0.0]
influence on the middle: [0.0, 0.0, 0.02, 0.2, 0.56, 0.2, 0.02, 0.0, 0.0]
found:                 [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
```
"""

import tensorflow as tf

import tfnp.numpy as np


def diffuse(initial, rate, steps):
    """Return the temperatures after some steps; both ends keep theirs."""
    u = initial.copy()
    inside = u[1:-1]
    for _ in range(steps):
        inside += rate * (u[2:] - 2 * inside + u[:-2])
    return u


def mismatch(initial, measured, rate, steps):
    """Return the sum of squared differences from measured temperatures."""
    return ((diffuse(initial, rate, steps) - measured) ** 2).sum()


def influence(initial, position, rate, steps):
    """Return the derivative of one temperature with respect to all initial ones."""
    with tf.GradientTape() as tape:
        tape.watch(initial)
        temperature = diffuse(initial, rate, steps)[position]
    return tape.gradient(temperature, initial)


@tf.function
def slope(initial, measured, rate, steps):
    """Return the gradient of the mismatch, calculated by one graph."""
    with tf.GradientTape() as tape:
        tape.watch(initial)
        loss = mismatch(initial, measured, rate, steps)
    return tape.gradient(loss, initial)


def find_initial(measured, rate, steps, iterations):
    """Return initial temperatures that fit measured ones, by gradient descent."""
    guess = np.zeros_like(measured)
    for _ in range(iterations):
        guess[1:-1] -= 0.4 * slope(guess, measured, rate, steps)[1:-1]
    return guess


def main():
    initial = np.zeros(9)
    initial[3:5] = 1.0
    measured = diffuse(initial, 0.1, 3)
    print("initial temperatures: ", initial.tolist())
    print("after 3 steps:        ", measured.round(2).tolist())
    print("influence on the middle:", influence(initial, 4, 0.1, 3).round(2).tolist())
    print("found:                ", (find_initial(measured, 0.1, 3, 300).round(2) + 0).tolist())


if __name__ == "__main__":
    main()
