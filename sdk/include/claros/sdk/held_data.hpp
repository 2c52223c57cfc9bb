// SPDX-License-Identifier: BSD-3-Clause
/// @file held_data.hpp  Base of data plugins that make their data once, in arrays.
#pragma once

#include <claros/dataset.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/memory_data.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace claros::sdk {

/// A data set that returns what `hold` was given. Its files are design.bin or observed.mtx, and truth.mtx if
/// the truth is known.
class HeldData : public Component, public Dataset {
 public:
  std::shared_ptr<const Ratings> ratings() const final { return held_->ratings(); }
  std::shared_ptr<const Design> design() const final { return held_->design(); }
  const Element* truth() const final { return truth_ ? &*truth_ : nullptr; }
  void write(const std::filesystem::path& folder) const final {
    held_->write(folder);
    if (truth_)
      write_matrix_market(folder / "truth.mtx",
                          DenseTable{truth_->shape().rows, truth_->shape().cols, truth_->to_dense()});
  }
  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 protected:
  /// Called once, by the constructor. `truth` has the shape of the objective's variable.
  void hold(std::shared_ptr<const Dataset> data, std::optional<Element> truth = {}) {
    held_ = std::move(data);
    truth_ = std::move(truth);
  }

 private:
  std::shared_ptr<const Dataset> held_;
  std::optional<Element> truth_;
};

}  // namespace claros::sdk
