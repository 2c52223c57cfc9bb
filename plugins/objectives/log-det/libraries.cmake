# SPDX-License-Identifier: BSD-3-Clause
# LAPACK comes with Armadillo, as in core.
find_package(Armadillo REQUIRED)
set(plugin_libraries ${ARMADILLO_LIBRARIES})
