# SPDX-License-Identifier: BSD-3-Clause
# claros_add_library(<name> LAYERS <layer>... [LIGHT <layer>...] [LIBRARIES <library>...] [INTERNAL <folder>...])
#
# A shared library, lib<name>.so, of the layers in this folder, the lowest first. Each layer is a library of objects
# that sees its own headers, those of the layers below it and the public headers of LIBRARIES, so that an include of
# what is above does not compile. LIGHT names the layers that compute nothing (ClarosFlags.cmake). INTERNAL names folders
# of headers that Claros' own libraries share and that are not installed. tests/check_rooms checks the order of the
# rooms and their sizes.
function(claros_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "LAYERS;LIGHT;LIBRARIES;INTERNAL")
  set(below ${library_INTERNAL})
  add_library(${name} SHARED)
  foreach(layer IN LISTS library_LAYERS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${layer}/src/*.cpp)
    set(objects claros_${layer})
    add_library(${objects} OBJECT ${sources})
    list(APPEND below ${CMAKE_CURRENT_SOURCE_DIR}/${layer}/include ${CMAKE_CURRENT_SOURCE_DIR}/${layer}/src)
    target_include_directories(${objects} PRIVATE ${below})
    target_compile_features(${objects} PRIVATE cxx_std_20)
    target_link_libraries(${objects} PRIVATE ${library_LIBRARIES} claros_flags)
    if(layer IN_LIST library_LIGHT)
      claros_precompile(${objects} LIGHT)
    else()
      claros_precompile(${objects})
    endif()
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:${objects}>)
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${layer}/include>)
    install(DIRECTORY ${layer}/include/claros DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  endforeach()

  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${library_LIBRARIES} PRIVATE $<BUILD_INTERFACE:claros_flags>)
  # Templates of other libraries that were instantiated here stay here.
  set(exports ${PROJECT_SOURCE_DIR}/cmake/library.map)
  target_link_options(${name} PRIVATE LINKER:--version-script=${exports})
  string(REPLACE "claros_" "claros-" output ${name})
  string(REGEX REPLACE "^claros_?" "" short ${name})
  if(short STREQUAL "")
    set(short claros)
  endif()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${claros_soversion}
    OUTPUT_NAME ${output} EXPORT_NAME ${short} LINK_DEPENDS ${exports})
  if(library_LIBRARIES)
    # The libraries lie beside each other. CMake ends the path of a build tree with an empty entry, the working directory.
    set_target_properties(${name} PROPERTIES INSTALL_RPATH $ORIGIN BUILD_WITH_INSTALL_RPATH ON)
  endif()
  add_library(claros::${short} ALIAS ${name})
  install(TARGETS ${name} EXPORT claros LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT development)
endfunction()
