# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of a path and a result, and what Ctrl-C leaves of a fit."""
import pathlib
import shutil

import numpy as np
import pytest

import claros


def problem(**more):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 5))
    return dict(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, X[:, 0] + 0.1 * rng.normal(size=60)), **more)


def test_a_path_is_a_table_of_its_choices_in_a_notebook():
    chosen = claros.CrossValidation(**problem(lambdas=12, folds=3))
    page = chosen._repr_html_()
    assert "one-standard-error" in page and "standard error" in page and f"{chosen.lambda_of():.6g}" in page
    plain = claros.Path(**problem(lambdas=5))._repr_html_()
    assert "of 5 values" in plain and "<tr>" not in plain and "&lt;" not in plain


def test_a_picture_is_that_of_the_program(tmp_path):
    if not shutil.which("gnuplot"):
        pytest.skip("gnuplot is missing")
    chosen = claros.CrossValidation(**problem(lambdas=12, folds=3), out=tmp_path / "path")
    for what in ("coefficients", "loss", None):
        picture = chosen.plot(what)
        assert "<svg" in picture._repr_mimebundle_()["image/svg+xml"] and pathlib.Path(picture).parent == tmp_path / "path"
    assert chosen.plot().endswith("loss.svg")
    run = claros.solve(**{**problem(), "penalty": {"use": "l1", "lambda": 0.1}}, out=tmp_path / "run")
    for what in ("convergence", "solution"):
        picture = run.plot(what, tmp_path / f"{what}.png")
        assert picture._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")
    with pytest.raises(claros.UsageError, match="'weights'.*convergence, solution"):
        run.plot("weights")


def test_a_file_of_a_picture_needs_a_folder(tmp_path):
    for made in (claros.Path(**problem(lambdas=5)), claros.solve(**{**problem(), "penalty": None})):
        with pytest.raises(claros.UsageError, match="out=FOLDER"):
            made.plot(out=tmp_path / "x.svg")
        with pytest.raises(claros.UsageError, match="'weights'"):
            made.plot("weights")


def drawn():
    """What draws, and its pictures: of a name, the label of an axis."""
    from claros import linear, matrix, survival

    pandas = pytest.importorskip("pandas")
    X, y = problem()["data"]
    table = pandas.DataFrame(X, columns=list("abcde"))
    times = np.column_stack([np.exp(y / 3), np.arange(60) % 3 > 0])
    by_folds = linear.LassoCV(cv=3).fit(table, y)
    yield by_folds, {None: "alpha", "loss": "alpha", "path": "alpha", "coefficients": "coefficient"}
    yield linear.MultiTaskLasso(0.1).fit(X, np.column_stack([y, -y])), {None: "coefficient"}
    yield linear.LogisticRegression(alpha=0.05).fit(X, np.digitize(y, [-1, 1])), {None: "coefficient"}
    yield survival.CoxRegression(0.05).fit(table, times, strata=np.arange(60) % 2), {"survival": "time", "coefficients": "coefficient"}
    yield matrix.RobustPCA().fit(X), {"low_rank": "", "sparse": ""}
    yield matrix.GraphicalLasso(0.1).fit(X), {None: ""}
    yield claros.CrossValidation(**problem(lambdas=6, folds=3)), {None: "lambda", "coefficients": "lambda"}
    run = claros.solve(**{**problem(), "penalty": {"use": "l1", "lambda": 0.1}})
    yield run, {None: "passes over the data", "solution": "coefficient"}
    yield claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, data=table.assign(y=y)), {
        "solution": "coefficient x deviation of its column"}
    yield claros.solve(objective={"use": "distance", "data": [1.0, -2.0]}), {"solution": ""}
    yield matrix.RatingsModel(0.01).fit(*np.nonzero(X), X.ravel()), {None: "singular value"}


