// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

/// A method and the settings that were best for it on a grid of steps, batches and epochs.
struct Method {
  std::string name;
  std::vector<std::string> settings;
};

struct RegressionCase {
  std::string name, spec;
  std::vector<std::string> settings;
  std::string penalty, parameter;  ///< the peers' names of the penalty, besides lambda
  std::vector<Method> methods;     ///< the last one also gives the reference value
};

const Method kChosen{"what auto chooses", {"estimator.use=full", "algorithm.use=auto"}};
const Method kFista{"FISTA", {"estimator.use=full", "algorithm.accelerate=true"}};

Method prox_svrg(int batch, int epoch, const std::string& step) {
  return {fmt::format("Prox-SVRG |S| = {}", batch),
          {"estimator.use=svrg", fmt::format("estimator.batch={}", batch),
           fmt::format("estimator.epoch={}", epoch), "algorithm.step=" + step}};
}
Method prox_sag(int batch, const std::string& step) {
  return {fmt::format("Prox-SAG |S| = {}", batch),
          {"estimator.use=sag", fmt::format("estimator.batch={}", batch), "algorithm.step=" + step}};
}

/// Section 4.1 of Qu, Li, Xu; docs/papers/qlx has the specifications.
std::vector<RegressionCase> cases() {
  return {
      {"Lasso r = 50, b = 0",
       "lasso.ini",
       {},
       "l1",
       "",
       {kChosen, kFista, prox_sag(50, "0.02"), prox_svrg(1, 2500, "0.0003"), prox_svrg(20, 125, "0.006")}},
      {"Lasso r = 50, b = 0.1",
       "lasso.ini",
       {"data.correlation=0.1"},
       "l1",
       "",
       {kChosen, kFista, prox_sag(10, "0.002"), prox_svrg(1, 2500, "0.0003"), prox_svrg(10, 500, "0.0015")}},
      {"Lasso r = 100, b = 0.4",
       "lasso.ini",
       {"data.correlation=0.4", "data.nonzero=100"},
       "l1",
       "",
       {kChosen, kFista, prox_sag(10, "0.001"), prox_svrg(1, 2500, "0.0001"), prox_svrg(10, 500, "0.0006")}},
      {"group Lasso s_G = 10, q = 10",
       "group.ini",
       {},
       "group",
       "10",
       {kChosen, kFista, prox_sag(50, "0.01"), prox_svrg(50, 100, "0.01")}},
      {"SCAD zeta = 4.5",
       "scad.ini",
       {},
       "scad",
       "4.5",
       {kChosen, kFista, prox_sag(50, "0.006"), prox_svrg(50, 60, "0.01")}},
      {"MCP b = 3",
       "mcp.ini",
       {},
       "mcp",
       "3",
       {kChosen, kFista, prox_sag(50, "0.006"), prox_svrg(50, 60, "0.01")}},
  };
}

Spec specification(const RegressionCase& c, const Method& method) {
  Spec spec = Spec::read(std::filesystem::path(CLAROS_PAPERS_DIR) / "qlx" / c.spec);
  spec.assign(c.settings);
  spec.assign(method.settings);
  spec.set("trace.on", "no");
  return spec;
}

/// The step is the best of 4/3, 4, 8, 16.
const Method kWorkingSvrg{
    "working set, Prox-SVRG",
    {"estimator.use=full", "algorithm.use=working-set", "algorithm.inner.use=proximal-gradient",
     "algorithm.inner.step=8", "algorithm.estimator.use=svrg", "algorithm.estimator.batch=1"}};

double number(const Spec& spec, const std::string& section, const std::string& key) {
  return std::stod(spec.get(section, key)->value);
}

constexpr double kTarget = 1e-6;

