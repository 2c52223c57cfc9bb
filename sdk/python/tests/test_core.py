# SPDX-License-Identifier: BSD-3-Clause
"""solve, check, paths and folders: inputs, results, errors, interrupts, callbacks and threads."""
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest
from scipy import sparse

import claros

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 12))
Y = X @ np.r_[2.0, -1.0, np.zeros(10)] + RNG.normal(size=60)
FITS = int(os.environ.get("CLAROS_FITS", 500))
# A sanitizer keeps freed memory for a while.
LEAST = (1 << 30) if "CLAROS_SANITIZED" in os.environ else 4 << 20
LASSO = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": 0.1}}


def lasso_value(x, rows=X):
    return 0.5 * np.mean((rows @ x - Y) ** 2) + 0.1 * np.abs(x).sum()


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("rows, error", [
    (X, 1e-6), (np.asfortranarray(X), 1e-6), (X.astype(np.float32), 1e-5), (read_only(X), 1e-6),
    (np.repeat(X, 2, axis=0)[::2], 1e-6), (X.tolist(), 1e-6), (sparse.csr_matrix(X), 1e-6), (sparse.csc_matrix(X), 1e-6),
    (sparse.csr_matrix(X.astype(np.float32)), 1e-5),
], ids=["C", "Fortran", "float32", "read-only", "strided", "list", "csr", "csc", "csr32"])
def test_every_layout_gives_the_same_minimum(rows, error):
    best = claros.solve(**LASSO, data=(X, Y), stop=1e-9)
    result = claros.solve(**LASSO, data=(rows, Y), stop=1e-9)
    assert result.x.shape == (12,)
    assert result.gap <= 1e-9 * result.value
    assert lasso_value(result.x) == pytest.approx(best.value, rel=error)


def test_sparse_starts_of_64_bits():
    rows = sparse.csr_matrix(X)
    rows.indptr, rows.indices = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
    assert lasso_value(claros.solve(**LASSO, data=(rows, Y)).x) == pytest.approx(claros.solve(**LASSO, data=(X, Y)).value, rel=1e-5)


def test_dense_rows_are_read_in_place_and_borrowed_once():
    rows = X.copy()
    before = sys.getrefcount(rows)
    data = claros.rows(rows, Y)
    assert sys.getrefcount(rows) == before + 1
    with pytest.raises(ValueError):
        rows.resize((30, 12))
    del data
    gc.collect()
    assert sys.getrefcount(rows) == before


def test_result_can_be_pickled_and_shown():
    result = claros.solve(**LASSO, data=(X, Y))
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.x, result.x)
    assert result.status == "relative-gap" and "minimum" in result.certifies
    assert "relative-gap" in result._repr_html_()
    assert set(result.trace) >= {"iteration", "value", "gap"} and result.counts["sfo"] > 0


def test_low_rank_solution():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 150))
    i, j = np.divmod(rng.permutation(200 * 150)[:9000], 150)
    result = claros.solve(objective="matrix-completion", set={"use": "nuclear-ball", "radius": 300.0},
                          algorithm="blended-pairwise", data=(i, j, truth[i, j]), stop={"iterations": 200})
    assert result.U.shape == (200, len(result.s)) and result.V.shape == (150, len(result.s))
    assert np.allclose(result.U.T @ result.U, np.eye(len(result.s)), atol=1e-8)
    assert result.x.shape == (200, 150)
    entries = claros.predict(result, rows=i, cols=j)
    assert np.allclose(entries, result.x[i, j]) and np.corrcoef(entries, truth[i, j])[0, 1] > 0.9


def test_all_complaints_at_once():
    with pytest.raises(claros.UsageError) as caught:
        claros.solve(objective="linear-modle", penalty={"use": "l1", "lambda": -1}, data=(X, Y))
    assert {complaint.where for complaint in caught.value.complaints} == {"objective.use", "penalty.lambda"}
    assert any("did you mean 'linear-model'" in complaint.remedy for complaint in caught.value.complaints)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.complaints == caught.value.complaints


@pytest.mark.parametrize("rows, y, word", [
    (X, Y[:5], "60 rows"), (X[:, 0], Y, "shape (60,)"), (X.astype(complex), Y, "complex"),
    (np.full((60, 2), "a", dtype=object), Y, "object"), (np.where(X > 2, np.nan, X), Y, "finite"),
    (X, np.where(np.arange(60) == 3, np.inf, Y), "finite"), (sparse.csr_matrix(np.where(X > 2, np.nan, X)), Y, "finite"),
])
def test_bad_data(rows, y, word):
    with pytest.raises(claros.Error) as caught:
        claros.solve(**LASSO, data=(rows, y))
    assert word in str(caught.value)


def test_negative_weights():
    with pytest.raises(claros.Error):
        claros.rows(X, Y, sample_weight=-np.ones(60))


