# SPDX-License-Identifier: BSD-3-Clause
"""The rows of field.py. Each makes its data, and says how Claros and the peers solve it; a run takes a limit in seconds and
returns its own, or None where it does not come to the target."""
import bz2
import dataclasses
import lzma
import os
import tempfile
import time

import claros
import numpy as np
import scipy.sparse

import logistic_peers
import low_rank_sparse_peer
import movielens_peers
import numpy_peers
import path_peers
import regression_peers
import scipy_frank_wolfe


@dataclasses.dataclass
class Problem:
    ours: dict
    peers: dict
    bytes: float  # of the data
    operations: float  # of one gradient, at least
    aim: str = ""
    terms: int = 1  # n
    product: float = 0.0  # operations of a product of the gradient and a vector, where it has the entries of the data
    repeats: int = 0  # 0: as often as asked for
    name: str = ""


class Ours:
    """A run of claros.solve that ends by one of the rules of `stop`; `counts` are those of the last."""

    def __init__(self, words, *, stop, threads=1, **given):
        self.words, self.stop, self.threads, self.given, self.counts = words, stop, threads, given, {}
        self.result = None

    def __call__(self, limit):
        begin = time.perf_counter()
        result = claros.solve(**self.given, **self.words, stop={"iterations": 10**9, **self.stop, "seconds": limit},
                              run={"threads": self.threads}, trace={"on": False})
        spent = time.perf_counter() - begin
        self.counts, self.result = result.counts, result
        return spent if result.status.replace("-", "_") in self.stop else None

    def work(self, terms):
        """Gradients and products with Hessians, by the reading of the data, and products of matrices and vectors."""
        c = self.counts
        return max(1.0, (c["sfo"] + c["hvp"]) / terms), c["matvec"]


def solved(**given):
    """A solution for reference."""
    return claros.solve(**given, run={"threads": 1}, trace={"on": False})


class Ladder:
    """The `Case` that the functions of regression_peers and logistic_peers fit: keeps what they would print."""

    def __init__(self, rows, y, kind, lam, reference, loss="squared", parameter=0.0):
        self.rows, self.y, self.kind, self.lam, self.reference = rows, y, kind, lam, reference
        self.columns = rows.tocsc() if scipy.sparse.issparse(rows) else np.asfortranarray(rows)
        self.n, self.loss, self.parameter = len(y), loss, parameter
        self.found, self.limit = None, 60.0

    def suboptimality(self, w):
        w = np.asarray(w, float).ravel()
        z = self.rows @ w
        losses = np.logaddexp(0.0, -self.y * z) if self.loss == "logistic" else (z - self.y) ** 2 / 2
        value = losses.mean() + regression_peers.penalty_value(self.kind, w, self.lam, self.parameter)
        return (value - self.reference) / abs(self.reference)

    def measure(self, _, fit, settings):
        spent = 0.0
        for setting in settings:
            begin = time.perf_counter()
            w = fit(setting)
            spent += time.perf_counter() - begin
            if self.suboptimality(w) <= regression_peers.TARGET:
                again = []
                for _ in range(3):
                    begin = time.perf_counter()
                    fit(setting)
                    again.append(time.perf_counter() - begin)
                self.found = float(np.median(again))
                return
            if spent > self.limit:
                return

    def by(self, fits):
        """A run of `fits`, one of the functions with_...(case)."""
        def run(limit):
            self.limit, self.found = limit, None
            fits(self)
            return self.found

        return run


def installed(ladder, **named):
    return {name: ladder.by(fits) for name, (module, fits) in named.items() if regression_peers.have(module)}


# Matrices ------------------------------------------------------------------------------------------------------------


