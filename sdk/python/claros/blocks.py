# SPDX-License-Identifier: BSD-3-Clause
"""Stored designs from blocks of rows: data larger than memory, from whatever can give it piece by piece."""
import os

from . import _claros, arrays
from .errors import DataError, Error, UsageError


def _block(block, place):
    """The data of one block: (X, y), (X, y, sample_weight) or a dict of these and offset."""
    if isinstance(block, dict):
        known = {"X", "y", "sample_weight", "offset"}
        if not {"X", "y"} <= block.keys() <= known:
            raise DataError([(place, f"a dict of {', '.join(map(str, block))}", "give X and y, and perhaps sample_weight and offset")])
        return arrays.rows(block["X"], block["y"], block.get("sample_weight"), block.get("offset"))
    if isinstance(block, (tuple, list)) and len(block) in (2, 3):
        return arrays.rows(*block)
    raise DataError([(place, f"an object of type {type(block).__name__}", "give (X, y), (X, y, sample_weight) or a dict")])


def _placed(error, place):
    """The same error with its place before that of the library."""
    return type(error)([(f"{place}: {c.where}" if c.where else place, c.what, c.remedy) for c in error.complaints])


def convert(blocks, path, precision="double"):
    """Writes blocks of rows to one file that runs use in memory or on disk; returns how many rows it has.

    blocks     an iterable of (X, y), (X, y, sample_weight) or dicts with X, y, sample_weight, offset; X is an array, a
               table or a sparse matrix, with the same columns in every block
    path       the file to write, which appears when it is whole; data="train.design" of an objective reads it
    precision  "double" or "float"

    One block is in memory at a time. What is wrong with a block is a claros.DataError that names it, as is what the
    iterable raises; nothing is written then.
    """
    path = os.fspath(path)
    if precision not in ("double", "float"):
        raise UsageError([("precision", f"{precision!r} is not known", "give double or float")])
    if os.path.exists(path):
        raise UsageError([("path", f"{path} exists", "remove it, or name another file")])
    writer = _claros.DesignWriter(path, precision == "float")
    try:
        for place, block in _numbered(blocks):
            try:
                writer.add(_block(block, place), place)
            except Error as error:
                raise (error if error.complaints[0].where.startswith(place) else _placed(error, place)) from None
        writer.finish()
        return writer.rows
    finally:
        del writer  # with what is not finished; a traceback would keep it


def _numbered(blocks):
    """(place, block); what the iterable raises is a DataError."""
    number, rest = 0, iter(blocks)
    while True:
        number += 1
        place = f"block {number}"
        try:
            block = next(rest)
        except StopIteration:
            return
        except Exception as error:
            raise DataError([(place, f"the iterator raised {type(error).__name__}: {error}", "nothing is written; fix the iterator")]) from error
        yield place, block
        del block
