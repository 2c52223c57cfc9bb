# SPDX-License-Identifier: BSD-3-Clause
"""DataFrames with text, blanks and dates as numbers, by the rules that the program has for a CSV file."""
import re

import numpy as np

from . import _claros, arrays, errors
from .solving import entry_of_list

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError:  # claros.Table works without scikit-learn, outside of its pipelines
    BaseEstimator = TransformerMixin = object


class Table(TransformerMixin, BaseEstimator):
    """Makes the columns of a DataFrame (pandas, polars) numbers as `claros run` does with a CSV file: a text becomes a
    column for each category but the first, and what fills blanks is remembered for the rows to predict. It is a
    transformer of scikit-learn: make_pipeline(claros.Table(missing="mean"), LassoCV()).

    without      names of columns that are left out
    missing      "refuse", "mean", "median" or "indicator" (the mean, and a column that says where)
    categorical  names of columns of numbers that are categories
    dates        "refuse", "days" (since 1970-01-01), "day-first" or "month-first"
    decimal      "auto", "point" or "comma", before the decimals of numbers in text
    levels       "reference" or "all": a column for each category but the first, or for all

    columns_     names of the columns made; notes_: what was done, as sentences; record_: the rule of each column

    >>> import pandas, claros
    >>> frame = pandas.DataFrame({"area": [50, None, 70], "heating": ["gas", "oil", "gas"]})
    >>> claros.Table(missing="mean").fit_transform(frame).columns.tolist()
    ['area', 'heating = oil']

    See also claros.rows, claros.linear and the guide "Data formats".
    """

    def __init__(self, *, without=(), missing="refuse", categorical=(), dates="refuse", decimal="auto", levels="reference"):
        self.without, self.missing, self.categorical = without, missing, categorical
        self.dates, self.decimal, self.levels = dates, decimal, levels

    def fit(self, X, y=None):
        """Learns the categories and fillings of the columns of X."""
        self._made(X, None)
        return self

    def fit_transform(self, X, y=None):
        """fit and transform in one."""
        return self._made(X, None)

    def transform(self, X):
        """The rows of X by the rules of the fit; columns are found by their names. Raises DataError for a category that the
        fit did not see, and for a blank in a column that had none."""
        if not hasattr(self, "record_"):
            raise errors.UsageError([("Table", "is not fitted", "call fit with the rows of the training")])
        return self._made(X, self.record_)

    def get_feature_names_out(self, input_features=None):
        """columns_, for scikit-learn."""
        return np.asarray(self.columns_, dtype=object)

    def _made(self, X, record):
        if not hasattr(X, "columns"):
            raise errors.UsageError([("X", f"an object of type {type(X).__name__}", "give a DataFrame, whose columns have names")])
        if self.missing == "drop":
            raise errors.UsageError([("missing", "drop would leave y with more rows than X",
                                      "call dropna() on the table before y is taken from it, or take mean, median or indicator")])
        words = {"missing": self.missing, "dates": self.dates, "decimal": self.decimal, "levels": self.levels,
                 "without": _listed(self.without, "without"), "categorical": _listed(self.categorical, "categorical")}
        asked = words if record is None else {key: words[key] for key in arrays.READ_AS_FITTED}
        categories = words["categorical"] if record is None else arrays.categories_of(record)
        try:
            text = arrays.text_of_frame(X, categories)
            numbers, names, made, notes = _claros.read_frame(text, len(X.columns), asked, record)
        except errors.Error as error:
            raise _by_rows(error) from None
        if record is None:
            plain = [(str(name), k, [], np.nan, "", False, False, False, "") for k, name in enumerate(X.columns)]
            self.record_ = made or (plain, [], len(X.columns), True)
            self.columns_, self.notes_ = list(names), [_rows_in(note) for note in notes]
            self.n_features_in_, self.feature_names_in_ = len(X.columns), np.asarray(list(X.columns), dtype=object)
        try:
            import pandas
        except ImportError:
            return numbers
        return pandas.DataFrame(numbers, columns=self.columns_, index=getattr(X, "index", None))


def _listed(names, where):
    """Names of columns as the library has a list; a text is one already."""
    return names if isinstance(names, str) else ",".join(entry_of_list(str(name), where) for name in names)


def _rows_in(text):
    """The text with rows of the DataFrame, from 0, in the place of lines of its CSV."""
    return re.sub(r"the array given for table:(\d+)", lambda line: f"row {int(line[1]) - 2}" if int(line[1]) > 1 else "X", text)


def _by_rows(error):
    return type(error)([tuple(map(_rows_in, complaint)) for complaint in error.complaints])