def completion(path, radius, gap, aim, algorithms, shape, repeats=0):
    def make(data):
        file = os.path.join(data, path)
        if not os.path.exists(file):
            return None
        i, j, y = movielens_peers.triplets(file)
        entries = claros.ratings(i, j, y, shape)
        common = {"objective": "matrix-completion", "set": {"use": "nuclear-ball", "radius": radius}, "data": entries}
        best = solved(**common, stop={"relative_gap": min(gap, 1e-4) / 10})
        US, V, n = best.U * best.s, best.V, len(y)
        at = movielens_peers.entries(US, V, i, j)
        threshold = (y - at) @ at / radius  # the multiplier: all values of the solution are those of the gradient above it
        lowest = n * (best.value - best.gap) + threshold * radius

        def soft_impute(limit):
            spent, points = 0.0, movielens_peers.soft_impute((i, j, y), shape, threshold, len(best.s) + 2)
            while spent < limit:
                begin = time.perf_counter()
                left, right = next(points)
                spent += time.perf_counter() - begin
                residual = movielens_peers.entries(left, right, i, j) - y
                value = residual @ residual / 2 + threshold * np.linalg.norm(left, axis=0).sum()
                if value - lowest <= gap * lowest:
                    return spent
            return None

        def frank_wolfe(limit):
            begin = time.perf_counter()
            _, value, reached = scipy_frank_wolfe.solve(i, j, y.copy(), shape, radius, gap, 1e-1, limit)
            return time.perf_counter() - begin if reached <= gap * value else None

        peers = {"soft-impute": soft_impute} if gap < 1e-3 else {"scipy's svds in a loop": frank_wolfe}
        runs = {name: Ours({"algorithm": name} if name != "auto" else {}, **common, stop={"relative_gap": gap})
                for name in algorithms}
        return Problem(runs, peers, 12.0 * n, 4.0 * n, aim, n, 2.0 * n, repeats)

    return make


def with_biases(aim, factors=20, ridge=20.0, rounds=20, slack=1e-3):
    """A tenth of the ratings held out: seconds to the error that alternating least squares comes to there in `rounds` rounds,
    plus `slack`, at its best ridge and at our best radii. All fit what the mean and the biases leave; ours pay for them. The
    run of rank `factors` ends after a number of steps, and its gap stays far from 0."""
    def make(data):
        file = os.path.join(data, ML1M)
        if not os.path.exists(file):
            return None
        i, j, y = movielens_peers.triplets(file)
        held = np.random.default_rng(8).random(len(y)) < 0.1
        shape, train, test = (6040, 3952), (i[~held], j[~held], y[~held]), (i[held], j[held], y[held])
        common = {"objective": {"use": "matrix-completion", "center": "biases"}, "data": claros.ratings(*train, shape)}

        def ball(radius):
            return {"use": "nuclear-ball", "radius": radius}

        def error(predicted):
            return np.sqrt(np.mean((predicted - test[2]) ** 2))

        baseline = solved(**common, set=ball(1e-6), stop={"iterations": 1})
        left = train[2] - claros.predict(baseline, rows=train[0], cols=train[1])
        around = claros.predict(baseline, rows=test[0], cols=test[1])

        def als(_):
            spent, points, found = 0.0, movielens_peers.alternating((*train[:2], left), shape, ridge, factors), []
            for _ in range(rounds):
                begin = time.perf_counter()
                U, V = next(points)
                spent += time.perf_counter() - begin
                found.append((error(around + movielens_peers.entries(U, V, *test[:2])), spent))
            return found

        found = als(None)
        target = min(found)[0] + slack

        class Reaching:
            """A run of the first of `stops` whose error is low enough."""

            def __init__(self, words, radius, stops):
                self.words, self.radius, self.stops = words, radius, stops

            def __call__(self, limit):
                for stop in self.stops:
                    run = Ours(self.words, **common, set=ball(self.radius), stop=stop)
                    spent = run(limit)
                    self.work = run.work
                    if spent is None or error(claros.predict(run.result, rows=test[0], cols=test[1])) <= target:
                        return spent
                return None

        low_rank = {"algorithm": {"use": "proximal-gradient", "rank": factors, "uncertified": "continue"}}
        runs = {"auto": Reaching({}, 4500.0, [{"relative_gap": gap} for gap in (1e-1, 3e-2, 1e-2)]),
                f"of rank {factors}": Reaching(low_rank, 2500.0, [{"iterations": steps} for steps in (5, 10, 15, 20, 30)])}
        peer = lambda _: min(spent for reached, spent in found if reached <= target)  # noqa: E731
        n = len(left)
        return Problem(runs, {"alternating least squares": peer}, 12.0 * n, 4.0 * n, aim, n, 2.0 * n, 1)

    return make


