// SPDX-License-Identifier: BSD-3-Clause
#include "growing_batch.hpp"

#include <claros/error.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <shared/algorithms/known_constants.hpp>

#include <cmath>
#include <utility>

using namespace claros;

std::vector<ParameterRow<GrowingBatchOptions>> growing_batch_rows() {
  using O = GrowingBatchOptions;
  return {
      row("batch", &O::batch, one_of<Batches>({{Batches::own, "own"}, {Batches::theory, "theory"}}),
          "own: the gradient estimator's; theory: (sigma (t+2)/(L D))^2 in step t = 0, 1, ..., at least 1 "
          "(Hazan, Luo 2016), L being smoothness. n or more is the full gradient",
          "m_k"),
      row("variance", &O::variance, at_least(0),
          "of batch = theory: a bound of E||grad f_i - grad f||^2; 0: not given", "sigma^2"),
      row("diameter", &O::diameter, at_least(0),
          "of batch = theory: that of the set; 0: as the set states it", "D")};
}

GrowingBatch::GrowingBatch(GrowingBatchOptions options, double smoothness)
    : options_(std::move(options)), smoothness_(smoothness) {}

void GrowingBatch::start(const Problem& problem, sdk::Step rule, double offset) {
  scale_ = 0.0;
  if (options_.batch != Batches::theory || problem.estimator->exact()) return;
  const auto L = sdk::positive(smoothness_, problem.objective->constants().smoothness),
             D = sdk::positive(options_.diameter,
                               problem.linear_oracle->diameter(problem.objective->shape()));
  sdk::MissingConstants missing;
  missing.need(true, L.has_value(), "the smoothness L of f", "smoothness");
  missing.need(true, D.has_value(), "the diameter D of the set", "diameter");
  missing.need(true, options_.variance > 0.0, "the variance sigma^2 of one component's gradient", "variance");
  missing.require("give these, or batch = own with estimator.batch and estimator.growth");
  if (rule != sdk::Step::agnostic)
    throw Error(ErrorKind::usage, "batch",
                "the batches of the theory belong to weights of 2/(t+2), and step is " +
                    word_of(sdk::step_words(), rule),
                "give step = agnostic, or batch = own");
  if (offset != 2.0)
    throw Error(ErrorKind::usage, "offset",
                "the batches of the theory belong to weights of 2/(t+2), and offset is " + print_real(offset),
                "leave offset at 2, or give batch = own");
  scale_ = std::sqrt(options_.variance) / (*L * *D);
  problem.context.note("frank-wolfe: batches of (sigma (t+2)/(L D))^2" +
                       sdk::shown("sigma^2", options_.variance) + sdk::shown("L", L) + sdk::shown("D", D) +
                       ", first of " + std::to_string(size(0)));
}

Index GrowingBatch::size(Index t) const {
  return scale_ > 0.0 ? sdk::Theory::at_least(std::pow(scale_ * (static_cast<double>(t) + 2.0), 2)) : 0;
}