def test_bars_are_effects_if_the_columns_were_standardised_or_rows_are_given():
    pytest.importorskip("sklearn")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    from claros import linear

    random = np.random.default_rng(2)
    X = random.normal(size=(50, 3)) * [0.01, 1.0, 100.0]
    y = X @ [300.0, 2.0, 0.01] + 0.01 * random.normal(size=50)
    table = pandas.DataFrame(X, columns=["narrow", "middle", "wide"])
    result = claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 1e-4}, data=table.assign(y=y))
    fit = linear.Lasso(1e-6).fit(table, y)
    for axes, effects in ((result.plot("solution"), result.coef * X.std(axis=0)), (fit.plot(X=table), fit.coef_ * X.std(axis=0)),
                          (fit.plot(), fit.coef_)):
        order = np.argsort(np.abs(effects))
        assert [label.get_text() for label in axes.get_yticklabels()] == [table.columns[k] for k in order]
        assert np.allclose([bar.get_width() for bar in axes.patches], np.asarray(effects)[order], rtol=1e-4)
    with pytest.raises(ValueError, match="X is for coefficients"):
        linear.LassoCV(cv=3, n_alphas=4).fit(table, y).plot("loss", X=table)
    pyplot.close("all")


def test_comparisons_and_intervals_are_drawn_and_are_tables_in_a_notebook():
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    from claros import inference, linear

    shared = {**problem(), "penalty": {"use": "l1", "lambda": 0.1}}
    compared = claros.compare({"<fast>": {"algorithm": "working-set"}, "slow": {"algorithm": "proximal-gradient"}}, **shared)
    axes = compared.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["<fast>", "slow"] and len(axes.lines) == 2
    assert "&lt;fast&gt;" in compared._repr_html_() and f"{compared['slow'].value:.6g}" in compared._repr_html_()
    X, y = problem()["data"]
    intervals = inference.debiased_lasso(X, y)
    axes = intervals.plot()
    assert axes.get_xlabel() == "coefficient" and f"{intervals.low[0]:.6g}" in intervals._repr_html_()
    stable = inference.stability_selection(linear.Lasso(), X, y, alphas=[0.5, 0.1], pairs=5, random_state=0)
    axes = stable.plot()
    assert len(axes.lines) == 5 and [text.get_text() for text in axes.get_legend().get_texts()] == [f"column {j + 1}" for j in stable.selected]
    pyplot.close("all")


def test_fits_are_drawn_by_matplotlib():
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    for made, pictures in drawn():
        for what, label in pictures.items():
            axes = made.plot(what) if what else made.plot()
            assert axes.get_xlabel() == label and (axes.lines or axes.patches or axes.images)
            own = pyplot.subplots()[1]
            assert (made.plot(what, ax=own) if what else made.plot(ax=own)) is own
            pyplot.close("all")
        with pytest.raises(ValueError, match="'nothing'"):
            made.plot("nothing")


def test_a_fit_reports_its_numbers_and_its_coefficients_by_name():
    pytest.importorskip("sklearn")
    pandas = pytest.importorskip("pandas")
    from claros import linear

    X, y = problem()["data"]
    fit = linear.Lasso(0.1).fit(pandas.DataFrame(X, columns=["size", "b", "c", "d", "<e>"]), y)
    rows = dict(fit.report())
    assert rows["size"] == f"{fit.coef_[0]:.6g}" and rows["nonzeros"] == f"{np.count_nonzero(fit.coef_)} of 5 columns"
    assert "dual_gap_" in rows and repr(fit.report()).splitlines()[0].split() == ["estimator", "Lasso"]
    dense = linear.Lasso(1e-6).fit(pandas.DataFrame(X, columns=["size", "b", "c", "d", "<e>"]), y)
    assert "&lt;e&gt;" in dense.report()._repr_html_()
    with pytest.raises(ValueError, match="not fitted"):
        linear.Lasso(0.1).report()


