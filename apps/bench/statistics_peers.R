# SPDX-License-Identifier: BSD-3-Clause
# Usage: statistics_peers.R CASE FOLDER TOLERANCE
#     CASE: cox, group-mcp, glasso, glmnet-squared, glmnet-logistic, glmnet-poisson, cv.glmnet
# Reads the numbers that statistics_peers.py left in FOLDER, solves, and writes solution.bin and the processor and wall
# seconds of the call, without reading and loading, to seconds.txt.
asked <- commandArgs(trailingOnly = TRUE)
tolerance <- as.numeric(asked[3])
numbers <- function(name) {
  file <- file.path(asked[2], name)
  readBin(file, "double", file.size(file) / 8)
}
sizes <- numbers("sizes.bin")
X <- matrix(numbers("X.bin"), sizes[1], sizes[2])
spent <- function(solve) {
  time <- system.time(made <<- solve())
  cat(time[["user.self"]] + time[["sys.self"]], time[["elapsed"]], file = file.path(asked[2], "seconds.txt"))
}
if (asked[1] == "cox") {
  suppressMessages(library(glmnet))
  y <- survival::Surv(numbers("time.bin"), numbers("event.bin"))
  lambdas <- numbers("lambdas.bin")
  spent(function() glmnet(X, y, family = "cox", lambda = lambdas, standardize = FALSE, thresh = tolerance, maxit = 1e7))
  solution <- as.matrix(coef(made, s = lambdas, exact = FALSE))
} else if (asked[1] == "group-mcp") {
  library(grpreg)
  spent(function() grpreg(X, numbers("y.bin"), group = numbers("group.bin"), penalty = "grMCP", gamma = 3,
                          lambda = numbers("lambdas.bin"), eps = tolerance, max.iter = 1e6))
  solution <- made$beta
} else if (startsWith(asked[1], "glmnet-")) {  # the last lambda of a path, without an intercept
  suppressMessages(library(glmnet))
  family <- c(squared = "gaussian", logistic = "binomial", poisson = "poisson")[[sub("glmnet-", "", asked[1])]]
  glmnet.control(fdev = 0, devmax = 1)
  y <- numbers("y.bin")
  lambdas <- numbers("lambdas.bin")
  spent(function() glmnet(X, y, family = family, lambda = lambdas, standardize = FALSE, intercept = FALSE,
                          thresh = tolerance, maxit = 1e7))
  solution <- if (length(made$lambda) == length(lambdas)) made$beta[, length(lambdas)] else rep(0, ncol(X))
} else if (asked[1] == "cv.glmnet") {
  suppressMessages(library(glmnet))
  spent(function() cv.glmnet(X, numbers("y.bin"), lambda = numbers("lambdas.bin"), foldid = numbers("folds.bin"),
                             standardize = FALSE, thresh = tolerance))
  solution <- min(made$cvm)
} else {
  library(glasso)
  spent(function() glasso(X, rho = numbers("lambdas.bin"), thr = tolerance, maxit = 1e5, penalize.diagonal = FALSE))
  solution <- made$wi
}
writeBin(as.double(solution), file.path(asked[2], "solution.bin"))
