# SPDX-License-Identifier: BSD-3-Clause
"""Cox regression beside what its definition says, written here as plain sums over pairs of rows."""
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")
from scipy import sparse  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402

from claros import ClarosWarning, survival  # noqa: E402

RNG = np.random.default_rng(3)
N = 120
X = RNG.normal(size=(N, 6))
RISK = X @ [0.9, -0.6, 0, 0, 0.3, 0]
_BORN, _CENSORED = RNG.exponential(np.exp(-RISK)), RNG.exponential(1.2, N)
TIME, EVENT = np.ceil(20 * np.minimum(_BORN, _CENSORED)) / 20, _BORN <= _CENSORED  # with ties
Y = np.column_stack([TIME, EVENT])
WEIGHTS = RNG.integers(1, 4, N).astype(float)
STRATA = np.array(["a", "b"])[RNG.integers(0, 2, N)]


ENTRY = np.where(RNG.random(N) < 0.3, -1.0, TIME * np.floor(4 * RNG.random(N)) / 4)
SPANS = np.column_stack([ENTRY, TIME, EVENT])


def slope(coef, ties="breslow", weights=None, offset=0.0, strata=None, entry=None):
    """The gradient of -(1/n) log partial likelihood, weights scaled to sum n."""
    w = np.ones(N) if weights is None else weights * N / weights.sum()
    labels = np.zeros(N, int) if strata is None else strata
    z, g = X @ coef + offset, np.zeros(X.shape[1])
    for label in np.unique(labels):
        for t in np.unique(TIME[EVENT & (labels == label)]):
            dead = EVENT & (TIME == t) & (labels == label)
            risk = (TIME >= t) & (labels == label) & (True if entry is None else entry < t)
            e = w * np.exp(z)
            m = dead.sum() if ties == "efron" else 1
            for k in range(m):
                share = np.where(risk, e, 0.0) - (k / m if ties == "efron" else 0.0) * np.where(dead, e, 0.0)
                g += w[dead].sum() / m * (share @ X) / share.sum()
            g -= w[dead] @ X[dead]
    return g / N


@pytest.mark.parametrize("ties", ["breslow", "efron"])
@pytest.mark.parametrize("how", [{}, {"weights": WEIGHTS}, {"offset": 0.1 * X[:, 5]}, {"strata": STRATA},
                                 {"weights": WEIGHTS, "offset": 0.1 * X[:, 5], "strata": STRATA}])
def test_optimality(ties, how):
    model = survival.CoxRegression(0.06, ties=ties, tol=1e-10)
    model.fit(X, Y, sample_weight=how.get("weights"), offset=how.get("offset"), strata=how.get("strata"))
    g = slope(model.coef_, ties, **how)
    on = model.coef_ != 0
    assert on.any() and not on.all()
    assert g[on] == pytest.approx(-0.06 * np.sign(model.coef_[on]), abs=2e-6)
    assert np.all(np.abs(g[~on]) <= 0.06 + 2e-6)
    assert 0 <= model.dual_gap_ <= 1e-9


@pytest.mark.parametrize("ties", ["breslow", "efron"])
@pytest.mark.parametrize("how", [{}, {"weights": WEIGHTS, "offset": 0.1 * X[:, 5], "strata": STRATA}])
def test_rows_that_enter_late(ties, how):
    model = survival.CoxRegression(0.06, ties=ties, tol=1e-10)
    model.fit(X, SPANS, sample_weight=how.get("weights"), offset=how.get("offset"), strata=how.get("strata"))
    g = slope(model.coef_, ties, entry=ENTRY, **how)
    on = model.coef_ != 0
    assert on.any() and not on.all()
    assert g[on] == pytest.approx(-0.06 * np.sign(model.coef_[on]), abs=2e-6)
    assert np.all(np.abs(g[~on]) <= 0.06 + 2e-6)
    assert 0 <= model.dual_gap_ <= 1e-9
    w, risk = how.get("weights", np.ones(N)), np.exp(model.predict(X, how.get("offset", np.zeros(N))))
    for k, label in enumerate(model.strata_):
        here = STRATA == label if "strata" in how else np.ones(N, bool)
        times, hazard = model.baseline_[k]
        steps = []
        for t in times:
            dead, at_risk = EVENT & here & (TIME == t), here & (TIME >= t) & (ENTRY < t)
            m = dead.sum() if ties == "efron" else 1
            left = [(w * risk)[at_risk].sum() - j / m * (w * risk)[dead].sum() * (ties == "efron") for j in range(m)]
            steps.append(w[dead].sum() / m * sum(1 / np.array(left)))
        assert hazard == pytest.approx(np.cumsum(steps))


