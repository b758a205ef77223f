"""# A confidence interval by the bootstrap

Resample the data with replacement, many times, and take percentiles of the median.

```text
median: 1.10, between 0.83 and 1.43
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def interval(sample, choices, level):
    """Return the median, and the ends of its confidence interval, given the indices of each resampling."""
    medians = np.median(sample[choices], axis=1)
    tail = 100 * (1 - level) / 2
    return np.median(sample), np.percentile(medians, [tail, 100 - tail])


def main():
    rng = np.random.default_rng(0)
    sample = np.exp(rng.standard_normal(60))
    choices = rng.integers(0, 60, (500, 60))
    median, ends = interval(sample, choices, 0.95)
    print(f"median: {median:.2f}, between {ends[0]:.2f} and {ends[1]:.2f}")


if __name__ == "__main__":
    main()