def low_rank_sparse(gap, aim, radius=1000.0):
    def make(_):
        file = os.path.join(tempfile.mkdtemp(), "matrix.npy")
        low_rank_sparse_peer.make(file)
        Y = np.load(file)

        def ascent(_):
            begin = time.perf_counter()
            low_rank_sparse_peer.solve(Y, 1.0, radius, gap)
            return time.perf_counter() - begin

        run = Ours({}, objective={"use": "distance", "data": file}, penalty={"use": "l1", "lambda": 1.0},
                   set={"use": "nuclear-ball", "radius": radius}, stop={"relative_gap": gap})
        return Problem({"auto": run}, {"accelerated dual ascent": ascent}, Y.nbytes, 2.0 * Y.size, aim)

    return make


def matrix_regression(gap, aim, variance=1.0, radius=50.0):
    """`variance`: of the first column of the design; that of the others is 1."""
    def make(_, d=60, n=3000, truth=50.0):
        draw = np.random.default_rng(1)
        U, V = (np.linalg.qr(draw.normal(size=(d, 5)))[0] for _ in range(2))
        T = truth / 5 * U @ V.T
        A = draw.normal(size=(n, d * d))
        A[:, 0] *= np.sqrt(variance)
        b = A @ T.ravel(order="F") + draw.normal(size=n)

        def arrived(X):
            rest = A @ X.ravel(order="F") - b
            slope = (A.T @ rest / n).reshape(d, d, order="F")
            return np.vdot(slope, X) + radius * np.linalg.norm(slope, 2) <= gap * (rest @ rest) / (2 * n)

        run = Ours({}, objective={"use": "linear-model", "shape": f"{d}x{d}"}, data=claros.rows(A, b),
                   set={"use": "nuclear-ball", "radius": radius}, stop={"relative_gap": gap})
        admm = lambda limit: numpy_peers.gram_admm(A, b, (d, d), radius, arrived, limit)  # noqa: E731
        return Problem({"auto": run}, {"ADMM on the Gram matrix": admm}, A.nbytes, 4.0 * A.size, aim, len(b))

    return make


def robust_completion(aim):
    """To 1e-6 of the value of the stationary point that both come to."""
    def make(_, d=200, radius=200.0):
        draw = np.random.default_rng(2)
        M = draw.normal(size=(d, 5)) @ draw.normal(size=(5, d)) / np.sqrt(5)
        i, j = np.nonzero(draw.random((d, d)) < 0.3)
        y = M[i, j] + 0.1 * draw.normal(size=len(i))
        wild = draw.random(len(i)) < 0.1
        y[wild] += 10 * draw.normal(size=wild.sum())
        n = len(y)

        def value(X):
            return np.mean(1 - np.exp(-((X[i, j] - y) ** 2) / 2))

        def gradient(X):
            g, r = np.zeros((d, d)), X[i, j] - y
            g[i, j] = r * np.exp(-r * r / 2) / n
            return g

        common = {"objective": {"use": "matrix-completion", "loss": {"use": "robust", "sigma": 1.0}},
                  "set": {"use": "nuclear-ball", "radius": radius}, "data": claros.ratings(i, j, y, (d, d))}
        lowest = solved(**common, stop={"residual": 1e-9, "seconds": 60}).value
        level = lowest * (1 + 1e-6)
        project = lambda X: numpy_peers.onto_nuclear_ball(X, radius)  # noqa: E731
        fista = lambda limit: numpy_peers.accelerated(  # noqa: E731
            gradient, project, np.zeros((d, d)), float(n), lambda X: value(X) <= level, limit, every=1)
        return Problem({"auto": Ours({}, **common, stop={"value": level})}, {"FISTA": fista}, 12.0 * n, 4.0 * n, aim, n, 2.0 * n)

    return make


