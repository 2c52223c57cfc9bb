# SPDX-License-Identifier: BSD-3-Clause
# glmnet_lasso.R DESIGN.bin LAMBDA TOLERANCE OUTPUT: the Lasso at one lambda; prints the seconds of the fit.
suppressMessages(library(glmnet))
arguments <- commandArgs(TRUE)
file <- file(arguments[1], "rb")
invisible(readBin(file, "raw", 16))
width <- readBin(file, "integer", 2, size = 4)[1]
sizes <- readBin(file, "integer", 4, size = 4)  # two 64-bit numbers, low halves first
invisible(readBin(file, "raw", 24))
y <- readBin(file, "numeric", sizes[1], size = 8)
x <- matrix(readBin(file, "numeric", sizes[1] * sizes[3], size = width), sizes[1], sizes[3], byrow = TRUE)
close(file)
seconds <- system.time(fit <- glmnet(x, y, lambda = as.numeric(arguments[2]), intercept = FALSE, standardize = FALSE,
                                     thresh = as.numeric(arguments[3]), maxit = 1e6))[["elapsed"]]
output <- file(arguments[4], "wb")
writeBin(as.numeric(fit$beta), output)
close(output)
cat(seconds, "\n")
