# SPDX-License-Identifier: BSD-3-Clause
"""DataFrames as the program reads a CSV file, and solutions with the names of a DataFrame."""
import datetime
import decimal
import pickle
import warnings

import numpy as np
import pytest

import claros

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402


def houses(rows=60, seed=0):
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame({"area": rng.uniform(40, 160, rows).round(1), "district": rng.choice(["north", "south", "centre"], rows),
                              "garden": rng.choice([True, False], rows), "built": rng.integers(1900, 2020, rows)})
    price = 2.0 * frame.area + 30.0 * (frame.district == "centre") + rng.normal(size=rows)
    frame.loc[frame.index[[3, -1]], "area"] = np.nan
    return frame, price.to_numpy()


@pytest.mark.parametrize("missing", ["mean", "median", "indicator"])
def test_a_frame_gives_the_bits_of_its_csv(missing, tmp_path):
    frame, price = houses()
    file = tmp_path / "houses.csv"
    frame.assign(price=price).to_csv(file, index=False)
    settings = dict(penalty={"use": "l1", "lambda": 0.5}, stop=1e-10)
    by_file = claros.solve(objective={"use": "linear-model", "data": file, "response": "price", "missing": missing}, **settings)
    table = claros.Table(missing=missing)
    by_frame = claros.solve(objective={"use": "linear-model", "intercept": True, "standardize": True},
                            data=(table.fit_transform(frame), price), **settings)
    assert by_frame.coefficients.index.tolist() == by_file.coefficients.index.tolist() == table.columns_
    assert np.allclose(by_frame.coef, by_file.coef) and np.isclose(by_frame.intercept, by_file.intercept)
    new, _ = houses(9, 1)
    shuffled = new[["built", "garden", "area", "district"]]
    assert np.array_equal(claros.predict(by_frame, table.transform(shuffled)), claros.predict(by_frame, table.transform(new)))


def test_a_frame_of_numbers_stays_as_it_is_and_keeps_its_index():
    frame = pandas.DataFrame({"a": [1.5, 2.0], "b": [3, 4]}, index=["x", "y"])
    made = claros.Table().fit_transform(frame)
    assert made.equals(frame.astype(float))
    again = claros.Table().fit(frame).transform(frame[["b", "a"]])
    assert again.columns.tolist() == ["a", "b"] and again.equals(made)


@pytest.mark.parametrize("frame, options, words", [
    ({"a": [1.0, np.nan]}, {}, ["row 1", "column 1 (a)", "missing"]),
    ({"a": [1, 2]}, {"without": "c"}, ["without", "'c'"]),
    ({"a": [1, 2]}, {"dates": "days"}, ["dates"]),
    ({"a": ["2024-01-01", "2024-01-02"], "b": [1, 2]}, {}, ["dates = days"]),
    ({"a": ["1.234,5", "2"], "b": [1, 2]}, {}, ["decimal"]),
    ({"a": [1, 2]}, {"missing": "drop"}, ["dropna"]),
    ({"a": [1, 2]}, {"missing": "zero"}, ["missing", "mean"])])
def test_what_no_rule_reads_is_refused_with_its_row_and_column(frame, options, words):
    with pytest.raises(claros.Error) as caught:
        claros.Table(**options).fit(pandas.DataFrame(frame))
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_new_rows_follow_the_rules_of_the_fit():
    frame, _ = houses()
    table = claros.Table(missing="mean").fit(frame)
    assert any("district" in note and "reference" in note for note in table.notes_), table.notes_
    assert "/proc" not in "".join(table.notes_)
    with pytest.raises(claros.DataError, match="row 0.*east"):
        table.transform(frame.head(1).assign(district="east"))
    with pytest.raises(claros.DataError, match="garden"):
        table.transform(frame.drop(columns="garden"))
    filled = table.transform(frame.head(1).assign(area=np.nan))
    assert np.isclose(filled.area[0], frame.area.mean())
    with pytest.raises(claros.UsageError, match="fit"):
        claros.Table().transform(frame)
    with pytest.raises(claros.UsageError, match="DataFrame"):
        claros.Table().fit(np.ones((3, 2)))


