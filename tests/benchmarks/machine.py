"""What the figures depend on: the processor, its cores, and the versions of what is measured."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("tfnp", "tensorflow", "numpy", "jax")


def describe_machine(threads: str) -> dict[str, str]:
    """Return what to name beside figures; nothing that tells whose machine it is."""
    import tensorflow as tf

    found = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "threads": "1" if threads == "1" else "one for each core",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
    accelerators = tf.config.get_visible_devices("GPU")
    details = [tf.config.experimental.get_device_details(device) for device in accelerators]
    found["accelerators"] = ", ".join(detail.get("device_name", "GPU") for detail in details) or "none"
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    """Return the processor's model, with what tells models of one name apart."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    facts: dict[str, str] = {}
    for line in lines:
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    model = facts.get("model name", platform.processor() or "unknown")
    family = ", ".join(f"{key} {facts[key]}" for key in ("cpu family", "model") if key in facts)
    instructions = [flag for flag in ("avx2", "avx512f") if flag in facts.get("flags", "").split()]
    return f"{model} ({', '.join(filter(None, [family, *instructions]))})"


def use_one_core() -> None:
    """Pin the process to one core: every library then has one thread. Call it before any of them is imported."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["OMP_NUM_THREADS"] = "1"
