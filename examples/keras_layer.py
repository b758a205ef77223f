"""# A Keras layer

A layer whose `call` is written with NumPy's functions, which accept Keras variables, gradients included. The model is
compiled, trained and traced by Keras like any other.

```text
parameters: 5
loss fell: True
```
"""

import keras

import tfnp as np

np.experimental_enable_numpy_behavior()


class Normalised(keras.layers.Layer):
    """A linear layer on inputs that are centered and scaled, example by example."""

    def __init__(self, units, **options):
        super().__init__(**options)
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="ones", name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, x):
        centered = x - np.mean(x, axis=-1, keepdims=True)
        scaled = centered / np.sqrt(np.mean(np.square(centered), axis=-1, keepdims=True) + 1e-6)
        return np.add(np.matmul(scaled, self.w), self.b)

    def get_config(self):
        return super().get_config() | {"units": self.units}


def make_model():
    """Return a compiled model of the layer alone."""
    model = keras.Sequential([keras.Input((4,)), Normalised(1)])
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
    return model


def main():
    x = np.random.default_rng(0).standard_normal((64, 4), dtype="float32")
    y = np.tanh(x @ np.array([[1.0], [-1.0], [0.5], [0.0]], dtype="float32"))
    model = make_model()
    losses = model.fit(x, y, epochs=3, batch_size=16, shuffle=False, verbose=0).history["loss"]
    print("parameters:", model.count_params())
    print("loss fell:", losses[-1] < losses[0])


if __name__ == "__main__":
    main()
