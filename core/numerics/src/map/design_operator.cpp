// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/element.hpp>
#include <claros/map/design_map.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

DesignOperator::DesignOperator(MapPtr map, std::span<const double> weights) : map_(std::move(map)) {
  for (const double w : weights) roots_.push_back(std::sqrt(w));
}

void DesignOperator::apply(std::span<const double> x, std::span<double> y) const {
  map_->apply(1.0, Element::dense(map_->domain(), {x.begin(), x.end()}), 0.0, y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= root(i);
}

void DesignOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  std::vector<double> c(y.begin(), y.end());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] *= root(i);
  std::fill(x.begin(), x.end(), 0.0);
  map_->add_adjoint(c, x);
}

void DesignOperator::round_trip(std::span<const double> x, double beta, std::span<double> image,
                                std::span<double> back) const {
  std::vector<double> z(image.size());
  std::fill(back.begin(), back.end(), 0.0);
  const auto middle = [&](Index first, std::span<const double> made, std::span<double> c) {
    for (std::size_t k = 0; k < made.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(first) + k;
      image[i] = root(i) * made[k] - beta * image[i];
      c[k] = root(i) * image[i];
    }
  };
  map_->round_trip(Element::dense(map_->domain(), {x.begin(), x.end()}), middle, z, back);
}

}  // namespace claros