def test_options_read_categories_dates_and_decimals():
    frame = pandas.DataFrame({"code": [1, 2, 1], "when": ["2024-01-01", "2024-01-03", "2024-01-02"], "size": ["1,5", "2", "3,25"], "id": [7, 8, 9]})
    made = claros.Table(categorical="code", dates="days", without=["id"], levels="all").fit_transform(frame)
    assert made.columns.tolist() == ["code = 1", "code = 2", "when", "size"]
    assert made["size"].tolist() == [1.5, 2.0, 3.25] and np.ptp(made["when"]) == 2


def test_commas_before_three_digits_are_refused_or_read_as_the_option_says_in_fit_and_transform():
    frame = pandas.DataFrame({"temp": [0.5, 1.5, 2.5], "pop": ["7,341", "953", "1,779"]})
    with pytest.raises(claros.DataError, match="commas of column 2 .pop.*thousands"):
        claros.Table().fit_transform(frame)
    for decimal, read in (("point", [7341, 953, 1779]), ("comma", [7.341, 953, 1.779])):
        texts = frame.assign(temp=["1", "2", "3"])
        table = claros.Table(decimal=decimal).fit(texts)
        assert table.transform(texts)["pop"].tolist() == read
        assert pickle.loads(pickle.dumps(table)).transform(texts)["pop"].tolist() == read
    plain = claros.Table().fit(frame.assign(pop=["1", "2", "3"], kind=["u", "v", "u"]))
    with pytest.raises(claros.DataError, match="thousands"):
        plain.transform(frame.assign(kind="u"))
    with pytest.raises(claros.DataError, match="columns 1,2 are both called 'a'"):
        claros.Table().fit(pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]))


NUMBERS = {"floats": [1.125, 2.375, 3.125], "far": [1e-7, -2.5e300, 1e22], "negative": [-1.125, -0.001, -1234.5], "whole": [1234, 2, 3],
           "nullable": pandas.array([1234, 2, 3], "Int64"), "nullable floats": pandas.array([1.125, 2, 3.125], "Float64"),
           "decimals": [decimal.Decimal("1.125"), decimal.Decimal("1E+3"), decimal.Decimal("-0.375")],
           "objects": np.array([np.float64(1.125), 2, np.int8(3)], object), "sparse": pandas.arrays.SparseArray([0, 1.125, 0.5]),
           "categories": pandas.Categorical([1.125, 2.125, 1.125]), "single": np.array([1.125, 2.375, 0.1], np.float32)}
SIGNS = {"auto": ["1,5", "2,25", "3"], "comma": ["1.234,5", "2,125", "3"], "point": ["1,234.5", "2.125", "3"]}


@pytest.mark.parametrize("rule", SIGNS)
@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_a_frame_stay_as_they_are_whatever_the_texts_beside_them(kind, rule):
    texts, values = SIGNS[rule], [float(value) for value in NUMBERS[kind]]
    frame = pandas.DataFrame({"n": NUMBERS[kind], "t": texts, "m": [0.125, 1.0, 2.375]}, index=["i", "i", "j"])
    table = claros.Table(decimal=rule).fit(frame)
    read = table.transform(frame)
    assert read.n.tolist() == values and read.m.tolist() == [0.125, 1.0, 2.375]
    assert read.t.tolist() == [1.5 if rule == "auto" else 1234.5, 2.25 if rule == "auto" else 2.125, 3]
    assert table.transform(frame[1:]).equals(read[1:])
    how = {"use": "linear-model", "response": "y", "offset": "m", "weights": "w", "decimal": rule}
    whole = frame.assign(y=[1.125, 2.5, 4.125], w=[1.125, 2.125, 3.375])
    settings = {"penalty": {"use": "ridge", "lambda": 0.1}, "stop": 1e-10}
    numbers = claros.rows(read[["n", "t"]], whole.y, sample_weight=whole.w, offset=whole.m)
    by_numbers = claros.solve(objective={"use": "linear-model", "intercept": True, "standardize": True}, data=numbers, **settings)
    result = claros.solve(objective=how, data=whole, **settings)
    assert result.coef == pytest.approx(by_numbers.coef) and result.value == pytest.approx(by_numbers.value)
    assert claros.predict(result, frame) == pytest.approx(claros.predict(by_numbers, read[["n", "t"]], offset=whole.m))


