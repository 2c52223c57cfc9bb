// SPDX-License-Identifier: BSD-3-Clause
#include "sample_matrix.hpp"

#include <claros/dataset.hpp>
#include <claros/element/column_products.hpp>
#include <claros/error.hpp>
#include <claros/sdk/losses/matrix_data.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace log_det {

using namespace claros;

namespace {

/// (1/n) sum_i (a_i - m)(a_i - m)', m the mean where `center`, else 0.
DenseTable covariance(DenseTable samples, bool center) {
  const auto n = static_cast<std::size_t>(samples.rows);
  const double rows = static_cast<double>(samples.rows);
  for (std::size_t from = 0; center && from < samples.values.size(); from += n) {
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) mean += samples.values[from + i] / rows;
    for (std::size_t i = 0; i < n; ++i) samples.values[from + i] -= mean;
  }
  DenseTable S{samples.cols, samples.cols,
               std::vector<double>(static_cast<std::size_t>(samples.cols * samples.cols))};
  column_products(samples.rows, samples.values, samples.values, S.values);
  for (double& value : S.values) value /= rows;
  return S;
}

/// All numbers of the file, or of the rows of the data section.
DenseTable numbers(const Options& o, const Context& context) {
  if (!o.data.empty() && context.data)
    throw Error(ErrorKind::usage, "data", "is '" + o.data + "', and the [data] section makes data too",
                "keep one of them");
  if (!o.data.empty()) return read_matrix(context.resolve(o.data), context);
  const auto design = context.data ? context.data->design() : nullptr;
  if (!design)
    throw Error(ErrorKind::usage, "data",
                "expected samples or their covariance matrix, found " +
                    std::string(context.data ? "data in [data] without rows" : "none"),
                "give objective.data = FILE, or a [data] section that makes rows");
  return sdk::table_of(*design);
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

DenseTable read(const Options& o, const Context& context) {
  DenseTable table = numbers(o, context);
  const std::string where = context.data ? "data" : context.resolve(o.data).string();
  sdk::require_all(table, where, "fill the gap, or leave its row out");
  const bool is_symmetric = sdk::is_symmetric(table);
  if (o.form == Rows::matrix && !is_symmetric)
    throw Error(ErrorKind::data, where,
                "expected a symmetric matrix S, found " + sdk::shape_of(table).text() +
                    (table.rows == table.cols ? " numbers that are not symmetric" : " numbers"),
                "give S, or say objective.form = samples for rows of which S is made");
  if (o.form == Rows::matrix || (o.form == Rows::automatic && !context.data && is_symmetric))
    return symmetric(std::move(table), where);
  return symmetric(covariance(std::move(table), o.center), where);
}

}  // namespace log_det
