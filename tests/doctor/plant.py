#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one bug at a time in the libraries of a copy of this tree, builds it, and runs the tests of that part.

    tests/doctor/plant.py TREE [--list LIST] [--jobs N] [--whole]
    tests/doctor/plant.py TREE --plugins LIST [NUMBER...]    bugs of mutate.py's LIST, those that doctor missed

TREE is a clone of this tree, at the same commit, with a build in build/release with tests; its files are changed and put
back. A bug is caught when a test fails; those run are the ones that the entry names and, with --whole, all others
where none of them failed. mutate.py does the same for plugins, whose judge is `claros doctor`.
"""
import argparse
import pathlib
import re
import subprocess
import sys

import mutate

ROOT = pathlib.Path(__file__).resolve().parents[2]

# (file, what stands there, what is put there, what that means, tests as a pattern of ctest)
SEVENTH = [
    ("core/kernel/src/proof/gap.cpp",
     "made.error = tangent_rounding(function(), problem_.smoother, x, farthest(x), value, made.slope);",
     "made.error = 0.0;",
     "Frank-Wolfe gaps without the error of the arithmetic", "^plugin: test_(scales|claims)"),
    ("core/kernel/src/proof/judgement.cpp",
     "bound_rounding_ = gap_.rounding();",
     "bound_rounding_ = 0.0;",
     "rounding of a lower bound is taken for a contradiction", "^plugin: "),
    ("core/numerics/src/spectral/lanczos.cpp",
     "pair.converged = false;  // too few steps to leave little to chance, however small the residual",
     "pair.residual *= 1.0;",
     "a confirmation counts after too few steps", "spectral|lanczos|nuclear"),
    ("apps/library/results/src/results/fold_in.cpp",
     "(of_rows_ ? rule_.row_bias : rule_.col_bias);",
     "(of_rows_ ? rule_.col_bias : rule_.row_bias);",
     "the bias of a new row has the ridge of the columns", "new_rows|recommend|predict"),
    ("apps/library/paths/src/paths/folds.cpp",
     "*least += size;",
     "*least += 1;",
     "folds of groups have equally many groups, not rows", "fold|path"),
    ("sdk/data/io/src/io/ratings.cpp",
     "t = std::exp2((t - newest) / options.half_life);",
     "t = std::exp((t - newest) / options.half_life);",
     "a half-life in which a weight falls to 1/e", "ratings|entry_weights"),
    ("sdk/python/claros/inference.py",
     "sigma = np.sqrt(r @ r / max(n - 1 - np.count_nonzero(x), 1))",
     "sigma = np.sqrt(r @ r / n)",
     "noise estimated without the degrees of freedom", "python"),
]

# By an author who had read neither the doctor nor a test, with thirteen of mutate.py; above each where it differs.
EIGHTH = [
    # hard. x of 3 columns of weights 1, 0.1, 0.01 with its image A x made; x.recompress(0.02) drops the last: x.image(map) is
    # still that of the old x. Values and gradients of losses of A x after a recompression belong to another point, by up to
    # ||A|| tail. With tail = 0, or without an image, nothing differs.
    ("core/numerics/src/element/element_spectral.cpp",
     "if (tail > 0.0) keep_following(std::exchange(images_, {}));",
     "",
     "images of a point that was cut to a lower rank stay those of the point before",
     "^(core|plugin): test_.*(element|recompress|image|spectral)"),
    # medium. MCP with b = 1.5 and a loss with L = 1: s = 1, mu = 2/3, t = 0.6; the residual is 0.6 of what it was: the rule
    # stop.residual ends runs too early, and the trace's column differs. Of convex penalties (mu = 0), and of l0, nothing differs.
    ("core/kernel/src/proof/residual.cpp",
     "t = s / (1.0 + s * mu), lost = kRoundoff * norm_at_most(v),",
     "t = s, lost = kRoundoff * norm_at_most(v),",
     "the residual of a concave penalty goes by the step of its convex form",
     "residual|concave|claims|scales"),
    # plain. "2024-01-01T12:00:00+02:00" is 10:00 of universal time: the number of days has 14:00. Of a clock at 0, of "Z" and of
    # texts without a zone nothing differs.
    ("sdk/data/io/src/io/dates.cpp",
     "(*seconds - *ahead) / kDay",
     "(*seconds + *ahead) / kDay",
     "a clock that is ahead is put further ahead",
     "dates|rating|times"),
    # medium. A row with 5 relevant columns and lists of 2, both right: map is 2/2 = 1 as the header says, (1/min(k, relevant)), and
    # becomes 2/5. Rows with at most k relevant columns have the same.
    ("apps/library/results/src/results/recommendation.cpp",
     "of.map /= most, of.ndcg /= ideal;",
     "of.map /= wanted, of.ndcg /= ideal;",
     "average precision of short lists is taken over more hits than they hold",
     "recommend"),
    # medium. claros path of cox with --folds 5 --by concordance: the lambda of the least concordance is chosen as best, mostly
    # the largest one, in the place of that of the largest; the one-standard-error choice follows it. By loss and by accuracy, auc
    # or r2 nothing differs.
    ("apps/library/paths/src/paths/folds.cpp",
     'validation.other == "r2" || validation.other == "concordance");',
     'validation.other == "r2");',
     "of concordances the least is taken for the best",
     "fold|path|cox|python"),
    # medium to hard. Ratings in two parts with one position twice and duplicates = mean (or last): entries() and the numbers of
    # entries of lines count it twice; the matrix that is put together has one entry too many, at (0, 0) with the value 0, or
    # holds one at a wrong place. Without duplicates nothing differs.
    ("sdk/data/parts/src/parts/rating_parts.cpp",
     "  if (all < entries) recount();\n",
     "  (void)all;\n",
     "positions that came twice are counted twice after they were made one",
     "rating"),
    # medium. An event at t = 5 and predict_survival(X, [5.0]): the probability that the event comes later than 5 has the hazard
    # at 5 in it, and leaves it out now: 1 at the first time of an event. At times between events nothing differs.
    ("sdk/python/claros/survival.py",
     'np.searchsorted(at, np.asarray(times, dtype=float), side="right")',
     'np.searchsorted(at, np.asarray(times, dtype=float), side="left")',
     "at the very time of an event its hazard is left out",
     "python"),
]

# Likewise, by another such author.
NINTH = [
    # hard. A dense 80 x 80 V of slowly falling singular values, nuclear-ball with a radius above the sum of the 10 that are computed
    # and below that of all: ||rest||_F is far below ||rest||_*, so V is returned as it is, exact, although it lies outside. With
    # a side of 32 or less all values are known, and nothing differs; nor does it where V really is inside or of low rank.
    ("plugins/shared/spectral/shrinkage.cpp",
     "  const auto others = static_cast<double>(std::min(v.shape().rows, v.shape().cols) - d.svd.count);\n"
     "  const double size = norm(v);\n"
     "  return sum + std::sqrt(others * std::max(size * size - squares(d.svd.s), 0.0)) <= radius;",
     "  const double size = norm(v);\n"
     "  return sum + std::sqrt(std::max(size * size - squares(d.svd.s), 0.0)) <= radius;",
     "the values that were not computed are bounded by their root of squares, not by their sum", ""),
    # medium. penalty sum of mcp (lambda = 1, b = 3) and nonnegative, v = 1.5, step = 1: mu = 1/3, and the answer is (1.5 - 1)/(1 - 1/3)
    # = 0.75; with the step of the convexified terms not lengthened by 1/(1 - step mu) it is 1.25. Of convex terms (mu = 0)
    # nothing differs.
    ("core/kernel/src/adapters/proximal_sum.cpp",
     "ProximalSum(all).apply(from, step / shrink, x, enough);",
     "ProximalSum(all).apply(from, step, x, enough);",
     "the proximal step of a sum of concave penalties is scaled at the point and not in its length", ""),
    # plain. A column 1, 3, (missing), missing = mean or indicator: the hole becomes 4/3 in the place of 2. Columns without a hole,
    # and missing = median, drop or refuse, are as before.
    ("sdk/data/io/src/io/table_plan.cpp",
     ": s.sum / static_cast<double>(s.numbers + s.dates);",
     ": s.sum / static_cast<double>(rows_);",
     "the mean that fills holes counts the holes", ""),
    # plain. Poisson, y = 2 and z = 0 for one row: the deviance is 2 (1 - (2 - 2 log 2)) = 0.77, and half of it is printed. Of losses
    # of other targets than counts there is no deviance.
    ("apps/library/results/src/results/linear_prediction.cpp",
     "quality.deviance = 2.0 * (quality.loss +",
     "quality.deviance = (quality.loss +",
     "the deviance of predicted counts lacks its factor 2", ""),
    # hard. Ratings with center = biases and folds: each training is given what the baseline of ALL ratings left, in which those held
    # back have had their part, and fits a baseline of nearly 0 to it: losses of the folds are too small, and another lambda may be
    # chosen. With center = none, and in the solution of a given lambda, nothing differs.
    ("apps/library/paths/src/paths/folded_ratings.cpp",
     "      values_.push_back(training.targets[at(e)] +\n"
     "                        training.baseline.at(entries_->row()[at(e)], entries_->col()[at(e)]));",
     "      values_.push_back(training.targets[at(e)]);",
     "folds of ratings are of what the baseline of all of them left", ""),
    # medium. Parts with weights, duplicates = mean, one position twice: 1 of weight 3 and 5 of weight 1 are (1 + 5)/4 = 1.5 in the
    # place of (3 + 5)/4 = 2, another number than one file of the same lines gives. Without weights, or where no position comes
    # twice, nothing differs.
    ("sdk/data/parts/src/parts/arriving_entries.cpp",
     "last = keys_[i], sum = weight(i) * values_[i], weights = weight(i);",
     "last = keys_[i], sum = values_[i], weights = weight(i);",
     "in the mean of ratings that come twice the first lacks its weight", ""),
    # medium. MultiTaskLasso or LowRankRegression, dense X, sample_weight with different numbers: Y is taken around its weighted means
    # and X around its plain ones, and b is not solved for: coef_ and intercept_ are not those of the repeated rows. Without
    # weights, with sparse X, with fit_intercept = False, and in the classes with CV nothing differs.
    ("sdk/python/claros/linear.py",
     "means = np.average(X, axis=0, weights=weights, keepdims=True).astype(np.float64)",
     "means = X.mean(axis=0, keepdims=True).astype(np.float64)",
     "of several responses the columns are centred without the weights of the rows", ""),
]

TENTH = [
    # Plain. stop.epochs counts an epoch as done at its first step. svrg with estimator.epoch=10 and stop.epochs=3 ends after
    # 21 steps (status epochs) instead of 30.
    # Nothing differs with estimator.use=full or epochs of one step.
    (
        "core/kernel/src/run/budgets.cpp",
        "  if (stop.epochs && (problem_.estimator->exact() || epoch_over()) &&\n"
        "      problem_.estimator->epochs() >= stop.epochs)\n    return Status::epochs;",
        "  if (stop.epochs && problem_.estimator->epochs() >= stop.epochs) return Status::epochs;",
        "the limit on epochs ends a run inside its last epoch",
        "^plugin: test_(limit|stop|honest|wrong|counted|estimator_theory|run)|^core: test_limits",
    ),
    # Plain. R2 is better when larger. `claros path --folds 5 --by r2` now chooses the lambda of the smallest R2, the worst of
    # the path. Nothing differs with other metrics.
    (
        "apps/library/paths/src/paths/folds.cpp",
        'validation.other == "r2" || validation.other == "concordance");',
        'validation.other == "concordance");',
        "r2 forgotten among the metrics that are better when larger",
        "^host: test_(folds|paths|row_parts)|^python: |^cli: test_path",
    ),
    # Medium. The sign of a zone west of Greenwich reaches the hours only: 2024-03-01T12:00-03:30 is read with -2.5 h instead
    # of -3.5 h, an hour wrong.
    # Nothing differs for Z, for zones east, and for zones of whole hours.
    (
        "sdk/data/io/src/io/dates.cpp",
        "  return (west ? -1.0 : 1.0) * (3600.0 * hours + 60.0 * minutes);",
        "  return (west ? -3600.0 : 3600.0) * hours + 60.0 * minutes;",
        "the minutes of a zone in the west have the wrong sign",
        "^core: test_(dates|table)",
    ),
    # Medium. The ideal of NDCG at k counts all relevant columns, not the k that fit into the list. A row with 5 relevant
    # columns and a perfect list of 3 has 2.13 / 2.95 = 0.72 instead of 1.
    # Nothing differs where no row has more relevant columns than the list is long.
    (
        "apps/library/results/src/results/recommendation.cpp",
        "  for (double rank = 1.0; rank <= most; ++rank) ideal += 1.0 / std::log2(1.0 + rank);",
        "  for (double rank = 1.0; rank <= wanted; ++rank) ideal += 1.0 / std::log2(1.0 + rank);",
        "the ideal list of NDCG is not cut at the length of the list",
        "^host: test_ranking|^cli: test_recommend|^python: ranking",
    ),
    # Hard. Data held by columns (a Fortran-order NumPy array, csc) with intercept=yes: the squares of the rows lack the 1 of
    # the intercept. With entries near 0.01 the smoothness of a component is far too small, so the steps of saga, svrg and sg
    # by theory are far too long and importance sampling is wrong.
    # Nothing differs for data by rows, nor without an intercept.
    (
        "core/numerics/src/map/design_map.cpp",
        "    std::vector<double> squares = row_squares(held->columns());\n"
        "    for (double& square : squares) square += intercept_ ? 1.0 : 0.0;\n"
        "    return squares;",
        "    return row_squares(held->columns());",
        "the intercept is forgotten in the row norms of data held by columns",
        "^core: test_(design|map|column)|^host: test_(memory|far)|^plugin: test_(linear_constants|importance|theory)",
    ),
    # Hard. The validity bits of a sliced Arrow array begin at its offset. table.slice(3) of a pyarrow table with nulls puts
    # NaN into rows shifted by 3, and real nulls become whatever number lies below them.
    # Nothing differs at offset 0, nor without nulls.
    (
        "sdk/python/claros/arrow.py",
        "        to[~_bits(array.buffers[0], offset, length)] = np.nan",
        "        to[~_bits(array.buffers[0], 0, length)] = np.nan",
        "the offset of a sliced Arrow array is ignored in its validity bits",
        "^python: (arrays|core)",
    ),
    # Medium. The thinned grid of a band should keep both ends. With several runs and 500 distinct x, thinned to 400, the last
    # grid point is all[498], and the end of the series (the final x common to the runs) is missing from the band.
    # Nothing differs up to 400 distinct x, nor for a single series.
    (
        "apps/library/grids/quartiles.cpp",
        "grid[k] = all[k * (all.size() - 1) / (most - 1)];",
        "grid[k] = all[k * all.size() / most];",
        "the thinned grid of a band loses its last point",
        "^core: test_quartiles|^cli: test_(experiment|plot|report)",
    ),
]

LISTS = {"seventh": SEVENTH, "eighth": EIGHTH, "ninth": NINTH, "tenth": TENTH}


# It fails of every bug of mutate.py, whose text is then no longer in the code.
NO_JUDGE = "texts of the mutations"


def of_plugins(name, numbers):
    """Entries of mutate.py as ours, without tests of their own."""
    for number, (plugin, file, old, new, meaning, *_) in enumerate(mutate.LISTS[name], 1):
        own = pathlib.Path("plugins") / plugin / file
        if not numbers or number in numbers:
            yield (own if (ROOT / own).exists() else mutate.header(file).relative_to(ROOT)), old, new, meaning, ""


def ran(tree, jobs, *choice):
    """The tests that fail, of those chosen."""
    command = ["ctest", "--preset", "release", "-j", str(jobs), "-E", NO_JUDGE, *choice]
    run = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if "No tests were found" in run.stdout + run.stderr:
        sys.exit(f"no test has a name like {choice}")
    return re.findall(r"^\s*\d+ - (.+) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)", run.stdout, re.M)


def failed(tree, jobs, pattern, whole):
    """The tests that fail; None where it does not build."""
    if subprocess.run(["cmake", "--build", "--preset", "release"], cwd=tree, capture_output=True).returncode:
        return None
    found = ran(tree, jobs, "-R", pattern) if pattern else []
    return found or (ran(tree, jobs, "--stop-on-failure") if whole or not pattern else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="run all tests where those of the entry find nothing")
    parser.add_argument("--list", choices=LISTS, default="seventh")
    parser.add_argument("--plugins", choices=mutate.LISTS, metavar="LIST", help="the bugs of this list of mutate.py")
    parser.add_argument("numbers", nargs="*", type=int, help="which of LIST, from 1 (all unless given)")
    asked = parser.parse_args()
    if asked.tree.resolve() == ROOT:
        sys.exit("expected a copy of this tree: its files are changed")
    bugs = list(of_plugins(asked.plugins, asked.numbers)) if asked.plugins else LISTS[asked.list]
    caught = 0
    for file, old, new, meaning, tests in bugs:
        path = asked.tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file} does not hold the text to change exactly once: {old}")
        path.write_text(text.replace(old, new))
        try:
            found = failed(asked.tree, asked.jobs, tests, asked.whole)
        finally:
            path.write_text(text)
        caught += bool(found)
        verdict = "does not build" if found is None else "missed" if not found else "caught by " + ", ".join(found[:4])
        print(f"{file}: {meaning}: {verdict}", flush=True)
    print(f"{caught} of {len(bugs)} caught")
    return 0 if caught == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main())
