"""Comparison of results by the mathematics of functions.

`numeric` compares element by element. A checker of whole results is a function of a case, the expected and the actual
outcome, which returns a `CheckResult`.
"""
