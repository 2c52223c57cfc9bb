// SPDX-License-Identifier: BSD-3-Clause
#include "huber_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::HuberLoss>, claros::Kind::loss, "huber", "", "1.0.0",
              "Huber loss, r^2/2 for |r| <= delta, linear beyond",
              "psi(z, y) = r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond, r = z - y. Convex.",
              "Huber: Robust estimation of a location parameter, Ann. Math. Statist. 35 (1964)")
