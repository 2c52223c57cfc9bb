// SPDX-License-Identifier: BSD-3-Clause
#include <claros/head_oracle.hpp>

#include <algorithm>
#include <vector>

namespace claros {

Certificate HeadOracle::apply(const Element& v, double step, Element& x, const Accuracy& accuracy) {
  std::vector<double> values = v.to_dense();
  const auto tail = values.begin() + static_cast<std::ptrdiff_t>(head_size());
  const Certificate certificate =
      inner_.apply(Element::dense(head_shape_, {values.begin(), tail}), step, head_, accuracy);
  const std::vector<double> head = head_.to_dense();
  std::copy(head.begin(), head.end(), values.begin());
  x = Element::dense(v.shape(), std::move(values));
  return certificate;
}

double HeadOracle::value(const Element& x) {
  std::vector<double> values = x.to_dense();
  values.resize(head_size());
  return inner_.value(Element::dense(head_shape_, std::move(values)));
}

}  // namespace claros
