// SPDX-License-Identifier: BSD-3-Clause
/// @file buffer.hpp  A shared array of doubles that is copied on write.
#pragma once

#include <claros/api.hpp>

#include <memory>
#include <span>
#include <vector>

namespace claros {

/// Copying shares; `edit` detaches first when the array is shared. Not for concurrent writers.
class CLAROS_API Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::vector<double> values)
      : values_(std::make_shared<std::vector<double>>(std::move(values))) {}
  static Buffer zeros(Index n) { return Buffer(std::vector<double>(static_cast<std::size_t>(n), 0.0)); }

  bool empty() const noexcept { return !values_ || values_->empty(); }
  Index size() const noexcept { return values_ ? static_cast<Index>(values_->size()) : 0; }
  std::span<const double> view() const noexcept {
    return values_ ? std::span<const double>(*values_) : std::span<const double>();
  }
  std::span<double> edit() {
    if (!values_) return {};
    if (shared()) values_ = std::make_shared<std::vector<double>>(*values_);
    return *values_;
  }
  bool shared() const noexcept { return values_ && values_.use_count() > 1; }
  /// Equal for buffers that share an array, and different for all others that live now.
  const void* identity() const noexcept { return values_.get(); }
  bool same_array(const Buffer& other) const noexcept { return values_ && values_ == other.values_; }

 private:
  std::shared_ptr<std::vector<double>> values_;
};

}  // namespace claros
