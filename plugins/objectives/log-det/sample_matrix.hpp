// SPDX-License-Identifier: BSD-3-Clause
/// @file sample_matrix.hpp  The sample covariance matrix from rows or from a file of its own.
#pragma once

#include <claros/context.hpp>
#include <claros/dataset.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/parameters.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace log_det {

/// The kind of the data's rows.
enum class Rows { automatic, matrix, samples };

struct Options {
  std::string data;
  Rows form = Rows::automatic;
  bool center = true;
  claros::DesignOptions table;
};

/// Samples, or S itself; they are read when they are asked for, and are not kept.
class Source {
 public:
  /// Throws Error(usage) for options that do not go together.
  Source(const Options& options, const claros::Context& context);
  /// S, p x p, symmetric bit for bit, without a negative number on its diagonal. Throws Error(data) for other
  /// matrices.
  claros::DenseTable matrix(const claros::Context& context);
  /// How many samples `matrix` was made of; 0 if it was read as S.
  claros::Index samples() const noexcept { return samples_; }
  /// S of some of the samples.
  claros::DenseTable matrix_of(const std::vector<claros::Index>& samples) const;
  /// The mean of (a - m)(a - m)' of some of the samples, m the mean of all others where S is centred, else 0.
  claros::DenseTable beside(const std::vector<claros::Index>& held_back) const;

 private:
  claros::DenseTable numbers(const claros::Context& context) const;

  Options options_;
  std::shared_ptr<const claros::Dataset> data_;
  std::filesystem::path file_;
  claros::Index samples_ = 0;
};

}  // namespace log_det
