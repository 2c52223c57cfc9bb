# SPDX-License-Identifier: BSD-3-Clause
# Warnings, language level and sanitizers for everything that is built inside this tree. Never exported.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(CLAROS_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")

add_library(claros_flags INTERFACE)
target_compile_options(claros_flags INTERFACE ${CLAROS_WARNINGS}
  -Wno-restrict)  # false alarms of GCC 12 on string concatenation
# The same numbers on every machine of one instruction set: no contraction chosen by the compiler, no fast-math.
target_compile_options(claros_flags INTERFACE -ffp-contract=off)
if(CLAROS_NATIVE)
  target_compile_options(claros_flags INTERFACE -march=native)
endif()
if(CLAROS_SANITIZE)
  target_compile_options(claros_flags INTERFACE -fsanitize=${CLAROS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(claros_flags INTERFACE -fsanitize=${CLAROS_SANITIZE})
endif()
