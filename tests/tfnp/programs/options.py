"""Options priced on trees, and how prices answer to what they hang on."""

SPOT, RATE, VOLATILITY, TIME = 100.0, 0.05, 0.2, 1.0


def factors(np, steps):
    """Cox, Ross and Rubinstein's: how far the price goes up in a step, how likely, and what money is worth after it."""
    length = TIME / steps
    up = np.exp(np.multiply(VOLATILITY, np.sqrt(length)))
    growth = np.exp(np.multiply(RATE, length))
    chance = np.divide(np.subtract(growth, np.reciprocal(up)), np.subtract(up, np.reciprocal(up)))
    return up, chance, np.reciprocal(growth)


def prices(np, up, step, spot):
    """What the share may cost after so many steps."""
    return np.multiply(spot, np.power(up, np.subtract(np.multiply(2.0, np.arange(step + 1)), float(step))))


def payoff(np, share, strikes, sign):
    """What a call, of sign one, or a put, of minus one, is worth at its end: a strike a row."""
    return np.maximum(np.multiply(sign, np.subtract(share, np.expand_dims(strikes, 1))), 0.0)


def value(np, strikes, sign, steps, spot=SPOT, *, early=False, barrier=None):
    """Options for several strikes, from the leaves of the tree to its root."""
    up, chance, discount = factors(np, steps)
    worth = payoff(np, prices(np, up, steps, spot), strikes, sign)
    for step in range(steps - 1, -1, -1):
        kept = np.add(np.multiply(chance, worth[:, 1:]), np.multiply(np.subtract(1, chance), worth[:, :-1]))
        worth = np.multiply(discount, kept)
        share = prices(np, up, step, spot)
        if early:
            worth = np.maximum(worth, payoff(np, share, strikes, sign))
        if barrier is not None:
            worth = np.where(np.less(share, barrier), worth, 0.0)
    return worth[:, 0]


def greeks(np, strikes, sign, steps):
    """How the price answers to the share's: at once, and how that answer changes."""
    shift = 1.0
    below, here, above = (value(np, strikes, sign, steps, SPOT + change) for change in (-shift, 0.0, shift))
    delta = np.divide(np.subtract(above, below), 2 * shift)
    gamma = np.divide(np.add(np.subtract(above, np.multiply(2, here)), below), shift**2)
    return delta, gamma


def implied(np, strikes, wanted, sign, steps):
    """By halving: the spot price at which options have a wanted value."""
    low, high = np.full(strikes.shape, 50.0), np.full(strikes.shape, 200.0)
    for _ in range(12):
        middle = np.divide(np.add(low, high), 2)
        found = np.concatenate([value(np, strikes[i : i + 1], sign, steps, middle[i]) for i in range(len(strikes))])
        is_low = np.less(found, wanted)
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return low, high


def main(np):
    strikes = np.array([80.0, 95.0, 100.0, 110.0, 130.0])
    steps = 30
    call, put = value(np, strikes, 1, steps), value(np, strikes, -1, steps)
    american = value(np, strikes, -1, steps, early=True)
    parity = np.subtract(np.subtract(call, put), np.subtract(SPOT, np.multiply(strikes, np.exp(-RATE * TIME))))
    means = [value(np, strikes, 1, count) for count in (4, 8, 16)]
    return {
        "call": call,
        "put": put,
        "american": american,
        "premium": np.greater(np.subtract(american, put), 1e-6),
        "parity": np.round(parity, 9),
        "barrier": value(np, strikes, 1, steps, barrier=130.0),
        "greeks": greeks(np, strikes, 1, steps),
        "implied": implied(np, strikes[1:3], np.array([10.0, 5.0]), 1, 4),
        "limits": [np.stack(means), np.diff(np.stack(means), axis=0)],
        "convex": np.all(np.greater(np.diff(call, n=2), -10)),
    }
