# SPDX-License-Identifier: BSD-3-Clause
# claros_add_plugin(<kind> <name> SOURCES <file>...)
#
# Builds one loadable plugin, lib claros_<kind>_<name>.so, that exports the single symbol `claros_plugin`.
# Inside the tree it lands in <build>/lib/claros/plugins and is installed to <libdir>/claros/plugins.
set(CLAROS_PLUGIN_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

function(claros_add_plugin kind name)
  cmake_parse_arguments(PARSE_ARGV 2 plugin "" "" "SOURCES;LIBRARIES")
  set(target claros_${kind}_${name})
  add_library(${target} MODULE ${plugin_SOURCES})
  target_link_libraries(${target} PRIVATE claros::sdk ${plugin_LIBRARIES})
  target_link_options(${target} PRIVATE -Wl,--version-script=${CLAROS_PLUGIN_CMAKE_DIR}/plugin.map -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${CLAROS_PLUGIN_CMAKE_DIR}/plugin.map)
  if(TARGET claros_flags)
    target_link_libraries(${target} PRIVATE claros_flags)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/claros/plugins)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/claros/plugins)
  endif()
endfunction()
