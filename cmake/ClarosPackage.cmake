# SPDX-License-Identifier: BSD-3-Clause
# `cpack` makes the Debian packages claros (program, library, plugins), libclaros-dev, claros-doc and, where Python was
# found, python3-claros. The preset `package` builds them for the baseline processor and below /usr, with Debian's multiarch folders.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Claros authors")
set(CPACK_PACKAGE_CONTACT "The Claros authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime development doc)
if(TARGET claros_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENTS_IGNORE_GROUPS ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME claros)
# Any BLAS satisfies libarmadillo; the plain one is slow.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libopenblas0-pthread | libopenblas0, gnuplot-nox")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libclaros-dev, claros-doc")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclaros-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)

set(CPACK_DEBIAN_DOC_PACKAGE_NAME claros-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)

# The module is compiled for one version of Python.
if(TARGET claros_python)
  get_target_property(version claros_python CLAROS_PYTHON_VERSION)
  string(REPLACE "." ";" numbers ${version})
  list(GET numbers 1 minor)
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-claros)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-scipy, python3-sklearn")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(scripts ${CMAKE_CURRENT_LIST_DIR}/debian_python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${scripts}/postinst;${scripts}/prerm")
endif()

# What other packages depend on that link the library, as dpkg-shlibdeps reads it.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/shlibs @ONLY
     CONTENT "libclaros @claros_soversion@ claros (>= @PROJECT_VERSION@)\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package/shlibs)

set(CPACK_CLAROS_NATIVE ${CLAROS_NATIVE})
set(CPACK_CLAROS_SANITIZE "${CLAROS_SANITIZE}")
set(CPACK_CLAROS_FLAGS "${CMAKE_CXX_FLAGS}")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/refuse_unfit_package.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_copyright.cmake)

include(CPack)
cpack_add_component(runtime DESCRIPTION "The program claros, the library libclaros and its plugins.")
cpack_add_component(development DEPENDS runtime
  DESCRIPTION "Headers and CMake and pkg-config files, to write plugins or to link the library.")
cpack_add_component(doc DESCRIPTION "Guides, papers that were reproduced, and examples.")
if(TARGET claros_python)
  cpack_add_component(python DEPENDS runtime DESCRIPTION "The Python package claros: solve, estimators of scikit-learn, components in Python.")
endif()
