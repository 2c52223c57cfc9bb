# SPDX-License-Identifier: BSD-3-Clause
"""Regularization paths, and the choice of a lambda by cross-validation or an information criterion."""
import html
import os
import re
import warnings

import numpy as np

from . import _claros, errors, pictures
from .program import known_picture, plot_of, report_of
from .progress import PathProgress
from .result import parted
from .solving import progress_of, request_of, row_counts, started, text_of, wait_for


def in_words_of(error, names):
    """The error of a path with the names of arguments in the place of the options of `claros path`; of those that are in
    `names` the names there."""
    def named(text):
        return re.sub(r"--([a-z]+)", lambda option: names.get(option[1], option[1]), text)

    made = type(error)([tuple(map(named, complaint)) for complaint in error.complaints])
    made.result = error.result
    return made


def positions_of(folds, where, count=None):
    """The folds as pairs (train, test) of arrays of positions, at least one; masks of the rows become positions. count: of the
    rows; if it is None, the masks have to be of one length."""
    made = []
    for fold in folds:
        parts = [np.asarray(part) for part in fold] if np.iterable(fold) and not isinstance(fold, str) else []
        for mask in (part for part in parts if part.dtype == bool and part.ndim == 1):
            count = len(mask) if count is None else count
            if len(mask) != count:
                raise errors.UsageError([(where, f"a mask of {len(mask)} entries for {count} rows", "give a truth value a row, or positions")])
        parts = [np.flatnonzero(part) if part.dtype == bool and part.ndim == 1 else part for part in parts]
        if len(parts) != 2 or any(part.ndim != 1 or part.dtype.kind not in "iu" and part.size for part in parts):
            raise errors.UsageError([(where, "expected pairs (train, test) of positions of rows",
                                      "give a number, or list(splitter.split(X)) of a splitter of scikit-learn")])
        made.append(tuple(part.astype(np.int64) for part in parts))
    if not made:
        raise errors.UsageError([(where, "no folds: the list is empty, or an iterator is at its end", "give a number, or a list of folds")])
    return made


