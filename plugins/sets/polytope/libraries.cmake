# SPDX-License-Identifier: BSD-3-Clause
find_package(PkgConfig REQUIRED)
pkg_check_modules(clp REQUIRED IMPORTED_TARGET clp)
set(plugin_libraries PkgConfig::clp)
