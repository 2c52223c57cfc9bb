# SPDX-License-Identifier: BSD-3-Clause
"""Objectives, sets, penalties, estimators and algorithms that are classes of Python."""
import time
import warnings

import numpy as np
import pytest

import claros

TARGET = np.array([0.2, 1.5, -0.4])


class Quadratic:
    shape, smoothness, convex = 3, 1.0, True

    def value(self, x):
        return 0.5 * ((x - TARGET) ** 2).sum()

    def gradient(self, x):
        return x - TARGET


class Simplex:
    diameter = 2**0.5

    def outside(self, x):
        return max(abs(x.sum() - 1), -x.min())

    def minimize(self, c):
        return np.eye(len(c))[c.argmin()]


class L1:
    def value(self, x):
        return 0.5 * np.abs(x).sum()

    def apply(self, v, step):
        return np.sign(v) * np.maximum(np.abs(v) - 0.5 * step, 0)


def test_objective_with_components_by_name_and_by_class():
    expected = np.sign(TARGET) * np.maximum(np.abs(TARGET) - 0.5, 0)
    for penalty in ({"use": "l1", "lambda": 0.5}, L1()):
        result = claros.solve(objective=Quadratic(), penalty=penalty, stop={"residual": 1e-10, "iterations": 1000})
        assert result.x == pytest.approx(expected, abs=1e-8)


def test_set_by_class_is_counted_and_gives_a_gap():
    result = claros.solve(objective=Quadratic(), set=Simplex(), algorithm="away-step", stop={"gap": 1e-8, "iterations": 1000})
    assert result.status == "gap" and result.counts["lo"] > 0
    assert result.x == pytest.approx([0, 1, 0], abs=1e-4)


def test_sum_of_terms_with_an_estimator_that_samples():
    class Mean:
        shape, terms, term_smoothness, smoothness, convex = (3,), 4, 1.0, 1.0, True
        points = np.array([TARGET + d for d in (-1, 1, -2, 2)])

        def value(self, x):
            return 0.5 * np.mean(((x - self.points) ** 2).sum(axis=1))

        def gradient(self, x, batch):
            return x - self.points[slice(None) if batch is None else batch].mean(axis=0)

    result = claros.solve(objective=Mean(), estimator="svrg", algorithm="proximal-gradient", stop={"epochs": 200})
    assert result.x == pytest.approx(TARGET, abs=1e-3)


def test_matrix_variable_keeps_its_shape():
    goal = np.arange(6.0).reshape(2, 3)

    class Matrix(Quadratic):
        shape = (2, 3)

        def value(self, x):
            return 0.5 * ((x - goal) ** 2).sum()

        def gradient(self, x):
            assert x.shape == (2, 3)
            return x - goal

    assert claros.solve(objective=Matrix(), stop={"residual": 1e-9, "iterations": 99}).x == pytest.approx(goal)


def test_algorithm_and_estimator_by_class():
    class Descent:
        takes = ("penalty",)

        def move(self, x, g, problem):
            return problem.apply(x - g / problem.smoothness, 1 / problem.smoothness)

    class Exact:
        exact = True

        def at(self, x, problem):
            return problem.gradient(x)

    result = claros.solve(objective=Quadratic(), penalty={"use": "l1", "lambda": 0.5}, algorithm=Descent(), estimator=Exact(),
                          stop={"residual": 1e-9, "iterations": 50})
    assert result.target and result.counts["po"] == result.iterations and result.counts["sfo"] == result.iterations


def test_problem_is_over_with_its_run():
    kept = []

    class Keeper:
        def move(self, x, g, problem):
            kept.append(problem)
            return x - g

    claros.solve(objective=Quadratic(), algorithm=Keeper(), stop={"iterations": 1})
    with pytest.raises(claros.UsageError, match="over"):
        kept[0].value(TARGET)


def test_exception_of_a_gradient_is_itself_and_keeps_the_point():
    class Failing(Quadratic):
        calls = 0

        def gradient(self, x):
            self.calls += 1
            if self.calls > 5:
                raise ZeroDivisionError("mine")
            return 0.1 * (x - TARGET)

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        claros.solve(objective=Failing(), algorithm="proximal-gradient", stop={"iterations": 100})
    assert np.all(np.isfinite(caught.value.claros_result.x))


