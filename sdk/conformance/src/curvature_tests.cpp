// SPDX-License-Identifier: BSD-3-Clause
// Hessian products.
#include <claros/domain.hpp>

#include <optional>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

Numbers product(Objective& f, const Element& at, const Numbers& d, const Batch& batch) {
  Element g(f.shape());
  query<Curvature>(f)->add_hessian_product(at, dense(f, d), batch, 1.0, g);
  return numbers_of(g);
}

/// Calls `test` with every objective that offers Hessian products.
void for_curved(Bench& bench, const std::function<void(Objective&)>& test) {
  bool any = false;
  for_objectives(bench, 8, [&](Objective& f) {
    if (!query<Curvature>(f)) return;
    any = true;
    test(f);
  });
  if (!any) throw Skipped{"does not offer Hessian products"};
}

void against_gradients(Bench& bench) {
  for_curved(bench, [&](Objective& f) {
    const std::vector<Index> one{some_components(bench, f).front()};
    for (int trial = 0; trial < 4; ++trial)
      for (const Batch& batch : {everything(f), Batch::of(one)}) {
        const Numbers x = inside(f, bench.normals(f.shape().size())), d = bench.normals(f.shape().size()),
                      Hd = product(f, dense(f, x), d, batch);
        double nearest = kInfinity, size = 0.0;
        for (const double h : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
          const Element right = dense(f, combined(1.0, x, h, d)), left = dense(f, combined(1.0, x, -h, d));
          if (leaves_domain(f, right) || leaves_domain(f, left)) continue;
          const Numbers q = combined(0.5 / h, gradient(f, right, batch), -0.5 / h, gradient(f, left, batch));
          if (const double off = distance(q, Hd); off < nearest) nearest = off, size = length(q);
        }
        bench.at_most(nearest, 2e-5 * (size + length(Hd)) + 1e-8, 0.0,
                      "H d against the central difference of gradients",
                      "the product is off by a factor, or is taken at another point or over another batch");
      }
  });
}

void symmetric(Bench& bench) {
  for_curved(bench, [&](Objective& f) {
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const Numbers d = bench.normals(f.shape().size()), e = bench.normals(f.shape().size());
    const Numbers Hd = product(f, x, d, everything(f)), He = product(f, x, e, everything(f));
    bench.equal(dot(Hd, e), dot(d, He), 1e-10 * (1.0 + length(Hd) * length(e)), "<H d, e> and <d, H e>",
                "a Hessian is symmetric");
    const Numbers sum = product(f, x, combined(2.0, d, -3.0, e), everything(f)),
                  wanted = combined(2.0, Hd, -3.0, He);
    bench.at_most(distance(sum, wanted), 1e-10 * (1.0 + length(wanted)), 0.0, "H (2d - 3e) - 2 H d + 3 H e",
                  "the product is linear in d");
  });
}

void kept(Bench& bench) {
  for_curved(bench, [&](Objective& f) {
    const std::vector<Index> some{some_components(bench, f).front(), some_components(bench, f).back()};
    for (const Batch& batch : {everything(f), Batch::of(some)}) {
      Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
      const Numbers d = bench.normals(f.shape().size()), start = bench.normals(f.shape().size()),
                    truth = product(f, x, d, batch);
      const auto hessian = query<Curvature>(f)->hessian(x, batch);
      (void)gradient(f, dense(f, inside(f, bench.point(f.shape(), 1.0))),
                     Batch::of(some));  // must not disturb it
      for (const double a : {1.0, -2.0, 0.0}) {
        Element g = dense(f, start), direct = dense(f, start);
        hessian->add_product(dense(f, d), a, g);
        query<Curvature>(f)->add_hessian_product(x, dense(f, d), batch, a, direct);
        const Numbers wanted = combined(1.0, start, a, truth);
        const double slack = 1e-10 * (1.0 + length(wanted));
        bench.at_most(distance(numbers_of(g), wanted), slack, 0.0, "g + a H d from the kept Hessian",
                      "what hessian(at, batch) keeps must outlive other calls, and products add to g");
        bench.at_most(distance(numbers_of(direct), wanted), slack, 0.0, "g + a H d from add_hessian_product",
                      "products add to g, times a");
      }
    }
  });
}

