"""# An LSTM cell

The four gates of a long short-term memory, stepped over a short sequence. `np.split` works while tracing, since it
knows the shape.

```text
hidden state: (3, 4) float32
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(sequence, weights, bias):
    """Return the last hidden state and the last cell state of sequences of shape (batch, time, features)."""
    units = bias.shape[0] // 4
    hidden = cell = np.zeros((sequence.shape[0], units), dtype=sequence.dtype)
    for time in range(sequence.shape[1]):
        gates = np.concatenate([sequence[:, time], hidden], axis=1) @ weights + bias
        forget, update, output, candidate = np.split(gates, 4, axis=1)
        cell = sigmoid(forget) * cell + sigmoid(update) * np.tanh(candidate)
        hidden = sigmoid(output) * np.tanh(cell)
    return hidden, cell


def main():
    rng = np.random.default_rng(0)
    sequence = rng.standard_normal((3, 6, 2), dtype="float32")
    weights = rng.standard_normal((6, 16), dtype="float32") / 2
    hidden, _ = lstm(sequence, weights, np.zeros(16, dtype="float32"))
    print("hidden state:", hidden.shape, hidden.dtype.name)


if __name__ == "__main__":
    main()