def test_check_returns_the_specification():
    text = claros.check(**LASSO, data=(X, Y))
    assert "[penalty]" in text and "lambda = 0.1" in text
    with pytest.raises(claros.UsageError):
        claros.check(objective="linear-model", set={"use": "simplex"}, data=(X, Y))


def test_describe_and_components():
    assert "l1" in claros.components("penalty")
    page = claros.describe("penalty/l1")
    assert page["parameters"][0]["name"] == "lambda" and "lambda" in repr(page)
    with pytest.raises(claros.UsageError) as caught:
        claros.describe("nuclear-bal")
    assert "nuclear-ball" in caught.value.complaints[0].remedy


def test_callback_stops():
    seen = []
    result = claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), stop={"iterations": 100},
                          on_step=lambda iteration, *_: seen.append(iteration) or iteration < 3)
    assert result.status == "stopped-by-host" and seen == [1, 2, 3]


def test_exception_of_a_callback_is_itself():
    def fail(iteration, *_):
        if iteration == 2:
            raise KeyError("mine")

    with pytest.raises(KeyError) as caught:
        claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), on_step=fail)
    assert caught.value.claros_result.x.shape == (12,)


def test_interrupt_within_a_long_run():
    """SIGINT once the run has made a step, from the callback itself: no sleeps."""
    sent = []

    def send(*_):
        if not sent:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(claros.Interrupted) as caught:
        claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), on_step=send, stop={"iterations": 10**12})
    assert time.monotonic() - sent[0] < 1.0
    assert caught.value.result.x.shape == (12,) and caught.value.result.status == "interrupted"


def test_an_interrupted_step_gives_its_point_once_it_has_ended():
    class Slow:
        shape, smoothness, calls = 3, 1.0, 0

        def value(self, x):
            return 0.5 * ((x - 1) ** 2).sum()

        def gradient(self, x):
            self.calls += 1
            if self.calls == 3:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.5)  # far longer than the answer to Ctrl-C takes
            return x - 1

    with pytest.raises(claros.Interrupted) as caught:
        claros.solve(objective=Slow(), algorithm={"use": "proximal-gradient", "step": 0.01}, stop={"iterations": 10**9})
    assert caught.value.result.status == "interrupted" and caught.value.result.x.shape == (3,)


def test_other_threads_run_during_a_solve():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), stop={"seconds": 0.3})
    done.set()
    thread.join()
    assert len(ticks) > 20


def test_eight_threads_with_callbacks():
    results = [None] * 8

    def work(k):
        results[k] = claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), on_step=lambda *_: None)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [thread.start() for thread in threads]
    [thread.join(60) for thread in threads]
    assert all(np.array_equal(result.x, results[0].x) for result in results)


def test_fork_while_a_solve_runs():
    started, done = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: claros.solve(
        **LASSO, algorithm="proximal-gradient", data=(X, Y), on_step=lambda *_: started.set() or not done.is_set(),
        stop={"iterations": 10**12}))
    thread.start()
    assert started.wait(30)
    child = os.fork()
    if child == 0:
        os._exit(0 if claros.solve(**LASSO, data=(X, Y)).target else 1)
    status = os.waitpid(child, 0)[1]
    done.set()
    thread.join(30)
    assert status == 0 and not thread.is_alive()


def test_default_threads_follow_affinity():
    code = f"""
import sys, os; sys.path[:0] = {sys.path!r}
import claros
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
print(claros.default_threads())
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "1"
    assert 1 <= claros.default_threads() <= len(os.sched_getaffinity(0))


def test_killed_run_resumes(tmp_path):
    """A process that is killed after its first checkpoint; the run ends with the bits of one that was not."""
    code = f"""
import sys, os, signal; sys.path[:0] = {sys.path!r}
import claros
def end(k, *_):
    if k == 40: os.kill(os.getpid(), signal.SIGKILL)
claros.solve({str(tmp_path / 'spec.ini')!r}, out={str(tmp_path / 'run')!r}, on_step=end)
"""
    np.savetxt(tmp_path / "data.csv", np.column_stack([X, Y]), delimiter=",")
    (tmp_path / "spec.ini").write_text("""[objective]
