// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/spread_operator.hpp>

namespace claros {

OperatorSource::~OperatorSource() = default;
SpreadOperator::~SpreadOperator() = default;

const SpreadOperator* spread_operator(const Form& form) {
  const auto* held = std::get_if<OperatorForm>(&form);
  return held ? dynamic_cast<const SpreadOperator*>(held->op.get()) : nullptr;
}

}  // namespace claros