def test_frames_of_polars_are_read_as_those_of_pandas():
    polars = pytest.importorskip("polars")
    columns = {"n": [1.125, None, 3.125], "t": ["1,5", "2,25", "3"], "g": [3.0, 1.0, 3.0]}
    read = [np.asarray(claros.Table(missing="mean", categorical="g").fit_transform(kind(columns))) for kind in (pandas.DataFrame, polars.DataFrame)]
    assert np.array_equal(*read) and read[0][:, :2].tolist() == [[1.125, 1.5], [2.125, 2.25], [3.125, 3]]


def test_numbers_in_memory_stay_as_they_are_beside_a_file_of_decimal_commas(tmp_path):
    text, found = "1,5;2,25;3,125\n2,5;3,75;5,125\n4,5;6,25;7,5\n", []
    for rule, written in (("comma", text), ("point", text.replace(",", "."))):
        (tmp_path / rule).write_text(written)
        how = {"use": "matrix-completion", "data": tmp_path / rule, "layout": "matrix", "decimal": rule, "test": ([1], [2], [1.125])}
        found.append(claros.solve(objective=how, penalty={"use": "nuclear", "lambda": 0.1}).test_rmse)
    assert found[0] == found[1] < 10


@pytest.mark.parametrize("again", [[3.0, 1.0], pandas.array([3, 1], "Int64"), np.array([np.int64(3), np.float64(1)], object), ["3", "1"],
                                   [decimal.Decimal(3), 1], np.array([3, 1], np.float32)], ids=str)
def test_a_whole_number_is_the_same_category_in_every_type(again):
    frame = pandas.DataFrame({"a": [3, 1, 2, 1], "y": [1.0, 2, 3, 4]})
    table = claros.Table(categorical="a").fit(frame[["a"]])
    assert table.transform(pandas.DataFrame({"a": again})).to_numpy().tolist() == [[0, 1], [0, 0]]
    for by in ("a", "1", ["a"], [1]):
        fit = claros.solve(objective={"use": "linear-model", "response": "y", "categorical": by}, data=frame, penalty={"use": "ridge", "lambda": 0.1})
        assert np.array_equal(claros.predict(fit, pandas.DataFrame({"a": again})), claros.predict(fit, frame[["a"]])[[0, 1]])
    halves = claros.Table(categorical=["a"]).fit(frame[["a"]] / 2)
    assert halves.columns_ == ["a = 1", "a = 1.5"] and halves.transform(pandas.DataFrame({"a": ["1.5", "0.5"]})).to_numpy().tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("values", [pandas.to_timedelta([1, 2, 3], "D"), pandas.to_timedelta([36, 1, 1], "h"), [datetime.timedelta(1), None, datetime.timedelta(2)],
                                    np.array([np.timedelta64(1, "h"), np.timedelta64("NaT"), np.timedelta64(2, "h")], object)], ids=str)
def test_durations_are_refused_with_what_to_do_unless_they_are_left_out(values):
    frame = pandas.DataFrame({"d": values, "x": [1.5, 2, 4], "y": [1.0, 2, 5]})
    how = {"use": "linear-model", "response": "y", "missing": "mean"}
    for read in (lambda **given: claros.Table(missing="mean", **given).fit(frame),
                 lambda **given: claros.solve(objective={**how, **given}, data=frame, penalty={"use": "ridge", "lambda": 0.1})):
        with pytest.raises(claros.DataError, match=r"column 1 \(d\) .*unit days.*write plain numbers, leave it out"):
            read()
        read(without="d")


KINDS = {"d": ["01/02/2020", "13/02/2020", "05/04/2021"], "iso": ["2024-03-01T12:30", "2024-03-02", "2024-03-05"], "p": ["1.234", "2.125", "953"],
         "u": ["10%", "25%", "30%"], "c": ["u", "v", "u"], "n": [1.125, np.nan, 3], "b": [True, False, True], "t": pandas.to_datetime(["2020-01-05"] * 2 + ["2020-03-01"]),
         "k": [1, 2, 1], "m": [None, "a", "b"]}


