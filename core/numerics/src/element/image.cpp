// SPDX-License-Identifier: BSD-3-Clause
#include "element/image.hpp"

#include "element/array_sums.hpp"

#include <algorithm>

namespace claros {

namespace {
/// Accumulates a += w b.
void accumulate(double w, std::span<const double> b, std::span<double> a) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += w * b[k];
}
}  // namespace

void Image::evaluate() {
  if (evaluated) return;
  double beta = 0.0;
  for (auto& [weight, child] : children) child->evaluate();
  if (children.size() >= 2 && pending.is_zero()) {
    // The difference of two points whose images are known.
    const auto &first = children[0], &second = children[1];
    auto sum = std::make_shared<Image>(Image{map, {}, Element(pending.shape()), {}, true});
    sum->values =
        array_sum(first.first, first.second->values.view(), second.first, second.second->values.view());
    children.erase(children.begin());
    children.front() = {1.0, std::move(sum)};
  }
  if (children.empty()) {
    values = Buffer::zeros(map->size());
  } else {
    auto& [weight, child] = children.front();
    beta = weight;
    values = child->values;
    if (child.use_count() == 1) child->values = Buffer();
  }
  const std::span<double> z = values.edit();
  map->apply(1.0, pending, beta, z);
  for (std::size_t k = 1; k < children.size(); ++k)
    accumulate(children[k].first, children[k].second->values.view(), z);
  children.clear();
  pending.set_zero();
  evaluated = true;
}

void Image::at(std::span<const Index> rows, std::span<double> out) const {
  if (evaluated) {
    const auto z = values.view();
    for (std::size_t k = 0; k < rows.size(); ++k) out[k] = z[static_cast<std::size_t>(rows[k])];
    return;
  }
  if (pending.is_zero())
    std::fill(out.begin(), out.end(), 0.0);
  else
    map->dot(rows, pending, out);
  std::vector<double> part(out.size());
  for (const auto& [weight, child] : children) {
    child->at(rows, part);
    accumulate(weight, part, out);
  }
}

int Image::depth() const {
  if (evaluated) return 0;
  int deepest = 0;
  for (const auto& [weight, child] : children) deepest = std::max(deepest, child->depth());
  return deepest + 1;
}

std::shared_ptr<Image> Image::clone(const Image& other) {
  auto copy = std::make_shared<Image>(other);
  for (auto& [weight, child] : copy->children) child = clone(*child);
  return copy;
}

}  // namespace claros
