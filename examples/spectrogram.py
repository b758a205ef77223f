"""# A spectrogram

Cut a signal into overlapping frames by an array of indices, weigh each by a window, and transform all of them at once.

```text
(17, 65)
loudest frequency at the start: 100 Hz, at the end: 320 Hz
```
"""

import tfnp as np

np.experimental_enable_numpy_behavior()


def spectrogram(signal, length, step):
    """Return the power of each frame, by frequency."""
    starts = np.arange(0, signal.shape[0] - length + 1, step)
    frames = signal[starts[:, None] + np.arange(length)]
    return np.abs(np.fft.rfft(frames * np.hanning(length), axis=-1)) ** 2


def main():
    rate, length = 1280, 128
    time = np.arange(1152) / rate
    signal = np.where(time < 0.45, np.sin(2 * np.pi * 100 * time), np.sin(2 * np.pi * 320 * time))
    power = spectrogram(signal, length, 64)
    loudest = np.fft.rfftfreq(length, 1 / rate)[np.argmax(power, axis=1)]
    print(power.shape)
    print(f"loudest frequency at the start: {loudest[0]:.0f} Hz, at the end: {loudest[-1]:.0f} Hz")


if __name__ == "__main__":
    main()
