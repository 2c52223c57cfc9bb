// SPDX-License-Identifier: BSD-3-Clause
#include "logistic_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::LogisticLoss>, claros::Kind::loss, "logistic", "", "1.0.0",
              "Logistic loss, log(1 + exp(-y z)), y = -1 or 1",
              "psi(z, y) = log(1 + exp(-y z)), y = -1 or 1. Two classes of other names, and 0 and 1, are "
              "taken as these. Convex.",
              "Cox: The regression analysis of binary sequences, JRSS B 20 (1958)")
