# SPDX-License-Identifier: BSD-3-Clause
# Read by cpack before it installs anything: a package is for every machine of its architecture.
if(CPACK_CLAROS_NATIVE OR CPACK_CLAROS_FLAGS MATCHES "=native")
  message(FATAL_ERROR "this build tree is compiled for the processor of this machine and would crash on others: "
                      "package the preset `package`, or a tree configured with CLAROS_NATIVE=OFF")
elseif(CPACK_CLAROS_SANITIZE OR CPACK_CLAROS_FLAGS MATCHES "-fsanitize")
  message(FATAL_ERROR "this build tree is compiled with sanitizers: package the preset `package`")
endif()
