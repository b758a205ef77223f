"""Conway's Game of Life, on a torus and between walls."""

GLIDER = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
PULSAR_ROWS = ["..OOO...OOO..", ".............", "O....O.O....O", "O....O.O....O", "O....O.O....O", "..OOO...OOO.."]
SHIFTS = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]


def placed(np, pattern, shape, corner):
    """A pattern on an empty world."""
    pattern = np.array(pattern, dtype=np.uint8)
    below = shape[0] - corner[0] - pattern.shape[0]
    right = shape[1] - corner[1] - pattern.shape[1]
    return np.pad(pattern, ((corner[0], below), (corner[1], right)))


def read(np, rows):
    """A pattern from text, mirrored to its whole."""
    upper = np.stack([np.equal(np.frombuffer(row.encode(), dtype=np.uint8), ord("O")) for row in rows])
    middle = np.zeros((1, upper.shape[1]), dtype=bool)
    return np.astype(np.vstack([upper, middle, np.flipud(upper)]), np.uint8)


def around(np, world):
    """How many of the eight neighbours live, on a torus."""
    return sum(np.roll(world, shift, axis=(0, 1)) for shift in SHIFTS)


def around_walled(np, world):
    """The same, with nothing alive beyond the walls."""
    wide = np.pad(world, 1)
    height, width = world.shape
    parts = [wide[1 + down : 1 + down + height, 1 + across : 1 + across + width] for down, across in SHIFTS]
    return np.sum(np.stack(parts), axis=0, dtype=np.uint8)


def step(np, world, count):
    """Three neighbours give birth, two keep alive."""
    born = np.equal(count, 3)
    stays = np.logical_and(np.equal(count, 2), np.equal(world, 1))
    return np.astype(np.logical_or(born, stays), np.uint8)


def history(np, world, steps, counting):
    """The worlds, one after another."""
    worlds = [world]
    for _ in range(steps):
        worlds.append(step(np, worlds[-1], counting(np, worlds[-1])))
    return np.stack(worlds)


def period(np, worlds):
    """After how many steps the first world is there again, or zero."""
    same = np.all(np.equal(worlds[1:], worlds[0]), axis=(1, 2))
    return np.where(np.any(same), np.argmax(same) + 1, 0)


def main(np):
    glider = history(np, placed(np, GLIDER, (8, 9), (1, 2)), 12, around)
    stopped = history(np, placed(np, GLIDER, (5, 5), (1, 1)), 12, around_walled)
    pulsar = history(np, np.pad(read(np, PULSAR_ROWS), 2), 3, around)
    centre = [np.divide(np.sum(places), np.size(places)) for places in np.nonzero(glider[4])]
    return {
        "glider": glider,
        "moved": np.array_equal(glider[4], np.roll(glider[0], (1, 1), axis=(0, 1))),
        "centre": centre,
        "stopped": stopped[-1],
        "populations": [np.sum(worlds, axis=(1, 2)) for worlds in (glider, stopped, pulsar)],
        "periods": [period(np, worlds) for worlds in (glider, stopped, pulsar)],
        "ever": np.argwhere(np.any(stopped, axis=0)),
    }
