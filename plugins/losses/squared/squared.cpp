// SPDX-License-Identifier: BSD-3-Clause
#include "squared_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::SquaredLoss>, claros::Kind::loss, "squared", "", "1.0.0",
              "Squared loss, (z - y)^2 / 2",
              "psi(z, y) = (z - y)^2 / 2. Convex, with a conjugate, so that duality gaps are known.",
              "Gauss, 1809")
