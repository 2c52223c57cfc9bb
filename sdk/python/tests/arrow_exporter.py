# SPDX-License-Identifier: BSD-3-Clause
"""A table that exports itself as a stream of Arrow, written with ctypes alone: pyarrow is not in Debian 12."""
import ctypes

import numpy as np

from claros import arrow

MESSAGE = ctypes.create_string_buffer(b"disk on fire")
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
# As the page of the C data interface has them, and not as the reader under test has them.
FORMATS = {np.dtype(kind): form for kind, form in (
    ("int8", b"c"), ("uint8", b"C"), ("int16", b"s"), ("uint16", b"S"), ("int32", b"i"), ("uint32", b"I"), ("int64", b"l"),
    ("uint64", b"L"), ("float16", b"e"), ("float32", b"f"), ("float64", b"g"))}


class Table:
    """chunks: lists of columns, numpy arrays or (array, valid); names: texts. `open` counts what is not released.

    offset: entries before those of a column; outer: entries of the columns before those of the table.
    """

    def __init__(self, names, chunks, offset=0, fails_after=None, outer=0):
        self.names, self.chunks, self.offset, self.fails_after, self.outer = names, chunks, offset, fails_after, outer
        self.open, self.kept, self.encoded = 0, [], None  # encoded: the name of a column of a dictionary

    def _keep(self, thing):
        self.kept.append(thing)
        return thing

    def _released(self, kind):
        def release(pointer):
            self.open -= 1
            pointer.contents.release = type(pointer.contents.release)()

        self.open += 1
        return self._keep(dict(kind._fields_)["release"](release))

    def _pointers(self, kind, structs):
        pointers = self._keep((ctypes.POINTER(kind) * len(structs))(*[ctypes.pointer(self._keep(s)) for s in structs]))
        return ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(kind)))

    def _format(self, column):
        column = column[0] if isinstance(column, tuple) else column
        return b"b" if column.dtype == bool else FORMATS[column.dtype]

    def _schema(self, stream, out):
        fields = [arrow._Schema(self._format(column), name.encode(), None, 2, 0) for name, column in zip(self.names, self.chunks[0])]
        for field, name in zip(fields, self.names):
            if name == self.encoded:
                field.dictionary = ctypes.pointer(self._keep(arrow._Schema(b"u", b"", None, 0, 0)))
        made = arrow._Schema(b"+s", b"", None, 0, len(fields), self._pointers(arrow._Schema, fields))
        made.release = self._released(arrow._Schema)
        out[0] = made
        return 0

    def _column(self, column):
        values, valid = column if isinstance(column, tuple) else (column, None)
        before = self.offset + self.outer
        padded = np.concatenate([np.zeros(before, values.dtype), values])
        stored = np.packbits(padded, bitorder="little") if values.dtype == bool else padded
        bits = None if valid is None else np.packbits(np.r_[np.ones(before, bool), valid], bitorder="little")
        self._keep((stored, bits))
        buffers = self._keep((ctypes.c_void_p * 2)(None if bits is None else bits.ctypes.data, stored.ctypes.data))
        return arrow._Array(self.outer + len(values), 0 if valid is None else -1, self.offset, 2, 0, buffers)

    def _next(self, stream, out):
        if self.fails_after is not None and self._sent >= self.fails_after:
            return 5
        if self._sent == len(self.chunks):
            out[0] = arrow._Array()
            return 0
        columns = [self._column(column) for column in self.chunks[self._sent]]
        self._sent += 1
        buffers = self._keep((ctypes.c_void_p * 1)(None))
        made = arrow._Array(columns[0].length - self.outer, 0, self.outer, 1, len(columns), buffers, self._pointers(arrow._Array, columns))
        made.release = self._released(arrow._Array)
        out[0] = made
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        self._sent = 0
        fields = dict(arrow._Stream._fields_)
        stream = self._keep(arrow._Stream(
            self._keep(fields["get_schema"](self._schema)), self._keep(fields["get_next"](self._next)),
            ctypes.cast(self._keep(LAST_ERROR(lambda pointer: ctypes.addressof(MESSAGE))), fields["get_last_error"])))
        stream.release = self._released(arrow._Stream)
        return new_capsule(ctypes.addressof(stream), self._keep(b"arrow_array_stream"), None)
