# SPDX-License-Identifier: BSD-3-Clause
# Included when Claros is installed: the links of the installed pages, in DOCS below the prefix. Host programs lie in
# examples/ there; other sources are not installed, and a link to one becomes its text.
cmake_path(ABSOLUTE_PATH DOCS BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE docs)
file(GLOB_RECURSE pages "$ENV{DESTDIR}${docs}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  set(before "${text}")
  string(REGEX REPLACE "\\]\\(((\\.\\./)*)\\.\\./apps/examples" "](\\1examples" text "${text}")
  string(REGEX REPLACE "\\[([^]\n]*)\\]\\((\\.\\./)+(core|sdk|plugins|tests|apps)/[^)]*\\)" "\\1" text "${text}")
  if(NOT text STREQUAL before)
    file(WRITE "${page}" "${text}")
  endif()
endforeach()
