"""# Two devices

`tf.distribute.MirroredStrategy` keeps a copy of each variable on each device, here on two logical CPUs. Each replica
calculates the gradient of its part of the batch; an assignment to a mirrored variable updates every copy.

```text
replicas: 2
weights: [1.0, -2.0, 0.5]
copies agree: True
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()


def loss(weights, x, y):
    """Return the mean squared error of a linear model."""
    return np.mean(np.square(np.matmul(x, weights) - y))


def make_strategy():
    """Return a strategy over two logical CPUs, which must be made before TensorFlow starts."""
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def train(strategy, x, y, rate, steps):
    """Return mirrored weights after some steps of gradient descent."""
    with strategy.scope():
        weights = tf.Variable(np.zeros(x.shape[1]), aggregation=tf.VariableAggregation.MEAN)

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            value = loss(weights, x, y)
        weights.assign_sub(rate * tape.gradient(value, weights))

    @tf.function
    def step(x, y):
        strategy.run(replica_step, (x, y))

    half = len(x) // 2
    shares = [
        strategy.experimental_distribute_values_from_function(
            lambda context, value=value: value[context.replica_id_in_sync_group * half :][:half]
        )
        for value in (x, y)
    ]
    for _ in range(steps):
        step(*shares)
    return weights


def main():
    strategy = make_strategy()
    x = np.random.default_rng(0).standard_normal((40, 3))
    weights = train(strategy, x, x @ np.array([1.0, -2.0, 0.5]), rate=0.3, steps=60)
    print("replicas:", strategy.num_replicas_in_sync)
    print("weights:", np.round(weights, 3).tolist())
    first, second = strategy.experimental_local_results(weights)
    print("copies agree:", bool(np.array_equal(first, second)))


if __name__ == "__main__":
    main()
