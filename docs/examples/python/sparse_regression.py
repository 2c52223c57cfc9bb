# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # Sparse regression by Prox-SVRG
# Qu, Li, Xu (2017), section 4, at a small size: the Lasso and SCAD on correlated rows, by Prox-SVRG, SAGA, the composite
# gradient method and stochastic gradients. Variance reduction keeps a linear rate where rows are correlated.
# Figures: docs/papers/qlx.

# %%
import numpy as np

import claros

n, p, r = 500, 1000, 10
rng = np.random.default_rng(3)
common = rng.normal(size=(n, 1))
X = np.sqrt(0.6) * rng.normal(size=(n, p)) + np.sqrt(0.4) * common  # correlation 0.4
truth = np.zeros(p)
truth[rng.permutation(p)[:r]] = rng.choice([-1.0, 1.0], size=r)
data = claros.rows(X, X @ truth + rng.normal(size=n))
factor = 2 * np.sqrt(np.log(p) / n)

# %% The minimum, to a gap of 1e-10, and four methods with the same 100 passes
lasso = dict(objective="linear-model", penalty={"use": "l1", "lambda": factor}, data=data)
best = claros.solve(**lasso, stop=1e-10).value
def stepping(step, **more):
    return {"use": "proximal-gradient", "step": step, **more}


methods = {
    "Prox-SVRG": {"algorithm": stepping(2.0**-8), "estimator": {"use": "svrg", "batch": 10}},
    "SAGA": {"algorithm": stepping(2.0**-9), "estimator": "saga"},
    "composite gradient": {"algorithm": stepping("auto", accelerate=False)},  # which searches its steps
    "SGD": {"algorithm": stepping(2.0**-9, decay="sqrt"), "estimator": {"use": "sg", "growth": 0}},
}
results = claros.compare(methods, **lasso, stop={"passes": 100})

# %%
print(f"{'method':20} {'above the minimum':>18} {'support':>8} {'error':>7}")
for name, result in results.items():
    error = np.linalg.norm(result.x - truth)
    print(f"{name:20} {result.value / best - 1:18.2e} {np.count_nonzero(result.x):8} {error:7.3f}")

# %% SCAD does not shrink large coefficients: a stationary point with a smaller error
scad = claros.solve(objective="linear-model", penalty={"use": "scad", "lambda": factor, "zeta": 3.7}, data=data,
                    stop={"residual": 1e-8})
print(f"SCAD: error {np.linalg.norm(scad.x - truth):.3f}, support {np.count_nonzero(scad.x)}, {scad.certifies}")

# %% Stochastic gradients stall; those of reduced variance do not
assert max(results["Prox-SVRG"].value, results["SAGA"].value) < 1.01 * best < results["SGD"].value
assert np.linalg.norm(scad.x - truth) < np.linalg.norm(results["Prox-SVRG"].x - truth)
