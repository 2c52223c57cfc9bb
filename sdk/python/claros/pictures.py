# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of what an estimator has fitted, by matplotlib, and its numbers as a table."""
import html

import numpy as np

from . import arrays
from .result import effects

_MOST = 20  # coefficients in a picture or a table
_COEFFICIENT, _EFFECT = "coefficient", "coefficient x deviation of its column"


def axes_of(ax=None):
    """`ax`, or the axes of a new figure. Raises ImportError without matplotlib."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot draws with matplotlib, which is not installed: pip install matplotlib") from None
    return pyplot.subplots(layout="constrained")[1]


def _names(estimator, count):
    return [str(name) for name in getattr(estimator, "feature_names_in_", (f"column {k + 1}" for k in range(count)))]


def _deviations(estimator, X):
    """The standard deviations of the columns of X, which are those of the fit."""
    X = estimator._rows(X, accept_sparse="csr")
    if arrays.is_sparse(X):
        from sklearn.utils.sparsefuncs import mean_variance_axis

        return np.sqrt(mean_variance_axis(X, axis=0)[1])
    return np.array([np.std(column, dtype=float) for column in X.T])


def largest(estimator, sizes=1.0):
    """Names, coefficients that are not 0, and their products with `sizes`, the largest product first; of several outputs the norm
    over them is the coefficient."""
    coefficients = np.asarray(estimator.coef_)
    values = coefficients.ravel() if coefficients.ndim == 1 or len(coefficients) == 1 else np.linalg.norm(coefficients, axis=0)
    order = [k for k in np.argsort(-np.abs(values * sizes), kind="stable") if values[k] != 0]
    names = _names(estimator, len(values))
    return [(names[k], float(values[k]), float((values * sizes)[k])) for k in order]


def _bars(ax, names, values, label=""):
    """The largest bars, the largest on top."""
    shown = np.argsort(-np.abs(values), kind="stable")[:_MOST][::-1]
    ax.barh([names[k] for k in shown], np.asarray(values)[shown])
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.set_xlabel(label)


def _coefficients(estimator, ax, X=None):
    shown = largest(estimator, 1.0 if X is None else _deviations(estimator, X))
    _bars(ax, [name for name, *_ in shown], [effect for *_, effect in shown], _COEFFICIENT if X is None else _EFFECT)


def _over_grid(ax, grid, name, chosen):
    if chosen is not None and chosen > 0.0:
        ax.axvline(chosen, color="0.4", linestyle="--", label=f"chosen: {chosen:.3g}")
    if np.all(np.asarray(grid) > 0.0):
        ax.set_xscale("log")
    if len(grid) > 1 and grid[0] > grid[-1]:
        ax.invert_xaxis()
    ax.set_xlabel(name)
    ax.legend(fontsize="small", ncols=2)


def _lines(ax, grid, coefficients, names, grid_name, chosen):
    """The coefficients, (p, grid), that become largest; names: one a coefficient."""
    for k in np.argsort(-np.abs(coefficients).max(axis=1), kind="stable")[:_MOST // 2]:
        ax.plot(grid, coefficients[k], label=names[k])
    ax.set_ylabel(_COEFFICIENT)
    _over_grid(ax, grid, grid_name, chosen)


def _losses(ax, grid, loss, error, grid_name, chosen):
    ax.errorbar(grid, loss, error, marker=".", capsize=2)
    ax.set_ylabel("loss of the rows held back")
    _over_grid(ax, grid, grid_name, chosen)


def _of_choice(estimator, values):
    """Numbers of the grid; with several l1_ratio those of the one that was taken, or the nearest to a mean of them."""
    if np.ndim(values) == 1:
        return values
    row = int(np.argmin(np.abs(np.subtract(list(dict.fromkeys(estimator.path_.table_["over"])), estimator.l1_ratio_))))
    return values[row][~np.isnan(values[row])]


def _path(estimator, ax):
    count = len(estimator.coef_path_)
    names = _names(estimator, count)
    several = [f"{name}, output {k + 1}" for k in range(count // max(1, len(names))) for name in names]
    _lines(ax, _of_choice(estimator, estimator.alphas_), estimator.coef_path_, names if len(names) == count else several, "alpha", estimator.alpha_)


def _loss(estimator, ax):
    _losses(ax, *(_of_choice(estimator, numbers) for numbers in (estimator.alphas_, estimator.loss_path_, estimator.loss_error_)),
            "alpha", estimator.alpha_)


def _survival(estimator, ax):
    for name, (times, hazard) in zip(estimator.strata_, estimator.baseline_, strict=True):
        ax.step(np.concatenate([[0.0], times]), np.exp(-np.concatenate([[0.0], hazard])), where="post", label=str(name))
    ax.set_xlabel("time")
    ax.set_ylabel("survival of a row whose columns are 0")
    ax.set_ylim(0.0, 1.05)
    if len(estimator.strata_) > 1:
        ax.legend(title="stratum")


def _image(name):
    def draw(estimator, ax):
        ax.figure.colorbar(ax.imshow(getattr(estimator, name), aspect="auto", interpolation="nearest"), ax=ax)

    return draw


def _singular_values(estimator, ax):
    ax.bar(np.arange(len(estimator.singular_values_)) + 1, estimator.singular_values_)
    ax.set_xlabel("singular value")


_KINDS = {"loss": ("loss_path_", _loss), "coefficients": ("coef_", _coefficients), "path": ("coef_path_", _path),
          "survival": ("baseline_", _survival), "low_rank": ("low_rank_", _image("low_rank_")),
          "sparse": ("sparse_", _image("sparse_")), "precision": ("precision_", _image("precision_")),
          "singular_values": ("singular_values_", _singular_values)}


def plot(estimator, what=None, ax=None, X=None):
    """Draws one of the pictures that the attributes of a fit allow, by default the first; returns the axes."""
    kinds = {kind: draw for kind, (attribute, draw) in _KINDS.items() if getattr(estimator, attribute, None) is not None}
    if not kinds or what not in (None, *kinds):
        raise ValueError(f"{type(estimator).__name__}.plot: {what!r} is no picture of this fit"
                         + (f": write one of {', '.join(kinds)}" if kinds else ", which has no coefficients"))
    what = what or ("coefficients" if X is not None and "coefficients" in kinds else next(iter(kinds)))
    if X is not None and what != "coefficients":
        raise ValueError(f"{type(estimator).__name__}.plot: X is for coefficients: leave it out of {what!r}")
    ax = axes_of(ax)
    kinds[what](estimator, ax, *([] if X is None else [X]))
    ax.set_title(type(estimator).__name__)
    return ax


def plot_path(path, what, ax=None):
    """The same of a Path or a CrossValidation: "coefficients" or "loss"."""
    ax, name = axes_of(ax), path.parameter_.rpartition(".")[2]
    chosen = path.lambda_of() if "best" in path.chosen_ else None
    if what == "loss":
        _losses(ax, path.lambdas_, path.validation_["loss"], path.validation_["loss_error"], name, chosen)
        return ax
    if path.linear_:
        values = np.column_stack([np.ravel(effects(path.parted(k)[0], path.linear_), order="F") for k in range(len(path.lambdas_))])
        columns = list(path.linear_["columns"])
    else:
        values, columns = np.asarray(path.coefficients_), []
    names = columns if len(columns) == len(values) else [f"column {k + 1}" for k in range(len(values))]
    _lines(ax, path.lambdas_, values, names, name, chosen)
    if path.linear_ and len(path.linear_["deviations"]):
        ax.set_ylabel(_EFFECT)
    return ax


def plot_result(result, what, ax=None):
    """Of a Result: "convergence", the gap or the value over passes, or the "solution"."""
    ax = axes_of(ax)
    if what == "convergence":
        known = "gap" if np.isfinite(result.trace["gap"]).any() else "value"
        ax.plot(result.trace["passes"], result.trace[known], marker=".")
        ax.set_yscale("log" if known == "gap" else "linear")
        ax.set_xlabel("passes over the data")
        ax.set_ylabel(known)
    elif np.ndim(result.x) == 2:
        ax.figure.colorbar(ax.imshow(result.x, aspect="auto", interpolation="nearest"), ax=ax)
    elif result.linear and result.linear["outputs"] == 1:
        linear = result.linear
        _bars(ax, linear["columns"] or [f"column {k + 1}" for k in range(len(result.coef))], effects(result.coef, linear),
              _EFFECT if len(linear["deviations"]) else _COEFFICIENT)
    else:
        _bars(ax, list(result.names[0]) or [str(k + 1) for k in range(len(result.x))], result.x)
    return ax


def plot_comparison(results, ax=None):
    """The convergence of every variant, by its name."""
    ax = axes_of(ax)
    for name, result in results.items():
        plot_result(result, "convergence", ax).lines[-1].set_label(name)
    ax.legend(fontsize="small")
    return ax


class Report(list):
    """Rows (name, value), printed as a table; a notebook shows it as one."""

    def __repr__(self):
        width = max((len(name) for name, _ in self), default=0)
        return "\n".join(f"{name:{width}}  {value}".rstrip() for name, value in self)

    def _repr_html_(self):
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
                        for name, value in self)
        return f"<table>{cells}</table>"


_SHOWN = ("alpha_", "l1_ratio_", "lambda_", "intercept_", "dual_gap_", "n_iter_", "rank_", "sparsity_")


def table_of(head, rows):
    """A table of texts for a notebook."""
    def line(cells, kind):
        return "<tr>" + "".join(f"<{kind} style='text-align:left'>{html.escape(str(cell))}</{kind}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def report(estimator, X=None):
    """The numbers of a fit as a table: how it ended, and its largest coefficients by name, with X by their effect."""
    rows = [("estimator", type(estimator).__name__)]
    for name in _SHOWN:
        value = getattr(estimator, name, None)
        if value is not None and np.size(value) == 1:
            rows.append((name, f"{float(np.ravel(value)[0]):.6g}"))
    has = getattr(estimator, "coef_", None) is not None
    if X is not None and not has:
        raise ValueError(f"{type(estimator).__name__}.report: X is for coefficients, and it has none: leave X out")
    found = largest(estimator, 1.0 if X is None else _deviations(estimator, X)) if has else []
    if found or hasattr(estimator, "coef_"):
        rows.append(("nonzeros", f"{len(found)} of {estimator.n_features_in_} columns"))
    rows += [(name, f"{value:.6g}" + ("" if X is None else f"  ({effect:.6g} a deviation)")) for name, value, effect in found[:_MOST]]
    if len(found) > _MOST:
        rows.append(("", f"and {len(found) - _MOST} more"))
    return Report(rows)
