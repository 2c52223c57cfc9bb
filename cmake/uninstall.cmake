# SPDX-License-Identifier: BSD-3-Clause
# cmake -D MANIFEST=<file> -D PROGRAM=<bin/claros> -P uninstall.cmake
#
# Removes the files that the last `cmake --install` listed in the manifest, below DESTDIR when that is set, and the
# folders within the prefix that are empty then. The prefix is what stands before PROGRAM.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "nothing to remove: ${MANIFEST} does not exist, so nothing was installed from this build tree")
endif()
file(STRINGS "${MANIFEST}" files)
foreach(file IN LISTS files)
  set(installed "$ENV{DESTDIR}${file}")
  cmake_path(GET installed PARENT_PATH folder)
  list(APPEND folders "${folder}")
  if(file MATCHES "^(.*)/${PROGRAM}$")
    set(prefix "$ENV{DESTDIR}${CMAKE_MATCH_1}")
  endif()
  if(EXISTS "${installed}" OR IS_SYMLINK "${installed}")
    file(REMOVE "${installed}")
    message(STATUS "Removed: ${installed}")
  else()
    message(STATUS "Was not there: ${installed}")
  endif()
endforeach()

# The folders that a system is never without, such as /usr/local/bin, stay.
set(standard "^/usr(/local)?/[^/]*$")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  while(prefix AND IS_DIRECTORY "${folder}" AND NOT folder STREQUAL prefix AND NOT folder MATCHES "${standard}")
    cmake_path(IS_PREFIX prefix "${folder}" within)
    file(GLOB content LIST_DIRECTORIES true "${folder}/*")
    if(content OR NOT within)
      break()
    endif()
    file(REMOVE_RECURSE "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()
file(REMOVE "${MANIFEST}")