use = linear-model
data = data.csv
header = no
[penalty]
use = l1
lambda = 0.1
[algorithm]
use = proximal-gradient
[output]
checkpoint_every = 10
[stop]
iterations = 80
""")
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    resumed = claros.resume(tmp_path / "run")
    whole = claros.solve(tmp_path / "spec.ini")
    assert resumed.iterations == 80 and np.array_equal(resumed.x, whole.x)


def test_path_and_cross_validation():
    path = claros.Path(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, Y), lambdas=10)
    assert path.coefficients_.shape == (12, len(path.lambdas_)) and np.all(np.diff(path.lambdas_) < 0)
    assert not path.coefficients_[:, 0].any() and path.coefficients_[:, -1].any()
    chosen = claros.CrossValidation(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, Y), lambdas=10)
    assert chosen.lambda_of("best") <= chosen.lambda_of("one-standard-error")
    with pytest.raises(claros.UsageError):
        claros.Path(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, Y), by="mean")


def test_path_chooses_among_finished_fits():
    problem = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": "max"}, "algorithm": "proximal-gradient",
               "data": (X, Y), "lambdas": 8}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = claros.CrossValidation(**problem)
        assert not whole.unfinished_.any()
        assert not claros.CrossValidation(**problem, stop={"iterations": 2, "relative_gap": 0}).unfinished_.any()
        claros.Path(**problem, stop={"iterations": 2})  # chooses nothing
    with pytest.warns(claros.ClarosWarning, match="7 of 8 lambdas have unfinished fits and are not chosen.*claros help not-met") as caught:
        path = claros.Path(**problem, information="bic", stop={"iterations": 3, "relative_gap": 1e-10})
    assert caught[0].filename == __file__
    assert path.chosen_["best"] == 0 and path.information_.argmin() != 0 and path.unfinished_.tolist() == [False] + 7 * [True]
    with pytest.warns(claros.ClarosWarning, match="no lambda met its target in all of its fits") as caught:
        none = claros.CrossValidation(**problem, stop={"iterations": 3, "relative_gap": 1e-10})
    assert caught[0].filename == __file__
    assert none.unfinished_.all() and none.chosen_["best"] == none.validation_["loss"].argmin()


@pytest.mark.parametrize("rows, word", [
    (np.where(np.arange(12) == 3, np.nan, X), "row 0"), (sparse.csr_matrix(np.where(X > 2.4, np.inf, X)), "infinite"),
    (X[:, :5], "5 columns, expected 12"), (X[0], "shape (12,)"), (X.astype(str), "numbers"), (X.astype(object) + 1j, "numbers")])
def test_predictions_of_wrong_rows(rows, word):
    result = claros.solve(**LASSO, data=(X, Y))
    assert claros.predict(result, X.astype(np.float32).tolist()) == pytest.approx(X @ result.x, abs=1e-5)
    with pytest.raises(claros.Error) as caught:
        claros.predict(result, rows)
    assert word in str(caught.value)


@pytest.mark.parametrize("rows, cols, word", [
    ([-1], [0], "below 0"), ([4], [0], "expected one below 4"), ([0], [5], "expected one below 5"), ([0.5], [0], "float64"),
    ([0, 1], [0], "2 rows and 1 cols"), (None, [0], "neither")])
def test_predictions_of_wrong_entries(rows, cols, word):
    i, j = np.divmod(np.arange(0, 20, 2), 5)
    result = claros.solve(objective="matrix-completion", set={"use": "nuclear-ball", "radius": 9.0},
                          data=claros.ratings(i, j, np.ones(10), (4, 5)), stop={"iterations": 5})
    with pytest.raises(claros.Error, match=word):
        claros.predict(result, rows=rows, cols=cols)


@pytest.mark.parametrize("given, word", [
    ({"start": np.zeros(5)}, "12"), ({"start": "abc"}, "abc"), ({"start": np.full(12, np.nan)}, "finite|nan"),
    ({"stop": {"relative_gap": "much"}}, "much"), ({"data": (X,)}, "tuple"), ({"data": object()}, "object"),
    ({"objektive": "linear-model"}, "objective"), ({"run": {"threads": 0}}, "threads")])
def test_arguments_that_cannot_be_meant(given, word):
    with pytest.raises(claros.Error, match=word):
        claros.solve(**{**LASSO, "data": (X, Y), **given})


def test_array_that_is_changed_while_borrowed_cannot_be_freed():
    """The name goes, the memory stays until the last solve on it is over."""
    rows = X.copy()
    expected = claros.solve(**LASSO, data=(X, Y)).x
    data = claros.rows(rows, Y)
    del rows
    gc.collect()
    [np.full_like(X, 7.0) for _ in range(100)]  # would take memory that is freed wrongly
    assert np.array_equal(claros.solve(**LASSO, data=data).x, expected)


def test_reports(tmp_path):
    """Of a run, a comparison and a path; without a folder there is nothing to report."""
    result = claros.solve(**LASSO, data=(X, Y), out=tmp_path / "run")
    assert result.report() == os.fspath(tmp_path / "run/report.html")
    assert "linear-model" in (tmp_path / "run/report.html").read_text()
    page = result.report(tmp_path / "page.html")
    assert "<html" in open(page).read()
    both = claros.compare({"a": {}, "b": {"algorithm": "proximal-gradient"}}, **LASSO, data=(X, Y), out=tmp_path / "both")
    assert both.report() == os.fspath(tmp_path / "both/report.html") and (tmp_path / "both/b/result.json").exists()
    path = claros.Path(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, Y), lambdas=5, out=tmp_path / "path")
    assert os.path.getsize(path.report()) > 10000 and (tmp_path / "path/coefficients.mtx").exists()
    for unkept in (claros.solve(**LASSO, data=(X, Y)), claros.compare({"a": {}}, **LASSO, data=(X, Y))):
        with pytest.raises(claros.UsageError, match="out=FOLDER"):
            unkept.report()
    with pytest.raises(claros.UsageError, match="html"):
        result.report(tmp_path / "page.pdf")


class _Shell:
    kernel = object()


def test_a_notebook_has_one_line_of_progress_that_is_updated(capsys, monkeypatch):
    from claros import progress

    run = {**LASSO, "algorithm": "proximal-gradient", "data": (X, Y), "stop": {"iterations": 5}}
    for name in ("_INTERVAL", "_PATIENCE"):
        monkeypatch.setattr(progress, name, 0.0)
    for shell in (None, type("Terminal", (), {})()):  # neither python nor IPython in a terminal shows what is not asked for
        monkeypatch.setitem(sys.modules, "IPython", type("IPython", (), {"get_ipython": staticmethod(lambda shell=shell: shell)}))
        claros.solve(**run)
        assert capsys.readouterr() == ("", "")
    monkeypatch.setitem(sys.modules, "IPython", type("IPython", (), {"get_ipython": _Shell}))
    claros.solve(**run)
    shown = capsys.readouterr()
    assert shown.err == "" and shown.out.startswith("\r1 steps") and shown.out.count("\n") == 1 and shown.out.endswith("\n")
    assert [text.split()[0] for text in shown.out.split("\r")[1:]] == ["1", "2", "3", "4", "5"]
    claros.solve(**run, progress=False)
    claros.solve(**run, on_step=lambda *given: True)
    assert capsys.readouterr() == ("", "")
    show = progress.Progress()
    show(10, 0.0, 1.23456, 0.5)
    show(11, 0.0, 1.0, 0.5)
    first, second = capsys.readouterr().out.split("\r")[1:]
    assert len(second) == len(first)  # no rest of a longer line stays


def test_progress(capsys):
    claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), progress=True, stop={"iterations": 5})
    assert capsys.readouterr().err.endswith("\n")
    seen = []
    claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), progress=lambda *given: seen.append(given), stop={"iterations": 5})
    assert seen and len(seen[0]) == 4
    with pytest.raises(claros.UsageError, match="on_step"):
        claros.solve(**LASSO, data=(X, Y), progress=True, on_step=print)
    with pytest.raises(claros.UsageError, match="on_step"):
        claros.Path(objective="linear-model", penalty={"use": "l1", "lambda": "max"}, data=(X, Y), on_step=print)


def test_compare():
    results = claros.compare({"ista": {"algorithm": "proximal-gradient"}, "cd": {"algorithm": "coordinate-descent"}},
                             **LASSO, data=(X, Y))
    assert results["ista"].value == pytest.approx(results["cd"].value, rel=1e-5)


def test_prepared_solver_gives_what_solve_gives():
    given = {"objective": "linear-model", "algorithm": "proximal-gradient", "stop": 1e-8}
    kept = claros.prepare(penalty={"use": "l1", "lambda": 0.1}, data=(X, Y), **given)
    for shift in (0.0, 0.5):
        for value in (0.1, 0.02):
            start = np.full(12, shift)
            a = kept.solve(data=(X, Y + shift), penalty={"lambda": value}, start=start)
            b = claros.solve(data=(X, Y + shift), penalty={"use": "l1", "lambda": value}, start=start, **given)
            assert np.array_equal(a.x, b.x) and a.gap == b.gap and a.iterations == b.iterations
    for refused, named in (({"penalty": {"lambda": -1}, "data": (X, Y)}, "penalty.lambda"),
                           ({"penalty": {"lambda": 0.3}, "start": np.full(12, np.nan)}, "start"),
                           ({"penalty": {"lambda": 0.3}, "data": (X, Y), "start": np.zeros(3)}, "start"),
                           ({"stop.relative_gap": 0.5, "stop.relativ_gap": 1e-3}, "relativ_gap"),
                           ({"penalty": {"lambda": 0.3}, "set": object()}, "give it to claros.prepare")):
        with pytest.raises(claros.UsageError, match=named):
            kept.solve(**refused)
        again = kept.solve()  # with all that the last run had that was not refused
        assert np.array_equal(again.x, b.x) and again.iterations == b.iterations
    with pytest.raises(claros.UsageError, match="lambda"):
        claros.prepare(penalty={"use": "l1", "lambda": -1}, data=(X, Y), **given)


def test_prepared_solvers_in_threads_and_with_callbacks():
    seen, found = [], {}

    def work(k):
        kept = claros.prepare(data=(X, Y + k), on_step=lambda *step: seen.append(k), **LASSO)
        found[k] = [kept.solve().x for _ in range(5)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        assert all(np.array_equal(x, claros.solve(data=(X, Y + k), **LASSO).x) for x in found[k])
    assert set(seen) == {0, 1, 2, 3}


def test_import_leaves_scikit_learn_alone():
    code = f"import sys; sys.path[:0] = {sys.path!r}; import claros; sys.exit('sklearn' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_solves_leak_nothing():
    data = claros.rows(X, Y)
    gone = weakref.ref(claros.solve(**LASSO, data=data))
    gc.collect()
    assert gone() is None
    for _ in range(50):
        claros.solve(**LASSO, data=data)
    before = resident()
    for _ in range(FITS):
        claros.solve(**LASSO, data=data)
    assert resident() - before < LEAST


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_without_a_rule_a_run_ends_at_a_gap_or_where_none_is_known_at_a_residual():
    y = np.random.default_rng(5).normal(size=X.shape[0])
    known = claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, data=(X, y))
    assert known.status == "relative-gap" and known.relative_gap <= 1e-6
    for penalty in (None, {"use": "mcp", "lambda": 0.1}, {"use": "l1", "lambda": 0}, "nonnegative"):
        result = claros.solve(objective="linear-model", penalty=penalty, data=(X, y))
        assert result.status == "residual" and result.residual <= 1e-6, penalty


def test_a_value_that_is_0_to_rounding_meets_a_relative_gap_that_is_no_number_above_it():
    rows = RNG.normal(size=(10, 30))
    result = claros.solve(objective="linear-model", data=(rows, rows[:, 0]), set={"use": "l1-ball", "radius": 100},
                          stop={"relative_gap": 1e-6, "iterations": 20000})
    assert result.status == "relative-gap"
    assert result.value < 1e-25
    assert result.gap <= result.value
    assert result.relative_gap == 0.0


def test_a_target_that_rounding_hides_is_not_met():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = claros.solve(objective={"use": "distance", "data": "3e4 4e4"}, set={"use": "l2-ball", "radius": 1},
                              stop={"gap": 1e-12, "iterations": 5000})
    assert result.status == "rounding"
    assert 1e-12 < result.gap < 1e-4


def test_unknown_and_missing_keys_of_data_are_refused_together():
    with pytest.raises(claros.UsageError) as raised:
        claros.solve(objective="linear-model", data={"X": X, "sample_weights": np.ones(X.shape[0])})
    text = str(raised.value)
    assert "data.sample_weights" in text and "sample_weight, offset" in text and "data.y" in text


THREADS_OF_BLAS = """
import ctypes, os, sys
sys.path[:0] = {path!r}
import numpy as np
import claros
try:
    blas = ctypes.CDLL("libopenblas.so.0", mode=os.RTLD_NOLOAD)
