"""The part of a script that puts a call into a Keras layer, the replicas of a strategy, or the body of a loop."""

from __future__ import annotations

from collections.abc import Sequence

SPLIT = (
    'tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], '
    "[tf.config.LogicalDeviceConfiguration()] * 2)"
)
TRACED = "function = tf.function(run, autograph=False)"


def define_in_layer(names: Sequence[str], call: str, *, is_model: bool) -> list[str]:
    """Return the lines that define `function` as a call in a Keras layer, inside a functional model if `is_model`."""
    inputs = "[tf.keras.Input(batch_shape=tensor.shape, dtype=tensor.dtype) for tensor in tensors]"
    called = "tf.keras.Model(inputs, layer(inputs))" if is_model else "layer"
    return [
        "class Layer(tf.keras.layers.Layer):",
        "    def call(self, tensors):",
        f"        [{', '.join(names)}] = tensors",
        f"        return {call}",
        "tf.keras.config.disable_traceback_filtering()  # which raises other errors in the place of these",
        "layer = Layer(autocast=False)",
        "def run(*tensors):",
        *([f"    inputs = {inputs}"] if is_model else []),
        f"    return {called}(list(tensors))",
        TRACED,
    ]


def define_in_replicas(names: Sequence[str], call: str) -> list[str]:
    """Return the lines that define `function` as a call in two replicas; it returns both results."""
    result = "tf.nest.map_structure(lambda each: strategy.experimental_local_results(each)[at], both)"
    return [
        SPLIT,
        'strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])',
        f"one = lambda{_parameters(names)}: {call}",
        "def run(*tensors):",
        "    both = strategy.run(one, args=tensors)",
        f"    return [{result} for at in (0, -1)]",
        TRACED,
    ]


def define_in_loop(names: Sequence[str], call: str, written: Sequence[str]) -> list[str]:
    """Return the lines that define `function` as a call in a loop of two iterations, both from the same variables.

    The call must not return None.
    """
    starts = [f"    starts = [{', '.join(f'tf.identity({name})' for name in written)}]"] if written else []
    restored = [f"        {name}.assign(starts[{at}])" for at, name in enumerate(written)]
    zeros = "lambda spec: tf.zeros([side or 0 for side in spec.shape.as_list()], spec.dtype)"
    shapes = "tf.nest.map_structure(lambda spec: spec.shape, specs)"
    loop = "tf.while_loop(lambda count, *_: count < 2, turn, start, shape_invariants=shapes)[2]"
    return [
        f"one = lambda{_parameters(names)}: {call}",
        "def run(*given):",
        "    def turn(count, given, _):",
        *restored,
        "        return count + 1, given, one(*given)",
        *starts,
        "    alone = tf.function(one, autograph=False)",
        "    alone = alone.get_concrete_function(*(tf.TensorSpec(each.shape, each.dtype) for each in given))",
        "    specs = alone.structured_outputs",
        f"    start = (0, list(given), tf.nest.map_structure({zeros}, specs))",
        f"    shapes = (tf.TensorShape([]), [each.shape for each in given], {shapes})",
        f"    return {loop}",
        TRACED,
    ]


def _parameters(names: Sequence[str]) -> str:
    return f" {', '.join(names)}" if names else ""
