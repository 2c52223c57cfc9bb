// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parameters.hpp>
#include <claros/run/trace.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

/// A new column is a member of TraceRow and a row here; a run fills it (Run::row).
constexpr std::array kOwnColumns{
    TraceColumn{"iteration", &TraceRow::iteration, "iterations"},
    TraceColumn{"epoch", &TraceRow::epoch, "epochs"},
    TraceColumn{"passes", &TraceRow::passes,
                "passes over the data (component gradients and Hessian products / n)"},
    TraceColumn{"seconds", &TraceRow::seconds, "run time without measuring [s]"},
    TraceColumn{"value", &TraceRow::value, "value of the objective"},
    TraceColumn{"gap", &TraceRow::gap, "gap"},
    TraceColumn{"residual", &TraceRow::residual, "relative residual"},
    TraceColumn{"unsmoothed", &TraceRow::unsmoothed, "value of the objective without smoothing", true},
    TraceColumn{"estimator_error", &TraceRow::estimator_error, "distance of the estimate from the gradient"},
    TraceColumn{"rmse_truth", &TraceRow::rmse_truth, "RMSE to the truth"},
    TraceColumn{"test_rmse", &TraceRow::test_rmse, "RMSE on held-out data"},
    TraceColumn{"step", &TraceRow::step, "step"},
    TraceColumn{"rank_or_support", &TraceRow::rank_or_support, "rank, or number of nonzeros"},
    TraceColumn{"rank_asked", &TraceRow::rank_asked, "rank that the last proximal step tried first", true},
    TraceColumn{"rank_needed", &TraceRow::rank_needed, "rank of the last proximal step", true},
    TraceColumn{"certified", &TraceRow::certified, "share of proximal steps verified to be exact", true},
    TraceColumn{"certificate_error", &TraceRow::certificate_error,
                "largest error bound of the proximal steps", true},
};
static_assert(sizeof(TraceRow) == kOwnColumns.size() * sizeof(double) + sizeof(Counts),
              "a member of TraceRow has no column");

template <class Row>
auto& member(Row& row, double TraceRow::*at) {
  return row.*at;
}
template <class Row>
auto& member(Row& row, Index TraceRow::*at) {
  return row.*at;
}
template <class Row>
auto& member(Row& row, Index Counts::*at) {
  return row.counts.*at;
}

std::string field(const TraceColumn& column, const TraceRow& row) {
  const double value = column.value(row);
  if (std::isnan(value)) return {};
  return column.whole() ? std::to_string(static_cast<Index>(value)) : print_real(value);
}

}  // namespace

/// Counts and positions stay below 2^53.
double TraceColumn::value(const TraceRow& row) const {
  const double value =
      std::visit([&](auto at) { return static_cast<double>(claros::member(row, at)); }, member);
  return whole() && value < 0.0 ? std::numeric_limits<double>::quiet_NaN() : value;
}

void TraceColumn::set(TraceRow& row, double value) const {
  if (whole() && std::isnan(value)) value = -1.0;
  std::visit(
      [&](auto at) {
        auto& held = claros::member(row, at);
        held = static_cast<std::remove_reference_t<decltype(held)>>(value);
      },
      member);
}

const std::vector<TraceColumn>& trace_columns() {
  static const std::vector<TraceColumn> all = [] {
    std::vector<TraceColumn> columns(kOwnColumns.begin(), kOwnColumns.end());
    for (const Counter& counter : kCounters) columns.push_back({counter.name, counter.member, counter.label});
    return columns;
  }();
  return all;
}

std::string trace_csv(const std::vector<TraceRow>& rows) {
  const auto left_out = [&](const TraceColumn& column) {
    return column.only_where_known && std::all_of(rows.begin(), rows.end(), [&](const TraceRow& r) {
             return std::isnan(column.value(r));
           });
  };
  std::vector<TraceColumn> columns = trace_columns();
  std::erase_if(columns, left_out);
  std::string text;
  const auto add_line = [&](auto field_of) {
    for (const TraceColumn& column : columns)
      text += (&column == &columns.front() ? "" : ",") + std::string(field_of(column));
    text += '\n';
  };
  add_line([](const TraceColumn& column) { return column.name; });
  for (const TraceRow& row : rows) add_line([&](const TraceColumn& column) { return field(column, row); });
  return text;
}

}  // namespace claros
