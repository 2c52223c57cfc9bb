// SPDX-License-Identifier: BSD-3-Clause
#include "convex.hpp"

namespace claros::doctor {

Tried::Tried(Bench& bench, std::shared_ptr<Component> component, Shape shape)
    : component_(std::move(component)),
      shape_(std::move(shape)),
      linear_(query<LinearOracle>(*component_)),
      proximal_(query<ProximalOracle>(*component_)),
      membership_(query<Membership>(*component_)),
      conjugate_(query<Conjugate>(*component_)) {
  if (bench.subject().entry.kind != Kind::set) return;
  Numbers first, second;
  const Numbers c = bench.normals(shape_.size());
  if (linear_) first = vertex(c), second = vertex(combined(-1.0, c, 0.0, c));
  if (!linear_ && proximal_) first = prox(combined(1e3, c, 0.0, c)), second = prox(combined(-1e3, c, 0.0, c));
  if (!first.empty()) size_ = std::max({distance(first, second), 1e-3 * length(first), 1e-9});
}

Numbers Tried::vertex(const Numbers& c, OracleInfo* info) const {
  Element v;
  const OracleInfo said = linear_->minimize(element(c), {1e-10, true}, v);
  if (info) *info = said;
  return numbers_of(v);
}

Numbers Tried::prox(const Numbers& v, double step) const {
  Element x;
  proximal_->apply(element(v), step, x, {});
  return numbers_of(x);
}

/// The last point inside on a ray from a point inside, to a billionth of the set's size, by bisection on
/// membership.
Numbers Tried::last_inside(Bench& bench, const Numbers& from) const {
  const Numbers d = bench.normals(shape_.size());
  double low = 0.0, high = 4.0 * size_ / length(d);
  for (int k = 0; k < 32; ++k) {
    const double middle = 0.5 * (low + high);
    (membership_->violation(element(combined(1.0, from, middle, d))) <= 1e-12 ? low : high) = middle;
  }
  return combined(1.0, from, low, d);
}

Numbers Tried::feasible(Bench& bench) const {
  Numbers x;
  if (linear_) x = vertex(bench.point(shape_, 1.0));
  if (proximal_ && bench.index(2)) {
    const Numbers p = prox(bench.point(shape_, 2.0 * size_));
    const double w = static_cast<double>(bench.index(3)) / 2.0;
    x = x.empty() ? p : combined(1.0 - w, x, w, p);
  } else if (linear_ && bench.index(2)) {
    x = combined(0.3, x, 0.7, vertex(bench.point(shape_, 1.0)));
  }
  if (x.empty()) x = prox(bench.point(shape_, 2.0 * size_));
  return membership_ && bench.index(3) == 0 ? last_inside(bench, x) : x;
}

std::vector<Numbers> Tried::feasible(Bench& bench, int count) const {
  std::vector<Numbers> all;
  for (int k = 0; k < count; ++k) all.push_back(feasible(bench));
  return all;
}

void for_tried(Bench& bench, int variants, const std::function<void(Tried&)>& test) {
  for_tried(bench, variants, bench.shapes(), test);
}

void for_tried(Bench& bench, int variants, const std::vector<Shape>& shapes,
               const std::function<void(Tried&)>& test) {
  bool any = false;
  std::string reason;
  const std::vector<Settings> all = bench.variants(variants);
  for (const Settings& settings : all) {
    if (!bench.tries(static_cast<std::size_t>(&settings - all.data()), all.size())) break;
    for (const Shape& shape : shapes) {
      bench.at(settings_text(settings) + ", shape " + shape.text());
      std::unique_ptr<Tried> tried;
      const auto make = [&] {
        try {
          tried = std::make_unique<Tried>(bench, bench.make(settings, bench.context()), shape);
          if (tried->proximal())
            (void)tried->prox(Numbers(static_cast<std::size_t>(shape.size()), 0.25), 1e-3);
        } catch (const Error& error) {
          reason = "takes none of the kit's settings and shapes (" + error.complaints().front().sentence() +
                   "); give --set KEY=VALUE or --shape";
          throw;
        }
      };
      if (answered(bench, make) == Answer::refused) continue;
      try {
        if (!tried->linear() && !tried->proximal())
          throw Skipped{"offers neither a linear nor a proximal oracle"};
        tried->set_usual(&settings == &all.front());
        tried->set_settings(settings);
        test(*tried);
        any = true;
      } catch (const Skipped& s) {
        reason = s.reason;
      }
    }
  }
  if (!any) throw Skipped{reason};
}

}  // namespace claros::doctor