def test_spans_of_every_form():
    plain = survival.CoxRegression(0.02).fit(X, SPANS)
    assert plain.coef_ != pytest.approx(survival.CoxRegression(0.02).fit(X, Y).coef_, abs=1e-3)
    fields = np.array(list(zip(TIME, EVENT, ENTRY)), dtype=[("stop", float), ("event", bool), ("start", float)])
    assert np.array_equal(survival.CoxRegression(0.02).fit(X, fields).coef_, plain.coef_)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"event": EVENT.astype(int), "stop": TIME, "start": ENTRY})
    assert np.array_equal(survival.CoxRegression(0.02).fit(X, frame).coef_, plain.coef_)
    early = np.column_stack([np.full(N, -1.0), TIME, EVENT])
    assert np.array_equal(survival.CoxRegression(0.02).fit(X, early).coef_, survival.CoxRegression(0.02).fit(X, Y).coef_)
    with pytest.raises(ValueError, match="row 0 enters at"):
        survival.CoxRegression().fit(X, np.column_stack([TIME, TIME, EVENT]))
    right = pairs = 0.0
    risk = plain.predict(X)
    for i in np.flatnonzero(EVENT):
        later = ((TIME > TIME[i]) | ((TIME == TIME[i]) & ~EVENT)) & (ENTRY < TIME[i])
        pairs += later.sum()
        right += (risk[i] > risk[later]).sum() + 0.5 * (risk[i] == risk[later]).sum()
    assert plain.score(X, SPANS) == pytest.approx(right / pairs)


def test_a_row_cut_into_spans_is_the_row():
    late = TIME > 0.3
    both = np.r_[np.arange(N), np.flatnonzero(late)]
    spans = np.r_[np.column_stack([np.where(late, 0.3, -1.0), TIME, EVENT]),
                  np.column_stack([np.full(late.sum(), -1.0), np.full(late.sum(), 0.3), np.zeros(late.sum())])]
    # alpha is of the mean over rows, of which there are more
    cut = survival.CoxRegression(0.02 * N / len(both), tol=1e-11).fit(X[both], spans)
    whole = survival.CoxRegression(0.02, tol=1e-11).fit(X, Y)
    assert cut.coef_ == pytest.approx(whole.coef_, abs=1e-6)
    assert cut.baseline_[0][1] == pytest.approx(whole.baseline_[0][1], rel=1e-5)


def test_the_elastic_net_and_weights_of_the_penalty():
    model = survival.CoxRegression(0.05, l1_ratio=0.4, penalty_weights=[1, 1, 1, 1, 2, np.inf], tol=1e-10).fit(X, Y)
    on = model.coef_ != 0
    v = np.array([1, 1, 1, 1, 2, 1.0])
    assert model.coef_[5] == 0 and on[:2].all()
    expected = -0.05 * v * (0.4 * np.sign(model.coef_) + 0.6 * model.coef_)
    assert slope(model.coef_)[on] == pytest.approx(expected[on], abs=2e-6)


