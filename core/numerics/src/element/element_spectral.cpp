// SPDX-License-Identifier: BSD-3-Clause
// The functions of elements about their singular values.
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace claros {

namespace {

/// U, w and V of the columns of nonzero weight.
struct Columns {
  std::vector<double> u, w, v;
};

Columns gathered(const LowRankForm& form, double weight) {
  const auto columns = static_cast<std::size_t>(
      std::count_if(form.weights.begin(), form.weights.end(), [](double w) { return w != 0.0; }));
  Columns all;
  auto& [u, w, v] = all;
  u.reserve(columns * static_cast<std::size_t>(form.store->rows()));
  v.reserve(columns * static_cast<std::size_t>(form.store->cols()));
  for (std::size_t k = 0; k < form.weights.size(); ++k) {
    if (form.weights[k] == 0.0) continue;
    const auto left = form.store->left(static_cast<Index>(k)),
               right = form.store->right(static_cast<Index>(k));
    u.insert(u.end(), left.begin(), left.end());
    v.insert(v.end(), right.begin(), right.end());
    w.push_back(weight * form.weights[k]);
  }
  return all;
}

/// The SVD of a low-rank part: its columns once more, and no third time.
TruncatedSvd decompose(const LowRankForm& form, double weight) {
  Columns all = gathered(form, weight);
  if (all.w.empty()) return {};
  return svd_of_product(form.store->rows(), form.store->cols(), std::move(all.u), all.w, std::move(all.v));
}

/// Its singular values: the columns once more.
std::vector<double> values(const LowRankForm& form, double weight) {
  Columns all = gathered(form, weight);
  if (all.w.empty()) return {};
  return singular_values_of_product(form.store->rows(), form.store->cols(), std::move(all.u), all.w,
                                    std::move(all.v));
}

/// How many leading values to keep when those behind may sum to `tail`, never fewer than rounding demands.
std::size_t kept(const std::vector<double>& s, double tail) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const double allowed = std::max(tail, s.empty() ? 0.0 : kRounding * s.front());
  double sum = 0.0;
  std::size_t count = s.size();
  while (count > 0 && sum + s[count - 1] <= allowed) sum += s[--count];
  return count;
}

}  // namespace

double Element::recompress(double tail) {
  for (Part& part : parts_) {
    auto* form = std::get_if<LowRankForm>(&part.form);
    if (!form) continue;
    TruncatedSvd svd = decompose(*form, part.weight);
    const std::size_t count = kept(svd.s, tail);
    const Index m = form->store->rows(), n = form->store->cols();
    const auto leading = [count](std::vector<double>& columns, Index length) {
      columns.resize(count * static_cast<std::size_t>(length));
      columns.shrink_to_fit();
      return Buffer(std::move(columns));
    };
    auto store = std::make_shared<FactorStore>(m, n, leading(svd.u, m), leading(svd.v, n));
    const double dropped =
        std::accumulate(svd.s.begin() + static_cast<std::ptrdiff_t>(count), svd.s.end(), 0.0);
    part = {1.0, LowRankForm{std::move(store),
                             {svd.s.begin(), svd.s.begin() + static_cast<std::ptrdiff_t>(count)}}};
    // A point that moved by more than rounding needs new images; one that did not keeps them, drift and all.
    if (tail > 0.0) keep_following(std::exchange(images_, {}));
    return dropped;
  }
  return 0.0;
}

std::vector<double> Element::singular_values() const {
  if (shape_.is_product())
    throw Error(ErrorKind::usage, "element", "a product has no singular values", "ask its blocks");
  if (is_zero()) return {};
  const auto* form = parts_.size() == 1 ? std::get_if<LowRankForm>(&parts_.front().form) : nullptr;
  return form ? values(*form, parts_.front().weight) : dense_svd(shape_.rows, shape_.cols, to_dense()).s;
}

double Element::nuclear_norm() const {
  const std::vector<double> s = singular_values();
  return std::accumulate(s.begin(), s.end(), 0.0);
}

const LowRankForm* only_low_rank(const Element& x) {
  return x.parts().size() == 1 ? std::get_if<LowRankForm>(&x.parts().front().form) : nullptr;
}

Index rank_or_support(const Element& x) {
  if (x.is_zero()) return 0;
  if (only_low_rank(x)) {
    constexpr double kNegligible = 1e-10;
    const std::vector<double> s = x.singular_values();
    const double floor = s.empty() ? 0.0 : kNegligible * s.front();
    return std::count_if(s.begin(), s.end(), [floor](double value) { return value > floor; });
  }
  const auto* dense = x.parts().size() == 1 ? std::get_if<DenseForm>(&x.parts().front().form) : nullptr;
  if (!dense) return -1;
  const auto values = dense->values.view();
  return static_cast<Index>(values.size()) - std::count(values.begin(), values.end(), 0.0);
}

}  // namespace claros