@pytest.mark.parametrize("returned, word", [
    (None, "None"), (np.zeros(4), r"\(4,\)"), (np.zeros((3, 1)), r"\(3, 1\)"), ("abc", "str")])
def test_wrong_gradient_is_an_error(returned, word):
    class Wrong(Quadratic):
        def gradient(self, x):
            return returned

    with pytest.raises(claros.Error, match=word):
        claros.solve(objective=Wrong(), algorithm="proximal-gradient", stop={"iterations": 5})


def test_gradient_of_nan_warns_and_keeps_the_point():
    class Wrong(Quadratic):
        def gradient(self, x):
            return np.full(3, np.nan)

    with pytest.warns(claros.ClarosWarning, match="claros help diverged"):
        result = claros.solve(objective=Wrong(), algorithm="proximal-gradient", stop={"iterations": 5})
    assert result.trouble and np.all(np.isfinite(result.x))


def test_class_without_methods():
    class Empty:
        shape = 3

    with pytest.raises(claros.UsageError) as caught:
        claros.solve(objective=Empty(), penalty=Empty())
    sentences = str(caught.value)
    assert "no method value" in sentences and "no method gradient" in sentences and "no method apply" in sentences


def test_overhead_of_a_step():
    steps = 20000
    start = time.perf_counter()
    result = claros.solve(objective=Quadratic(), algorithm={"use": "proximal-gradient", "step": 1e-9}, trace={"on": False},
                          stop={"iterations": steps})
    a_step = (time.perf_counter() - start) / steps
    assert result.iterations == steps
    assert a_step < 100e-6  # 20 us on an idle machine (docs/guides/python-components.md)


class Gradient:
    exact = True

    def at(self, x, problem):
        return problem.gradient(x)


class Step:
    takes = ("penalty",)

    def move(self, x, g, problem):
        return problem.apply(x - g / problem.smoothness, 1 / problem.smoothness)


class DoubledGradient(Quadratic):
    def gradient(self, x):
        return 2 * (x - TARGET)


class LongProx(L1):
    def apply(self, v, step):
        return np.sign(v) * np.maximum(np.abs(v) - step, 0)


class OutsideCorner(Simplex):
    def minimize(self, c):
        return 1.1 * np.eye(len(c))[c.argmin()]


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("kind, verdict", [
    (Quadratic, "passed"), (Simplex, "passed"), (L1, "passed"), (Gradient, "incomplete"), (Step, "incomplete"),
    (DoubledGradient, "failed"), (LongProx, "failed"), (OutsideCorner, "failed")])
def test_the_conformance_kit(kind, verdict):
    examination = claros.doctor(kind())
    assert examination["verdict"] == verdict, examination
    assert repr(examination).startswith(verdict)


def test_the_conformance_kit_names_a_wrong_gradient():
    examination = claros.doctor(DoubledGradient(), only=["gradient"])
    assert [row["test"] for row in examination["results"]] == ["gradient"] and "factor" in repr(examination)
    with pytest.raises(claros.UsageError):
        claros.doctor(Quadratic(), only=["no-such-test"])


def test_estimator_with_epochs():
    """Variance reduction written in Python: a full gradient at the begin of every epoch, corrected by batches."""
    class Mean:
        shape, terms, term_smoothness, smoothness, convex = 3, 50, 1.0, 1.0, True
        points = TARGET + np.random.default_rng(0).normal(size=(50, 3))

        def value(self, x):
            return 0.5 * np.mean(((x - self.points) ** 2).sum(axis=1))

        def gradient(self, x, batch):
            return x - self.points[slice(None) if batch is None else batch].mean(axis=0)

    class Reduced:
        unbiased, length = True, 10

        def begin_epoch(self, x, problem):
            self.snapshot, self.full = x, problem.gradient(x)

        def at(self, x, problem):
            batch = problem.draw(4)
            return problem.gradient(x, batch) - problem.gradient(self.snapshot, batch) + self.full

    result = claros.solve(objective=Mean(), estimator=Reduced(), algorithm={"use": "proximal-gradient", "step": 0.5},
                          stop={"epochs": 20})
    assert result.x == pytest.approx(Mean.points.mean(axis=0), abs=1e-6)
    assert result.counts["sfo"] == 20 * 50 + result.iterations * 8


