# SPDX-License-Identifier: BSD-3-Clause
"""Arrays, matrices and tables as data of Claros, in place where the library reads them so.

In place are dense rows of float64 and float32 in C order, float64 in Fortran order, and the positions and values of
compressed sparse rows (float64, float32) and columns (float64) with positions of 32 bits. Everything else is copied
once. What is read in place stays borrowed as long as the data or a run on it lives: do not change it meanwhile.
"""
import datetime
import decimal
import math
import numbers
import sys
import weakref

import numpy as np

from . import _claros
from .errors import DataError, UsageError

_TIMES = ("Timestamp", "Timedelta", "Period", "NaTType", "datetime", "date", "timedelta", "datetime64", "timedelta64")
counts = weakref.WeakKeyDictionary()  # the rows of data: their number
facts_of = weakref.WeakKeyDictionary()  # what the caller gave of the rows of data: {"weights": (n,), "offset": (n,)}


def _refuse(what, remedy="", where="data", kind=UsageError):
    raise kind([(where, what, remedy)])


def is_sparse(x):
    """Whether x is a sparse matrix of scipy, which is not imported for that."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(x)


def unmasked(x, where="data"):
    """x; what is masked would be read as the numbers below the mask."""
    if isinstance(x, np.ma.MaskedArray):
        if count := int(np.ascontiguousarray(np.ma.getmaskarray(x)).view(bool).sum()):  # a structured array has a mask a field
            _refuse(f"{count} entries that are masked", "leave their rows out, or fill them: x.filled(np.nan) where NaN is a hole", where)
    return x


def of_rows(values, where):
    """values, which have an entry a row. Raises UsageError for masked entries, and for a sparse matrix, which numpy takes for one entry."""
    if is_sparse(values):
        _refuse("a sparse matrix, expected a dense array", f"give {where}.toarray()", where)
    return unmasked(values, where)


def numeric(x, where="data"):
    """x. Raises UsageError for masked entries, and for dates and durations, which numpy and scikit-learn read as nanoseconds."""
    if is_sparse(unmasked(x, where)) or _is_stream(x):
        return x
    try:
        array = np.asarray(x)
    except ValueError:  # a list of rows that differ in length, as scikit-learn says
        return x
    for kind in [array.dtype[name] for name in array.dtype.names or ()] or [array.dtype]:
        if kind.kind in "mM" or kind.kind == "O" and any(type(value).__name__ in _TIMES for value in array.flat):
            _refuse("dates or durations, not numbers", f"give numbers, as {where} / np.timedelta64(1, 'D') makes of durations", where)
    return x


def numbers_of(array, where="data", remedy="give numbers"):
    """The array, as float64 if it holds objects, as nullable integers of pandas become."""
    if array.dtype.kind == "c":
        _refuse("complex numbers", "give real numbers", where)
    if array.dtype.kind in "fiub":
        return array
    try:
        if array.dtype.kind != "O":
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError):
        _refuse(f"an array of {array.dtype}, not of numbers", remedy, where)


def _floats(x):
    """As float32 in C order or float64 in C or Fortran order; the same array where it is one."""
    x = numbers_of(x, remedy="give numbers; encode categories first")
    dtype = x.dtype if x.dtype in (np.float32, np.float64) and x.dtype.isnative else np.float64
    if dtype == np.float64 and x.flags.f_contiguous and not x.flags.c_contiguous:
        return x if x.dtype == np.float64 and x.dtype.isnative else np.asfortranarray(x, dtype=dtype)
    return np.ascontiguousarray(x, dtype=dtype)


def vector(values, where, length=None):
    """One number a row as float64 in C order."""
    array = np.asarray(of_rows(values, where))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        _refuse(f"an array of shape {array.shape}, expected one dimension", "give one number a row", where)
    if length is not None and array.shape[0] != length:
        _refuse(f"{array.shape[0]} numbers for {length} rows", "give one number a row", where, DataError)
    return np.ascontiguousarray(numbers_of(array, where), dtype=np.float64)


def _kind_of_label(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value):
        return "missing"
    if isinstance(value, (bool, np.bool_)):
        return "booleans"
    if isinstance(value, numbers.Real):
        return "numbers"
    return "texts" if isinstance(value, str) else f"objects of type {type(value).__name__}"


def _exact(array, where, word):
    """Objects of one kind as an array of their type. Raises ValueError if integers would be rounded."""
    made = np.array(list(array))
    if made.dtype.kind not in "fO":
        return made
    whole = {k: int(value) for k, value in enumerate(array) if isinstance(value, numbers.Integral)}
    if len(whole) == len(array):
        for kind in (np.int64, np.uint64):
            if np.iinfo(kind).min <= min(whole.values()) and max(whole.values()) <= np.iinfo(kind).max:
                return np.array(list(whole.values()), kind)
        raise ValueError(f"{where}: {word}s from {min(whole.values())} to {max(whole.values())}, beyond 64 bits: give texts")
    if made.dtype.kind == "f" and (rounded := [value for k, value in whole.items() if value != made[k].item()]):
        raise ValueError(f"{where}: the {word} {rounded[0]} is beside floats, which round it: give integers alone, or texts")
    return made


def labels(values, where, length=None, word="label"):
    """A label a row, (n,), of one kind, so that they have an order. Raises ValueError; numpy would make texts of mixed ones."""
    array = np.asarray(of_rows(values, where), dtype=None if hasattr(values, "dtype") else object)
    array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    if array.ndim != 1 or length not in (None, len(array)):
        raise ValueError(f"{where}: an array of shape {array.shape}, expected one {word} a row, ({'n' if length is None else length},)")
    if array.dtype.kind == "O":
        kinds = [_kind_of_label(value) for value in array]
        if "missing" in kinds:
            raise ValueError(f"{where}: entry {kinds.index('missing')} has no {word}")
        if len(set(kinds)) > 1:
            raise ValueError(f"{where}: {word}s that are {' and '.join(sorted(set(kinds)))}, expected one kind: "
                             "give numbers alone, or texts alone")
        array = _exact(array, where, word) if len(array) else array
    if np.any(missing := array != array):
        raise ValueError(f"{where}: entry {int(np.argmax(missing))} has no {word}")
    return array


def classes(values, where):
    """values. Raises ValueError if a label is missing; scikit-learn fails to compare the <NA> of pandas."""
    array = np.asarray(of_rows(values, where))
    for k, value in enumerate(array.flat if array.dtype.kind == "O" and array.ndim else ()):
        if _kind_of_label(value) == "missing":
            raise ValueError(f"{where}: entry {k} has no label")
    return values


def _is_stream(x):
    """Whether a table is read as a stream of Arrow: it has no array of its own to give."""
    return hasattr(x, "__arrow_c_stream__") and not hasattr(x, "__array__")


def readable(x):
    """x, or its matrix where numpy cannot read it. Raises UsageError where entries are masked, and DataError where a sparse
    matrix is damaged. Raises ValueError for a column of a DataFrame that holds no numbers."""
    if _is_stream(x):
        return matrix(x)[0]
    columns = zip(getattr(x, "columns", ()), getattr(x, "dtypes", ()), strict=False)
    for place, (name, kind) in enumerate(columns):
        _require_numbers(name, kind, x, place)
    return sound(unmasked(x, "X") if hasattr(x, "columns") else numeric(x, "X"))


def _require_numbers(name, kind, table, place):
    """Raises ValueError if a column of a DataFrame holds texts, categories or dates. Names may come twice."""
    if not (str(kind) in ("object", "category", "string") or getattr(kind, "kind", "") in ("M", "m", "O")):
        return
    for value in table.iloc[:, place] if hasattr(table, "iloc") else table[name]:
        try:
            float(value)
        except (TypeError, ValueError):
            if value is None or str(value) == "<NA>":
                continue
            raise ValueError(f"column {name!r} holds {str(value)[:40]!r}, not a number: claros.Table makes numbers of texts and "
                             "dates, as in make_pipeline(claros.Table(), ...)") from None


def text_of_number(value, is_category=False):
    """A float or a Decimal as a text without a sign before its decimals, 2125e-3 for 2.125, that every rule of decimals reads alike; a
    category keeps its name, 2.125. A whole one is its integer, a duration its days. Other values stay as they are."""
    if isinstance(value, (float, np.floating, decimal.Decimal)):
        if not math.isfinite(value):
            return "" if value != value else str(value)
        if value % 1 == 0:
            return str(int(value))
        if is_category:
            return str(value)
        number, _, exponent = str(value).lower().partition("e")
        whole, _, decimals = number.partition(".")
        return f"{int(whole + decimals)}e{int(exponent or 0) - len(decimals)}"
    if isinstance(value, (datetime.timedelta, np.timedelta64)):
        days = text_of_number(value / np.timedelta64(1, "D"))
        return days and f"{days} days"
    return value


def text_of_frame(frame, categories=()):
    """The CSV text of a DataFrame of pandas or polars, or of a table of pyarrow: a header, and semicolons. categories: names, or
    numbers from 1, of columns whose numbers are names."""
    words = {word.strip() for word in (categories.split(",") if isinstance(categories, str) else map(str, categories))}
    names = names_of(frame, as_texts=True)
    named = {name for k, name in enumerate(names) if name in words or str(k + 1) in words - set(names)}

    def texts(column):
        return [text_of_number(value, str(column.name) in named) for value in column]

    if hasattr(frame, "with_columns"):  # of polars
        changed = [type(column)(column.name, made) for column in frame.get_columns() if (made := texts(column)) != list(column)]
        return frame.with_columns(changed).write_csv(separator=";")
    frame = frame if hasattr(frame, "to_csv") else frame.to_pandas()
    frame = frame.apply(lambda column: column if getattr(column.dtype, "kind", "O") not in "fmO" else type(column)(
        texts(column), index=column.index, dtype=object))
    return frame.to_csv(index=False, sep=";")


READ_AS_FITTED = ("dates", "decimal")  # options that read rows to predict as those of the fit; the record does not have them


def categories_of(record):
    """The names of the columns that were categories in the fit."""
    return [column[0] for column in record[0] if column[2]]


def names_of(x, as_texts=False):
    """The names of the columns of a table, if all of them are texts; else nothing, or as_texts, as a CSV file has them."""
    columns = getattr(x, "columns", None)
    if columns is None:
        return []
    columns = list(columns() if callable(columns) else columns)
    if not all(isinstance(name, str) for name in columns):
        columns = list(getattr(x, "column_names", columns))  # of pyarrow
    return columns if all(isinstance(name, str) for name in columns) else [str(name) for name in columns if as_texts]


def matrix(x):
    """The rows as a dense array or compressed sparse rows or columns, and the names of the columns."""
    names = names_of(x, as_texts=True)
    if is_sparse(sound(x)):
        return (x if x.format in ("csr", "csc") else x.tocsr()), names
    if _is_stream(x):
        from .arrow import columns_of

        return columns_of(x)
    try:
        array = np.asarray(unmasked(x))
    except ValueError:
        if not isinstance(x, (list, tuple)):
            raise
        _refuse("a list of rows that differ in length", "give each row a number a column", kind=DataError)
    if array.ndim != 2:
        _refuse(f"an array of shape {array.shape}, expected (rows, columns)", "give X.reshape(-1, 1) for one column")
    return _floats(array), names


def sound(x, where="data"):
    """x. Raises DataError for a sparse matrix whose positions lie outside of it or of its arrays: scipy would read and write
    there."""
    def require(holds, what):
        if not holds:
            _refuse(f"a damaged {x.format} matrix: {what}", "make it anew from sound arrays", where, DataError)

    def require_within(positions, size, what):
        require(positions.size == 0 or (positions.min() >= 0 and positions.max() < size),
                f"{what} outside of a matrix of shape {x.shape}")

    if not is_sparse(x):
        return x
    if x.format in ("csr", "csc", "bsr"):
        block = x.blocksize if x.format == "bsr" else (1, 1)
        by_columns = x.format == "csc"
        lines, others = x.shape[by_columns] // block[0], x.shape[not by_columns] // block[1]
        start, at = np.asarray(x.indptr), np.asarray(x.indices)
        require(start.shape == (lines + 1,), f"indptr of shape {start.shape} for {lines} {'columns' if by_columns else 'rows'}")
        require(start[0] == 0 and bool((start[:-1] <= start[1:]).all()), "indptr does not rise from 0")
        require(start[-1] <= len(at) and start[-1] <= len(x.data),
                f"indptr ends at {start[-1]}, beyond {len(at)} indices and {len(x.data)} values")
        require_within(at[:start[-1]], others, "indices")
    elif x.format == "coo":
        require(x.row.shape == x.col.shape == x.data.shape, "row, col and data differ in size")
        require_within(x.row, x.shape[0], "rows")
        require_within(x.col, x.shape[1], "columns")
    return x


def _compressed(x, y, facts):
    values = _floats(x.data)
    if x.format == "csc" and values.dtype != np.float64:
        x = x.tocsr()
        values = _floats(x.data)
    if not x.has_sorted_indices or not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
        values = _floats(x.data)
    if max(x.shape) > np.iinfo(np.int32).max:
        _refuse(f"a sparse matrix of shape {x.shape}", "give at most 2^31 - 1 rows and columns")
    start = x.indptr if x.indptr.dtype in (np.int32, np.int64) else x.indptr.astype(np.int64)
    by_columns, count = x.format == "csc", int(start[-1])  # arrays of scipy may be longer than what they hold
    return _claros.sparse(np.ascontiguousarray(start), np.ascontiguousarray(x.indices[:count], dtype=np.int32), values[:count],
                          x.shape[0 if by_columns else 1], by_columns, y, facts)


def _several(y, n):
    """Responses of two dimensions, (n, K), as float64 in C order; None of one a row."""
    shape = np.shape(y)
    if len(shape) != 2 or shape[1] < 2:
        return None
    if shape[0] != n:
        _refuse(f"{shape[0]} rows of responses for {n} rows", "give one a row", "y", DataError)
    return np.ascontiguousarray(numbers_of(np.asarray(of_rows(y, "y")), "y"), dtype=np.float64)


def rows(x, y, sample_weight=None, offset=None, response="", names=()):
    """Data of a linear model: rows x, responses, and where given a weight and an offset a row.

    x: array, table or sparse matrix, (n, p); y: (n,), or (n, K) of several responses a row; sample_weight, offset:
    (n,). f = sum_i w_i psi(<a_i, x> + o_i, y_i) / sum_i w_i; of several responses psi is a sum over them. Raises UsageError
    and DataError with the first row that is wrong.
    """
    table, own = matrix(x)
    n = table.shape[0]
    several = _several(y, n)
    given = {name: vector(values, where, n) for name, where, values in (
        ("weights", "sample_weight", sample_weight), ("offset", "offset", offset)) if values is not None}
    name = response or str(getattr(y, "name", None) or "")
    facts = _claros.Facts(given.get("weights"), given.get("offset"), own or names, name, several)
    target = vector(y, "y", n) if several is None else np.empty(0)
    made = _compressed(table, target, facts) if is_sparse(table) else _claros.dense(table, target, facts)
    facts_of[made], counts[made] = given, n
    return made


def finite(table, where="X"):
    """The table of `matrix` or `vector`, where all numbers are finite. Raises DataError with the first row of another one."""
    values = table.data if is_sparse(table) else table
    if not np.isfinite(values).all():
        at = table.tocoo().row[~np.isfinite(table.tocoo().data)] if is_sparse(table) else np.nonzero(~np.isfinite(table))[0]
        _refuse(f"row {at.min()} has a number that is NaN or infinite", "give finite numbers", where, DataError)
    return table


def constant(x, variance):
    """Which columns of dense rows have a variance that is no more than the rounding of their mean."""
    return ~(np.sqrt(variance) > np.sqrt(len(x)) * np.finfo(float).eps * np.abs(x.mean(axis=0)))


def positions(values, where, size=None):
    """Positions from 0, below `size`, as integers of 32 bits."""
    array = np.asarray(unmasked(values, where))
    if array.dtype.kind == "O" and array.ndim == 1 and all(isinstance(value, numbers.Integral) for value in array):
        array = array.astype(np.int64)  # as nullable integers of pandas become
    if array.shape == (0,):
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        _refuse(f"an array of {array.dtype} and shape {array.shape}", "give one integer an entry, from 0", where)
    if array.size and (array.min() < 0 or array.max() > np.iinfo(np.int32).max):
        _refuse("a position below 0 or above 2^31 - 1", "count rows and columns from 0", where, DataError)
    if size is not None and array.size and array.max() >= size:
        _refuse(f"the position {array.max()}, expected one below {size}", "count rows and columns from 0", where, DataError)
    return np.ascontiguousarray(array, dtype=np.int32)


def ratings(row, col, values, shape=None, duplicates="error", weights=None):
    """Observed entries of a matrix: row and col count from 0; shape: (m, n), by default what the entries need.

    duplicates: what is done about a position that comes twice: "error", "mean" or "last". weights: one an entry, >= 0.
    """
    i, j = positions(row, "row"), positions(col, "col")
    v = vector(values, "values")
    if not i.size == j.size == v.size:
        _refuse(f"{i.size} rows, {j.size} columns and {v.size} values", "give one of each an entry")
    m, n = shape if shape is not None else (int(i.max(initial=-1)) + 1, int(j.max(initial=-1)) + 1)
    w = vector([] if weights is None else weights, "weights", None if weights is None else v.size)
    try:
        return _claros.triplets(i, j, v, m, n, duplicates, w)
    except DataError as error:
        raise DataError([(where, what, remedy.replace("say mean or last", "write claros.ratings(..., duplicates=\"mean\" or \"last\")"))
                         for where, what, remedy in error.complaints]) from None


_FIELDS = {  # of lists of ratings, by the names that files know too (list_columns.cpp)
    "rows": "row user uid customer reviewer person member client viewer",
    "cols": "col column item iid movie film product book isbn song track artist article business place game anime asin sku",
    "values": "value rating ratings score stars bookrating overall count counts plays playcount views visits clicks quantity listens "
              "purchases interactions"}


def field_of(name):
    """What a column of that name holds in a list of ratings: "rows", "cols", "values", or None."""
    text = "".join(c for c in str(name).lower() if c.isalnum())
    return next((field for word in (text, text.removesuffix("id")) for field, known in _FIELDS.items() if word in known.split()), None)


def entries(x, layout="auto", where="data"):
    """Rows, columns and values of the entries of a matrix, and its shape: the stored ones of a sparse one (zeros that fill the
    blocks of bsr are none), those of a dense one that are not NaN. Raises UsageError for what files have as a list of ratings."""
    if is_sparse(sound(x)):
        found = x.tocoo()
        if x.format == "bsr":
            found.eliminate_zeros()
        return found.row, found.col, found.data, x.shape

    def refuse(what):
        remedy = ("give claros.ratings(rows, cols, values) for a list, with positions from 0, or take RatingsModel, which takes all ids; "
                  "objective={'use': 'matrix-completion', 'layout': 'matrix'} for a matrix")
        _refuse(f"{what}: this may be a list of ratings instead of a matrix",
                remedy if where == "data" else "give (rows, cols, values), with positions from 0", where)

    names = names_of(x, as_texts=True)
    fields = [field_of(name) for name in names]
    if layout != "matrix" and all(fields.count(field) == 1 for field in _FIELDS):
        refuse(f"a table of the columns {', '.join(names)}")
    table = matrix(unmasked(x, where))[0]
    row, col = np.nonzero(~np.isnan(table))
    may_be_list = 3 <= table.shape[1] <= 8 and len(row) == table.size > 0 and bool((table[:, :2] == np.floor(table[:, :2])).all())
    if layout == "list" or layout == "auto" and may_be_list:
        refuse(f"an array of shape {table.shape}" + ", whose first two columns are whole numbers" * may_be_list)
    return row, col, table[row, col], table.shape


def is_symmetric(x):
    """Whether entries that mirror each other are equal to 1e-9 of them."""
    if x.shape[0] != x.shape[1]:
        return False
    x = x.toarray() if is_sparse(x) else x
    return bool((np.abs(x - x.T) <= 1e-9 * np.maximum(np.abs(x), np.abs(x.T))).all())
