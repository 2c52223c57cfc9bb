// SPDX-License-Identifier: BSD-3-Clause
#include "poisson_loss.hpp"

#include <claros/plugin.hpp>

CLAROS_PLUGIN(claros::sdk::LossOf<claros::losses::PoissonLoss>, claros::Kind::loss, "poisson", "", "1.0.0",
              "Poisson loss with logarithmic link, exp(z) - y z",
              "psi(z, y) = exp(z) - y z, y >= 0: the negative logarithm of the likelihood without log(y!). "
              "Convex; psi is not smooth.",
              "Nelder, Wedderburn: Generalized linear models, JRSS A 135 (1972)")
