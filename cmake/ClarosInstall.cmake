# SPDX-License-Identifier: BSD-3-Clause
# What an installation holds beside programs, libraries and headers: the package for find_package, claros.pc, the
# documents; and the target `uninstall`. Components: runtime, development, doc.
include(CMakePackageConfigHelpers)
set(made ${CMAKE_BINARY_DIR}/package)
set(modules ${PROJECT_SOURCE_DIR}/sdk/cmake/ClarosPlugin.cmake ${PROJECT_SOURCE_DIR}/sdk/cmake/plugin.map)

set(claros_program ${CMAKE_INSTALL_BINDIR}/claros)
configure_package_config_file(${PROJECT_SOURCE_DIR}/sdk/cmake/claros-config.cmake.in ${made}/claros-config.cmake
  INSTALL_DESTINATION ${claros_package_dir} PATH_VARS claros_program claros_plugin_dir)
write_basic_package_version_file(${made}/claros-config-version.cmake COMPATIBILITY ${claros_compatibility})
install(FILES ${made}/claros-config.cmake ${made}/claros-config-version.cmake ${modules}
        DESTINATION ${claros_package_dir} COMPONENT development)
install(EXPORT claros NAMESPACE claros:: FILE claros-targets.cmake DESTINATION ${claros_package_dir} COMPONENT development)

# The build tree is a prefix for find_package as well.
set(build_package lib/cmake/claros)
set(claros_program bin/claros)
set(claros_plugin_dir lib/claros/plugins)
configure_package_config_file(${PROJECT_SOURCE_DIR}/sdk/cmake/claros-config.cmake.in ${CMAKE_BINARY_DIR}/${build_package}/claros-config.cmake
  INSTALL_PREFIX ${CMAKE_BINARY_DIR} INSTALL_DESTINATION ${build_package} PATH_VARS claros_program claros_plugin_dir)
export(EXPORT claros NAMESPACE claros:: FILE ${CMAKE_BINARY_DIR}/${build_package}/claros-targets.cmake)
file(COPY ${made}/claros-config-version.cmake ${modules} DESTINATION ${CMAKE_BINARY_DIR}/${build_package})

# Paths in claros.pc start from its own folder, unless the library has an absolute place.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "^(.*)/$" "\${pcfiledir}/\\1" pc_prefix ${pc_prefix})
endif()
foreach(folder IN ITEMS BINDIR LIBDIR INCLUDEDIR)
  set(pc_${folder} "\${prefix}")
  cmake_path(APPEND pc_${folder} ${CMAKE_INSTALL_${folder}})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/sdk/cmake/claros.pc.in ${made}/claros.pc @ONLY)
install(FILES ${made}/claros.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The program runs the papers' experiments: everything beside a specification may be named in it. Pages, figures and
# their measured numbers (FIGURE.json) are documents.
install(DIRECTORY docs/papers/ DESTINATION ${claros_papers_dir} USE_SOURCE_PERMISSIONS
        REGEX "\\.(md|in|svg|made|json)$" EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY docs/papers/ DESTINATION ${claros_papers_dir} FILES_MATCHING PATTERN experiment.json)
install(DIRECTORY sdk/templates/ DESTINATION ${claros_templates_dir} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(READ README.md readme)
string(REPLACE "](docs/" "](" readme "${readme}")
file(CONFIGURE OUTPUT ${made}/README.md CONTENT "${readme}" @ONLY)
install(FILES ${made}/README.md docs/overview.md docs/changes.md docs/benchmarks.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs/changes docs/guides docs/developers docs/components docs/examples docs/papers DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/apps/examples)
  install(DIRECTORY apps/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
endif()
install(CODE "set(DOCS \"${CMAKE_INSTALL_DOCDIR}\")
include(\"${CMAKE_CURRENT_LIST_DIR}/installed_docs.cmake\")" COMPONENT doc)

if(NOT TARGET dist)
  add_custom_target(dist VERBATIM COMMENT "Writing the source tarball of the last commit"
    COMMAND ${PROJECT_SOURCE_DIR}/apps/release --dry-run --out ${CMAKE_BINARY_DIR}/dist tarball)
endif()
if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMENT "Removing what `install` wrote"
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
            -D PROGRAM=${CMAKE_INSTALL_BINDIR}/claros -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake)
endif()
