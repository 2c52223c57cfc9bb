// SPDX-License-Identifier: BSD-3-Clause
#include <claros/component.hpp>

namespace claros {

Component::~Component() = default;

void* Component::ability(std::string_view) noexcept { return nullptr; }

}  // namespace claros
