# SPDX-License-Identifier: BSD-3-Clause
# glmnet_path.R FOLDER THRESH: Lassos on FOLDER/x.bin, y.bin, lambdas.bin; writes beta.bin, prints the processor seconds of the fit.
suppressMessages(library(glmnet))
arguments <- commandArgs(TRUE)
numbers <- function(name) {
  file <- paste0(arguments[1], "/", name)
  readBin(file, "numeric", file.size(file) / 8, size = 8)
}
y <- numbers("y.bin")
lambdas <- numbers("lambdas.bin")
x <- matrix(numbers("x.bin"), length(y))
glmnet.control(fdev = 0, devmax = 1)  # all lambdas, however little they change
seconds <- system.time(fit <- glmnet(x, y, lambda = lambdas, intercept = FALSE, standardize = FALSE,
                                     thresh = as.numeric(arguments[2]), maxit = 1e7))[1:2]
beta <- matrix(0, ncol(x), length(lambdas))
beta[, seq_len(ncol(fit$beta))] <- as.matrix(fit$beta)
writeBin(as.numeric(beta), paste0(arguments[1], "/beta.bin"))
cat(sum(seconds), "\n")
