# SPDX-License-Identifier: BSD-3-Clause
"""Reads the reports of sanitizers in a folder; prints errors, and leaks of the binding or libclaros; ends with 1 if any.

A leak counts when the first frame behind the allocator is in _claros or libclaros.
"""
import pathlib
import re
import sys

ALLOCATORS = re.compile(r" in (operator new|malloc|calloc|realloc|posix_memalign|aligned_alloc|__interceptor_|std::|__gnu_cxx)")
OURS = re.compile(r"/(_claros\.[^/]*|libclaros\.so[^/]*|claros_[^/]*\.so)")
KEPT = re.compile(r"pybind11::(module_::add_object|class_|cpp_function|detail::(get_internals|generic_type|make_new_python_type|npy_api))")


def counts(record):
    frames = [line for line in record.splitlines() if line.lstrip().startswith("#")]
    callers = [line for line in frames if not ALLOCATORS.search(line)]
    return bool(callers) and bool(OURS.search(callers[0])) and not any(KEPT.search(line) for line in frames)


RECORD = """Direct leak of 8 byte(s) in 1 object(s) allocated from:
    #0 0x7f1 in operator new(unsigned long) asan_new_delete.cpp:95
    #1 0x7f2 in claros::python::keep(pybind11::object) (/build/claros/{}+0x1)
    #2 0x500 (/usr/bin/python3+0x500)"""


def prove():
    """Whether a leak of the binding is found, and one of numpy is not."""
    assert counts(RECORD.format("_claros.so")) and counts(RECORD.format("libclaros.so"))
    assert not counts(RECORD.format("_multiarray_umath.so"))


def main(folder):
    prove()
    bad, records = [], 0
    for report in sorted(pathlib.Path(folder).iterdir()):
        text = report.read_text(errors="replace")
        if "AddressSanitizer" in text and "LeakSanitizer" not in text or "runtime error" in text:
            bad.append(text)
            continue
        found = re.split(r"\n\n", text)
        leaks = [record for record in found if re.match(r"(Direct|Indirect) leak", record.strip())]
        records += len(leaks)
        bad += [record for record in leaks if counts(record)]
    print("\n\n".join(bad))
    print(f"sanitizers: {len(bad)} errors and leaks of the binding; {records} records of leaks in all")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
