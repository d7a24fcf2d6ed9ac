# R's glmnet for bench/path.py: path_glmnet.R BASE CASE ROWS COLUMNS THRESH OUT. Files and answer as in path_peers.py.
suppressPackageStartupMessages(library(glmnet))
given <- commandArgs(trailingOnly = TRUE)
base <- given[1]
n <- as.integer(given[3])
d <- as.integer(given[4])
numbers <- function(suffix, what, size) {
  path <- paste0(base, suffix)
  readBin(path, what, n = file.size(path) / size, size = size)
}
y <- numbers(".y", "double", 8)
l1 <- numbers(".l1", "double", 8)
lasso <- given[2] == "lasso"
if (lasso) {
  x <- matrix(numbers(".x", "double", 8), n, d)
} else {
  x <- new("dgCMatrix", i = numbers(".i", "integer", 4), p = numbers(".p", "integer", 4), x = numbers(".x", "double", 8),
           Dim = c(n, d))
  y <- factor(y)
}
glmnet.control(fdev = 0, devmax = 1)
took <- system.time(
  model <- glmnet(x, y, family = if (lasso) "gaussian" else "binomial", lambda = l1 / n, standardize = FALSE,
                  intercept = lasso, thresh = as.numeric(given[5]), maxit = 1e8)
)
writeBin(as.numeric(rbind(model$a0, as.matrix(model$beta))), given[6], size = 8)
cat(sprintf('{"seconds": %.6f, "cpu": %.6f, "version": "%s"}\n', took[["elapsed"]], took[["user.self"]] + took[["sys.self"]],
            packageVersion("glmnet")))
