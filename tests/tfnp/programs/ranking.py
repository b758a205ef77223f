"""Links between pages: PageRank, hubs and authorities, what can be reached, and who plays the better chess."""

LINKS = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2), (3, 4), (4, 3), (4, 5), (5, 6), (6, 4), (6, 2), (7, 6), (7, 0), (8, 7)]
GAMES = [(0, 1, 3), (1, 0, 1), (0, 2, 4), (2, 0, 2), (1, 2, 2), (2, 1, 2), (2, 3, 5), (3, 2, 1), (3, 0, 1), (1, 3, 4)]
COUNT = 10


def table(np, entries, count):
    """A matrix of the sums of weights at each place."""
    rows, columns, weights = np.unstack(np.array(entries), axis=1)
    places = np.ravel_multi_index((rows, columns), (count, count))
    return np.reshape(np.bincount(places, weights=weights, minlength=count * count), (count, count))


def pagerank(np, links, damping=0.85, tolerance=1e-12):
    """How often one who follows links at random, and now and then none, is at each page."""
    degree = np.sum(links, axis=1, keepdims=True)
    lost = np.equal(degree, 0)
    moves = np.where(lost, 1 / links.shape[0], np.divide(links, np.where(lost, 1.0, degree)))
    rank = np.full(links.shape[0], 1 / links.shape[0])
    for number in range(200):
        new = np.add(np.multiply(damping, np.matmul(rank, moves)), (1 - damping) / links.shape[0])
        change = np.sum(np.abs(np.subtract(new, rank)))
        rank = new
        if float(change) < tolerance:
            return rank, number
    return rank, 200


def hubs(np, links, steps=40):
    """Good hubs link to good authorities, which good hubs link to."""
    authority = np.ones(links.shape[0])
    hub = np.ones(links.shape[0])
    for _ in range(steps):
        authority = np.matmul(hub, links)
        authority = np.divide(authority, np.sqrt(np.sum(np.square(authority))))
        hub = np.matmul(links, authority)
        hub = np.divide(hub, np.sqrt(np.sum(np.square(hub))))
    return hub, authority


def reached(np, links):
    """What can be reached from where: paths of twice the length at each step."""
    paths = np.logical_or(np.greater(links, 0), np.eye(links.shape[0], dtype=bool))
    while True:
        longer = np.matmul(paths, paths)
        if np.all(np.equal(longer, paths)):
            return paths
        paths = longer


def groups(np, paths):
    """For each page, the least of those that reach it and that it reaches."""
    mutual = np.logical_and(paths, np.transpose(paths))
    return np.argmax(mutual, axis=1)


def strengths(np, wins, steps=80):
    """Bradley and Terry's: who is twice as strong wins twice as often."""
    strength = np.ones(wins.shape[0])
    games = np.add(wins, np.transpose(wins))
    for _ in range(steps):
        share = np.divide(games, np.add.outer(strength, strength))
        strength = np.divide(np.sum(wins, axis=1), np.sum(share, axis=1))
        strength = np.divide(strength, np.prod(strength) ** (1 / wins.shape[0]))
    return strength


def main(np):
    links = table(np, [(*link, 1) for link in LINKS], COUNT)
    rank, steps = pagerank(np, links)
    paths = reached(np, links)
    strength = strengths(np, table(np, GAMES, 4))
    return {
        "links": links,
        "rank": rank,
        "steps": steps,
        "order": np.argsort(np.negative(np.round(rank, 9)), stable=True),
        "hubs": hubs(np, links),
        "paths": paths,
        "groups": groups(np, paths),
        "strengths": [strength, np.argsort(strength), np.round(np.multiply(400, np.log10(strength)))],
    }
