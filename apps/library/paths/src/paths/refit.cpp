// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/refit.hpp>

#include <claros/abilities.hpp>
#include <claros/compose/compose_again.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace claros {

namespace {

constexpr const char* kWhere = "--relaxed";
constexpr double kResidual = 1e-6;
constexpr const char* kMostSteps = "100000";

/// Entries of the variable that the penalty sees.
Index penalised(const Composition& path) {
  auto* tail = query<FreeTail>(*path.objective);
  return tail ? tail->constrained_shape().size() : path.objective->shape().size();
}

/// "0" where the answer is not 0, "inf" elsewhere.
std::string weights(const Composition& path, const Element& answer) {
  const std::vector<double> values = answer.to_dense();
  std::string text;
  for (Index j = 0; j < penalised(path); ++j)
    text += values[static_cast<std::size_t>(j)] != 0.0 ? "0 " : "inf ";
  text.pop_back();
  return text;
}

Spec on_support(const Composition& path, const Element& answer) {
  Spec spec = path.effective;
  for (const char* section : {"penalty", "algorithm", "estimator", "stop", "start"}) spec.erase(section);
  const auto set = [&](const char* key, const std::string& value) { spec.set(key, value, kWhere); };
  set("penalty.use", "l1"), set("penalty.lambda", "1"), set("penalty.weights", weights(path, answer));
  const double asked = path.stop.residual > 0.0 ? path.stop.residual : kResidual;
  set("stop.residual", print_real(std::min(asked, kResidual)));
  set("stop.iterations", kMostSteps);
  return spec;
}

}  // namespace

void require_refits(const Composition& path) {
  if (!path.penalty || !query<Separable>(*path.penalty) || path.objective->shape().is_product())
    throw Error(ErrorKind::usage, kWhere, "the penalty selects no entries that could be fitted again",
                "leave it out, or take a penalty of entries or groups, such as l1");
}

Composition composition_of_refit(const Catalog& catalog, const Composition& path, const Element& answer) {
  Composition made = compose_again(path, catalog, on_support(path, answer));
  made.given_start = std::make_shared<const Element>(answer.detached());
  return made;
}

Refit refit(const Catalog& catalog, const Composition& path, const Element& answer,
            const PathSettings& settings) {
  Refit made{composition_of_refit(catalog, path, answer), {}};
  RunSettings run = run_settings(made.composition);
  run.interrupt = settings.interrupt;
  made.result = claros::run(made.composition, run);
  return made;
}

}  // namespace claros
