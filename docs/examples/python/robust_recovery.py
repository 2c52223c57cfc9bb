# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # Robust recovery of a matrix of low rank
# Shen, Fang, Zhao, Huang, Qian (AISTATS 2019), section 6, at a small size: a tenth of the entries of a 200 x 200 matrix
# of rank 5 are known, one in twenty of them is wrong by up to 10. The loss is bounded, not convex; Frank-Wolfe steps
# follow stochastic gradients, with and without a correction by the curvature. Figures: docs/papers/sfz.

# %%
import numpy as np

import claros

rng = np.random.default_rng(0)
U, _ = np.linalg.qr(rng.normal(size=(200, 5)))
V, _ = np.linalg.qr(rng.normal(size=(200, 5)))
truth = U * (50 * 0.5 ** np.arange(5)) @ V.T
i, j = np.divmod(rng.permutation(200 * 200)[:4000], 200)
values = truth[i, j]
wrong = rng.uniform(size=4000) < 0.05
values[wrong] += rng.uniform(-10, 10, size=wrong.sum())
data = claros.ratings(i, j, values, shape=(200, 200))

# %% Twenty epochs of fifty steps, batches of 80 entries
problem = dict(
    objective={"use": "matrix-completion", "loss": {"use": "robust", "sigma": 1}},
    set={"use": "nuclear-ball", "radius": 100},
    algorithm={"use": "nfwu", "step": "normalized", "eta": 2.5},
    stop={"epochs": 20},
    data=data,
)
estimators = {name: {"estimator": {"use": name, "batch": 80, "epoch": 50}} for name in ("svrg", "spider", "casvrg", "caspider")}
results = claros.compare(estimators, **problem)

# %% Errors against the truth, also of the mean of the known entries everywhere
errors = {name: np.sqrt(np.mean((result.x - truth) ** 2)) for name, result in results.items()}
print(f"{'estimator':10} {'RMSE':>7} {'gap':>8} {'rank':>5}")
for name, result in results.items():
    print(f"{name:10} {errors[name]:7.4f} {result.gap:8.4f} {len(result.s):5}")
nothing = np.sqrt(np.mean((values.mean() - truth) ** 2))
print(f"{'the mean':10} {nothing:7.4f}")

# %% The estimators with curvature have the smaller gaps
assert max(results["casvrg"].gap, results["caspider"].gap) < min(results["svrg"].gap, results["spider"].gap)
assert errors["caspider"] < nothing