@pytest.mark.parametrize("dates", ["day-first", "month-first"])
@pytest.mark.parametrize("decimal", ["auto", "point", "comma"])
@pytest.mark.parametrize("missing", ["mean", "median", "indicator"])
def test_rows_of_the_training_are_read_again_as_in_the_fit(dates, decimal, missing):
    frame = pandas.DataFrame({**KINDS, "y": [1.0, 2.5, 4.0]})
    if dates == "month-first":
        frame["d"] = frame.d.str.replace(r"(..)/(..)", r"\2/\1", regex=True)
    if decimal == "auto":
        frame["p"] = ["1,5", "2,25", "953"]
    table = claros.Table(dates=dates, decimal=decimal, missing=missing, categorical="k", without="y")
    read = table.fit_transform(frame)
    assert read.d.tolist() == [18293, 18305, 18722] and read.p.tolist() == {"auto": [1.5, 2.25, 953], "point": [1.234, 2.125, 953], "comma": [1234, 2125, 953]}[decimal]
    for again in (table, pickle.loads(pickle.dumps(table))):
        assert again.transform(frame).equals(read) and all(again.transform(frame[k:k + 1]).equals(read[k:k + 1]) for k in range(3))
    how = {"use": "linear-model", "response": "y", "dates": dates, "decimal": decimal, "missing": missing, "categorical": "k"}
    fit = claros.solve(objective=how, data=frame, penalty={"use": "ridge", "lambda": 0.1})
    for again in (fit, pickle.loads(pickle.dumps(fit))):
        assert np.allclose(claros.predict(again, frame), read[fit.coefficients.index].to_numpy() @ fit.coef + fit.intercept)


def test_names_with_commas_in_lists_are_refused_and_numbers_name_them():
    frame = pandas.DataFrame({"a,b": [1, 2, 1], "c": [1.5, 3, 3], "d": [1, 3, 2.5], "y": [1.0, 2, 4]})
    settings = {"data": frame, "penalty": {"use": "ridge", "lambda": 0.1}}
    for key in ("without", "categorical", "columns", "responses"):
        how = {"use": "linear-model", "response": "y", key: ["c", "a,b"]}
        with pytest.raises(claros.UsageError, match=rf"objective.{key}: 'a,b' holds a comma.*by its number"):
            claros.solve(objective=how, **settings)
        if key in ("without", "categorical"):
            with pytest.raises(claros.UsageError, match=f"{key}: 'a,b' holds a comma.*by its number"):
                claros.Table(**{key: ["c", "a,b"]}).fit(frame)
    assert claros.Table(without=[1, "y"]).fit(frame).columns_ == ["c", "d"]
    assert claros.solve(objective={"use": "linear-model", "response": "y", "without": [1, "d"]}, **settings).coefficients.index.tolist() == ["c"]


def test_columns_of_one_name_are_refused_in_the_words_of_a_frame():
    with pytest.raises(claros.DataError, match="^X: columns 1,2 are both called 'a'") as caught:
        claros.Table().fit(pandas.DataFrame([[1, 2, 3], [3, 4, 4]], columns=["a", "a", "b"]))
    assert "header" not in str(caught.value) and "row" not in str(caught.value).partition("name by which")[0]


@pytest.mark.parametrize("unit", ["%", "$", ""])
def test_new_rows_in_another_unit_are_refused(unit, tmp_path):
    y = pandas.DataFrame({"price": [f"{k}{unit}" for k in (10, 20, 30)], "size": ["1", "2", "1"]})
    table = pickle.loads(pickle.dumps(claros.Table().fit(y)))
    fit = claros.solve(objective={"use": "linear-model", "response": "y"}, data=y.assign(y=[1.0, 2, 3]), penalty={"use": "ridge", "lambda": 0.1})
    assert table.transform(y)["price"].tolist() == [10, 20, 30]
    for other in {"1%", "$1", "1 EUR", "1"} - {"1%" if unit == "%" else "$1" if unit == "$" else "1"}:
        for rows in ([other], [f"1{unit}", other]):
            new = pandas.DataFrame({"price": rows, "size": ["1"] * len(rows)})
            with pytest.raises(claros.DataError, match="column 1 .price.* unit"):
                table.transform(new)
            with pytest.raises(claros.DataError if unit else claros.Error, match="column 1 .price.* unit" if unit else ""):
                claros.predict(fit, new)


