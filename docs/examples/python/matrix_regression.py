# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # Matrix regression by conditional gradient sliding
# Li, Qu, Xu, section 4, at a small size: y_i = <X_i, T> + noise with T of rank 3, and rows whose first entry has a large
# variance. CGS (sliding) makes accelerated steps whose projections are a few linear minimisations each.
# Figures: docs/papers/lqx.

# %%
import numpy as np

import claros

d, rank, count = 30, 3, 900
rng = np.random.default_rng(1)
U, _ = np.linalg.qr(rng.normal(size=(d, rank)))
V, _ = np.linalg.qr(rng.normal(size=(d, rank)))
truth = 50 / rank * U @ V.T  # of nuclear norm 50
rows = rng.normal(size=(count, d * d))
rows[:, 0] *= 10.0
y = rows @ truth.ravel(order="F") + rng.normal(size=count)
data = claros.rows(rows, y)

# %% The same problem by three methods, 100 passes over the data each
problem = dict(
    objective={"use": "linear-model", "shape": f"{d}x{d}"},
    set={"use": "nuclear-ball", "radius": 50},
    stop={"passes": 100},
    data=data,
)
results = claros.compare({
    "CGS": {"algorithm": {"use": "sliding", "strong_convexity": 1.0}},
    "Frank-Wolfe": {"algorithm": "frank-wolfe"},
    "projected gradient": {"algorithm": {"use": "proximal-gradient", "accelerate": False}},
}, **problem)

# %%
print(f"{'method':20} {'value':>10} {'error':>8} {'lin. min.':>10} {'projections':>12}")
for name, result in results.items():
    error = np.linalg.norm(result.x - truth) / np.linalg.norm(truth)
    print(f"{name:20} {result.value:10.4f} {error:8.4f} {result.counts['lo']:10.0f} {result.counts['po']:12.0f}")

# %% CGS needs no projection, and is ahead of the others at the same passes
assert results["CGS"].counts["po"] == 0
assert results["CGS"].value < min(results["Frank-Wolfe"].value, results["projected gradient"].value)
