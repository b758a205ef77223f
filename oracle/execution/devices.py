"""Device set-up: the names of devices, and what must be configured before TensorFlow's runtime starts."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache, lru_cache
from typing import Any

from oracle.modes import FIRST_DEVICE

OVER_NETWORK = "job:"
"""What the name of a device of another process begins with: `job:worker/replica:0/task:0/device:CPU:0`."""

REPLICAS = ("CPU:0", "CPU:1")
"""The devices that a strategy's replicas run on."""
NEEDED = {"strategy": REPLICAS}
"""The devices that modes need, wherever they run."""

_SERVERS: list[Any] = []  # a server ends with the last reference to it


def list_devices() -> list[str]:
    """Return the devices TensorFlow reports, as modes name them. Starts its runtime."""
    import tensorflow as tf

    names = [device.name.removeprefix("/device:").removeprefix("/") for device in tf.config.list_logical_devices()]
    return [name for name in names if name.startswith(("CPU:", "GPU:", "TPU:", OVER_NETWORK))]


@cache
def has_replicas() -> bool:
    """Return whether TensorFlow has the devices that replicas run on; configure them if it has not started yet."""
    import tensorflow as tf

    cpu, count = tf.config.list_physical_devices("CPU")[0], len(REPLICAS)
    if len(tf.config.get_logical_device_configuration(cpu) or ()) < count:
        with suppress(RuntimeError):  # it has started
            _split_cpu(count)
    return len(tf.config.list_logical_devices("CPU")) >= count


def _split_cpu(count: int) -> None:
    """Configure `count` logical CPUs. Raises RuntimeError if TensorFlow has started with another number."""
    import tensorflow as tf

    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [one] * count)


def needed_devices(modes: Iterable[str], devices: Sequence[str]) -> tuple[str, ...]:
    """Return these devices, and those that the modes need beside them. A mode may include its device."""
    needed = [device for mode in modes for device in NEEDED.get(mode.partition("@")[0], ())]
    return tuple(dict.fromkeys((*devices, *needed)))


def configure_devices(devices: Sequence[str]) -> None:
    """Configure these devices before TensorFlow's runtime starts: logical CPUs, GPUs with memory growth, one thread
    each.

    A device whose name begins with a job belongs to a worker that this process serves over loopback; data are sent to
    it as to a remote machine.
    """
    import tensorflow as tf

    cpus = max([int(device[4:]) + 1 for device in devices if device.startswith("CPU:")], default=1)
    if cpus > 1:
        _split_cpu(cpus)
    gpus = tf.config.list_physical_devices("GPU")
    if any(device.startswith("GPU:") for device in devices):
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    elif gpus:
        tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    for job in dict.fromkeys(find_job(device) for device in devices if device.startswith(OVER_NETWORK)):
        serve(job)


def find_job(device: str) -> str:
    """Return the job in a device's name."""
    return device.removeprefix(OVER_NETWORK).partition("/")[0]


def serve(job: str) -> None:
    """Serve a job of one task, and connect to it. Starts the runtime.

    Each eager op waits for its result. Otherwise TensorFlow reports an op's error at a later op, or never, and loses
    what was sent in between, so that the failing call is unknown.
    """
    import tensorflow as tf

    os.environ["TF_ENABLE_EAGER_CLIENT_STREAMING_ENQUEUE"] = "false"
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        cluster = {job: [f"127.0.0.1:{listener.getsockname()[1]}"]}
    _SERVERS.append(tf.distribute.Server(cluster, job_name=job, task_index=0))
    tf.config.experimental_connect_to_cluster(tf.train.ClusterSpec(cluster), job_name="localhost")


@lru_cache(maxsize=64)
def make_scope(device: str) -> Callable[[], AbstractContextManager[Any]]:
    """Return a factory of scopes for a device; for the default device they do nothing."""
    import tensorflow as tf

    if device == FIRST_DEVICE and not tf.config.get_visible_devices("GPU"):
        return nullcontext
    name = f"/{device}" if device.startswith(OVER_NETWORK) else device
    return lambda: tf.device(name)
