"""# Edit distance

The textbook algorithm fills a table cell by cell. Computing a row at a time needs no assignment: insertions along a
row are a cumulative minimum, `np.minimum.accumulate`.

```text
kitten -> sitting: 3
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def edit_distance(first, second):
    """Return how many insertions, deletions and changes lead from one array of codes to the other."""
    columns = np.arange(second.shape[0] + 1)
    row = columns
    for index in range(first.shape[0]):
        changed = row[:-1] + (first[index] != second)
        best = np.concatenate([row[:1] + 1, np.minimum(row[1:] + 1, changed)])
        row = np.minimum.accumulate(best - columns) + columns
    return row[-1]


def codes(word):
    """Return the bytes of a word as integers."""
    return np.array(list(word.encode()))


def main():
    print("kitten -> sitting:", int(edit_distance(codes("kitten"), codes("sitting"))))


if __name__ == "__main__":
    main()