@pytest.mark.parametrize("form", [sparse.csr_matrix, np.asfortranarray, list])
def test_rows_of_every_form(form):
    plain = survival.CoxRegression(0.02, tol=1e-11).fit(X, Y)
    assert survival.CoxRegression(0.02, tol=1e-11).fit(form(X), Y).coef_ == pytest.approx(plain.coef_, abs=1e-6)


def test_responses_of_every_form():
    plain = survival.CoxRegression(0.02).fit(X, Y)
    fields = np.array(list(zip(EVENT, TIME)), dtype=[("event", bool), ("time", float)])
    assert np.array_equal(survival.CoxRegression(0.02).fit(X, fields).coef_, plain.coef_)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"time": TIME, "event": EVENT.astype(int)})
    assert np.array_equal(survival.CoxRegression(0.02).fit(X, frame).coef_, plain.coef_)
    # A time of 0 has no sign: events are told in another way, with the same solution.
    moved = np.column_stack([TIME - TIME.min(), EVENT])
    assert (moved[:, 0] == 0).any()
    assert survival.CoxRegression(0.02, tol=1e-10).fit(X, moved).coef_ == pytest.approx(
        survival.CoxRegression(0.02, tol=1e-10).fit(X, Y).coef_, abs=1e-7)


def test_weights_are_copies_of_rows_and_rows_of_weight_zero_are_none():
    often = np.repeat(np.arange(N), WEIGHTS.astype(int))
    weighted = survival.CoxRegression(0.02, tol=1e-11).fit(X, Y, sample_weight=WEIGHTS)
    assert survival.CoxRegression(0.02, tol=1e-11).fit(X[often], Y[often]).coef_ == pytest.approx(weighted.coef_, abs=1e-6)
    some = np.r_[np.ones(80), np.zeros(N - 80)]
    assert survival.CoxRegression(0.02).fit(X, Y, sample_weight=some).coef_ == pytest.approx(
        survival.CoxRegression(0.02).fit(X[:80], Y[:80]).coef_, abs=1e-6)


def test_the_hazard_is_that_of_breslow():
    model = survival.CoxRegression(0.02).fit(X, Y, strata=STRATA)
    risk = model.predict(X)
    for k, label in enumerate(model.strata_):
        here = label == STRATA
        times, hazard = model.baseline_[k]
        assert np.array_equal(times, np.unique(TIME[EVENT & here]))
        steps = [(EVENT & here & (TIME == t)).sum() / np.exp(risk[here & (TIME >= t)]).sum() for t in times]
        assert hazard == pytest.approx(np.cumsum(steps))
        curve = model.predict_survival(X[:3], [0.0, times[2], 1e9], stratum=label)
        assert curve[:, 0] == pytest.approx(1.0)
        assert curve[:, 1] == pytest.approx(np.exp(-np.exp(risk[:3]) * hazard[2]))
        assert curve[:, 2] == pytest.approx(np.exp(-np.exp(risk[:3]) * hazard[-1]))
    with pytest.raises(ValueError, match="stratum"):
        model.predict_survival(X, [1.0])


def test_the_hazard_of_tied_events_is_that_of_the_rule_for_ties():
    # R 4.2, survival 3.5: coxph(Surv(t, e) ~ a, weights = w, ties = "efron"), survfit(f, newdata = data.frame(a = 0))
    a = np.array([0.3, -1.1, 0.8, 0.2, -0.4, 1.5, -0.9, 0.1])
    time, event = np.array([1, 1, 1, 2, 2, 3, 3, 3.0]), np.array([1, 1, 0, 1, 0, 1, 1, 1])
    weights = np.array([1, 2, 1, 0.5, 1, 1.5, 1, 1])
    right = {"efron": (-0.338359685172, [0.359381405027, 0.462732344809, 2.45198227135]),
             "breslow": (-0.305883519938, [0.321523868885, 0.424929758984, 1.50690229786])}
    for ties, (coefficient, hazard) in right.items():
        model = survival.CoxRegression(0, ties=ties, tol=1e-12).fit(
            a[:, None], np.column_stack([time, event]), sample_weight=weights)
        assert model.coef_[0] == pytest.approx(coefficient, abs=1e-8)
        assert model.baseline_[0][1] == pytest.approx(hazard, rel=1e-7)