def denoising(aim):
    def make(_, side=500, lam=0.1, gap=1e-4):
        draw = np.random.default_rng(3)
        Y = np.zeros((side, side))
        for _ in range(20):
            (a, b), (c, d) = np.sort(draw.integers(0, side, (2, 2)), axis=1)
            Y[a:b, c:d] += draw.normal()
        Y += 0.1 * draw.normal(size=Y.shape)
        file = os.path.join(tempfile.mkdtemp(), "image.npy")
        np.save(file, Y)

        def value(X):
            down, right = np.zeros_like(X), np.zeros_like(X)
            down[:-1], right[:, :-1] = X[:-1] - X[1:], X[:, :-1] - X[:, 1:]
            return 0.5 * np.sum((X - Y) ** 2) + lam * np.hypot(down, right).sum()

        common = {"objective": {"use": "distance", "data": file},
                  "penalty": {"use": "tv", "lambda": lam, "along": "both", "kind": "isotropic"}}
        best = solved(**common, stop={"relative_gap": 1e-6, "seconds": 120})
        level = (best.value - best.gap) * (1 + gap)
        peer = lambda limit: numpy_peers.denoise(Y, lam, lambda X: value(X) <= level, limit)  # noqa: E731
        return Problem({"auto": Ours({}, **common, stop={"relative_gap": gap})}, {"FGP": peer}, Y.nbytes, 20.0 * Y.size, aim)

    return make


