"""# Conway's Game of Life

Tensors never change, so a step returns a new world. Neighbours are counted with `np.roll` on a torus. The loop runs
over a Python range and is unrolled in a graph; [`ode.py`](ode.md) shows a loop that is not.

```text
.#...
..#..
###..
.....
.....

.....
..#..
...#.
.###.
.....
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()

SHIFTS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def step(world):
    """Return the next generation."""
    neighbours = sum(np.roll(world, shift, axis=(0, 1)) for shift in SHIFTS)
    return ((neighbours == 3) | ((world == 1) & (neighbours == 2))).astype(world.dtype)


def play(world, steps):
    """Return the world after some generations."""
    for _ in range(steps):
        world = step(world)
    return world


def main():
    glider = np.pad(np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]]), ((0, 2), (0, 2)))
    worlds = [play(glider, steps).tolist() for steps in (0, 4)]
    print("\n\n".join("\n".join("".join(".#"[cell] for cell in row) for row in world) for world in worlds))


if __name__ == "__main__":
    main()