def test_the_hazard_has_the_weights_and_offsets_of_the_rows():
    """As with rows that come as often as they weigh; a row of the risk 0 has no offset. However large risks are."""
    often, offset = np.repeat(np.arange(N), WEIGHTS.astype(int)), 3.0 * X[:, 5] + 800.0
    weighted = survival.CoxRegression(0.02, tol=1e-11).fit(X, Y, sample_weight=WEIGHTS, offset=0.1 * X[:, 5], strata=STRATA)
    repeated = survival.CoxRegression(0.02, tol=1e-11).fit(X[often], Y[often], offset=0.1 * X[often, 5], strata=STRATA[often])
    model = survival.CoxRegression(0.02).fit(X, Y, sample_weight=WEIGHTS, offset=offset)
    for ours, theirs in zip(weighted.baseline_, repeated.baseline_):
        assert np.array_equal(ours[0], theirs[0]) and ours[1] == pytest.approx(theirs[1], rel=1e-5)
    risk, (times, hazard) = model.predict(X, offset), model.baseline_[0]
    steps = [(WEIGHTS * EVENT)[TIME == t].sum() / (WEIGHTS * np.exp(risk - 800.0))[TIME >= t].sum() for t in times]
    assert hazard * np.exp(700.0) == pytest.approx(np.cumsum(steps) * np.exp(-100.0), rel=1e-9)


def test_the_score_within_strata_is_that_of_pairs_of_one_stratum():
    model = survival.CoxRegression(0.02).fit(X, Y, strata=STRATA)
    risk, right, pairs = model.predict(X), 0.0, 0
    for i in np.flatnonzero(EVENT):
        later = ((TIME > TIME[i]) | ((TIME == TIME[i]) & ~EVENT)) & (STRATA == STRATA[i])
        pairs += later.sum()
        right += (risk[i] > risk[later]).sum() + 0.5 * (risk[i] == risk[later]).sum()
    assert model.score(X, Y, strata=STRATA) == pytest.approx(right / pairs)
    assert model.score(X, Y, strata=STRATA) != model.score(X, Y)


def test_the_score_is_the_concordance():
    model = survival.CoxRegression(0.02).fit(X, Y)
    risk, right, pairs = model.predict(X), 0.0, 0
    for i in np.flatnonzero(EVENT):
        later = (TIME > TIME[i]) | ((TIME == TIME[i]) & ~EVENT)
        pairs += later.sum()
        right += (risk[i] > risk[later]).sum() + 0.5 * (risk[i] == risk[later]).sum()
    assert model.score(X, Y) == pytest.approx(right / pairs)
    assert model.score(X, Y) > 0.7


def test_cross_validation_chooses_an_alpha():
    model = survival.CoxRegressionCV(n_alphas=12, eps=1e-2, tol=1e-8).fit(X, Y, strata=STRATA)
    assert model.alpha_ == model.alphas_[np.argmin(model.loss_path_)]
    assert model.alphas_[0] == pytest.approx(np.abs(slope(np.zeros(6), strata=STRATA)).max(), rel=1e-9)
    plain = survival.CoxRegression(model.alpha_, tol=1e-8).fit(X, Y, strata=STRATA)
    assert model.coef_ == pytest.approx(plain.coef_, abs=1e-4)
    assert len(model.baseline_) == 2
    simple = survival.CoxRegressionCV(n_alphas=12, eps=1e-2, selection="one-standard-error").fit(X, Y)
    assert simple.alpha_ >= survival.CoxRegressionCV(n_alphas=12, eps=1e-2).fit(X, Y).alpha_


