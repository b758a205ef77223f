"""Texts compared by dynamic programming, a diagonal of the table at a time: no cell of one needs another."""


def letters(np, text):
    """The bytes of a text."""
    return np.astype(np.frombuffer(text.encode(), dtype=np.uint8), np.int64)


def diagonals(np, first, second, start, cell):
    """The diagonals of the table, each as long as the table is high. What is outside of it holds `start`.

    `cell` makes a diagonal of the cells above, to the left, and above to the left, of whether the letters are the same
    there, and of the numbers of rows and columns.
    """
    height, width = first.shape[0] + 1, second.shape[0] + 1
    rows = np.arange(height)
    before = earlier = np.full(height, start)
    found = []
    for number in range(height + width - 1):
        columns = np.subtract(number, rows)
        inside = np.logical_and(np.greater_equal(columns, 0), np.less(columns, width))
        above, corner = (np.concatenate([[start], line[:-1]]) for line in (before, earlier))
        letter = np.take(second, np.clip(np.subtract(columns, 1), 0, width - 2))
        same = np.equal(np.concatenate([first[:1], first]), letter)
        line = np.where(inside, cell(above, before, corner, same, rows, columns), start)
        found.append(line)
        before, earlier = line, before
    return np.stack(found)


def table(np, lines, width):
    """The diagonals as the table that they are of."""
    rows, columns = np.indices((lines.shape[1], width))
    return (
        lines[0, 0] + np.zeros_like(rows)
        if width == 0
        else np.take_along_axis(np.transpose(lines), np.add(rows, columns), axis=1)
    )


def distance(np, first, second):
    """Levenshtein's: how many letters to insert, delete, replace."""

    def cell(above, left, corner, same, rows, columns):
        best = np.minimum(np.add(np.minimum(above, left), 1), np.add(corner, np.where(same, 0, 1)))
        return np.where(np.equal(np.minimum(rows, columns), 0), np.maximum(rows, columns), best)

    return table(np, diagonals(np, first, second, 99, cell), second.shape[0] + 1)


def common(np, first, second):
    """The length of the longest subsequence of both."""

    def cell(above, left, corner, same, rows, columns):
        best = np.maximum(np.maximum(above, left), np.where(same, np.add(corner, 1), 0))
        return np.where(np.equal(np.minimum(rows, columns), 0), 0, best)

    return table(np, diagonals(np, first, second, 0, cell), second.shape[0] + 1)


def local(np, first, second):
    """Smith and Waterman's scores of what is alike somewhere."""

    def cell(above, left, corner, same, rows, columns):
        best = np.maximum(np.add(corner, np.where(same, 3, -3)), np.subtract(np.maximum(above, left), 2))
        return np.where(np.equal(np.minimum(rows, columns), 0), 0, np.maximum(best, 0))

    return table(np, diagonals(np, first, second, 0, cell), second.shape[0] + 1)


def steps_back(np, costs):
    """The way through a table of distances from its end: D for a letter deleted, I inserted, R replaced or kept."""
    costs = np.asarray(costs)
    row, column = costs.shape[0] - 1, costs.shape[1] - 1
    way = ""
    while row or column:
        options = {"R": (row - 1, column - 1), "D": (row - 1, column), "I": (row, column - 1)}
        options = {step: place for step, place in options.items() if min(place) >= 0}
        step = min(options, key=lambda name: (int(costs[options[name]]), "RDI".index(name)))
        row, column = options[step]
        way = step + way
    return way


def main(np):
    results = {}
    for first, second in (("kitten", "sitting"), ("intention", "execution"), ("tgttacgg", "ggttgacta")):
        a, b = letters(np, first), letters(np, second)
        costs, scores = distance(np, a, b), local(np, a, b)
        best = np.unravel_index(np.argmax(scores), scores.shape)
        results[first] = [costs, common(np, a, b), scores, steps_back(np, costs), best, costs[-1, -1]]
    return results
