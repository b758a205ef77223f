"""`numpy.random`, a name a line: the functions and classes of `tfnp.random`, lifted."""

from __future__ import annotations

import tfnp
from tfnp.numpy.lifting import lift_function, lift_write
from tfnp.numpy.random.generators import (
    MT19937,
    PCG64,
    PCG64DXSM,
    SFC64,
    BitGenerator,
    Generator,
    Philox,
    RandomState,
    TensorFlowPhilox,
    lift_default,
    lift_draw,
    lift_selection,
)
from tfnp.random import SeedSequence

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "BitGenerator",
    "Generator",
    "Philox",
    "RandomState",
    "SeedSequence",
    "TensorFlowPhilox",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]

beta = lift_draw(tfnp.random.beta)
binomial = lift_draw(tfnp.random.binomial)
bytes = lift_function(tfnp.random.bytes)
chisquare = lift_draw(tfnp.random.chisquare)
choice = lift_selection(tfnp.random.choice)
default_rng = lift_default(tfnp.random.default_rng)
dirichlet = lift_draw(tfnp.random.dirichlet)
exponential = lift_draw(tfnp.random.exponential)
f = lift_draw(tfnp.random.f)
gamma = lift_draw(tfnp.random.gamma)
geometric = lift_draw(tfnp.random.geometric)
get_state = lift_function(tfnp.random.get_state)
gumbel = lift_draw(tfnp.random.gumbel)
hypergeometric = lift_draw(tfnp.random.hypergeometric)
laplace = lift_draw(tfnp.random.laplace)
logistic = lift_draw(tfnp.random.logistic)
lognormal = lift_draw(tfnp.random.lognormal)
logseries = lift_draw(tfnp.random.logseries)
multinomial = lift_draw(tfnp.random.multinomial)
multivariate_normal = lift_draw(tfnp.random.multivariate_normal)
negative_binomial = lift_draw(tfnp.random.negative_binomial)
noncentral_chisquare = lift_draw(tfnp.random.noncentral_chisquare)
noncentral_f = lift_draw(tfnp.random.noncentral_f)
normal = lift_draw(tfnp.random.normal)
pareto = lift_draw(tfnp.random.pareto)
permutation = lift_selection(tfnp.random.permutation)
poisson = lift_draw(tfnp.random.poisson)
power = lift_draw(tfnp.random.power)
rand = lift_draw(tfnp.random.rand)
randint = lift_draw(tfnp.random.randint)
randn = lift_draw(tfnp.random.randn)
random = lift_draw(tfnp.random.random)
random_integers = lift_draw(tfnp.random.random_integers)
random_sample = lift_draw(tfnp.random.random_sample)
ranf = lift_draw(tfnp.random.ranf)
rayleigh = lift_draw(tfnp.random.rayleigh)
sample = lift_draw(tfnp.random.sample)
seed = lift_function(tfnp.random.seed)
set_state = lift_function(tfnp.random.set_state)
shuffle = lift_write(tfnp.random.shuffle)
standard_cauchy = lift_draw(tfnp.random.standard_cauchy)
standard_exponential = lift_draw(tfnp.random.standard_exponential)
standard_gamma = lift_draw(tfnp.random.standard_gamma)
standard_normal = lift_draw(tfnp.random.standard_normal)
standard_t = lift_draw(tfnp.random.standard_t)
triangular = lift_draw(tfnp.random.triangular)
uniform = lift_draw(tfnp.random.uniform)
vonmises = lift_draw(tfnp.random.vonmises)
wald = lift_draw(tfnp.random.wald)
weibull = lift_draw(tfnp.random.weibull)
zipf = lift_draw(tfnp.random.zipf)
