# SPDX-License-Identifier: BSD-3-Clause
# claros_add_plugin(<kind> <name> SOURCES <file>... [LIBRARIES <library>...] [WARNINGS])
#
# Builds one plugin, claros_<kind>_<name>.so, which exports the single symbol `claros_plugin`; the target has the
# same name without the ending. C++20 comes with claros::sdk; WARNINGS adds the warnings that Claros itself is
# compiled with, and no other flag is set. `install` puts the plugin into CLAROS_PLUGIN_INSTALL_DIR, which is
# <libdir>/claros/plugins unless the project or the command line sets it.
include_guard(GLOBAL)
# Seen wherever the function is, which has no scope.
set(CLAROS_KINDS objective set penalty smoother estimator algorithm data loss CACHE INTERNAL "")
set(CLAROS_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast CACHE INTERNAL "")

function(claros_add_plugin kind name)
  cmake_parse_arguments(PARSE_ARGV 2 plugin "WARNINGS" "" "SOURCES;LIBRARIES")
  if(NOT kind IN_LIST CLAROS_KINDS)
    list(JOIN CLAROS_KINDS ", " kinds)
    message(FATAL_ERROR "claros_add_plugin: '${kind}' is not a kind of plugin; there are ${kinds}")
  elseif(NOT name MATCHES "^[a-z0-9]+(-[a-z0-9]+)*$")
    message(FATAL_ERROR "claros_add_plugin: '${name}' is not made of lower-case words joined by '-'")
  elseif(plugin_UNPARSED_ARGUMENTS OR NOT plugin_SOURCES)
    message(FATAL_ERROR "claros_add_plugin: expected <kind> <name> SOURCES <file>... "
                        "[LIBRARIES <library>...] [WARNINGS]")
  endif()
  include(GNUInstallDirs)
  if(CLAROS_PLUGIN_INSTALL_DIR)
    set(folder ${CLAROS_PLUGIN_INSTALL_DIR})
  else()
    set(folder ${CMAKE_INSTALL_LIBDIR}/claros/plugins)
    set(to_libraries $ORIGIN/../..)
  endif()

  set(target claros_${kind}_${name})
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map)
  add_library(${target} MODULE ${plugin_SOURCES})
  target_link_libraries(${target} PRIVATE claros::sdk ${plugin_LIBRARIES})
  target_link_options(${target} PRIVATE LINKER:--as-needed LINKER:--version-script=${exports})
  # Clang keeps the functions of its sanitizers in the program.
  if(NOT (CLAROS_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"))
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX .so LINK_DEPENDS ${exports}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON INSTALL_RPATH "${to_libraries}")
  if(plugin_WARNINGS)
    target_compile_options(${target} PRIVATE ${CLAROS_WARNINGS})
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION ${folder})
endfunction()