def five_million(aim):
    """Two threads; the peer is our own Frank-Wolfe, as no other program is known to give a gap at this size."""
    def make(_, rows=100_000, cols=20_000, count=5_000_000, radius=20_000.0, gap=1e-2):
        draw = np.random.default_rng(7)
        places = np.unique(draw.integers(0, rows * cols, int(count * 1.02), dtype=np.int64))
        draw.shuffle(places)
        i, j = (places[:count] // cols).astype(np.int32), (places[:count] % cols).astype(np.int32)
        u, v = draw.standard_normal((rows, 5)), draw.standard_normal((cols, 5))
        y = 3.5 + 0.4 * np.einsum("ij,ij->i", u[i], v[j]) + 0.5 * draw.standard_normal(len(i))
        y = np.clip(np.round(y), 1, 5)
        common = {"objective": "matrix-completion", "set": {"use": "nuclear-ball", "radius": radius}, "threads": 2,
                  "data": claros.ratings(i, j, y - y.mean(), (rows, cols)), "stop": {"relative_gap": gap}}
        return Problem({"auto": Ours({}, **common), "frank-wolfe": Ours({"algorithm": "frank-wolfe"}, **common)}, {},
                       12.0 * count, 4.0 * count, aim, count, 2.0 * count, 1)

    return make


# Linear models -------------------------------------------------------------------------------------------------------


def simplex(aim):
    def make(_, n=3000, p=4000, gap=1e-6):
        draw = np.random.default_rng(4)
        radius = float(p // 6)
        truth = np.where(np.arange(p) < p // 3, draw.choice([-1.0, 1.0], p), 0.0)
        A = draw.normal(size=(n, p))
        b = A @ truth + 0.1 * draw.normal(size=n)
        smoothness = np.linalg.norm(A, 2) ** 2 / n

        def arrived(x):
            rest = A @ x - b
            slope = A.T @ rest / n
            return slope @ x - radius * slope.min() <= gap * (rest @ rest) / (2 * n)

        common = {"objective": "linear-model", "set": {"use": "simplex", "radius": radius}, "data": claros.rows(A, b),
                  "stop": {"relative_gap": gap}}
        fista = lambda limit: numpy_peers.accelerated(  # noqa: E731
            lambda x: A.T @ (A @ x - b) / n, lambda v: numpy_peers.onto_simplex(v, radius), np.full(p, radius / p),
            1 / smoothness, arrived, limit)
        runs = {"auto": Ours({}, **common), "blended-pairwise": Ours({"algorithm": "blended-pairwise"}, **common)}
        return Problem(runs, {"FISTA, L given": fista}, A.nbytes, 4.0 * A.size, aim, len(b))

    return make


def correlated(n, p, truth, correlation, draw, variance=1.0, noise=1.0):
    """Rows N(0, variance ((1 - b) I + b 1 1')) and responses."""
    A = np.sqrt(1 - correlation) * draw.normal(size=(n, p)) + np.sqrt(correlation) * draw.normal(size=(n, 1))
    A *= np.sqrt(variance)
    return A, A @ truth + noise * draw.normal(size=n)


def signs(p, count, draw):
    x = np.zeros(p)
    x[draw.permutation(p)[:count]] = draw.choice([-1.0, 1.0], count)
    return x


def regression(kind, lam, aim, n=2500, p=5000, nonzero=50, correlation=0.0, variance=1.0, group=0, parameter=0.0):
    """Doubles, to a confirmed relative gap of 1e-6, the peers to a relative suboptimality of 1e-6; scad and mcp both to the
    value of the stationary point that the start at 0 leads to."""
    def make(_):
        draw = np.random.default_rng(5)
        truth = np.zeros(p)
        if group:
            truth[: nonzero * group] = draw.choice([-1.0, 1.0], nonzero * group)
        else:
            truth = signs(p, nonzero, draw)
        A, b = correlated(n, p, truth, correlation, draw, variance)
        penalty = {"use": kind, "lambda": lam, **({"groups": group} if group else {}),
                   **({"zeta": parameter} if kind == "scad" else {"b": parameter} if kind == "mcp" else {})}
        common = {"objective": "linear-model", "penalty": penalty, "data": claros.rows(A, b)}
        convex = kind in ("l1", "group")
        best = solved(**common, stop={"relative_gap": 1e-10} if convex else {"residual": 1e-10})
        stop = {"relative_gap": 1e-6} if convex else {"value": best.value * (1 + 1e-6)}
        ladder = Ladder(A, b, kind, lam, best.value, parameter=group or parameter)
        peers = {"skglm": ("skglm", regression_peers.with_skglm)}
        if convex:
            peers["celer"] = ("celer", regression_peers.with_celer)
        if kind == "l1":
            peers["scikit-learn"] = ("sklearn", regression_peers.with_sklearn)
        return Problem({"auto": Ours({}, **common, stop=stop)}, installed(ladder, **peers), A.nbytes, 4.0 * A.size, aim, len(b))

    return make


def read_signs(file, positive, unit):
    """LIBSVM's rows with labels 1 where `positive` holds, else -1, of length 1 where asked for."""
    from sklearn.datasets import load_svmlight_file

    with (bz2.open if file.endswith(".bz2") else lzma.open)(file, "rb") as lines:
        rows, labels = load_svmlight_file(lines)
    if unit:
        rows = scipy.sparse.diags(1 / np.maximum(scipy.sparse.linalg.norm(rows, axis=1), 1e-300)) @ rows
    rows = scipy.sparse.csr_matrix(rows)
    return rows, np.where(positive(labels), 1.0, -1.0)


def sparse_l1(rows, y, lam, aim, words=None, loss="logistic"):
    common = {"objective": {"use": "linear-model", "loss": loss}, "penalty": {"use": "l1", "lambda": lam},
              "data": claros.rows(rows, y)}
    best = solved(**common, stop={"relative_gap": 1e-9})
    ladder = Ladder(rows, y, "l1", lam, best.value, loss)
    peers = {"skglm": ("skglm", logistic_peers.with_skglm), "celer": ("celer", logistic_peers.with_celer),
             "liblinear": ("sklearn", logistic_peers.with_liblinear)}
    if loss == "squared":
        peers = {"skglm": ("skglm", regression_peers.with_skglm), "celer": ("celer", regression_peers.with_celer),
                 "scikit-learn": ("sklearn", regression_peers.with_sklearn)}
    stop = {"value": best.value * (1 + 1e-6)} if words else {"relative_gap": 1e-6}
    runs = {name: Ours(change, **common, stop=stop) for name, change in (words or {"auto": {}}).items()}
    return Problem(runs, installed(ladder, **peers), 12.0 * rows.nnz, 4.0 * rows.nnz, aim, len(y))


def of_file(path, positive, unit, lam, aim, words=None, loss="logistic"):
    def make(data):
        file = os.path.join(data, path)
        if not os.path.exists(file):
            return None
        return sparse_l1(*read_signs(file, positive, unit), lam, aim, words, loss)

    return make


def wide_logistic(aim):
    def make(_, n=300_000, p=1_000_000, a_row=20):
        draw = np.random.default_rng(6)
        columns = np.minimum((p * draw.random((n, a_row)) ** 3).astype(np.int64), p - 1)
        rows = scipy.sparse.csr_matrix((draw.normal(size=n * a_row), (np.repeat(np.arange(n), a_row), columns.ravel())), shape=(n, p))
        truth = np.zeros(p)
        truth[:1000] = draw.normal(size=1000)
        y = np.where(draw.random(n) < 1 / (1 + np.exp(-(rows @ truth))), 1.0, -1.0)
        lam = 1e-3 * np.abs(rows.T @ y).max() / (2 * n)
        problem = sparse_l1(rows, y, lam, aim)
        problem.repeats = 1
        return problem

    return make


class PathLadder:
    """The problem that the functions of path_peers fit. It keeps the seconds of the first path that is good enough."""

    def __init__(self, A, b, count, ratio):
        self.X, self.y = np.asfortranarray(A), b
        self.n, self.p = A.shape
        self.max = np.abs(A.T @ b).max() / self.n
        self.lambdas = self.max * ratio ** (np.arange(count) / (count - 1))
        self.limit, self.found = 60.0, None

    def measure(self, _, fit, settings):
        spent = 0.0
        for setting in settings:
            begin = time.perf_counter()
            found = fit(setting)
            seconds = time.perf_counter() - begin
            coefs, seconds = found if isinstance(found, tuple) else (found, seconds)
            spent += seconds
            if max(path_peers.gap(self, np.asarray(coefs)[:, k], lam) for k, lam in enumerate(self.lambdas)) <= path_peers.TARGET:
                self.found = seconds
                return
            if spent > self.limit:
                return

    by = Ladder.by


class OursAlong:
    """A whole path of 100 lambdas."""

    def __init__(self, A, b, ratio):
        self.A, self.b, self.ratio = A, b, ratio

    def __call__(self, limit):
        begin = time.perf_counter()
        found = claros.Path(objective="linear-model", penalty="l1", data=claros.rows(self.A, self.b), run={"threads": 1},
                            lambdas=100, ratio=self.ratio, explained=1)
        spent = time.perf_counter() - begin
        return spent if spent < limit and len(found.lambdas_) == 100 else None

    def work(self, _):
        return None  # a path has no counts


def path(ratio, aim):
    """100 lambdas, each to a confirmed relative gap of 1e-4."""
    def make(_, n=2500, p=5000):
        draw = np.random.default_rng(5)
        A, b = correlated(n, p, signs(p, 50, draw), 0.1, draw)

        ladder = PathLadder(A, b, 100, ratio)
        peers = installed(ladder, skglm=("skglm", path_peers.with_skglm))
        if regression_peers.has_glmnet():
            peers["glmnet"] = ladder.by(path_peers.with_glmnet)
        return Problem({"auto": OursAlong(A, b, ratio)}, peers, A.nbytes, 4.0 * A.size, aim, len(b), repeats=1)

    return make


ML100K, ML1M = "movielens-100k/u.data", "movielens-1m/ratings.tsv.xz"
NEWS = ("libsvm/news20.bz2", lambda labels: labels <= 10, True, 2e-5)
LAMBDA = 0.116737  # 2 sqrt(log p / n)
STOCHASTIC = {"working set, Prox-SVRG of one row": {
    "algorithm": {"use": "working-set", "inner": {"use": "proximal-gradient", "step": 8},
                  "estimator": {"use": "svrg", "batch": 1}}}}

CASES = {
    "MovieLens-100K, radius 3000, 1e-2": completion(ML100K, 3000.0, 1e-2, "0.08 / 0.4", ["auto", "frank-wolfe"], (943, 1682)),
    "MovieLens-100K, radius 3000, 1e-6": completion(ML100K, 3000.0, 1e-6, "0.15", ["auto", "proximal-gradient"], (943, 1682)),
    "MovieLens-100K, radius 3500, 1e-6": completion(ML100K, 3500.0, 1e-6, "0.3", ["auto", "proximal-gradient"], (943, 1682)),
    "MovieLens-100K, radius 4000, 1e-6": completion(ML100K, 4000.0, 1e-6, "0.5", ["auto", "proximal-gradient"], (943, 1682)),
    "MovieLens-1M, radius 16000, 1e-4": completion(ML1M, 16000.0, 1e-4, "8", ["auto"], (6040, 3952), 1),
    "MovieLens-1M with biases, the error of least squares with 20 factors": with_biases("2"),
    "5 million ratings, radius 20000, 1e-2, two threads": five_million("5"),
    "simplex, least squares 3000 x 4000, 1e-6": simplex("0.08 / 0.2"),
    "l1 on the nuclear ball, 300 x 300, 1e-4": low_rank_sparse(1e-4, "0.5"),
    "l1 on the nuclear ball, 300 x 300, 1e-6": low_rank_sparse(1e-6, "3"),
    "l1 on the nuclear ball, 300 x 300, radius 500, 1e-4": low_rank_sparse(1e-4, "1", 500.0),
    "matrix regression 60 x 60, n = 3000, 1e-4": matrix_regression(1e-4, "1"),
    "matrix regression 60 x 60, n = 3000, 1e-6": matrix_regression(1e-6, "1.5"),
    "matrix regression 60 x 60, n = 3000, a column of variance 1000, 1e-4": matrix_regression(1e-4, "1.5", 1000.0),
    "matrix regression 60 x 60, n = 3000, a column of variance 1000, 1e-6": matrix_regression(1e-6, "2", 1000.0),
    "matrix regression 60 x 60, n = 3000, a column of variance 1000, radius 40, 1e-6": matrix_regression(1e-6, "2", 1000.0, 40.0),
    "robust completion 200 x 200, 1e-6 of the value": robust_completion("0.1"),
    "isotropic total variation 500 x 500, 1e-4": denoising("1"),
    "Lasso r = 50, b = 0": regression("l1", LAMBDA, "0.35 of skglm"),
    "Lasso r = 100, b = 0": regression("l1", LAMBDA, "0.35 of skglm", nonzero=100),
    "Lasso r = 50, b = 0.1": regression("l1", LAMBDA, "0.35 of skglm", correlation=0.1),
    "Lasso r = 100, b = 0.4": regression("l1", LAMBDA, "0.35 of skglm", nonzero=100, correlation=0.4),
    "SCAD zeta = 4.5": regression("scad", 0.05, "0.4 of skglm", 3000, 2500, 30, variance=2.0, parameter=4.5),
    "MCP b = 3": regression("mcp", 0.05, "0.4 of skglm", 3000, 2500, 30, variance=2.0, parameter=3.0),
    "group lasso, 20 groups of 20, b = 0.1": regression("group", 0.6, "0.4", nonzero=20, correlation=0.1, group=20),
    "group lasso, 10 groups of 10, b = 0": regression("group", 0.598410, "0.06", nonzero=10, group=10),
    "l1 logistic, news20": of_file(*NEWS, "0.6 of the best"),
    "l1 logistic, news20, stochastic, 1e-6 of the value": of_file(*NEWS, "1", STOCHASTIC),
    "Lasso, news20": of_file(*NEWS, "", loss="squared"),
    "l1 logistic, a9a": of_file("libsvm/a9a.xz", lambda labels: labels > 0, False, 1e-3, "0.6 of the best"),
    "l1 logistic 300,000 x 1,000,000": wide_logistic("0.8"),
    "Lasso path, 100 lambdas to 1e-3 max": path(1e-3, "5"),
}
