# R's glmnet for bench/fit.py: keeps its data between runs and fits once for each tolerance on standard input.
#
#   Rscript fit_glmnet.R BASE sparse|dense ROWS COLUMNS FAMILY ALPHA LAMBDA INTERCEPT OUT
#
# BASE.x holds the features by columns (8-byte floats), BASE.i and BASE.p the row numbers and column starts of sparse
# ones (4-byte integers), BASE.y the targets. Writes the weights and then the bias of each score to OUT, as 8-byte floats.
suppressPackageStartupMessages(library(glmnet))
given <- commandArgs(trailingOnly = TRUE)
base <- given[1]
n <- as.integer(given[3])
d <- as.integer(given[4])
family <- given[5]
numbers <- function(suffix, what, size) {
  path <- paste0(base, suffix)
  readBin(path, what, n = file.size(path) / size, size = size)
}
y <- numbers(".y", "double", 8)
if (given[2] == "sparse") {
  x <- new("dgCMatrix", i = numbers(".i", "integer", 4), p = numbers(".p", "integer", 4), x = numbers(".x", "double", 8),
           Dim = c(n, d))
} else {
  x <- matrix(numbers(".x", "double", 8), n, d)
}
if (family != "gaussian") y <- factor(y)
glmnet.control(fdev = 0, devmax = 1)
cat(sprintf('{"ready": true, "version": "%s"}\n', packageVersion("glmnet")))
input <- file("stdin")
open(input)
while (length(line <- readLines(input, n = 1)) > 0) {
  seconds <- system.time(
    model <- glmnet(x, y, family = family, alpha = as.numeric(given[6]), lambda = as.numeric(given[7]),
                    standardize = FALSE, intercept = given[8] == "yes", thresh = as.numeric(line), maxit = 1e8)
  )[["elapsed"]]
  if (family == "multinomial") {
    scores <- lapply(seq_along(model$beta), function(k) c(as.numeric(model$beta[[k]]), model$a0[k]))
  } else {
    scores <- list(c(as.numeric(model$beta), model$a0))
  }
  writeBin(unlist(scores), given[9], size = 8)
  cat(sprintf('{"seconds": %.6f}\n', seconds))
  flush(stdout())
}
