"""Shortest paths: all at once by Floyd and Warshall, by powers, and from one place by Bellman and Ford."""

ROADS = [(0, 1, 7), (0, 2, 9), (0, 5, 14), (1, 2, 10), (1, 3, 15), (2, 3, 11), (2, 5, 2), (3, 4, 6), (4, 5, 9)]
FERRIES = [(6, 7, 3)]
COUNT = 8


def lengths(np, roads, count):
    """The lengths of the roads as a matrix, infinite where there is none."""
    starts, ends, sizes = np.unstack(np.array(roads, dtype=np.float64), axis=1)
    places = np.astype(np.add(np.multiply(starts, count), ends), np.int64)
    wanted = np.equal.outer(np.arange(count * count), places)
    one_way = np.reshape(np.min(np.where(wanted, sizes, np.inf), axis=1), (count, count))
    both = np.minimum(one_way, np.transpose(one_way))
    return np.where(np.eye(count, dtype=bool), 0.0, both)


def floyd_warshall(np, roads):
    """Distances, and for each pair the first place on the way."""
    count = roads.shape[0]
    following = np.where(np.isfinite(roads), np.arange(count), -1)
    for middle in range(count):
        way = np.add(roads[:, middle : middle + 1], roads[middle : middle + 1, :])
        shorter = np.less(way, roads)
        roads = np.where(shorter, way, roads)
        following = np.where(shorter, following[:, middle : middle + 1], following)
    return roads, following


def by_powers(np, roads):
    """Distances by products in which a minimum stands for the sum and a sum for the product."""
    for _ in range(roads.shape[0].bit_length()):
        roads = np.min(np.add(np.expand_dims(roads, 2), roads), axis=1)
    return roads


def bellman_ford(np, roads, start):
    """Distances from one place, and after how many rounds nothing changed."""
    distance = np.where(np.equal(np.arange(roads.shape[0]), start), 0.0, np.inf)
    for number in range(roads.shape[0]):
        new = np.min(np.add(np.expand_dims(distance, 1), roads), axis=0)
        if np.array_equal(new, distance):
            return distance, number
        distance = new
    return distance, -1


def dijkstra(np, roads, start):
    """The same, nearest place first; and the order of the places."""
    count = roads.shape[0]
    distance = np.where(np.equal(np.arange(count), start), 0.0, np.inf)
    is_open = np.ones(count, dtype=bool)
    order = []
    for _ in range(count):
        place = int(np.argmin(np.where(is_open, distance, np.nan_to_num(np.inf))))
        order.append(place)
        is_open = np.logical_and(is_open, np.not_equal(np.arange(count), place))
        distance = np.minimum(distance, np.add(distance[place], roads[place]))
    return distance, order


def way(np, following, start, end):
    """The places on the shortest way."""
    places = [start]
    while start != end and int(following[start, end]) >= 0:
        start = int(following[start, end])
        places.append(start)
    return places


def tree(np, roads):
    """Prim's: the cheapest roads that keep connected what is, as the length of the road that joins each place."""
    count = roads.shape[0]
    cost = np.where(np.equal(np.arange(count), 0), 0.0, np.inf)
    is_open = np.ones(count, dtype=bool)
    for _ in range(count):
        place = int(np.argmin(np.where(is_open, cost, 1e9)))
        is_open = np.logical_and(is_open, np.not_equal(np.arange(count), place))
        cost = np.where(is_open, np.minimum(cost, roads[place]), cost)
    return cost


def main(np):
    roads = lengths(np, ROADS + FERRIES, COUNT)
    distances, following = floyd_warshall(np, roads)
    finite = np.where(np.isfinite(distances), distances, -1.0)
    return {
        "roads": roads,
        "distances": distances,
        "following": following,
        "powers": np.array_equal(by_powers(np, roads), distances),
        "from one": [bellman_ford(np, roads, start) for start in (0, 3, 6)],
        "nearest first": dijkstra(np, roads, 0),
        "ways": [way(np, following, 0, 4), way(np, following, 5, 1), way(np, following, 0, 7)],
        "farthest": [np.max(finite, axis=1), np.argmax(finite, axis=1), np.min(np.max(finite, axis=1)[:6])],
        "tree": tree(np, roads),
        "closeness": np.divide(5, np.sum(np.maximum(finite, 0), axis=1)),
    }