def test_a_report_of_rows_orders_coefficients_by_their_effect():
    pytest.importorskip("sklearn")
    from scipy import sparse

    from claros import linear

    random = np.random.default_rng(3)
    X = random.normal(size=(50, 3)) * [0.01, 1.0, 100.0] + [1.0, 0.0, 5.0]
    for y, model in ((X @ [5.0, 1.0, 0.1], linear.Lasso(1e-4)), (X @ [5.0, 1.0, 0.1] > 0.5, linear.LogisticRegression(1e-3))):
        for rows in (X, sparse.csr_matrix(X), X.astype(np.float32)):
            fit = model.fit(rows, y)
            effects = np.ravel(fit.coef_) * X.std(axis=0)
            shown = [(name, value) for name, value in fit.report(rows) if name.startswith("column")]
            order = [k for k in np.argsort(-np.abs(effects)) if np.ravel(fit.coef_)[k] != 0]
            assert [name for name, _ in shown] == [f"column {k + 1}" for k in order]
            for k, (_, value) in zip(order, shown, strict=True):
                number, effect = value.removesuffix(" a deviation)").split("  (")
                assert number == f"{np.ravel(fit.coef_)[k]:.6g}" and np.isclose(float(effect), effects[k], rtol=1e-4)
    with pytest.raises(ValueError, match="2 features"):
        fit.report(X[:, :2])


def test_estimators_without_coefficients_report_their_numbers_and_take_no_rows():
    pytest.importorskip("sklearn")
    from claros import matrix

    X = np.random.default_rng(5).normal(size=(12, 3))
    for fit in (matrix.RobustPCA().fit(X), matrix.GraphicalLasso(0.1).fit(X), matrix.RatingsModel(0.1).fit(*np.nonzero(X), X.ravel())):
        assert "dual_gap_" in dict(fit.report())
        with pytest.raises(ValueError, match="leave X out"):
            fit.report(X)


def test_ctrl_c_leaves_the_best_point_as_the_fit(monkeypatch):
    pytest.importorskip("sklearn")
    from claros import estimators, linear, matrix

    solve = estimators.solve

    def interrupted(**given):
        stop = claros.Interrupted()
        stop._result = solve(**given)
        raise stop

    monkeypatch.setattr(estimators, "solve", interrupted)
    X, y = problem()["data"]
    for model, data in ((linear.Lasso(0.1), (X, y)), (linear.LogisticRegression(), (X, y > 0)), (linear.MultiTaskLasso(0.1), (X, np.c_[y, -y])),
                        (matrix.RobustPCA(), (X,)), (matrix.GraphicalLasso(0.1), (X,))):
        with pytest.raises(claros.Interrupted) as caught:
            model.fit(*data)
        assert caught.value.result is model.result_ and model.n_iter_ >= 1
        assert "_interruption" not in vars(model)
    assert np.isfinite(linear.Lasso.predict(_fitted(linear.Lasso(0.1), X, y), X)).all()


def _fitted(model, *data):
    with pytest.raises(KeyboardInterrupt):
        model.fit(*data)
    return model


def test_predictions_of_single_precision_stay_single():
    pytest.importorskip("sklearn")
    from claros import linear

    X, y = problem()["data"]
    for model, response in ((linear.Lasso(0.1), y), (linear.PoissonRegression(0.1), np.exp(y).round()), (linear.MultiTaskLasso(0.1), np.c_[y, y])):
        model.fit(X, response)
        assert model.predict(X.astype(np.float32)).dtype == np.float32 and model.predict(X).dtype == np.float64
    model = linear.LogisticRegression().fit(X, y > 0)
    assert model.decision_function(X.astype(np.float32)).dtype == model.predict_proba(X.astype(np.float32)).dtype == np.float32


def test_docstrings_say_what_differs_from_scikit_learn():
    pytest.importorskip("sklearn")
    from claros import linear, matrix, survival

    assert "alpha = 1 / (n C)" in linear.LogisticRegression.__doc__ and "drawn at random" not in linear.LogisticRegression.__doc__
    assert "drawn at random" in linear.LassoCV.__doc__ and "Lasso: tol" in linear.LassoCV.__doc__
    assert "Differs from scikit-learn" not in survival.CoxRegression.__doc__ + linear.MCPRegression.__doc__
    assert "Differs from scikit-learn" in matrix.GraphicalLassoCV.__doc__
    for name in ("C", "epsilon", "cv", "solver"):
        with pytest.raises(TypeError, match=f"Lasso has no parameter '{name}' \\("):
            linear.Lasso(**{name: 1})