except OSError:
    print("no OpenBLAS")
    sys.exit()
blas.openblas_set_num_threads({before})
within = []
X = np.random.default_rng(1).normal(size=(30, 4))
for _ in range(2):
    claros.solve(objective="linear-model", data=(X, X[:, 0]), penalty={{"use": "l1", "lambda": 0.1}},
                 on_step=lambda *step: within.append(blas.openblas_get_num_threads()))
try:
    claros.solve(objective="linear-model", data=(X, X[:, 0]), penalty={{"use": "l1", "lambda": -1}})
except claros.UsageError:
    pass
print(sorted(set(within)), blas.openblas_get_num_threads())
"""


@pytest.mark.parametrize("environment, before, expected", [({}, 3, "[1] 3"), ({"OPENBLAS_NUM_THREADS": "2"}, 2, "[2] 2")])
def test_solves_have_one_thread_of_blas_unless_its_number_is_set(environment, before, expected):
    mine = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    code = THREADS_OF_BLAS.format(path=sys.path, before=before)
    run = subprocess.run([sys.executable, "-c", code], env={**mine, **environment}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() in (expected, "no OpenBLAS"), run.stdout


def divide(*_):
    return 1 / 0


class Raising:
    """A penalty."""

    def value(self, x):
        divide()

    def apply(self, v, step):
        return v


class Remembering(Raising):
    """A penalty that keeps what it raised."""

    def value(self, x):
        try:
            divide()
        except ZeroDivisionError as error:
            self.error = error
            raise


STEPS = {"objective": "linear-model", "algorithm": "proximal-gradient"}
BALL = {"penalty": {"use": "l1", "lambda": 0.1}}


@pytest.mark.parametrize("fit", [
    lambda data: claros.solve(**STEPS, **BALL, data=data, on_step=divide),
    lambda data: claros.solve(**STEPS, penalty=Raising(), data=data, stop={"iterations": 3}),
    lambda data: claros.solve(**STEPS, penalty=Remembering(), data=data, stop={"iterations": 3}),
    lambda data: claros.prepare(**STEPS, **BALL, data=data, on_step=divide).solve(),
    lambda data: claros.prepare(**STEPS, penalty=Raising(), data=data, stop={"iterations": 3}).solve(),
    lambda data: claros.prepare(**STEPS, penalty=Remembering(), data=data, stop={"iterations": 3}).solve(),
    lambda data: claros.resume("no-such-folder", data=data, on_step=divide),
    lambda data: claros.CrossValidation(**STEPS, penalty=Remembering(), data=data),
], ids=["callback", "component", "component that remembers", "prepared callback", "prepared component",
        "prepared component that remembers", "resume", "path"])
def test_a_call_that_raises_keeps_no_data(fit):
    rows = X.copy()
    before = sys.getrefcount(rows)
    for _ in range(3):
        try:
            fit((rows, Y))
            raise AssertionError("nothing was raised")
        except (ZeroDivisionError, claros.Error):
            pass
    gc.collect()
    assert sys.getrefcount(rows) == before


def test_an_object_may_hold_the_solver_that_calls_it():
    class Owner:
        def __init__(self, rows):
            self.steps = 0
            self.solver = claros.prepare(**STEPS, **BALL, data=(rows, Y), on_step=self.step)

        def step(self, *_):
            self.steps += 1

    rows = X.copy()
    before, owner = sys.getrefcount(rows), Owner(rows)
    gone = weakref.ref(owner)
    for _ in range(3):
        gc.collect()
        assert owner.solver.solve().target
    assert owner.steps > 0
    del owner
    gc.collect()
    assert gone() is None and sys.getrefcount(rows) == before


def test_an_exception_keeps_its_cause_and_the_result():
    def chained(*_):
        try:
            divide()
        except ZeroDivisionError as error:
            raise KeyError("mine") from error

    with pytest.raises(KeyError) as caught:
        claros.solve(**STEPS, **BALL, data=(X, Y), on_step=chained)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and np.isfinite(caught.value.claros_result.value)


def test_predictions_find_the_columns_of_a_table_by_their_names():
    pandas = pytest.importorskip("pandas")
    names = [f"c{j}" for j in range(12)]
    table = pandas.DataFrame(X, columns=names)
    result = claros.solve(objective={"use": "linear-model", "intercept": True}, penalty=LASSO["penalty"], data=(table, Y))
    expected = claros.predict(result, table)
    assert expected == pytest.approx(X @ result.coef + result.intercept, rel=1e-12)
    for other in (table[names[::-1]], X, sparse.csr_matrix(X)):
        assert claros.predict(result, other) == pytest.approx(expected, rel=1e-12)
    assert claros.predict(result, table.iloc[:0]).shape == (0,)
    unnamed = claros.solve(**LASSO, data=(X, Y))
    assert claros.predict(unnamed, table[names[::-1]]) == pytest.approx(X[:, ::-1] @ unnamed.coef, rel=1e-12)
    for wrong, word in ((table.rename(columns={"c3": "d"}), "no column 'c3'"), (table[names[:5]], "no column 'c5'"),
                        (table.assign(more=1.0), "column 'more'"), (table[["c2", *names]], "share a name"), (X[:, :5], "5 columns")):
        with pytest.raises(claros.UsageError, match=word):
            claros.predict(result, wrong)


def test_a_table_has_an_intercept_and_standardised_columns_and_arrays_have_neither():
    pandas = pytest.importorskip("pandas")
    stretched, prices = X * np.linspace(0.1, 50, 12), Y + 50
    table = pandas.DataFrame(stretched, columns=[f"c{j}" for j in range(12)])

    def solve(data, **options):
        return claros.solve(objective={"use": "linear-model", **options}, penalty={"use": "l1", "lambda": "0.1*max"}, data=data)

    both = {"intercept": True, "standardize": True}
    usual, asked = solve((table, prices)), solve((stretched, prices), **both)
    assert usual.coef == pytest.approx(asked.coef) and usual.intercept == pytest.approx(asked.intercept) != 0
    assert claros.predict(usual, table) == pytest.approx(stretched @ usual.coef + usual.intercept)
    neither = {key: False for key in both}
    for plain in (solve((stretched, prices)), solve((table, prices), **neither), solve((sparse.csr_matrix(stretched), prices))):
        assert plain.intercept == 0 and plain.value > usual.value
    solver = claros.prepare(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, stop={"relative_gap": 1e-9}, data=(table, prices))
    assert solver.solve().intercept != 0 and solver.solve(data=(stretched, prices)).intercept == 0
    over = claros.solve(objective="linear-model", set={"use": "l1-ball", "radius": 1}, data=(table, prices))
    assert over.intercept == 0 and any("no intercept" in message for message in over.messages)


@pytest.mark.parametrize("data, word", [
    (([], [], []), "at least one"), ((X[:0], Y[:0]), "0 x 12"), ((X[:, :0], Y), "60 x 0"), ((X[:0, :0], []), "0 x 0"),
    ((sparse.csr_matrix((0, 12)), []), "0 x 12"), (claros.rows(X, Y), "observed entries")])
def test_data_of_nothing_and_of_another_kind_is_refused_at_every_call(data, word):
    row, col = np.divmod(np.arange(12), 4)
    first = {"data": (row, col, Y[:12])} if word in ("at least one", "observed entries") else {"data": (X, Y)}
    problem = ({"objective": "matrix-completion", "penalty": {"use": "nuclear", "lambda": 0.01}} if first["data"][0] is row
               else LASSO)
    solver = claros.prepare(**problem, **first)
    expected = solver.solve().value
    for call in (lambda: claros.solve(**problem, data=data), lambda: claros.check(**problem, data=data),
                 lambda: claros.prepare(**problem, data=data), lambda: solver.solve(data=data)):
        with pytest.raises(claros.Error, match=word):
            call()
    assert solver.solve().value == expected
    one = solver.solve(data=(row[:1], col[:1], Y[:1]) if first["data"][0] is row else (X[:1], Y[:1]))
    assert one.target and np.isfinite(one.x).all()


def test_an_empty_file_parameter_is_no_input_of_a_result_in_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problem = dict(objective={"use": "quadratic", "diagonal": "4 2 1"}, set={"use": "simplex", "radius": 1},
                   stop={"relative_gap": 1e-9})
    for out in ("o", "."):
        result = claros.solve(**problem, out=out)
        assert result.value == pytest.approx(2 / 7)
        assert "changed_inputs" not in json.loads((tmp_path / out / "result.json").read_text())
        assert claros.resume(out).value == pytest.approx(2 / 7)


def test_a_changed_input_is_warned_of_and_its_result_is_kept(tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text("a,y\n1,2\n2,3\n3,7\n")

    def change(iteration, seconds, value, gap):
        table.write_text("a,y\n1,2\n2,3\n3,70\n")

    with pytest.warns(claros.ClarosWarning, match="has changed since this run read it"):
        result = claros.solve(objective={"use": "linear-model", "data": str(table)}, penalty={"use": "l1", "lambda": 0.1},
                              stop={"iterations": 3}, on_step=change, out=tmp_path / "run")
    assert result.status != "failed"
    kept = json.loads((tmp_path / "run" / "result.json").read_text())
    assert kept["changed_inputs"] == [str(table)]


def test_names_of_other_libraries_mean_what_they_mean_in_the_program():
    fit = claros.solve(objective="lasso", data=(X, Y), **{"penalty.lambda": 0.1, "algorithm": "fista"}, max_iter=3)
    assert (fit.components["algorithm"], fit.iterations) == ("algorithm/proximal-gradient", 3)
    assert "use = l1" in claros.check(objective="lasso", data=(X, Y), **{"penalty.lambda": 0.1})
    assert len(claros.Path(objective="lasso", data=(X, Y), lambdas=3, **{"penalty.lambda": 1}).lambdas_) == 3
    for wrong, remedy in [({"algorithm": "funk-svd"}, "factored"), ({"set": "L1Ball"}, "l1-ball"), ({"objektive": "x"}, "'objective'"),
                          ({"objective": "linear-modle"}, "linear-model")]:
        with pytest.raises(claros.UsageError, match=remedy):
            claros.solve(**{"objective": "linear-model", "data": (X, Y), **wrong})
    with pytest.raises(claros.UsageError, match="did you mean 'penalty'"):
        claros.components("penalties")


def test_the_classes_of_the_modules_are_named_where_they_are():
    pytest.importorskip("sklearn")
    for name, module in [("Lasso", "linear"), ("RatingsModel", "matrix"), ("CoxRegression", "survival")]:
        with pytest.raises(ImportError, match=f"from claros.{module} import {name}"):
            getattr(claros, name)
    assert not hasattr(claros, "Lasoo") and not hasattr(claros, "nothing")


def test_coefficients_have_the_names_of_the_columns():
    pandas = pytest.importorskip("pandas")
    names = [f"column {j}" for j in range(X.shape[1])]
    fit = claros.solve(**LASSO, data=(pandas.DataFrame(X, columns=names), Y))
    assert list(fit.coefficients.index) == names
    assert (fit.coefficients.to_numpy() == fit.coef).all()
    largest = fit.coefficients.abs().idxmax()
    assert f"solution        {largest} {fit.coefficients[largest]:.6g}" in repr(fit)
    assert largest in fit._repr_html_()
    assert isinstance(claros.solve(**LASSO, data=(X, Y)).coefficients, np.ndarray)
    classes = claros.solve(objective={"use": "linear-model", "loss": "multinomial"}, data=(pandas.DataFrame(X, columns=names), (
        np.digitize(Y, [-1, 1]))), penalty={"use": "l1", "lambda": 0.05})
    assert classes.coefficients.shape == (X.shape[1], 3)
    with pytest.raises(claros.UsageError):
        claros.solve(objective={"use": "linear", "data": np.eye(3)}, set="birkhoff").coefficients


def test_a_result_shows_its_solution():
    weights = claros.solve(objective={"use": "quadratic", "data": np.diag([1.0, 2.0])}, set={"use": "simplex", "radius": 1})
    assert "solution        0.666667, 0.333333" in repr(weights)
    assignment = claros.solve(objective={"use": "linear", "data": 1 - np.eye(20)}, set="birkhoff")
    assert "solution        20 x 20, 20 of them not 0" in repr(assignment)


def test_an_interrupt_before_the_run_is_waited_for_keeps_its_point(monkeypatch):
    from claros import solving

    def interrupted(task, folder):
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "finish", interrupted)
    with pytest.raises(claros.Interrupted) as caught:
        claros.solve(**LASSO, algorithm="proximal-gradient", data=(X, Y), stop={"iterations": 10**12})
    assert caught.value.result.x.shape == (12,) and caught.value.result.status == "interrupted"


def test_kernels_that_openblas_lacks_are_said_by_the_first_result_alone():
    code = f"""
