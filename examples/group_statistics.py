"""# Statistics by group

The work of `groupby`: `np.unique` numbers the groups, and `np.bincount` with weights sums each of them. `np.add.at` and
`np.maximum.at` change an array, which must be a `tf.Variable`: see `group_maxima`.

```text
oslo: 2 days, mean 11.0, largest 12.0
rome: 3 days, mean 24.0, largest 27.0
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def group_means(groups, values):
    """Return the distinct groups, how many values each has, and their means."""
    names, index = np.unique(groups, return_inverse=True)
    counts = np.bincount(index)
    return names, counts, np.bincount(index, weights=values) / counts


def group_maxima(groups, values):
    """Return the largest value of each group, written into a variable."""
    names, index = np.unique(groups, return_inverse=True)
    largest = tf.Variable(np.full(len(names), -np.inf))
    np.maximum.at(largest, index, values)
    return largest.value()


def main():
    cities = ["oslo", "rome"]
    groups = np.array([1, 0, 1, 0, 1])
    temperatures = np.array([22.0, 10.0, 27.0, 12.0, 23.0])
    _, counts, means = group_means(groups, temperatures)
    for city, count, mean, most in zip(cities, counts, means, group_maxima(groups, temperatures), strict=True):
        print(f"{city}: {int(count)} days, mean {float(mean)}, largest {float(most)}")


if __name__ == "__main__":
    main()
