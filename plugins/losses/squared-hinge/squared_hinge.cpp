// SPDX-License-Identifier: BSD-3-Clause
#include "squared_hinge_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::SquaredHingeLoss>, claros::Kind::loss, "squared-hinge", "",
              "1.0.0", "Squared hinge loss, max(0, 1 - y z)^2 / 2",
              "psi(z, y) = max(0, 1 - y z)^2 / 2, y = -1 or 1. Two classes of other names, and 0 and 1, are "
              "taken as these. Convex.",
              "Cortes, Vapnik: Support-vector networks, Machine Learning 20 (1995)")
