"""# Moving averages of a time series

Three ways: a convolution, differences of a running sum, and an exponential average as a weighted sum.

```text
convolution and running sum agree: True
last values: 5.5 5.16
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def by_convolution(series, width):
    """Return the means of `width` neighbours."""
    return np.convolve(series, np.ones(width) / width, mode="valid")


def by_running_sum(series, width):
    """Return the same from a cumulative sum."""
    total = np.cumsum(np.concatenate([np.zeros(1), series]))
    return (total[width:] - total[:-width]) / width


def exponential(series, weight):
    """Return the exponentially weighted average up to each element."""
    ages = np.arange(len(series))[:, None] - np.arange(len(series))
    weights = np.tril(weight * (1 - weight) ** np.abs(ages))
    return weights @ series / weights.sum(axis=1)


def main():
    series = np.arange(8.0)
    sums, means = by_running_sum(series, 4), by_convolution(series, 4)
    print("convolution and running sum agree:", bool(np.allclose(sums, means)))
    print("last values:", float(means[-1]), round(float(exponential(series, 0.3)[-1]), 2))


if __name__ == "__main__":
    main()
