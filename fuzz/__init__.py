"""The fuzzer: it generates calls of NumPy's API and has the oracle judge them."""
