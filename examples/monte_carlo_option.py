"""# The price of an option, by simulation

A European call by Monte Carlo, and its delta as the gradient of the price with respect to that of the stock. From the
same seed, tfnp draws NumPy's own numbers.

```text
price: 10.48, delta: 0.64
Black and Scholes: 10.45
```
"""

import math

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def price(stock, strike, rate, volatility, years, normals):
    """Return the discounted mean payoff over simulated final prices."""
    final = stock * np.exp((rate - volatility**2 / 2) * years + volatility * np.sqrt(years) * normals)
    return np.exp(-rate * years) * np.mean(np.maximum(final - strike, 0))


def black_scholes(stock, strike, rate, volatility, years):
    """Return the exact price."""
    d1 = (math.log(stock / strike) + (rate + volatility**2 / 2) * years) / (volatility * math.sqrt(years))
    d2 = d1 - volatility * math.sqrt(years)
    cumulative = [(1 + math.erf(d / math.sqrt(2))) / 2 for d in (d1, d2)]
    return stock * cumulative[0] - strike * math.exp(-rate * years) * cumulative[1]


def main():
    normals = np.random.default_rng(0).standard_normal(20_000)
    stock = tf.Variable(np.asarray(100.0))
    with tf.GradientTape() as tape:
        value = price(stock, 100.0, 0.05, 0.2, 1.0, normals)
    print(f"price: {value:.2f}, delta: {tape.gradient(value, stock):.2f}")
    print(f"Black and Scholes: {black_scholes(100.0, 100.0, 0.05, 0.2, 1.0):.2f}")


if __name__ == "__main__":
    main()