class Path:
    """Solutions along a grid of lambdas, each started from the one before.

    Path(objective=..., penalty=..., data=..., lambdas=100, ratio=1e-3, folds=0, repeats=1, stratified=False,
         by="loss", jobs=1, information="none", explained=0.999, over=None, grid=None, relevant=None, out=None, progress=None)

    folds          their number, or pairs (train, test) of positions (or masks) of all rows, from 0, as splitters of scikit-learn give them:
                   folds=list(TimeSeriesSplit().split(X)); a row may be in several or in none. missing="drop" beside pairs is refused
    progress       True: a line of progress; a callable gets (fold, k, count) ten times a second at most, k of the count of
                   lambdas begun, by fold (-1: all rows); None: a line in a notebook, after the first second

    over           a second parameter and its values, such as "penalty.ratio=0.1,0.5,0.9": so many lambdas for each

    by             of the folds, or "test_rmse" or "ndcg@10" (precision@K, recall@K, map@K) of ratings that are held out
                   (objective.test), those from the value `relevant` on
    grid           the lambdas, or the radii of a set, instead of `lambdas` and `ratio`: "10,20,50"
    explained      the grid ends early once the model explains more of the loss than this share, or has nearly as many
                   coefficients as there are rows. If folds, a criterion or ratings that are held out choose, it goes on
                   until a lambda is below half of the best one and three have followed it. 1: the grid as it is
    ratio          the smallest lambda of the grid over the largest. If they choose the smallest, the usual grid goes on by
                   a decade, at most twice; one with a ratio of your own ends there

    lambdas_       the grid, from the largest; with `over`, for each of its values, which table_["over"] has
    coefficients_  (entries of the variable, lambdas), in the units of the data
    table_         a dict of arrays: gap, support, explained, ... of every lambda
    unfinished_    whether a fit of each lambda, on all rows or in a fold, ended without its target or in trouble: such a
                   lambda is chosen only where no other can be. Both draw a ClarosWarning
    chosen_        names ("best", "one-standard-error") and the positions of their lambdas
    validation_    means and standard errors of the folds, and their losses, (lambdas, folds); None without them
    saturated_     why the grid ended early, as a sentence (with `over`, one for each value that it ended for); else ""
    edge_          "" if "best" lies inside its grid, else a sentence that says at which end: also a ClarosWarning
    folder         where the path is kept, as `claros path --out` writes it, from out=FOLDER; else None
    """

    _GRID = ("lambdas", "ratio", "explained", "folds", "repeats", "stratified", "by", "jobs", "information", "over", "grid",
             "relevant")

    _LEVEL = 3  # of the caller in warnings

    def __init__(self, specification=None, *, out=None, progress=None, _warns=True, _names=None, **given):
        folds = given.pop("folds") if isinstance(given.get("folds"), (list, tuple)) else None
        grid = {key: text_of(given.pop(key), key) for key in self._GRID if given.get(key) is not None}
        request = request_of(specification, **given)
        if folds is not None:
            folds = positions_of(folds, "folds", row_counts.get(request))
        self.folder = os.path.abspath(out) if out is not None else None
        request.folder = self.folder or ""
        if request.on_step is not None:
            raise errors.UsageError([("on_step", "is not called along a path", "leave it out, or give progress")])
        request.on_step = shown = progress_of({}, progress, PathProgress)
        try:
            task = started(lambda made: _claros.path(made, grid, folds or []), request)
            del request  # as in claros.solve
            self._take(wait_for(task, self._take))
        except errors.Error as error:
            raise in_words_of(error, _names or {"seed": "run.seed", "select": "information"}) from None
        finally:
            if shown:
                shown.end()
        if _warns and self.chosen_ and self.unfinished_.any():
            self._warn_unfinished()
        elif _warns and self.edge_:
            warnings.warn(self.edge_, errors.ClarosWarning, stacklevel=self._LEVEL - 1)

    def __repr__(self):
        asked = sum(count for _, count, _ in self._slices)
        text = f"{len(self.lambdas_)} of {asked} values of {self.parameter_}"
        for name, k in self.chosen_.items():
            text += f", {name} {self.lambdas_[k]:.5g} (position {k})"
        text += f"; ended early: {self.saturated_}" if self.saturated_ else ""
        return f"<claros.{type(self).__name__}: {text}{'; ' + self.edge_ if self.edge_ else ''}>"

    def _warn_unfinished(self):
        count, all_of = int(self.unfinished_.sum()), len(self.unfinished_)
        if self.unfinished_[list(self.chosen_.values())].any():
            what = "no lambda met its target in all of its fits: the choice is the best of unfinished ones"
        else:
            what = f"{count} of {all_of} lambdas have unfinished fits and are not chosen"
        warnings.warn(f"{what}: give a larger budget or an easier target (stop; claros help not-met)", errors.ClarosWarning, stacklevel=self._LEVEL)

    def _take(self, facts):
        self.table_ = facts["table"]
        self.lambdas_ = self.table_["lambda"]
        self.coefficients_, self.status_ = facts["coefficients"], facts["status"]
        self.unfinished_ = np.array(facts["unfinished"], dtype=bool)
        self.max_, self.parameter_, self.chosen_ = facts["max"], facts["parameter"], facts["chosen"]
        self.validation_, self.information_ = facts["validation"], facts["information"]
        self._slices, self.edge_, self.linear_ = facts["slices"], facts["edge"], facts["linear"]
        self.saturated_ = "; ".join(reason if np.isnan(value) else f"at {value:g} {reason}"
                                    for value, _, reason in self._slices if reason)
        return self

    def lambda_of(self, choice="best"):
        """The lambda of a choice."""
        return float(self.lambdas_[self._position(choice)])

    def coefficients_of(self, choice="best"):
        """The coefficients of a choice; the intercept, where there is one, is the last."""
        return np.array(self.coefficients_[:, self._position(choice)])

    def parted(self, position):
        """Coefficients and intercept at a position of the grid, of a linear model."""
        return parted(np.array(self.coefficients_[:, position]), self.linear_)

    def report(self, out=None):
        """Writes the page of `claros report` for a browser, by default report.html in `folder`; returns its name."""
        return report_of(self.folder, out)

    def plot(self, what=None, out=None, ax=None):
        """The picture of "coefficients" or, of folds, "loss" over lambda. With out=FOLDER as `claros plot` makes it (gnuplot), in
        `folder` or the file out (.svg, .png, .pdf): its name, which a notebook shows. Else, or with `ax`, by matplotlib: the axes."""
        kinds = {"coefficients": [], **({"loss": ["--y", "error"]} if self.validation_ else {})}
        what = list(kinds)[-1] if what is None else what
        if ax is not None or (self.folder is None and out is None):
            return pictures.plot_path(self, known_picture(what, kinds), ax)
        return plot_of(self.folder, what, kinds, out)

    def _repr_html_(self):
        rows = [["", self.parameter_, "coefficients", *(["loss held back", "standard error"] if self.validation_ else [])]]
        for name, k in self.chosen_.items():
            loss = [f"{self.validation_[key][k]:.6g}" for key in ("loss", "loss_error")] if self.validation_ else []
            rows.append([name, f"{self.lambdas_[k]:.6g}", str(int(self.table_["support"][k])), *loss])
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{cells if self.chosen_ else ''}</table>"

    def _position(self, choice):
        if choice not in self.chosen_:
            raise errors.UsageError([("choice", f"{choice!r} was not chosen", f"known: {', '.join(self.chosen_) or 'none'}")])
        return self.chosen_[choice]


class CrossValidation(Path):
    """A Path with folds, five by default, drawn from the seed."""

    _LEVEL = 4

    def __init__(self, specification=None, *, folds=5, **given):
        super().__init__(specification, folds=folds, **given)
