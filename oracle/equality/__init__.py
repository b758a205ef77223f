"""Comparison of results by the mathematics of functions.

`numeric` compares element by element. A checker of whole results is a function `(case, expected, actual) -> Check`.
"""