def test_object_without_methods_of_any_kind():
    with pytest.raises(claros.UsageError, match="no methods of a component"):
        claros.doctor(object())


class Watchful:
    """Notes whether its methods could change the arrays that they are given."""

    def __init__(self, inner, **attributes):
        self.seen = {}
        self.__dict__.update(attributes)
        for name in dir(inner):
            if not name.startswith("_") and callable(getattr(inner, name)):
                setattr(self, name, self.noting(name, getattr(inner, name)))

    def noting(self, name, method):
        def noted(*given):
            arrays = [each for each in given if isinstance(each, np.ndarray)]
            self.seen.setdefault(name, []).extend(each.flags.writeable for each in arrays)
            return method(*given)

        return noted


class Plain:
    """Methods of every kind."""

    def value(self, x):
        return 0.5 * (x**2).sum()

    def gradient(self, x, batch=None):
        return x.copy()

    def outside(self, x):
        return np.abs(x).max() - 1

    def minimize(self, c):
        return -np.sign(c)

    def project(self, v):
        return np.clip(v, -1, 1)

    def apply(self, v, step):
        return v / (1 + step)

    def conjugate(self, u):
        return 0.5 * (u**2).sum()

    def into_domain(self, u):
        return 1.0

    def at(self, x, problem):
        gradient = problem.gradient(x)
        gradient += 0.0  # what a problem returns belongs to the caller
        return gradient

    def begin_epoch(self, x, problem):
        pass

    def move(self, x, g, problem):
        return x - 0.5 * g


def only(*names):
    return type("Some", (), {name: getattr(Plain, name) for name in names})()


@pytest.mark.parametrize("shape", [3, (3, 2)])
@pytest.mark.parametrize("role, methods, rest", [
    ("objective", ("value", "gradient"), {"algorithm": "lbfgs"}),
    ("objective", ("value", "gradient"), {"estimator": {"use": "sg", "batch": 2}, "algorithm": {"use": "proximal-gradient", "step": 0.1}}),
    ("set", ("outside", "minimize"), {"algorithm": "frank-wolfe"}), ("set", ("outside", "project"), {"algorithm": "proximal-gradient"}),
    ("penalty", ("value", "apply", "conjugate", "into_domain"), {"algorithm": "proximal-gradient"}),
    ("estimator", ("at", "begin_epoch"), {"algorithm": {"use": "proximal-gradient", "step": 0.1}}), ("algorithm", ("move",), {}),
])
def test_arrays_that_methods_are_given_cannot_be_changed(shape, role, methods, rest):
    traits = {"shape": shape, "smoothness": 1.0, "convex": True, "diameter": 5.0, "lower_bound": 0.0, "length": 1}
    if rest.get("estimator") is not None:
        traits.update(terms=4, term_smoothness=1.0)
    watched = Watchful(only(*methods), **traits)
    f = Watchful(only("value", "gradient"), shape=shape, smoothness=1.0, convex=True)
    claros.solve(**{"objective": f, **rest, role: watched}, stop={"iterations": 3})
    assert set(watched.seen) >= set(methods) - {"conjugate", "into_domain"}
    assert not any(any(flags) for flags in [*watched.seen.values(), *f.seen.values()])


def test_a_gradient_that_changes_its_point_raises():
    class Careless(Quadratic):
        def gradient(self, x):
            x *= 2
            return x - TARGET

    with pytest.raises(ValueError, match="read-only"):
        claros.solve(objective=Careless(), algorithm="proximal-gradient", stop={"iterations": 5})


@pytest.mark.parametrize("factor, fits", [(1.0, True), (-1.0, False), (2.5, False), (1.001, True)])
def test_a_gradient_that_does_not_fit_the_value_draws_a_warning(factor, fits):
    class Scaled(Quadratic):
        def gradient(self, x):
            return factor * super().gradient(x)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        claros.solve(objective=Scaled(), algorithm="proximal-gradient", stop={"residual": 1e-30, "iterations": 3})
    assert any("does not fit the value" in str(each.message) for each in seen) != fits


def test_a_run_that_ends_at_a_minimum_without_its_target_does_not_blame_the_gradient():
    class Far(Quadratic):
        def value(self, x):
            return 1e6 + super().value(x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        claros.solve(objective=Far(), algorithm="proximal-gradient", stop={"iterations": 50})
