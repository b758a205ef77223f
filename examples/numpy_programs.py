"""# NumPy programs unchanged

Three functions as one writes them for NumPy: views, masks and in-place operators, and no word of TensorFlow. Only the
import says `tfnp.numpy`. The same source runs in eager mode, in a `tf.function`, and compiled by XLA.

```text
eager:  x = [1.0, -2.0, 3.0], clipped = [-0.5, 0.0, 2.0], board = 18
graph:  x = [1.0, -2.0, 3.0], clipped = [-0.5, 0.0, 2.0], board = 18
xla:    x = [1.0, -2.0, 3.0], clipped = [-0.5, 0.0, 2.0], board = 18
```
"""

import functools

import tensorflow as tf

import tfnp.numpy as np


def solve(matrix, right):
    """Return the solution of a linear system, by elimination in a copy whose rows are views."""
    table = np.column_stack([matrix, right])
    for pivot in range(len(table)):
        row = table[pivot]
        row /= row[pivot].copy()
        for other in range(len(table)):
            if other != pivot:
                table[other] -= table[other, pivot] * row
    return table[:, -1]


def clip_softly(x, slope):
    """Return an array with its negative elements scaled, and those above two cut off."""
    x = x.copy()
    negative = x < 0
    x[negative] *= slope
    np.minimum(x, 2.0, out=x)
    return x


def make_board(size):
    """Return a checkerboard of ones, written through slices and through the transpose."""
    board = np.zeros((size, size), dtype=int)
    board[::2, 1::2] = 1
    board.T[::2, 1::2] = 1
    return board


def main():
    matrix = np.array([[2.0, 1.0, 1.0], [1.0, 3.0, 2.0], [1.0, 0.0, 1.0]])
    right = matrix @ np.array([1.0, -2.0, 3.0])
    x = np.array([-5.0, 0.0, 3.0])
    modes = {
        "eager": lambda function: function,
        "graph": tf.function,
        "xla": functools.partial(tf.function, jit_compile=True),
    }
    for name, compiled in modes.items():
        solution = compiled(solve)(matrix, right).round(6) + 0.0
        clipped = compiled(functools.partial(clip_softly, slope=0.1))(x)
        board = compiled(functools.partial(make_board, 6))()
        print(f"{name + ':':7} x = {solution.tolist()}, clipped = {clipped.tolist()}, board = {board.sum()}")


if __name__ == "__main__":
    main()