def test_it_is_a_transformer_of_pipelines_and_can_be_pickled():
    from claros.linear import LassoCV

    frame, price = houses()
    model = make_pipeline(claros.Table(missing="mean"), LassoCV(cv=3)).fit(frame, price)
    assert model.score(frame, price) > 0.9
    assert list(model[:-1].get_feature_names_out()) == model[0].columns_
    assert clone(model[0]).missing == "mean" and not hasattr(clone(model[0]), "record_")
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.predict(frame), model.predict(frame))


FRAMES = [("linear", {"set": {"use": "birkhoff"}}), ("distance", {"penalty": {"use": "l1", "lambda": 0.1}})]


@pytest.mark.parametrize("objective, more", FRAMES)
def test_a_matrix_solution_has_the_names_of_its_frame(objective, more):
    costs = pandas.DataFrame([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], index=["Ann", "Bob", "Cem"], columns=["dig", "paint", "weld"])
    result = claros.solve(objective=objective, data=costs, stop=1e-9, **more)
    assert result.solution.columns.tolist() == costs.columns.tolist() and result.solution.index.tolist() == costs.index.tolist()
    assert np.array_equal(result.solution.to_numpy(), result.x)
    if objective == "linear":
        assert result.pairs() == [("Ann", "paint"), ("Bob", "dig"), ("Cem", "weld")]
        assert "Ann -> paint" in repr(result)


def test_weights_of_a_portfolio_have_the_names_of_its_frame():
    rng = np.random.default_rng(3)
    returns = pandas.DataFrame(rng.normal(size=(40, 3)), columns=["a", "b", "c"])
    for data, form in ((returns, "samples"), (returns.cov(), "matrix")):
        result = claros.solve(objective={"use": "quadratic", "form": form}, set={"use": "simplex", "radius": 1}, data=data)
        assert result.solution.index.tolist() == ["a", "b", "c"] and "a 0." in repr(result)


def test_variables_of_a_linear_program_have_their_names(tmp_path):
    (tmp_path / "diet.lp").write_text("minimize\n 2 bread + 3 milk\nsubject to\n c1: bread + 2 milk >= 4\n c2: 3 bread + milk >= 6\n"
                                      "bounds\n bread <= 10\n milk <= 10\nend\n")
    result = claros.solve(objective={"use": "linear", "data": [2.0, 3.0]}, set={"use": "polytope", "program": tmp_path / "diet.lp"}, stop=1e-9)
    assert np.allclose(result.solution[["bread", "milk"]], [1.6, 1.2]) and "bread 1.6" in repr(result)


def test_a_solution_without_names_is_the_array():
    result = claros.solve(objective="distance", data=np.arange(6.0).reshape(2, 3), penalty={"use": "l1", "lambda": 0.1})
    assert result.solution is result.x and result.names == ([], [])


@pytest.mark.parametrize("objective", [{"use": "linear-model", "response": "price"}, {"use": "linear-model"}, {"use": "square-root", "response": "price"},
                                       {"use": "cox", "response": "price", "event": "garden", "standardize": False}])
def test_a_frame_alone_is_read_as_its_file_and_predicts_new_rows_by_the_record_of_the_fit(objective, tmp_path):
    frame, price = houses()
    whole = frame.assign(garden=frame.garden.astype(int), price=price - price.min() + 1)
    whole.to_csv(tmp_path / "houses.csv", index=False)
    settings = dict(penalty={"use": "l1", "lambda": 0.1}, stop=1e-10)
    how = {**objective, "missing": "mean"}
    by_file = claros.solve(objective={**how, "data": tmp_path / "houses.csv"}, **settings)
    result = claros.solve(objective=how, data=whole, **settings)
    assert result.value == by_file.value and np.array_equal(result.coef, by_file.coef) and np.array_equal(result.intercept, by_file.intercept)
    assert result.coefficients.index.tolist() == by_file.coefficients.index.tolist() and "district = north" in result.coefficients.index
    rows, _ = houses(9, 1)
    rows = rows.assign(garden=rows.garden.astype(int))
    expected = claros.predict(by_file, rows)
    assert np.isfinite(expected).all() and len(np.unique(expected)) > 5
    for new in (rows, rows[rows.columns[::-1]], rows.assign(price=0.0)):
        assert np.allclose(claros.predict(pickle.loads(pickle.dumps(result)), new), expected, rtol=1e-12)
    with pytest.raises(claros.DataError, match="east"):
        claros.predict(result, rows.assign(district="east"))
    path = claros.Path(objective=how, penalty="l1", data=whole, lambdas=4)
    assert np.array_equal(path.lambdas_, claros.Path(objective={**how, "data": tmp_path / "houses.csv"}, penalty="l1", lambdas=4).lambdas_)


