"""# A low-pass filter in the frequency domain

Transform, set the coefficients above a frequency to zero, transform back. The result has a gradient with respect to the
signal.

```text
noise before: 0.498, after: 0.105
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def low_pass(signal, highest, rate):
    """Return the signal without frequencies above `highest`, for `rate` samples a second."""
    spectrum = np.fft.rfft(signal)
    frequencies = np.fft.rfftfreq(signal.shape[-1], 1 / rate)
    return np.fft.irfft(np.where(frequencies <= highest, spectrum, 0), n=signal.shape[-1])


def main():
    time = np.linspace(0, 1, 400, endpoint=False)
    clean = np.sin(2 * np.pi * 5 * time)
    noisy = clean + 0.5 * np.random.default_rng(0).standard_normal(400)
    filtered = low_pass(noisy, highest=10, rate=400)
    print(f"noise before: {np.std(noisy - clean):.3f}, after: {np.std(filtered - clean):.3f}")


if __name__ == "__main__":
    main()