const std::string kTooSmooth =
    "the Lipschitz constant of the Hessian is too small: a factor of ||a_i||, a power, or the 1/n is missing";

/// The direction of the largest curvature at x, by power iteration; empty if there is none.
Numbers steepest(Bench& bench, Objective& f, const Numbers& x, const Batch& batch) {
  Numbers d = bench.normals(f.shape().size());
  for (int k = 0; k < 12; ++k) {
    const double size = length(d);
    if (!(size > 0.0 && std::isfinite(size))) return {};
    d = product(f, dense(f, x), combined(1.0 / size, d, 0.0, d), batch);
  }
  const double size = length(d);
  return size > 0.0 && std::isfinite(size) ? combined(1.0 / size, d, 0.0, d) : Numbers{};
}

/// Hessians change fastest along the direction d of their largest curvature, somewhere on the line through x.
/// A search over many lengths finds that place, since the curvature of a component is a function of one
/// number or of few.
void require_along_curvature(Bench& bench, Objective& f, const Batch& batch, double L) {
  const Numbers x = inside(f, bench.point(f.shape(), 0.3)), d = steepest(bench, f, x, batch);
  if (d.empty()) return;
  for (const double reach : {0.03, 0.1, 0.3, 1.0, 3.0})
    for (int k = -12; k <= 12; ++k) {
      const double at = reach * static_cast<double>(k) / 4.0, step = 0.05 * reach;
      const Numbers here = combined(1.0, x, at, d), there = combined(1.0, x, at + step, d);
      const double change =
          distance(product(f, dense(f, here), d, batch), product(f, dense(f, there), d, batch));
      if (std::isfinite(change))
        bench.at_most(change / step, L * (1.0 + 1e-6), 1e-8,
                      "||(H(x) - H(y)) d|| / (||d|| ||x - y||) along the largest curvature, against L_2",
                      kTooSmooth);
    }
}

void hessian_smoothness(Bench& bench) {
  bool any = false;
  for_curved(bench, [&](Objective& f) {
    const Constants c = f.constants();
    std::vector<std::vector<Index>> lone;
    for (const Index i : some_components(bench, f)) lone.push_back({i});
    std::vector<std::pair<Batch, std::optional<double>>> claims{{everything(f), c.hessian_smoothness}};
    for (const std::vector<Index>& one : lone) {
      if (lone.size() > 16 && &one - lone.data() > 15) break;
      claims.emplace_back(Batch::of(one), c.term_hessian_smoothness);
    }
    for (const auto& [batch, L] : claims) {
      if (!L) continue;
      any = true;
      require_along_curvature(bench, f, batch, *L);
      for (int trial = 0; trial < 40; ++trial) {
        const Numbers x = inside(f, bench.point(f.shape(), 1.5)),
                      y = inside(f,
                                 combined(1.0, x, trial % 2 ? 1.0 : 1e-2, bench.normals(f.shape().size())));
        const Numbers d = trial % 4 < 2 ? bench.normals(f.shape().size()) : combined(1.0, y, -1.0, x);
        const double change = distance(product(f, dense(f, x), d, batch), product(f, dense(f, y), d, batch));
        bench.at_most(change / (length(d) * distance(x, y)), *L * (1.0 + 1e-6), 1e-8,
                      "||(H(x) - H(y)) d|| / (||d|| ||x - y||) against L_2", kTooSmooth);
      }
    }
  });
  if (!any) throw Skipped{"states no smoothness of the Hessian"};
}

}  // namespace

Tests curvature_tests() {
  return {{{"hessian", kObjectives,
            "H d is the limit of (grad(x + h d) - grad(x - h d)) / 2h, over all and over one component."},
           against_gradients},
          {{"hessian-symmetric", kObjectives, "<H d, e> = <d, H e>, and products are linear."}, symmetric},
          {{"hessian-kept", kObjectives,
            "The Hessian kept by hessian(at, batch) gives the products of add_hessian_product, whatever was "
            "called between; both add."},
           kept},
          {{"hessian-smoothness", kObjectives,
            "||(H(x) - H(y)) d|| <= L_2 ||x - y|| ||d|| for the stated constants."},
           hessian_smoothness}};
}

}  // namespace claros::doctor
