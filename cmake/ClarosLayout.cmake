# SPDX-License-Identifier: BSD-3-Clause
# Where things lie in the build tree and in an installation, and which versions go together.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)

# Before 1.0 each minor version may change the interfaces, afterwards each major one (docs/guides/abi.md).
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(claros_soversion 0.${PROJECT_VERSION_MINOR})
  set(claros_compatibility SameMinorVersion)
else()
  set(claros_soversion ${PROJECT_VERSION_MAJOR})
  set(claros_compatibility SameMajorVersion)
endif()

# Files find each other by relative paths, so that an installation may be moved as a whole.
set(claros_plugin_dir ${CMAKE_INSTALL_LIBDIR}/claros/plugins)
set(claros_papers_dir ${CMAKE_INSTALL_DATADIR}/claros/papers)
set(claros_templates_dir ${CMAKE_INSTALL_DATADIR}/claros/templates)
set(claros_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/claros)
file(RELATIVE_PATH claros_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH claros_bin_to_papers ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/claros/papers)

# The build tree has the layout of an installation: programs find the papers' experiments and the templates of
# new plugins beside themselves.
cmake_path(SET claros_build_papers NORMALIZE ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${claros_bin_to_papers})
cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${claros_build_papers} claros_papers_inside)
if(claros_papers_inside)
  cmake_path(GET claros_build_papers PARENT_PATH claros_build_data)
  file(MAKE_DIRECTORY ${claros_build_data})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/docs/papers ${claros_build_papers} SYMBOLIC)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/sdk/templates ${claros_build_data}/templates SYMBOLIC)
endif()
