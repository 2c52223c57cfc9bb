// SPDX-License-Identifier: BSD-3-Clause
#include "sample_matrix.hpp"

#include <claros/element/gemm.hpp>
#include <claros/error.hpp>
#include <shared/losses/matrix_data.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace log_det {

using namespace claros;

namespace {

std::vector<double> column_means(const DenseTable& samples) {
  const auto n = static_cast<std::size_t>(samples.rows);
  std::vector<double> means;
  for (std::size_t from = 0; from < samples.values.size(); from += n) {
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += samples.values[from + i] / static_cast<double>(samples.rows);
    means.push_back(mean);
  }
  return means;
}

/// (1/n) sum_i (a_i - m)(a_i - m)'; m empty for 0.
DenseTable moments(DenseTable samples, const std::vector<double>& m) {
  const auto n = static_cast<std::size_t>(samples.rows);
  for (std::size_t j = 0; j < m.size(); ++j)
    for (std::size_t i = 0; i < n; ++i) samples.values[j * n + i] -= m[j];
  DenseTable S{samples.cols, samples.cols,
               std::vector<double>(static_cast<std::size_t>(samples.cols * samples.cols))};
  column_products(samples.rows, samples.values, samples.values, S.values);
  for (double& value : S.values) value /= static_cast<double>(samples.rows);
  return S;
}

DenseTable covariance(DenseTable samples, bool center) {
  const std::vector<double> m = center ? column_means(samples) : std::vector<double>();
  return moments(std::move(samples), m);
}

DenseTable some_of(const DenseTable& all, const std::vector<Index>& rows) {
  DenseTable some{static_cast<Index>(rows.size()), all.cols, {}};
  for (Index j = 0; j < all.cols; ++j)
    for (const Index i : rows) some.values.push_back(all.values[static_cast<std::size_t>(j * all.rows + i)]);
  return some;
}

/// The mean of S and S', which differ by rounding at most.
DenseTable symmetric(DenseTable S, const std::string& where) {
  const auto place = [&](Index i, Index j) { return static_cast<std::size_t>(j * S.rows + i); };
  for (Index j = 0; j < S.cols; ++j) {
    if (S.values[place(j, j)] < 0.0)
      throw Error(ErrorKind::data, where,
                  "expected variances on the diagonal, found " + print_real(S.values[place(j, j)]) + " in " +
                      sdk::place_of_entry(S, place(j, j)),
                  "give a covariance or correlation matrix, or samples with objective.form = samples");
    for (Index i = 0; i < j; ++i)
      S.values[place(i, j)] = S.values[place(j, i)] =
          0.5 * S.values[place(i, j)] + 0.5 * S.values[place(j, i)];
  }
  return S;
}

}  // namespace

Source::Source(const Options& o, const Context& context) : options_(o), data_(context.data) {
  if (!o.data.empty() && context.data)
    throw Error(ErrorKind::usage, "data", "is '" + o.data + "', and the [data] section makes data too",
                "keep one of them");
  if (!o.data.empty()) file_ = context.resolve(o.data);
}

/// All numbers of the file, or of the rows of the data section.
DenseTable Source::numbers(const Context& context) const {
  if (!file_.empty()) return read_matrix(file_, options_.table, context).table;
  const auto design = data_ ? data_->design() : nullptr;
  if (!design)
    throw Error(ErrorKind::usage, "data",
                "expected samples or their covariance matrix, found " +
                    std::string(data_ ? "data in [data] without rows" : "none"),
                "give objective.data = FILE, or a [data] section that makes rows");
  return sdk::table_of(*design);
}

DenseTable Source::matrix(const Context& context) {
  DenseTable table = numbers(context);
  const std::string where = data_ ? "data" : file_.string();
  sdk::require_all(table, where, sdk::kFill);
  const bool is_symmetric = sdk::is_symmetric(table);
  if (options_.form == Rows::matrix && !is_symmetric)
    throw Error(ErrorKind::data, where,
                "expected a symmetric matrix S, found " + sdk::shape_of(table).text() +
                    (table.rows == table.cols ? " numbers that are not symmetric" : " numbers"),
                "give S, or say objective.form = samples for rows of which S is made");
  if (options_.form == Rows::matrix || (options_.form == Rows::automatic && !data_ && is_symmetric))
    return symmetric(std::move(table), where);
  samples_ = table.rows;
  return symmetric(covariance(std::move(table), options_.center), where);
}

DenseTable Source::matrix_of(const std::vector<Index>& samples) const {
  return symmetric(covariance(some_of(numbers({}), samples), options_.center), "the samples of a part");
}

DenseTable Source::beside(const std::vector<Index>& held_back) const {
  const DenseTable all = numbers({});
  std::vector<bool> is_held_back(static_cast<std::size_t>(all.rows), false);
  for (const Index i : held_back) is_held_back[static_cast<std::size_t>(i)] = true;
  std::vector<Index> others;
  for (Index i = 0; i < all.rows; ++i)
    if (!is_held_back[static_cast<std::size_t>(i)]) others.push_back(i);
  const std::vector<double> m = options_.center ? column_means(some_of(all, others)) : std::vector<double>();
  return symmetric(moments(some_of(all, held_back), m), "the samples of a part");
}

}  // namespace log_det
