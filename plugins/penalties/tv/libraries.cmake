# SPDX-License-Identifier: BSD-3-Clause
# Square roots of arrays: with errno the compiler takes them one by one.
set_source_files_properties(${plugin}/tv.cpp PROPERTIES COMPILE_OPTIONS -fno-math-errno SKIP_PRECOMPILE_HEADERS ON)
