# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # A matrix that is sparse and of low rank, from noisy observations
# Garber, Kaplan (AISTATS 2019), section 5, at a small size: min 1/2 ||X - E M||_F^2 + lambda ||X||_1 over ||X||_* <= tau,
# the l1 norm smoothed. Draws of M are noisy; SVRGCG (gcg with svrg) takes few of them and computes singular vectors of
# the rank of the solution alone. Figures: docs/papers/gk.

# %%
import numpy as np

import claros

d, rank = 60, 2
rng = np.random.default_rng(2)
Y = rng.integers(1, 11, size=(d, rank)) * (rng.uniform(size=(d, rank)) < 1 / np.sqrt(d))
truth = (Y @ Y.T).astype(float)
np.save("mean.npy", truth + rng.normal(size=(d, d)))
eps = 0.01 * np.sum(truth**2)

# %% Every draw is M_0 + 5 Q, Q of independent normal numbers
problem = dict(
    objective={"use": "noisy-matrix", "data": "mean.npy", "sigma": 5},
    smoother={"use": "huber-l1", "lambda": 2, "mu": eps / d**2},
    set={"use": "nuclear-ball", "radius": float(np.trace(truth))},
)
svrgcg = {"use": "gcg", "rank": rank, "batch": "theory", "length": "theory", "variance": 25.0 * d**2}
results = claros.compare({
    "SVRGCG": {"algorithm": svrgcg, "estimator": "svrg", "stop": {"iterations": 120}},
    "SCG": {"algorithm": "frank-wolfe", "estimator": {"use": "sg", "batch": 200}, "stop": {"iterations": 120}},
}, **problem)

# %% The expectation is known, so values and gaps are exact
print(f"{'method':8} {'value':>10} {'gap':>9} {'draws':>8} {'error':>7}")
for name, result in results.items():
    error = np.linalg.norm(result.x - truth) / np.linalg.norm(truth)
    print(f"{name:8} {result.value:10.2f} {result.gap:9.3f} {result.counts['sfo']:8.0f} {error:7.3f}")

# %% SVRGCG ends nearer to the minimum, with fewer draws
assert results["SVRGCG"].value < results["SCG"].value
assert results["SVRGCG"].counts["sfo"] < results["SCG"].counts["sfo"]
