// SPDX-License-Identifier: BSD-3-Clause
#include "reading.hpp"

#include <claros/error.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <shared/losses/matrix_data.hpp>

#include <cmath>
#include <utility>

namespace quadratic {

using namespace claros;

namespace {

constexpr const char* kMeanWord = "mean";

void require_sources(const Options& o, bool made) {
  if (!o.data.empty() && made)
    throw Error(ErrorKind::usage, "data", "is '" + o.data + "', and the [data] section makes data too",
                "keep one of them");
  const bool any = !o.data.empty() || made;
  if (!any && o.diagonal.empty())
    throw Error(ErrorKind::usage, "data", "expected Q, found none",
                "give objective.data = FILE (Q, factors F of F F', or samples whose "
                "covariance is Q), or objective.diagonal");
  if (!any && o.form != Rows::automatic)
    throw Error(ErrorKind::usage, "form", "is of data, and none are given", "give objective.data = FILE");
}

/// F with F F' the covariance of the rows, 1/T sum_t (r_t - m)(r_t - m)', and m.
struct Samples {
  DenseTable factors;
  std::vector<double> mean;
};
Samples centred(const DenseTable& rows) {
  Samples s{{rows.cols, rows.rows, std::vector<double>(rows.values.size())}, {}};
  const auto T = static_cast<double>(rows.rows);
  for (Index j = 0; j < rows.cols; ++j) {
    const auto column =
        std::span(rows.values)
            .subspan(static_cast<std::size_t>(j * rows.rows), static_cast<std::size_t>(rows.rows));
    double sum = 0.0;
    for (const double value : column) sum += value;
    s.mean.push_back(sum / T);
    for (Index i = 0; i < rows.rows; ++i)
      s.factors.values[static_cast<std::size_t>(i * rows.cols + j)] =
          (column[static_cast<std::size_t>(i)] - s.mean.back()) / std::sqrt(T);
  }
  return s;
}

/// The relative changes p_t / p_{t-1} - 1 of prices, a row less.
DenseTable changes(const DenseTable& prices, const std::string& where) {
  DenseTable made{prices.rows - 1, prices.cols, {}};
  for (std::size_t k = 0; k < prices.values.size(); ++k) {
    const auto row = static_cast<Index>(k) % prices.rows, column = static_cast<Index>(k) / prices.rows;
    if (!(prices.values[k] > 0.0))
      throw Error(ErrorKind::data, where,
                  "expected prices above 0, found " + print_real(prices.values[k]) + " in row " +
                      std::to_string(row + 1) + " of column " + std::to_string(column + 1),
                  "leave the row or column out, or say objective.form = samples for changes");
    if (row > 0) made.values.push_back(prices.values[k] / prices.values[k - 1] - 1.0);
  }
  if (made.rows < 2)
    throw Error(ErrorKind::data, where, "has " + std::to_string(prices.rows) + " rows of prices",
                "give at least 3, in the order of time");
  return made;
}

DenseTable complete(const Options& o, const Context& context) {
  DenseTable table = read_matrix(context.resolve(o.data), o.table, context).table;
  sdk::require_all(table, context.resolve(o.data).string(), sdk::kFill);
  return table;
}

Rows form_of(const DenseTable& table, const std::filesystem::path& path) {
  if (sdk::is_symmetric(table)) return Rows::matrix;
  throw Error(ErrorKind::data, path.string(),
              "is " + sdk::shape_of(table).text() + " and no symmetric matrix, so that it is not Q",
              "say objective.form = samples (a row each, of which Q is the "
              "covariance), prices (whose relative changes are samples), factors (F of F F'), or matrix");
}

/// n numbers, or one for all of them where `alike`.
std::vector<double> list(const std::string& text, const std::string& key, Index n, bool alike,
                         const Context& context) {
  DenseTable table = sdk::written_matrix(text, key, context);
  sdk::require_all(table, key, "give every entry a number");
  if (alike && table.values.size() == 1 && n > 1)
    table.values.resize(static_cast<std::size_t>(n), table.values[0]);
  if (static_cast<Index>(table.values.size()) != n)
    throw Error(ErrorKind::data, key,
                "expected " + std::to_string(n) + " numbers, one a variable, found " +
                    std::to_string(table.values.size()),
                "give as many as Q has rows");
  return std::move(table.values);
}

}  // namespace

const EnumWords<Rows>& rows_words() {
  static const EnumWords<Rows> words{{Rows::automatic, "auto"},
                                     {Rows::matrix, "matrix"},
                                     {Rows::factors, "factors"},
                                     {Rows::samples, "samples"},
                                     {Rows::prices, "prices"}};
  return words;
}

Data read(const Options& o, const Context& context) {
  const auto made = context.data ? context.data->design() : nullptr;
  require_sources(o, made != nullptr);
  Data data;
  std::vector<double> mean;
  const auto path = context.resolve(o.data);
  const bool square = o.form == Rows::automatic || o.form == Rows::matrix;
  if (!o.data.empty() && square && holds_coordinates(path)) {
    data.q = sparse_form(read_ratings(path, {}, context), path.string());
  } else if (made || !o.data.empty()) {
    DenseTable table = made ? sdk::table_of(*made) : complete(o, context);
    const Rows form = o.form != Rows::automatic ? o.form : made ? Rows::samples : form_of(table, path);
    if (form == Rows::matrix) {
      data.q = dense_form(std::move(table), path.string());
    } else if (form == Rows::factors) {
      data.q = factor_form(std::move(table));
    } else {
      Samples samples =
          centred(form == Rows::prices ? changes(table, o.data.empty() ? "data" : path.string()) : table);
      data.q = factor_form(std::move(samples.factors));
      mean = std::move(samples.mean);
    }
  }
  if (o.linear == kMeanWord && mean.empty())
    throw Error(ErrorKind::usage, "linear", "expected samples, whose mean is meant, found none",
                "give objective.data = FILE with objective.form = samples, or numbers");
  if (!o.diagonal.empty()) {
    const Index n =
        data.q ? data.q->rows()
               : static_cast<Index>(sdk::written_matrix(o.diagonal, "diagonal", context).values.size());
    data.q = with_diagonal(std::move(data.q), list(o.diagonal, "diagonal", n, true, context));
  }
  const Index n = data.q->rows();
  data.c = o.linear.empty()        ? std::vector<double>(static_cast<std::size_t>(n), 0.0)
           : o.linear == kMeanWord ? std::move(mean)
                                   : list(o.linear, "linear", n, false, context);
  for (double& value : data.c) value *= o.linear_factor;
  return data;
}

}  // namespace quadratic
