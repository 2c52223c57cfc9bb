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
  # false alarms of GCC 12 on string concatenation
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow> -Wno-array-bounds)
# The same numbers on every machine of one instruction set: no contraction chosen by the compiler, no fast-math.
target_compile_options(claros_flags INTERFACE -ffp-contract=off)
if(CLAROS_NATIVE)
  target_compile_options(claros_flags INTERFACE -march=native)
endif()
if(CLAROS_SANITIZE)
  target_compile_options(claros_flags INTERFACE -fsanitize=${CLAROS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(claros_flags INTERFACE -fsanitize=${CLAROS_SANITIZE})
endif()

option(CLAROS_FUZZ "Build what tests/run --fuzz runs, and compile for it (Clang)" OFF)
if(CLAROS_FUZZ)
  target_compile_options(claros_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Most of the time of a file goes into reading the same standard headers: they are read once for each way of compiling.
# claros_precompile(<target> [PLUGIN] [TEST|LIGHT]): the target shares them. PLUGIN adds what most plugins include of the SDK. LIGHT
# optimises less, for what computes nothing itself. So does TEST, since the time of tests goes into the libraries that they call; it
# adds doctest and its main to a program.
set(CLAROS_COMMON_HEADERS <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional>
  <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread>
  <utility> <variant> <vector> CACHE INTERNAL "")
set(CLAROS_PLUGIN_HEADERS <claros/algorithm.hpp> <claros/linear_oracle.hpp> <claros/objective.hpp> <claros/plugin.hpp>
  <claros/proximal_oracle.hpp> <claros/sdk/dense_access.hpp> <claros/sdk/entries.hpp> <claros/state/state.hpp> CACHE INTERNAL "")
option(CLAROS_PRECOMPILE "Read the headers of the standard library once" ON)
set(claros_empty_source ${CMAKE_CURRENT_LIST_DIR}/empty.cpp)

# claros_join(<target> [EXCEPT <file>...]): its files are compiled eight at a time, since most of the time of a file goes into the
# headers that it shares with its neighbours. A build from nothing takes half as long, one after a change of a file longer.
option(CLAROS_UNITY "Compile several files of a library or a test program at once" OFF)
function(claros_join target)
  cmake_parse_arguments(PARSE_ARGV 1 join "" "" "EXCEPT")
  set_source_files_properties(${join_EXCEPT} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CLAROS_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

function(claros_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 pch "PLUGIN;TEST;LIGHT" "" "")
  get_target_property(type ${target} TYPE)
  set(owner claros_headers)
  if(type STREQUAL "EXECUTABLE")
    string(APPEND owner _program)
    set(position -fPIE)
  else()
    set(position -fPIC)
  endif()
  if(pch_PLUGIN)
    string(APPEND owner _plugin)
    set(plugin_headers ${CLAROS_PLUGIN_HEADERS})
    set(plugin_library claros::sdk)
  endif()
  if(pch_LIGHT)
    string(APPEND owner _light)
  endif()
  if(pch_TEST OR pch_LIGHT)
    set(light_flags $<$<CONFIG:Release>:-O1>)
  endif()
  if(pch_TEST)
    string(APPEND owner _test)
    if(type STREQUAL "EXECUTABLE")
      set(test_main ${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp)
      set(test_header <doctest/doctest.h>)
    endif()
  endif()
  if(NOT TARGET ${owner})
    add_library(${owner} OBJECT ${claros_empty_source} ${test_main})
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    if(test_main)
      set_source_files_properties(${test_main} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
    target_link_libraries(${owner} PRIVATE claros_flags ${plugin_library})
    target_compile_options(${owner} PRIVATE ${position} ${light_flags})
    if(CLAROS_PRECOMPILE)
      # CMake 3.25 looks for the file of some reusing targets before it has written it.
      set(header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${owner}.dir/cmake_pch.hxx)
      if(NOT EXISTS ${header})
        file(WRITE ${header} "")
      endif()
      target_precompile_headers(${owner} PRIVATE ${CLAROS_COMMON_HEADERS} ${plugin_headers} ${test_header})
    endif()
  endif()
  if(test_main)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${owner}>)
  endif()
  target_compile_options(${target} PRIVATE ${light_flags})
  if(CLAROS_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
