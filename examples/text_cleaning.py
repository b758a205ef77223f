"""# Text cleaning

`tf.string` tensors hold UTF-8 text of any length; `np.strings` works on them element by element, on the CPU. Text goes
in by `tf.constant`.

```text
['tensorflow', 'numpy', 'zürich', '']
[10, 5, 6, 0]
[False, True, False, False]
```
"""

import tensorflow as tf

import tfnp as np

np.experimental_enable_numpy_behavior()

WORDS = ["  TensorFlow! ", "numpy", "Zürich?\t", "  "]


def clean(words):
    """Return words in lower case, without surrounding blanks and trailing punctuation."""
    return np.strings.lower(np.strings.rstrip(np.strings.strip(words), "!?."))


def describe(words):
    """Return the lengths of cleaned words, and which begin with "num"."""
    cleaned = clean(words)
    return cleaned, np.strings.str_len(cleaned), np.strings.startswith(cleaned, "num")


def main():
    cleaned, lengths, starts = describe(tf.constant(WORDS))
    print([word.decode() for word in cleaned.numpy()])
    print(lengths.tolist())
    print(starts.tolist())


if __name__ == "__main__":
    main()