@pytest.mark.parametrize("y, text", [
    (np.column_stack([TIME, TIME]), "expected 0"), (TIME, "one dimension"), (np.column_stack([-TIME, EVENT]), "at least 0"),
    (np.column_stack([TIME, 0 * TIME]), "censored"), (Y[:-1], "119")])
def test_wrong_responses(y, text):
    with pytest.raises(ValueError, match=text):
        survival.CoxRegression(0.1).fit(X, y)


def test_wrong_parameters():
    for wrong in ({"ties": "exact"}, {"alpha": -1.0}, {"l1_ratio": 2.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            survival.CoxRegression(**wrong).fit(X, Y)
    with pytest.raises(ValueError, match="folds"):
        survival.CoxRegressionCV(cv=200).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning):
            survival.CoxRegression(1e-3, max_iter=1, tol=1e-12).fit(X, Y)
        with pytest.raises(ConvergenceWarning, match="in every fold"):
            survival.CoxRegressionCV(n_alphas=5, cv=3, max_iter=1, tol=1e-12).fit(X, Y)


def test_a_fit_is_cloned_pickled_and_starts_again():
    model = survival.CoxRegression(0.02, warm_start=True, tol=1e-8).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()
    coef = model.coef_.copy()
    assert model.fit(X, Y).coef_ == pytest.approx(coef, abs=1e-4) and model.n_iter_ == 1


def test_columns_named_time_and_event_are_taken_by_their_names():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"event": EVENT, "time": TIME})
    fit = survival.CoxRegression(alpha=0.05).fit(X, table)
    assert (fit.coef_ == survival.CoxRegression(alpha=0.05).fit(X, Y).coef_).all()
    assert fit.score(X, table) == fit.score(X, Y)
    with pytest.raises(ValueError, match=r"is the order \(event, time\)"):
        survival.CoxRegression().fit(X, Y[:, ::-1])


@pytest.mark.filterwarnings("ignore:CoxRegression ended at stall")
@pytest.mark.parametrize("ties", ["breslow", "efron"])
def test_risks_that_are_far_apart_have_survival_curves(ties):
    """Monotone data has no attained infimum, and the exponentials of its risks leave the range of doubles."""
    rows, end = np.arange(120.0)[:, None], 200.0 - np.arange(120)
    for y in (np.column_stack([end, np.ones(120)]), np.column_stack([np.zeros(120), end, np.ones(120)])):
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            model = survival.CoxRegression(0, ties=ties).fit(rows, y)
            curves = model.predict_survival(rows, np.arange(1, 202, 10))
        assert np.ptp(model.predict(rows)) > 800 and np.isfinite(curves).all()
        assert (np.diff(curves, axis=1) <= 0).all() and (np.diff(curves, axis=0) <= 0).all()
        assert (curves[:, 0] == 1).all() and curves[-1, -1] < 1e-3
        assert all((np.diff(hazard) >= 0).all() for _, hazard in model.baseline_)


def test_strata_are_those_of_rows_with_a_weight():
    model = survival.CoxRegression().fit(X, Y, sample_weight=(STRATA == "b") * 1.0, strata=STRATA)
    assert model.strata_.tolist() == ["b"] and len(model.baseline_) == 1 and np.isfinite(model.predict_survival(X, [0.5])).all()
    column = survival.CoxRegression().fit(X, Y, strata=STRATA[:, None])
    assert np.array_equal(column.coef_, survival.CoxRegression().fit(X, Y, strata=list(STRATA)).coef_)
    for stratum in ("zz", 3):
        with pytest.raises(ValueError, match="stratum: .* is not in the fit, which has 'a', 'b'"):
            column.predict_survival(X, [0.5], stratum=stratum)


