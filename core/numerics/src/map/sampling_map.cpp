// SPDX-License-Identifier: BSD-3-Clause
#include "element/forms.hpp"
#include "element/low_rank_kernels.hpp"

#include <claros/element/element.hpp>
#include <claros/map/sampling_map.hpp>

#include <algorithm>

namespace claros {

SamplingMap::SamplingMap(std::shared_ptr<const Pattern> pattern) : pattern_(std::move(pattern)) {}

Shape SamplingMap::domain() const { return Shape::matrix(pattern_->rows(), pattern_->cols()); }

Index SamplingMap::size() const { return pattern_->entries(); }

namespace {
/// x with nothing left to fold; a copy only when there is something.
Element explicit_form(const Element& x) {
  Element folded(x);
  folded.fold();
  return folded;
}
}  // namespace

void SamplingMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  const Element y = explicit_form(x);
  if (beta == 0.0) std::fill(z.begin(), z.end(), 0.0), beta = 1.0;
  for (const Part& part : y.parts()) {
    if (const auto* low = std::get_if<LowRankForm>(&part.form)) {
      low_rank::add_pattern(alpha * part.weight, *low, *pattern_, beta, z);  // scales z in the same pass
    } else {
      if (beta != 1.0) std::for_each(z.begin(), z.end(), [beta](double& value) { value *= beta; });
      forms::add_samples(alpha * part.weight, part.form, y.shape(), *pattern_, z);
    }
    beta = 1.0;
  }
  if (beta != 1.0) std::for_each(z.begin(), z.end(), [beta](double& value) { value *= beta; });
}

void SamplingMap::dot(std::span<const Index> rows, const Element& x, std::span<double> out) const {
  const Element y = explicit_form(x);
  std::fill(out.begin(), out.end(), 0.0);
  for (const Part& part : y.parts())
    forms::add_samples(part.weight, part.form, y.shape(), *pattern_, rows, out);
}

void SamplingMap::fold(double a, const AdjointForm& c, Element& g) const {
  Buffer values = c.full.empty() ? Buffer::zeros(size()) : c.full;
  if (!c.rows.empty()) {
    const auto array = values.edit();
    for (std::size_t k = 0; k < c.rows.size(); ++k)
      array[static_cast<std::size_t>(c.rows[k])] += c.coefficients[k];
  }
  g.add(a, Element::sparse(pattern_, std::move(values)));
}

bool SamplingMap::cheap(const Element& d) const {
  return std::none_of(d.parts().begin(), d.parts().end(),
                      [](const Part& part) { return std::holds_alternative<OperatorForm>(part.form); });
}

}  // namespace claros
