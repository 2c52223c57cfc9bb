// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_sum.hpp>
#include <claros/sdk/stateless.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace claros;

struct Options {};

/// h = h_1 + ... + h_k. prox is the dual splitting of proximal_sum.hpp, without a warm start, with a proved
/// bound of its error.
class Sum final : public Component, public ProximalOracle, public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {},
        {},
        {{"terms",
          Kind::penalty,
          "the penalties that are summed; the result of a proximal step lies in the domain of the last",
          {},
          true,
          true}}};
    return table;
  }

  Sum(const Options&, const Context& context) : parts_(context.parts<Component>("terms")) {
    for (const auto& part : parts_) {
      auto* h = query<ProximalOracle>(*part);
      if (!h)
        throw Error(ErrorKind::usage, "terms", "one has no proximal step, of which that of the sum is made",
                    "take penalties that have one");
      if (std::isinf(h->weak_convexity()))
        throw Error(ErrorKind::usage, "terms",
                    "one is a penalty that no multiple of the squared norm makes convex (l0, rank): the "
                    "proximal step of a sum with it is not known",
                    "take penalties such as l1, mcp or scad");
      terms_.push_back(h);
    }
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    if (!(step >= 0.0 && std::isfinite(step)))
      throw Error(ErrorKind::usage, "", "a proximal step of length " + print_real(step),
                  "expected a finite number, at least 0");
    if (terms_.size() == 1) return terms_.front()->apply(v, step, x, accuracy);
    return apply_sum(terms_, v, step, x, accuracy, "penalty/sum");
  }
  double value(const Element& x) override {
    double sum = 0.0;
    for (ProximalOracle* h : terms_) sum += h->value(x);
    return sum;
  }
  double weak_convexity() const override {
    double sum = 0.0;
    for (const ProximalOracle* h : terms_) sum += h->weak_convexity();
    return sum;
  }

  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle, State>(this, id); }

 private:
  std::vector<std::shared_ptr<Component>> parts_;
  std::vector<ProximalOracle*> terms_;
};

}  // namespace

CLAROS_PLUGIN(Sum, Kind::penalty, "sum", "", "1.0.0", "Sum of penalties, h_1 + ... + h_k",
              "h = h_1 + ... + h_k, each with a proximal step of its own. That of the sum has no closed form "
              "in general: it is found by Dykstra's algorithm, its dual steps with momentum, from the start "
              "anew in every call, and its "
              "certificate bounds the distance to the exact answer by a duality gap.",
              "Bauschke, Combettes: A Dykstra-like algorithm for two monotone operators, Pacific Journal of "
              "Optimization 4, 2008; Chambolle, Tan, Vaiter: Accelerated alternating descent methods for "
              "Dykstra-like problems, Journal of Mathematical Imaging and Vision 59, 2017",
              "Use it for several penalties of the same entries, such as groups of rows and groups of "
              "columns. Every proximal step is iterated, and no gap is known: use stop.residual. One "
              "penalty and a constraint are cheaper as a penalty and a set. For l1 with tv take fused; with "
              "group, sparse-group; with ridge, elastic-net.",
              "objective.use=distance objective.data='3 0.1 2.8; 0.2 -0.1 0.1; 3.1 0.2 2.9' "
              "penalty.use=sum penalty.terms.1.use=group penalty.terms.1.groups=rows "
              "penalty.terms.1.lambda=0.5 penalty.terms.2.use=group "
              "penalty.terms.2.groups=columns penalty.terms.2.lambda=0.5 stop.residual=1e-6")
