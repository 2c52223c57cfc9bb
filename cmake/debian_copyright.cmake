# SPDX-License-Identifier: BSD-3-Clause
# Read by cpack when the files of all packages are staged: Debian wants the licence of each package in one place.
if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(documents ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc)
    configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${documents}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}/copyright COPYONLY)
    file(REMOVE ${documents}/claros/LICENSE)
  endforeach()
endif()