/// The value that the reference method reaches in a long run: the minimum, or the stationary point reached
/// from 0.
double reference(const Catalog& catalog, const RegressionCase& c) {
  Spec spec = specification(c, c.methods.back());
  spec.set("stop.passes", "3000");
  const bool convex = c.penalty != "scad" && c.penalty != "mcp";
  spec.set(convex ? "stop.relative_gap" : "stop.residual", "1e-10");
  return solve(catalog, spec).measurement.value;
}

void print_ours(const Catalog& catalog, const RegressionCase& c, double minimum, int repeats) {
  const Index n = compose(catalog, specification(c, c.methods.front())).objective->terms();
  for (const Method& method : c.methods) {
    Spec spec = specification(c, method);
    spec.set("stop.passes", "5000");
    spec.set("stop.value", fmt::format("{:.17g}", minimum + kTarget * std::abs(minimum)));
    std::vector<double> seconds;
    RunResult last;
    for (int k = 0; k < repeats; ++k) {
      last = solve(catalog, spec);
      seconds.push_back(last.elapsed_seconds);  // the wall time, with the checks of the target
    }
    const double passes = claros::passes(last.counts, n);
    fmt::print("  {:<24} {:>8.3f} s  {:>6.1f} passes{}\n", method.name, median(seconds), passes,
               last.status == Status::value ? "" : "  not reached");
  }
}

void print_peers(const Catalog& catalog, const RegressionCase& c, double minimum) {
  const Spec spec = specification(c, c.methods.back());
  const auto folder = std::filesystem::temp_directory_path() / "claros-bench-design";
  std::filesystem::create_directories(folder);
  make_data(catalog, spec)->write(folder);
  const std::string command = fmt::format("/usr/bin/python3 '{}/regression_peers.py' '{}' {} {} {:.17g} {}",
                                          CLAROS_BENCH_DIR, (folder / "design.bin").string(), c.penalty,
                                          number(spec, "penalty", "lambda"), minimum, c.parameter);
#ifdef CLAROS_ENSMALLEN_FISTA
  setenv("CLAROS_ENSMALLEN_FISTA", CLAROS_ENSMALLEN_FISTA, 0);
#endif
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) fmt::print("  the peers did not run\n");
  std::filesystem::remove_all(folder);
}

void print_logistic_peers(const std::string& file, double lambda, double minimum) {
  const std::string command = fmt::format("/usr/bin/python3 '{}/logistic_peers.py' '{}' {} {:.17g}",
                                          CLAROS_BENCH_DIR, file, lambda, minimum);
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) fmt::print("  the peers did not run\n");
}

}  // namespace

void logistic(const std::string& folder, int repeats) {
  const Catalog& catalog = everything();
  const std::string file = folder + "/libsvm/news20.svm";
  if (!std::filesystem::exists(file))
    return void(fmt::print("logistic: skipped, no {} (news20 with labels +-1 and rows of length 1)\n", file));
  const RegressionCase c{"logistic l1, news20",          "logistic.ini", {"objective.data=" + file}, "l1", "",
                         {kChosen, kWorkingSvrg, kFista}};
  Spec tight = specification(c, kChosen);
  tight.set("stop.passes", "1000");
  tight.set("stop.relative_gap", "1e-12");
  const double minimum = solve(catalog, tight).measurement.value;
  fmt::print("{}: {:.12g}, seconds to a relative suboptimality of {:g}\n", c.name, minimum, kTarget);
  print_ours(catalog, c, minimum, repeats);
  print_logistic_peers(file, number(tight, "penalty", "lambda"), minimum);
}

void regression(int repeats, const std::string& part) {
  const Catalog& catalog = everything();
  for (const RegressionCase& c : cases()) {
    if (c.name.find(part) == std::string::npos) continue;
    const double minimum = reference(catalog, c);
    fmt::print("{}: {:.12g}, seconds to a relative suboptimality of {:g}\n", c.name, minimum, kTarget);
    print_ours(catalog, c, minimum, repeats);
    print_peers(catalog, c, minimum);
  }
}

}  // namespace bench
