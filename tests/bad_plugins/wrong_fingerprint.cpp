// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin = spoiled("wrong-fingerprint", [](ClarosPlugin& plugin) {
  plugin.fingerprint = "cxxabi 1; libstdc++ cxx11abi 0; pointer 8; index 8; sanitizer none";
});
