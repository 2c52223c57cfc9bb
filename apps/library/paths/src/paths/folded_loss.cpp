// SPDX-License-Identifier: BSD-3-Clause
#include "paths/folded_loss.hpp"

#include <claros/paths/folds.hpp>
#include <claros/results/linear_prediction.hpp>

#include <cmath>
#include <numeric>
#include <utility>

namespace claros {

namespace {

class LossJudge final : public FoldJudge {
 public:
  LossJudge(HeldBackPart part, Loss& loss, FoldMetric metric)
      : part_(std::move(part)),
        loss_(loss),
        metric_(metric),
        total_(part_.weights.empty() ? static_cast<double>(part_.targets.size())
                                     : std::accumulate(part_.weights.begin(), part_.weights.end(), 0.0)),
        z_(at(part_.map->size())) {}

  HeldBack operator()(const Element& x) override {
    part_.map->apply(1.0, x, 0.0, z_);
    for (std::size_t i = 0; i < part_.offsets.size(); ++i) z_[i] += part_.offsets[i];
    const double loss = part_.weights.empty() ? loss_.sum(z_, part_.targets)
                                              : loss_.weighted_sum(z_, part_.targets, part_.weights);
    return {loss / total_, other()};
  }

 private:
  double other() const {
    if (metric_ == FoldMetric::auc) return area_under_curve(z_, part_.targets, part_.weights);
    const bool several = part_.responses != nullptr;
    const RowPredictions made =
        predictions_of(z_, several ? std::vector<double>() : part_.targets, loss_, part_.classes);
    double sum = 0.0;
    for (std::size_t i = 0; i < part_.targets.size(); ++i)
      sum += (part_.weights.empty() ? 1.0 : part_.weights[i]) * of_row(made, i);
    const double mean = sum / total_;
    if (metric_ == FoldMetric::rmse) return std::sqrt(mean);
    return metric_ == FoldMetric::r2 ? 1.0 - mean / variance() : mean;
  }
  /// The variance of the responses; for several, the mean of their variances.
  double variance() const {
    double square = 0.0;
    const auto share = [&](std::size_t i) {
      return (part_.weights.empty() ? 1.0 : part_.weights[i]) / total_;
    };
    for (std::size_t k = 0; k < width(); ++k) {
      double mean = 0.0;
      for (std::size_t i = 0; i < part_.targets.size(); ++i) mean += share(i) * response(i, k);
      for (std::size_t i = 0; i < part_.targets.size(); ++i)
        square += share(i) * (response(i, k) - mean) * (response(i, k) - mean);
    }
    return square / static_cast<double>(width());
  }
  /// The mean of several responses.
  double of_row(const RowPredictions& made, std::size_t i) const {
    if (metric_ == FoldMetric::accuracy) return made.chosen[i] == made.known_class[i] ? 1.0 : 0.0;
    double sum = 0.0;
    for (std::size_t k = 0; k < width(); ++k) {
      const double error = made.numbers[i * width() + k] - response(i, k);
      sum += metric_ == FoldMetric::mae ? std::abs(error) : error * error;
    }
    return sum / static_cast<double>(width());
  }
  std::size_t width() const { return part_.responses ? at(part_.responses->count) : 1; }
  double response(std::size_t i, std::size_t k) const {
    const double y = part_.targets[i];
    return part_.responses ? part_.responses->values[static_cast<std::size_t>(y) * width() + k] : y;
  }

  HeldBackPart part_;
  Loss& loss_;
  FoldMetric metric_;
  double total_;
  std::vector<double> z_;
};

}  // namespace

bool FoldedLoss::predicts_classes() const {
  const ResponseKind kind = loss().response();
  return kind == ResponseKind::probability || kind == ResponseKind::score;
}

std::span<const double> FoldedLoss::classes() const {
  return loss().of_classes() || wants_signs(loss()) ? targets() : std::span<const double>();
}

FoldMetric FoldedLoss::beside(FoldMetric by) const {
  if (by != FoldMetric::loss) return by;
  return predicts_classes() ? FoldMetric::accuracy : usual_metric();
}

void FoldedLoss::require(FoldMetric by) const {
  const bool classes = predicts_classes();
  const auto refuse = [](const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::usage, "--by", what, remedy);
  };
  if (by == FoldMetric::auc && !wants_signs(loss()))
    refuse("auc is of two classes, and the loss is not", "choose by loss");
  if (by == FoldMetric::accuracy && !classes)
    refuse("accuracy is of classes, and the responses are numbers", "choose by loss, mse or mae");
  if (by == FoldMetric::concordance)
    refuse("concordance is of times until an event (objective.use = cox)", "choose by loss");
  const bool of_numbers =
      by == FoldMetric::mse || by == FoldMetric::mae || by == FoldMetric::rmse || by == FoldMetric::r2;
  if (of_numbers && classes)
    refuse("mse, mae, rmse and r2 are of numbers, and the responses are classes",
           "choose by loss, accuracy or auc");
}

std::unique_ptr<FoldJudge> FoldedLoss::judge(const Composition& trained, const FoldPart& part,
                                             FoldMetric beside) const {
  return std::make_unique<LossJudge>(held_back(trained, part, beside), loss(), beside);
}

}  // namespace claros
