"""How close is close: families of functions, and the measured table of distances."""
