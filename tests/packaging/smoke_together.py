"""What must work where tfnp was installed with its extra `fuzz`: it is judged, in eager mode and in a graph."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

WORDS = ("--subject", "tfnp", "--modes", "eager,graph", "--cases", "20", "--seed", "1", "--jobs", "1", "--out", "run")


def main() -> None:
    """Judge a function, and print the versions."""
    done = subprocess.run([sys.executable, "-m", "fuzz", "run", "cumsum", *WORDS], check=False)
    assert done.returncode == 0, done.returncode
    print("works:", ", ".join(f"{name} {metadata.version(name)}" for name in ("tfnp", "array-oracle")), "together")


if __name__ == "__main__":
    main()
