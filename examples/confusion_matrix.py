"""# A confusion matrix

Count pairs of labels, and derive precision and recall. A comparison with all labels has a static shape, so XLA compiles
it without a `size=`.

```text
[[2, 1, 0], [0, 2, 0], [1, 0, 3]]
precision: [0.67, 0.67, 1.0]
recall: [0.67, 1.0, 0.75]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def confusion_matrix(expected, predicted, classes):
    """Return how often each class (rows) was taken for each other (columns)."""
    labels = np.arange(classes)
    rows = (expected[:, None] == labels).astype("int64")
    columns = (predicted[:, None] == labels).astype("int64")
    return rows.T @ columns


def scores(matrix):
    """Return precision and recall of each class."""
    right = np.diagonal(matrix)
    return right / matrix.sum(axis=0), right / matrix.sum(axis=1)


def main():
    expected = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
    predicted = np.array([0, 1, 0, 1, 1, 2, 0, 2, 2])
    matrix = confusion_matrix(expected, predicted, 3)
    precision, recall = scores(matrix)
    print(matrix.tolist())
    print("precision:", precision.round(2).tolist())
    print("recall:", recall.round(2).tolist())


if __name__ == "__main__":
    main()