@pytest.mark.parametrize("strata, said", [(np.array(["a", "b", None] * 40, object), "entry 2 has no label"),
                                          ([1.0, np.nan] * 60, "entry 1 has no label"), (["a", 1] * 60, "numbers and texts"),
                                          (np.ma.array(STRATA, mask=STRATA == "a"), "masked"),
                                          (STRATA[1:], r"shape \(119,\)"), (np.ones((N, 2)), "shape")])
def test_strata_without_an_order_are_refused(strata, said):
    for call in (lambda: survival.CoxRegression().fit(X, Y, strata=strata), lambda: survival.CoxRegression().fit(X, Y).score(X, Y, strata=strata)):
        with pytest.raises(ValueError, match=f"^strata: .*{said}"):
            call()


@pytest.mark.parametrize("times, said", [([np.nan], "entry 0 is NaN"), ([1, 2, np.nan], "entry 2 is NaN"), ([[1.0, 2.0]], "shape"),
                                         (["a"], "not of numbers"), (np.ma.array([1.0, 2.0], mask=[0, 1]), "masked")])
def test_times_that_are_no_numbers_are_refused(times, said):
    model = survival.CoxRegression().fit(X, Y)
    with pytest.raises(ValueError, match=f"^times: .*{said}"):
        model.predict_survival(X, times)
    assert np.array_equal(model.predict_survival(X, 0.5), model.predict_survival(X, [0.5]))


def test_masked_times_and_dates_are_refused():
    pandas = pytest.importorskip("pandas")
    made = np.array(list(zip(EVENT, TIME)), dtype=[("event", bool), ("time", float)])
    masks = np.zeros(N, [("event", bool), ("time", bool)])
    masks["time"][:2] = True
    for y, said in ((np.ma.array(Y, mask=Y < 0.1), "masked"), (np.ma.array(made, mask=masks), "2 entries that are masked")):
        with pytest.raises(ValueError, match=f"^y: .*{said}"):
            survival.CoxRegression().fit(X, y)
    days = pandas.to_timedelta(np.arange(1, N + 1), unit="D")
    structured = np.array(list(zip(EVENT, days.to_numpy())), dtype=[("event", bool), ("time", "m8[ns]")])
    times = (days, pandas.date_range("2020", periods=N), pandas.period_range("2020", periods=N))
    for y in (*(pandas.DataFrame({"time": time, "event": EVENT}) for time in times), structured, list(zip(days, EVENT))):
        with pytest.raises(ValueError, match="^y: dates or durations"):
            survival.CoxRegression().fit(X, y)


@pytest.mark.parametrize("model", [survival.CoxRegression(0.05), survival.CoxRegressionCV(alphas=[0.1, 0.05], cv=3)],
                         ids=lambda model: type(model).__name__)
def test_predictions_and_scores_take_the_offset_of_their_rows(model):
    offset, times = X[:, 5] + 0.5, [0.2, 0.7]
    model.fit(X, Y, offset=offset)
    risk = X @ model.coef_ + offset
    at, hazard = model.baseline_[0]
    cumulative = np.concatenate([[0.0], hazard])[np.searchsorted(at, times, side="right")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(X, offset) == pytest.approx(risk)
        assert model.predict_survival(X, times, offset=offset) == pytest.approx(np.exp(-np.exp(risk)[:, None] * cumulative))
        score = model.score(X, Y, offset=offset)
    pairs = [(risk[i], risk[j]) for i in np.flatnonzero(EVENT) for j in range(N) if TIME[i] < TIME[j] or TIME[i] == TIME[j] and not EVENT[j]]
    assert score == pytest.approx(np.mean([(a > b) + (a == b) / 2 for a, b in pairs]))
    for predicted in (lambda: model.predict(X), lambda: model.predict_survival(X, times), lambda: model.score(X, Y)):
        with pytest.warns(ClarosWarning, match="the fit had an offset"):
            assert not np.array_equal(predicted(), score)
    with pytest.raises(ValueError, match="offset"):
        model.predict(X, offset[1:])
    model.fit(X, Y, offset=0 * offset)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.score(X, Y)
