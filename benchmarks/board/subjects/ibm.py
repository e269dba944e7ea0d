"""Mechanisms of diffprivlib that release floats: 0 against 1."""

from diffprivlib.mechanisms import Gaussian, GaussianAnalytic, GaussianDiscrete, Laplace

from dpcert.libraries import diffprivlib

laplace = diffprivlib.target(Laplace(epsilon=1.0, sensitivity=1), inputs=[0.0, 1.0])
gaussian = diffprivlib.target(Gaussian(epsilon=1.0, delta=1e-6, sensitivity=1), inputs=[0.0, 1.0])
analytic = diffprivlib.target(GaussianAnalytic(epsilon=1.0, delta=1e-6, sensitivity=1), inputs=[0.0, 1.0])
discrete = diffprivlib.target(GaussianDiscrete(epsilon=1.0, delta=0.15, sensitivity=1), inputs=[0, 1])
