// The regularisation path of Logistic, Svm (squared hinge) and LeastSquares: the fit under each of a row of
// falling penalties, each with its certificate, and the best of them by cross-validation.
//
//   const PathResult lasso = path(Logistic{}, X, y, {.folds = FoldOptions{}});
//   const FittedModel best = fit(with_penalty_of(Logistic{}, lasso.steps[*lasso.within_se]), X, y);
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "discern/api/fit.hpp"
#include "discern/options/folds.hpp"
#include "discern/options/path.hpp"

namespace discern {

struct PathFitOptions {
  PathPenalty penalty = PathPenalty::l1;
  double l1_ratio = 0.5;  // of the elastic net
  double fixed = 0;       // the other penalty, which stays as it is
  Index points = 100;
  double ratio = 0;                       // of the last penalty to the first; 0: by the shape of the data
  std::optional<FoldOptions> folds = {};  // choose a point by cross-validation; empty: no choice
  std::string metric = {};  // what points are judged by; empty: log loss, error or squared error
  FitOptions fit = {};
};

struct PathStep {
  double l1 = 0, l2 = 0;
  double objective = 0;
  Index nonzero = 0;     // weights
  double explained = 0;  // share of the deviance of the bias alone
  Certificate certificate = {};
  bool converged = false;
  Eigen::MatrixXd weights = {};  // scores x features, in the units of the features
  Eigen::VectorXd bias = {};
  std::optional<double> score = {}, standard_error = {};  // of the folds
};

struct PathResult {
  std::vector<PathStep> steps = {};  // the largest penalty first
  std::vector<std::string> feature_names = {};
  std::string metric = {};
  std::optional<std::size_t> best = {};       // the step with the best mean
  std::optional<std::size_t> within_se = {};  // the largest penalty within one standard error of it
  std::vector<std::string> warnings = {};
};

PathResult path(const ModelOptions& model, const MatrixView& x, const Labels& y,
                const PathFitOptions& options = {});
PathResult path_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                           const PathFitOptions& options = {});
PathResult path(const ModelOptions& model, const Frame& frame, const std::string& target,
                const PathFitOptions& options = {}, Task task = Task::classification);

// The options of a model with the penalties of a step, to fit it.
ModelOptions with_penalty_of(const ModelOptions& model, const PathStep& step);

}  // namespace discern