import sys; sys.path[:0] = {sys.path!r}
import claros
for _ in range(2):
    solved = claros.solve(objective="distance", data=[[1.0, 2.0]], penalty={{"use": "ridge", "lambda": 1.0}})
    print(sum("OPENBLAS_CORETYPE" in text for text in solved.messages))
print(len(claros._claros.faster_core) > 0)
"""
    def run(**environment):
        mine = {name: text for name, text in os.environ.items() if name != "OPENBLAS_CORETYPE"}
        done = subprocess.run([sys.executable, "-c", code], env={**mine, **environment}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    first, second, lacking = run()
    assert (first == "1") == (lacking == "True") and second == "0"
    assert run(OPENBLAS_CORETYPE="Nehalem") == ["0", "0", "False"]


def _threads():
    with open("/proc/self/status", encoding="utf-8") as status:
        return int(next(line for line in status if line.startswith("Threads:")).split()[1])


def test_solves_share_threads_and_a_forked_process_has_its_own():
    import os

    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 5))
    y = X[:, 0] + 0.1 * rng.normal(size=40)

    def solve():
        return claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.05}, data=(X, y), run={"threads": 1}).x

    first, before = solve(), _threads()
    assert all(np.array_equal(solve(), first) for _ in range(20))
    assert _threads() <= before + 1
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(solve(), first) and np.array_equal(solve(), first) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(solve(), first)


SYMMETRIC = X[:, :4].T @ X[:, :4] + np.eye(4)
MATRICES = {
    "covariance": (X[:, :4], {"set": {"use": "spectrahedron", "radius": 1}}), "distance": (SYMMETRIC, {"penalty": {"use": "nuclear", "lambda": 0.1}}),
    "linear": (SYMMETRIC, {"set": {"use": "nuclear-ball", "radius": 1}}), "log-det": (SYMMETRIC, {"penalty": {"use": "l1", "lambda": 0.1}}),
    "quadratic": (SYMMETRIC, {"penalty": {"use": "l1", "lambda": 0.1}}),
    "with holes": (np.where(SYMMETRIC > 50, np.nan, SYMMETRIC), {"penalty": {"use": "nuclear", "lambda": 0.1}}),
    "matrix-completion": (np.where(SYMMETRIC > 50, np.nan, SYMMETRIC), {"penalty": {"use": "nuclear", "lambda": 0.1}}),
    "linear-model": ((X, Y), {"penalty": {"use": "l1", "lambda": 0.1}})}


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
def test_a_folder_knows_the_objective_of_its_data(tmp_path, name, kind):
    data, parts = MATRICES[name]
    if kind is not np.asarray and (isinstance(data, tuple) or np.isnan(data).any() or name == "linear"):
        pytest.skip("not for sparse data")
    data, objective = data if isinstance(data, tuple) else kind(data), "distance" if name == "with holes" else name
    claros.solve(objective=objective, data=data, **parts, stop={"iterations": 2}, out=tmp_path / "run")
    more = claros.resume(tmp_path / "run", data=data, stop={"iterations": 4})
    whole = claros.solve(objective=objective, data=data, **parts, stop={"iterations": 4})
    assert more.iterations == whole.iterations and np.array_equal(more.x, whole.x)


@pytest.mark.parametrize("value", [np.ones((3, 3)), [[1.0, 2.0], [3.0, 4.0]], sparse.eye(3)], ids=["array", "list", "sparse"])
@pytest.mark.parametrize("given, said", [
    ({"set": {"use": "vertices"}, "name": "set.points"}, "set/vertices has no parameter 'points'"),
    ({"set": "box", "name": "set.upper"}, "is not a number"), ({"set": "box", "name": "set.uppers"}, "expected one dimension"),
    ({"penalty": "l1", "name": "penalty.lambda"}, "is not a number"),
    ({"penalty": {"use": "l1", "lambda": 1}, "name": "penalty.foo"}, "no parameter 'foo'"),
    ({"penalty": {"use": "l1", "lambda": 1}, "name": "stop.iterations"}, "is not a number")])
def test_a_matrix_for_a_parameter_without_one_is_refused_in_its_words(given, value, said):
    given = dict(given)
    with pytest.raises(claros.UsageError, match=f"{given['name']}: .*{said}"):
        claros.solve(objective="quadratic", data=SYMMETRIC, **{given.pop("name"): value}, **given)
