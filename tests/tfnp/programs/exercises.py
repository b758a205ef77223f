"""Small exercises with arrays: patterns, neighbours, rows and columns, runs, digits, calendars."""


def patterns(np):
    """Boards, frames, pyramids and spirals made without a loop over elements."""
    rows, columns = np.indices((6, 7))
    board = np.remainder(np.add(rows, columns), 2)
    frame = np.pad(np.zeros((3, 4), dtype=int), 1, constant_values=1)
    distances = np.minimum(np.minimum(rows, 5 - rows), np.minimum(columns, 6 - columns))
    bands = np.subtract.outer(np.arange(5), np.arange(5))
    table = np.multiply.outer(np.arange(1, 10), np.arange(1, 10))
    return [board, frame, distances, np.abs(bands), table, np.tri(4, dtype=np.int8), np.tile(board[:2, :2], (2, 3))]


def neighbours(np, row):
    """What each element has to do with those beside it."""
    steps = np.diff(row)
    turns = np.not_equal(np.sign(steps[1:]), np.sign(steps[:-1]))
    peaks = np.logical_and(np.greater(row[1:-1], row[:-2]), np.greater(row[1:-1], row[2:]))
    windows = np.stack([row[start : start + len(row) - 2] for start in range(3)])
    return [
        steps,
        turns,
        np.add(np.flatnonzero(peaks), 1),
        np.mean(windows, axis=0),
        np.max(windows, axis=0),
        np.cumsum(row),
        np.maximum.accumulate(row),
    ]


def runs(np, row):
    """Values and lengths of runs, and the row again made of them."""
    starts = np.concatenate([[0], np.add(np.flatnonzero(np.diff(row)), 1)])
    lengths = np.diff(np.append(starts, row.shape[0]))
    values = np.take(row, starts)
    longest = np.argmax(lengths)
    return [starts, lengths, values, np.repeat(values, lengths), values[longest]]


def tables(np, table):
    """Rows and columns compared, ordered and normed."""
    order = np.lexsort((table[:, 1], table[:, 0]))
    lengths = np.sqrt(np.sum(np.square(table), axis=1, keepdims=True))
    centred = np.subtract(table, np.mean(table, axis=0))
    largest = np.unravel_index(np.argmax(table), table.shape)
    nearest = np.argmin(np.abs(np.subtract(np.ravel(table), 4.4)))
    return [np.take(table, order, axis=0), np.divide(table, lengths), centred, largest, nearest, np.ptp(table, axis=1)]


def digits(np, numbers):
    """Numbers taken apart and put together again, in base ten and in base two."""
    powers = np.power(10, np.arange(4, -1, -1))
    decimal = np.remainder(np.floor_divide(np.expand_dims(numbers, 1), powers), 10)
    again = np.sum(np.multiply(decimal, powers), axis=1)
    binary = np.unpackbits(np.astype(np.remainder(np.expand_dims(numbers, 1), 256), np.uint8), axis=1)
    return [decimal, again, np.sum(decimal, axis=1), binary, np.packbits(binary, axis=1), np.bitwise_count(numbers)]


def primes(np, end):
    """Eratosthenes' sieve, and how far primes are apart."""
    numbers = np.arange(end)
    is_prime = np.greater(numbers, 1)
    for factor in range(2, int(end**0.5) + 1):
        multiple = np.logical_and(np.equal(np.remainder(numbers, factor), 0), np.greater(numbers, factor))
        is_prime = np.logical_and(is_prime, np.logical_not(multiple))
    found = np.flatnonzero(is_prime)
    gaps, counts = np.unique(np.diff(found), return_counts=True)
    return [found, gaps, counts]


def main(np):
    row = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9])
    table = np.array([[3.0, 1.0, 4.0], [1.0, 5.0, 9.0], [2.0, 6.0, 5.0], [3.0, 0.5, 8.0]])
    return {
        "patterns": patterns(np),
        "neighbours": neighbours(np, row),
        "runs": runs(np, np.array([2, 2, 7, 7, 7, 1, 2, 2])),
        "tables": tables(np, table),
        "digits": digits(np, np.array([31415, 92653, 58979, 7])),
        "primes": primes(np, 120),
    }
