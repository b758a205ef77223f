"""# A calibration table

Interpolation in a table of measurements, and its inverse. `np.interp` has gradients, so a table can be part of a model.

```text
12.0 mV is 31.0 degrees; 31 degrees are 12.0 mV
outside the table: [0.0, 100.0]
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()

MILLIVOLTS = [0.0, 4.0, 10.0, 18.0, 40.0]
DEGREES = [0.0, 10.0, 25.0, 49.0, 100.0]


def to_degrees(millivolts):
    """Return temperatures between those of the table."""
    return np.interp(millivolts, np.array(MILLIVOLTS), np.array(DEGREES))


def to_millivolts(degrees):
    """Return the voltage of the sensor at temperatures."""
    return np.interp(degrees, np.array(DEGREES), np.array(MILLIVOLTS))


def segments(millivolts):
    """Return the row of the table to which each value belongs."""
    return np.clip(np.searchsorted(np.array(MILLIVOLTS), millivolts, side="right") - 1, 0, len(MILLIVOLTS) - 2)


def main():
    warm = to_degrees(np.asarray(12.0))
    print(f"12.0 mV is {float(warm)} degrees; 31 degrees are {float(to_millivolts(warm))} mV")
    print("outside the table:", to_degrees(np.array([-5.0, 70.0])).tolist())


if __name__ == "__main__":
    main()
