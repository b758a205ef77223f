"""N queens by breadth: all placements of a row at once, and then those of the next."""


def extended(np, boards, size):
    """Every board with a queen in every column of one more row."""
    columns = np.tile(np.arange(size), boards.shape[0])
    return np.column_stack([np.repeat(boards, size, axis=0), columns])


def safe(np, boards):
    """Which boards have a last queen that no other attacks."""
    last = boards[:, -1:]
    others = boards[:, :-1]
    distance = np.arange(others.shape[1], 0, -1)
    same_column = np.equal(others, last)
    same_diagonal = np.equal(np.abs(np.subtract(others, last)), distance)
    return np.logical_not(np.any(np.logical_or(same_column, same_diagonal), axis=1))


def solutions(np, size):
    """All boards, a row of columns each, and how many there were after each row."""
    boards = np.reshape(np.arange(size), (size, 1))
    counts = [size]
    for _ in range(size - 1):
        boards = extended(np, boards, size)
        boards = np.compress(safe(np, boards), boards, axis=0)
        counts.append(boards.shape[0])
    return boards, counts


def turned(np, boards):
    """The boards turned by a quarter: row and column change places, and rows are counted from the other end."""
    return np.subtract(boards.shape[1] - 1, np.argsort(boards, axis=1))


def numbered(np, boards):
    """A number for each board."""
    size = boards.shape[1]
    return np.dot(boards, np.power(size, np.arange(size - 1, -1, -1)))


def essential(np, boards):
    """The boards that no turn or reflection makes smaller."""
    least = own = numbered(np, boards)
    for start in (boards, np.flip(boards, axis=1)):
        images = start
        for _ in range(4):
            least = np.minimum(least, numbered(np, images))
            images = turned(np, images)
    return np.compress(np.equal(least, own), boards, axis=0)


def drawn(np, board):
    """A board as a matrix, with a one for each queen."""
    return np.astype(np.equal.outer(board, np.arange(board.shape[0])), np.int8)


def attacked(np, board):
    """How many queens see each square."""
    rows, columns = np.indices((board.shape[0],) * 2)
    places = np.arange(board.shape[0])
    down = np.subtract(np.expand_dims(rows, 2), places)
    across = np.subtract(np.expand_dims(columns, 2), board)
    seen = np.logical_or(np.equal(down, 0), np.logical_or(np.equal(across, 0), np.equal(np.abs(down), np.abs(across))))
    return np.sum(seen, axis=2)


def main(np):
    results = {}
    for size in (4, 5, 6, 7):
        boards, counts = solutions(np, size)
        few = essential(np, boards)
        results[size] = [boards, np.array(counts), few, drawn(np, few[0]), attacked(np, few[0])]
    return results