def test_names_that_are_numbers_and_texts_with_separators_stay_in_a_frame_alone():
    frame = pandas.DataFrame({0: np.arange(9.0), 1: np.arange(9) % 3 * 1.5, 2: [f"a;{k % 2}\n\"b\"" for k in range(9)], 3: np.arange(9.0) ** 2})
    result = claros.solve(objective="linear-model", data=frame, stop={"residual": 1e-10})
    assert result.linear["features"] == 3 and result.coefficients.index[2].startswith("2 = a;1")
    assert np.allclose(claros.predict(result, frame[[2, 1, 0]]), claros.predict(result, frame))


def test_prices_in_memory_are_the_samples_of_their_changes():
    rng = np.random.default_rng(2)
    prices = pandas.DataFrame(100 * np.exp(np.cumsum(0.01 * rng.normal(size=(40, 5)), axis=0)), columns=list("abcde"))
    capped = {"use": "simplex", "radius": 1, "upper": 0.3}
    for data in (prices, prices.to_numpy()):
        result = claros.solve(objective={"use": "quadratic", "form": "prices"}, data=data, set=capped, stop=1e-10)
        changes = claros.solve(objective={"use": "quadratic", "form": "samples"}, data=prices.pct_change().dropna(), set=capped, stop=1e-10)
        assert np.allclose(result.x, changes.x, atol=1e-6) and np.isclose(result.value, changes.value) and result.x.max() <= 0.3 + 1e-9
    assert result.gap <= 1e-9 * result.value


@pytest.mark.parametrize("objective", ["linear-model", "square-root", "cox"])
@pytest.mark.parametrize("text", [False, True])
def test_the_offset_of_a_fit_is_a_column_of_the_rows_to_predict(objective, text, tmp_path):
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame({"x": rng.normal(size=40), "off": rng.normal(size=40) + 1, "y": rng.random(40)})
    frame = frame.assign(s=rng.choice(["u", "v"], 40)) if text else frame
    how = {"use": objective, "offset": "off", "response": "y", **({"event": "e"} if objective == "cox" else {})}
    frame = frame.assign(e=1) if objective == "cox" else frame
    frame.to_csv(tmp_path / "rows.csv", index=False)
    settings = {"penalty": {"use": "l1", "lambda": 0.01}}
    rows, features = frame[frame.columns[::-1]], frame.drop(columns=["off", "y", "e"], errors="ignore")
    for fit in (claros.solve(objective=how, data=frame, **settings), claros.solve(objective={**how, "data": tmp_path / "rows.csv"}, **settings)):
        with pytest.warns(claros.ClarosWarning, match="the fit had an offset.*give the column 'off', or offset"):
            plain = claros.predict(fit, features)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for given in (claros.predict(fit, rows), claros.predict(pickle.loads(pickle.dumps(fit)), features, offset=frame.off)):
                assert np.allclose(given, plain + frame.off, rtol=1e-12)
            assert np.allclose(claros.predict(fit, rows, offset=np.zeros(40)), plain, rtol=1e-12)


def test_rows_without_the_offset_of_a_fit_in_memory_draw_a_warning():
    rng = np.random.default_rng(4)
    X, y, o = rng.normal(size=(30, 2)), rng.normal(size=30), rng.normal(size=30)
    settings = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": 0.01}}
    prepared = claros.prepare(data=claros.rows(X, y), **settings)
    for fit in (claros.solve(data={"X": X, "y": y, "offset": o}, **settings), claros.solve(data=claros.rows(X, y, offset=o), **settings),
                claros.solve(data=(X, y), **settings, **{"objective.offset": o}), prepared.solve(data=claros.rows(X, y, offset=o))):
        with pytest.warns(claros.ClarosWarning, match="offset of 0: give offset$"):
            plain = claros.predict(fit, X)
        assert np.allclose(claros.predict(fit, X, offset=o), plain + o)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        claros.predict(claros.solve(data=(X, y), **settings), X)
        claros.predict(prepared.solve(data=claros.rows(X, y)), X)
