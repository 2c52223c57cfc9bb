# SPDX-License-Identifier: BSD-3-Clause
# Usage: statistics_peers.R CASE FOLDER TOLERANCE   (CASE: cox, group-mcp, glasso)
# Reads the numbers that statistics_peers.py left in FOLDER, solves, and writes solution.bin and the processor seconds
# of the call, without reading and loading, to seconds.txt.
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
  cat(time[["user.self"]] + time[["sys.self"]], file = file.path(asked[2], "seconds.txt"))
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
} else {
  library(glasso)
  spent(function() glasso(X, rho = numbers("lambdas.bin"), thr = tolerance, maxit = 1e5, penalize.diagonal = FALSE))
  solution <- made$wi
}
writeBin(as.double(solution), file.path(asked[2], "solution.bin"))
