// SPDX-License-Identifier: BSD-3-Clause
#include "paths/folded_loss.hpp"

#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <utility>

namespace claros {

namespace {

class FoldRatings final : public Component, public Dataset {
 public:
  explicit FoldRatings(Ratings ratings) : ratings_(std::make_shared<const Ratings>(std::move(ratings))) {}
  std::shared_ptr<const Ratings> ratings() const override { return ratings_; }
  void write(const std::filesystem::path& folder) const override {
    write_ratings(folder / "ratings.tsv", *ratings_);
  }

 private:
  std::shared_ptr<const Ratings> ratings_;
};

/// Targets are values as they were read: each training fits a baseline of its own.
class FoldedRatings final : public FoldedLoss {
 public:
  FoldedRatings(const Composition& whole, const Training& training, std::shared_ptr<Loss> loss)
      : whole_(whole),
        training_(training),
        loss_(std::move(loss)),
        entries_(training.entries),
        weights_(training.weights.begin(), training.weights.end()) {
    for (Index e = 0; e < entries_->entries(); ++e)
      values_.push_back(training.targets[at(e)] +
                        training.baseline.at(entries_->row()[at(e)], entries_->col()[at(e)]));
  }

  std::string unit() const override { return "ratings"; }
  Loss& loss() const override { return *loss_; }
  std::span<const double> targets() const override { return values_; }
  std::span<const double> weights() const override { return weights_; }
  const std::vector<Index>& groups() const override { return no_groups_; }
  FoldMetric usual_metric() const override { return FoldMetric::rmse; }

  Composition training(const Catalog& catalog, const FoldPart& part) const override {
    const std::vector<Index>& rows = part.rows;
    Ratings some{entries_->rows(),
                 entries_->cols(),
                 chosen(entries_->row(), rows),
                 chosen(entries_->col(), rows),
                 chosen(targets(), rows),
                 training_.rows.names,
                 training_.cols.names,
                 chosen(weights(), rows)};
    HostParts parts;
    parts.data = std::make_shared<FoldRatings>(std::move(some));
    std::vector<std::string> read{"data", "test"};
    for (const auto& row : ratings_rows()) read.emplace_back(row.info.name);
    Spec spec = spec_of_part(whole_, read);
    for (const auto& [section, key] : {std::pair{"objective", "held_out"}, std::pair{"stop", "patience"}})
      if (spec.get(section, key)) spec.set(std::string(section) + '.' + key, "0");
    return compose(catalog, spec, parts);
  }

  /// A difference to the values is one to the values minus the baseline: losses that have a baseline are
  /// functions of it.
  HeldBackPart held_back(const Composition& trained, const FoldPart& fold, FoldMetric) const override {
    const std::vector<Index>& rows = fold.rows;
    HeldBackPart part;
    const Baseline& baseline = query<Predictor>(*trained.objective)->training().baseline;
    part.targets = chosen(targets(), rows);
    part.weights = chosen(weights(), rows);
    std::vector<std::int32_t> row = chosen(entries_->row(), rows), col = chosen(entries_->col(), rows);
    for (std::size_t e = 0; !baseline.is_none() && e < row.size(); ++e)
      part.offsets.push_back(baseline.at(row[e], col[e]));
    part.map = std::make_shared<SamplingMap>(
        std::make_shared<Pattern>(entries_->rows(), entries_->cols(), std::move(row), std::move(col)));
    return part;
  }

 private:
  const Composition& whole_;
  const Training& training_;
  std::shared_ptr<Loss> loss_;
  std::shared_ptr<const Pattern> entries_;
  std::vector<double> values_, weights_;
  std::vector<Index> no_groups_;
};

}  // namespace

std::shared_ptr<const FoldedData> folded_ratings(const Composition& whole) {
  auto* predictor = query<Predictor>(*whole.objective);
  auto loss = loss_of_model(whole);
  if (!predictor || !loss || predictor->training().targets.empty()) return nullptr;
  return std::make_shared<FoldedRatings>(whole, predictor->training(), std::move(loss));
}

}  // namespace claros
