"""What is measured, group by group."""

from __future__ import annotations

from tests.benchmarks.groups import compiled, headlines, overhead, random, scale
from tests.benchmarks.measurement import Group

GROUPS: dict[str, Group] = {
    "overhead": overhead.GROUP,
    "scale": scale.GROUP,
    "compiled": compiled.GROUP,
    "random": random.GROUP,
    "headlines": headlines.GROUP,
}
