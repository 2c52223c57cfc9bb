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


def test_a_picture_needs_a_folder():
    for made in (claros.Path(**problem(lambdas=5)), claros.solve(**{**problem(), "penalty": None})):
        with pytest.raises(claros.UsageError, match="out=FOLDER"):
            made.plot()


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
    for name in ("C", "epsilon", "precompute", "solver"):
        with pytest.raises(TypeError, match=f"Lasso has no parameter '{name}' \\("):
            linear.Lasso(**{name: 1})
