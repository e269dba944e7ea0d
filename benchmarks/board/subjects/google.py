"""Mechanisms of PyDP on doubles: 0 against 1."""

import pydp.algorithms.numerical_mechanisms as mechanisms

from dpcert.libraries import pydp

laplace = pydp.noised(mechanisms.LaplaceMechanism(1.0, 1.0), inputs=[0.0, 1.0])
gaussian = pydp.noised(mechanisms.GaussianMechanism(1.0, 1e-6, 1.0), inputs=[0.0, 1.0])
