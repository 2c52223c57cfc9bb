// SPDX-License-Identifier: BSD-3-Clause
#include "objectives.hpp"

#include <claros/domain.hpp>

#include <algorithm>

namespace claros::doctor {

void for_objectives(Bench& bench, int variants, const std::function<void(Objective&)>& test) {
  bool any = false;
  std::string reason;
  const std::vector<std::string> data{"numbers, dense rows", "signs, sparse rows", "counts, dense rows",
                                      "positive numbers, dense rows"};
  const std::vector<Settings> all = bench.variants(variants);
  for (const Settings& settings : all) {
    if (!bench.tries(static_cast<std::size_t>(&settings - all.data()), all.size())) break;
    for (int responses = 0; responses < kResponses; ++responses) {
      if (responses == kPositive && any) continue;  // for targets that are all above 0 alone
      bench.at(settings_text(settings) + "; data: " + data[static_cast<std::size_t>(responses)]);
      std::shared_ptr<Objective> f;
      if (answered(bench, [&] {
            try {
              f = make_objective(bench, settings, responses);
            } catch (const Error& error) {
              reason = "no objective could be made: " + error.complaints().front().sentence() +
                       "; give its data with --set data=FILE";
              throw;
            }
          }) == Answer::refused)
        continue;
      try {
        test(*f);
        any = true;
      } catch (const Skipped& s) {
        reason = s.reason;
      }
    }
  }
  if (!any) throw Skipped{reason};
}

Numbers inside(Objective& f, Numbers x) {
  constexpr double kRoom = 1.25;
  auto* domain = query<Domain>(f);
  if (!domain) return x;
  const Numbers centre = numbers_of(domain->inner_point(f.shape())), d = combined(1.0, x, -1.0, centre);
  double share = 1.0;
  while (share > 1e-12 && !std::isfinite(f.value(dense(f, combined(1.0, centre, kRoom * share, d)))))
    share *= 0.5;
  return combined(1.0, centre, share, d);
}

Numbers gradient(Objective& f, const Element& x, const Batch& batch) {
  Element g(f.shape());
  f.add_gradient(x, batch, 1.0, g);
  return numbers_of(g);
}

Batch everything(const Objective& f) { return f.terms() == kUnbounded ? Batch::range(5, 12) : Batch::all(); }

std::vector<Index> some_components(Bench& bench, const Objective& f) {
  const Index n = f.terms();
  std::vector<Index> all;
  for (Index k = 0; k < (n == kUnbounded ? 12 : std::min<Index>(n, 64)); ++k)
    all.push_back(n == kUnbounded ? 5 + k : n <= 64 ? k : bench.index(n));
  return all;
}

std::vector<std::pair<std::string, Element>> forms_of(Bench& bench, const Shape& shape, const Numbers& x) {
  const Index m = shape.rows, n = shape.cols;
  std::vector<std::pair<std::string, Element>> forms{{"dense", Element::dense(shape, x)}};
  Element scaled = Element::dense(shape, combined(-4.0, x, 0.0, x));
  scaled.scale(-0.25);
  forms.emplace_back("dense times a weight", scaled);
  std::vector<std::int32_t> row, col;
  Numbers values;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j)
      if (const double value = x[static_cast<std::size_t>(j * m + i)]; value != 0.0)
        row.push_back(static_cast<std::int32_t>(i)), col.push_back(static_cast<std::int32_t>(j)),
            values.push_back(value);
  if (!values.empty())
    forms.emplace_back("sparse", Element::sparse(std::make_shared<Pattern>(m, n, row, col), Buffer(values)));
  const Numbers u = bench.normals(m), v = bench.normals(n);
  const Element low = Element::rank_one(0.5, u, v);
  Element mixed = Element::dense(shape, combined(1.0, x, -1.0, low.to_dense()));
  mixed.add(1.0, low);
  forms.emplace_back("dense plus low-rank", mixed);
  Element columns(shape);
  for (Index j = 0; j < n; ++j) {
    Numbers unit(static_cast<std::size_t>(n), 0.0);
    unit[static_cast<std::size_t>(j)] = 1.0;
    columns.add(
        1.0,
        Element::rank_one(
            1.0, std::span(x).subspan(static_cast<std::size_t>(j * m), static_cast<std::size_t>(m)), unit));
  }
  forms.emplace_back("low-rank", columns);
  return forms;
}

}  // namespace claros::doctor
