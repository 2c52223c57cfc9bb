# SPDX-License-Identifier: BSD-3-Clause
"""Tables with the method __arrow_c_stream__ (pyarrow, polars, pandas), read through the C structs of Arrow.

The columns are numbers or truths; a missing number is NaN. Columns are copied once, into a matrix in Fortran order.
https://arrow.apache.org/docs/format/CStreamInterface.html
"""
import ctypes

import numpy as np

from .errors import DataError, UsageError

_FORMATS = {b"c": np.int8, b"C": np.uint8, b"s": np.int16, b"S": np.uint16, b"i": np.int32, b"I": np.uint32,
            b"l": np.int64, b"L": np.uint64, b"e": np.float16, b"f": np.float32, b"g": np.float64}


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p)]
_Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))), ("private_data", ctypes.c_void_p)]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Released:
    """A struct whose producer releases it at the end of the block."""

    def __init__(self, struct):
        self._struct = struct

    def __enter__(self):
        return self._struct

    def __exit__(self, *_):
        if self._struct.release:
            self._struct.release(ctypes.byref(self._struct))


def _call(stream, function, kind):
    made = kind()
    code = function(ctypes.byref(stream), ctypes.byref(made))
    if code:
        said = stream.get_last_error(ctypes.byref(stream)) or b""
        raise DataError([("data", f"the Arrow stream failed with code {code}: {said.decode(errors='replace')}", "")])
    return made


def _bits(address, offset, length):
    count = (offset + length + 7) // 8
    packed = np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_uint8)), (count,))
    return np.unpackbits(packed, bitorder="little")[offset:offset + length].astype(bool)


def _write(array, form, to):
    """A column of one chunk, to its place in the matrix."""
    length, offset = array.length, array.offset
    if length == 0:
        return
    if form == b"b":
        to[:] = _bits(array.buffers[1], offset, length)
    else:
        kind = np.dtype(_FORMATS[form])
        bytes_ = ctypes.cast(array.buffers[1] + offset * kind.itemsize, ctypes.POINTER(ctypes.c_uint8))
        to[:] = np.ctypeslib.as_array(bytes_, (length * kind.itemsize,)).view(kind)
    if array.null_count != 0 and array.n_buffers and array.buffers[0]:
        to[~_bits(array.buffers[0], offset, length)] = np.nan


def _fields(schema):
    if schema.format != b"+s":
        raise UsageError([("data", "an Arrow stream that is not a table", "give a table of columns")])
    fields = [schema.children[k].contents for k in range(schema.n_children)]
    names = [(field.name or b"").decode() for field in fields]
    wrong = [name for name, field in zip(names, fields)
             if field.dictionary or (field.format not in _FORMATS and field.format != b"b")]
    if wrong:
        raise UsageError([("data", f"columns that are not numbers: {', '.join(wrong[:5])}", "encode categories first")])
    return names, [field.format for field in fields]


def columns_of(table):
    """The columns as a matrix of float64 in Fortran order, and their names."""
    capsule = table.__arrow_c_stream__()
    stream = _Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
    with _Released(stream), _Released(_call(stream, stream.get_schema, _Schema)) as schema:
        names, forms = _fields(schema)
        chunks = []
        while True:
            with _Released(_call(stream, stream.get_next, _Array)) as chunk:
                if not chunk.release:
                    break
                # A null row of the table itself has no meaning for rows of numbers; its fields say what is missing.
                block = np.empty((chunk.length, len(forms)), order="F")
                for k, form in enumerate(forms):
                    column = chunk.children[k].contents
                    part = _Array.from_buffer_copy(column)
                    part.offset, part.length = column.offset + chunk.offset, chunk.length
                    _write(part, form, block[:, k])
                chunks.append(block)
    if len(chunks) == 1:
        return chunks[0], names
    whole = np.empty((sum(map(len, chunks)), len(forms)), order="F")
    np.concatenate(chunks or [whole], out=whole)
    return whole, names
