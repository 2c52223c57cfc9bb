// SPDX-License-Identifier: BSD-3-Clause
// host PLUGINS SPEC: solves SPEC with what the installation and the folder PLUGINS offer; prints status and
// value.
#include <claros/compose/composition.hpp>

#include <iostream>

int main(int, char** argv) try {
  const claros::Catalog catalog = claros::Catalog::standard({argv[1]});
  const claros::Composition composition = claros::compose(catalog, claros::Spec::read(argv[2]));
  const claros::RunResult result = claros::run(composition, claros::run_settings(composition));
  std::cout << text(result.status) << ' ' << result.measurement.value << '\n';
  return is_target(result.status) ? 0 : 1;
} catch (const claros::Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
