// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/row_parts.hpp>

namespace claros {

FoldJudge::~FoldJudge() = default;
RowParts::~RowParts() = default;

}  // namespace claros
