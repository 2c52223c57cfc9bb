// SPDX-License-Identifier: BSD-3-Clause
// Hessian products.
#include "objectives.hpp"

namespace claros::doctor {

namespace {

Numbers product(Objective& f, const Element& at, const Numbers& d, const Batch& batch) {
  Element g(f.shape());
  query<Curvature>(f)->add_hessian_product(at, dense(f, d), batch, 1.0, g);
  return g.to_dense();
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
        const Numbers x = bench.normals(f.shape().size()), d = bench.normals(f.shape().size()),
                      Hd = product(f, dense(f, x), d, batch);
        double nearest = kInfinity, size = 0.0;
        for (const double h : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
          const Numbers q = combined(0.5 / h, gradient(f, dense(f, combined(1.0, x, h, d)), batch), -0.5 / h,
                                     gradient(f, dense(f, combined(1.0, x, -h, d)), batch));
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
    const Element x = dense(f, bench.point(f.shape(), 1.0));
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
      Element x = dense(f, bench.point(f.shape(), 1.0));
      const Numbers d = bench.normals(f.shape().size()), start = bench.normals(f.shape().size()),
                    truth = product(f, x, d, batch);
      const auto hessian = query<Curvature>(f)->hessian(x, batch);
      (void)gradient(f, dense(f, bench.point(f.shape(), 1.0)), Batch::of(some));  // must not disturb it
      for (const double a : {1.0, -2.0, 0.0}) {
        Element g = dense(f, start), direct = dense(f, start);
        hessian->add_product(dense(f, d), a, g);
        query<Curvature>(f)->add_hessian_product(x, dense(f, d), batch, a, direct);
        const Numbers wanted = combined(1.0, start, a, truth);
        const double slack = 1e-10 * (1.0 + length(wanted));
        bench.at_most(distance(g.to_dense(), wanted), slack, 0.0, "g + a H d from the kept Hessian",
                      "what hessian(at, batch) keeps must outlive other calls, and products add to g");
        bench.at_most(distance(direct.to_dense(), wanted), slack, 0.0, "g + a H d from add_hessian_product",
                      "products add to g, times a");
      }
    }
  });
}

void hessian_smoothness(Bench& bench) {
  bool any = false;
  for_curved(bench, [&](Objective& f) {
    const Constants c = f.constants();
    const std::vector<Index> one{some_components(bench, f).front()};
    for (const auto& [batch, L] : {std::pair(everything(f), c.hessian_smoothness),
                                   std::pair(Batch::of(one), c.component_hessian_smoothness)}) {
      if (!L) continue;
      any = true;
      for (int trial = 0; trial < 40; ++trial) {
        const Numbers x = bench.point(f.shape(), 1.5),
                      y = combined(1.0, x, trial % 2 ? 1.0 : 1e-2, bench.normals(f.shape().size()));
        const Numbers d = trial % 4 < 2 ? bench.normals(f.shape().size()) : combined(1.0, y, -1.0, x);
        const double change = distance(product(f, dense(f, x), d, batch), product(f, dense(f, y), d, batch));
        bench.at_most(change / (length(d) * distance(x, y)), *L * (1.0 + 1e-6), 1e-8,
                      "||(H(x) - H(y)) d|| / (||d|| ||x - y||) against L_2",
                      "the Lipschitz constant of the Hessian is too small");
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
