// SPDX-License-Identifier: BSD-3-Clause
#include "robust_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::RobustLoss>, claros::Kind::loss, "robust", "", "1.0.0",
              "Welsch robust loss, 1 - exp(-r^2/(2 sigma))",
              "psi(z, y) = 1 - exp(-(z - y)^2/(2 sigma)). Not convex; all derivatives are bounded.",
              "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex "
              "minimization, AISTATS 2019, eq. (5)")
