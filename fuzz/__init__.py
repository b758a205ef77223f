"""The fuzzer: it invents calls of NumPy's API and has the oracle judge them."""
