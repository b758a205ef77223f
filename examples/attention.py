"""# Multi-head attention

Scaled dot products with a causal mask. A Python number is weak, so float32 stays float32; `np.float64(0.5)` would not.

```text
(2, 5, 8) float32
rows of the weights sum to 1: True
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def softmax(scores):
    """Return weights that sum to 1 along the last axis."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def split_heads(x, heads):
    """Return (batch, heads, time, size) from (batch, time, heads * size)."""
    batch, time, size = x.shape
    return x.reshape(batch, time, heads, size // heads).transpose(0, 2, 1, 3)


def attention(queries, keys, values, heads):
    """Return the attended values, and the weights of each head."""
    q, k, v = (split_heads(x, heads) for x in (queries, keys, values))
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    future = np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1)
    weights = softmax(np.where(future, -np.inf, scores))
    return (weights @ v).transpose(0, 2, 1, 3).reshape(queries.shape), weights


def main():
    x = np.random.default_rng(0).standard_normal((2, 5, 8), dtype="float32")
    output, weights = attention(x, x, x, heads=2)
    print(output.shape, output.dtype.name)
    print("rows of the weights sum to 1:", bool(np.allclose(weights.sum(axis=-1), 1)))


if __name__ == "__main__":
    main()
