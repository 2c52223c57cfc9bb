// SPDX-License-Identifier: BSD-3-Clause
// Paths of 100 lambdas, beside fits from the start and other programs.
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/paths/path.hpp>

#include <claros/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr Index kLambdas = 100, kCold = 20;

struct PathCase {
  std::string name, loss;
  std::vector<std::string> settings;
  double ratio;
  std::filesystem::path file;  ///< LIBSVM; empty: the data of the settings
};

struct Followed {
  double seconds = 0.0, worst = 0.0;  ///< of the whole path; the largest relative gap on it
};

Followed followed(Composition& composition, const std::vector<double>& lambdas, bool warm) {
  Followed f;
  const std::string parameter = "penalty.lambda";
  const auto note = [&](std::size_t, RunResult&& r) {
    f.worst = std::max(f.worst, r.measurement.gap / std::abs(r.measurement.value));
  };
  const std::clock_t begin =
      std::clock();  // of the processor, as the peers': what others do at the time does not count
  if (warm)
    follow(composition, parameter, lambdas, {}, note);
  else
    for (const double lambda : lambdas)
      composition.given_start = nullptr, follow(composition, parameter, {lambda}, {}, note);
  f.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return f;
}

void print_ours(const Catalog& catalog, const PathCase& c, const Spec& spec, int repeats) {
  std::vector<double> path, cold;
  double worst = 0.0;
  for (int k = 0; k < repeats; ++k) {
    Composition composition = compose(catalog, spec_at_max(catalog, spec, "penalty.lambda"));
    take_default_stop(composition, spec);
    const double max = max_of(composition, "penalty.lambda");
    const Followed warm = followed(composition, geometric_grid(max, c.ratio, kLambdas), true);
    path.push_back(warm.seconds), worst = std::max(worst, warm.worst);
    cold.push_back(followed(composition, geometric_grid(max, c.ratio, kCold), false).seconds);
  }
  fmt::print("  {:<24} {:8.3f} s  gap {:.1e};  {} fits from 0 on the same grid: {:.3f} s\n",
             fmt::format("claros, {} lambdas", kLambdas), median(path), worst, kCold, median(cold));
}

void print_peers(const Catalog& catalog, const PathCase& c, const Spec& spec) {
  const auto folder = std::filesystem::temp_directory_path() / "claros-bench-path";
  std::filesystem::create_directories(folder);
  if (c.file.empty()) make_data(catalog, spec)->write(folder);
  const auto file = c.file.empty() ? folder / "design.bin" : c.file;
  std::fflush(stdout);
  if (std::system(fmt::format("/usr/bin/python3 '{}/path_peers.py' '{}' {} {} {} 60", CLAROS_BENCH_DIR,
                              file.string(), c.loss, kLambdas, c.ratio)
                      .c_str()) != 0)
    fmt::print("  the peers did not run\n");
  std::filesystem::remove_all(folder);
}

}  // namespace

void paths(const std::filesystem::path& data, int repeats, const std::string& part) {
  const Catalog& catalog = everything();
  const std::vector<std::string> lasso{"data.use=synthetic-regression", "data.rows=2500", "data.cols=5000",
                                       "data.nonzero=50", "data.noise=1"};
  const auto news = data / "news20.svm";
  for (const PathCase& c : {PathCase{"Lasso 2500 x 5000, to 1e-2 max", "squared", lasso, 1e-2, {}},
                            PathCase{"Lasso 2500 x 5000, to 1e-3 max", "squared", lasso, 1e-3, {}},
                            PathCase{"logistic, news20, to 1e-2 max", "logistic", {}, 1e-2, news},
                            PathCase{"logistic, news20, to 1e-3 max", "logistic", {}, 1e-3, news}}) {
    if (c.name.find(part) == std::string::npos) continue;
    if (!c.file.empty() && !std::filesystem::exists(c.file)) {
      fmt::print("{}: left out, there is no {}\n", c.name, c.file.string());
      continue;
    }
    fmt::print("{}: {} lambdas to a relative gap of 1e-4\n", c.name, kLambdas);
    Spec spec;
    spec.assign({"objective.use=linear-model", "objective.loss=" + c.loss, "penalty.use=l1"});
    spec.assign(c.settings);
    if (!c.file.empty()) spec.set("objective.data", c.file.string());
    print_ours(catalog, c, spec, repeats);
    print_peers(catalog, c, spec);
  }
}

}  // namespace bench
