// How much each row bends a fit of LeastSquares, or of Logistic with two classes: leverages, residuals and what
// leaving the row out would do (model/inference/influence.hpp has the formulas).
//
//   const InfluenceResult rows = influence(model, X, y);        rows.cook.maxCoeff()
#pragma once

#include <Eigen/Core>

#include "discern/api/fitted_model.hpp"
#include "discern/api/labels.hpp"
#include "discern/api/matrix_view.hpp"

namespace discern {

// One number per row, NaN where there is none: rows of weight zero, and rows that are fitted whatever they say.
struct InfluenceResult {
  Eigen::VectorXd leverage;
  Eigen::VectorXd pearson, deviance;          // residuals
  Eigen::VectorXd standardized, studentized;  // residuals
  Eigen::VectorXd dffits, cook;
  double parameters = 0;  // the effective number of weights: the sum of the leverages
  double dispersion = 1;
};

// The rows, labels and weights are those of the fit; Code::data when they are not. Code::usage for a model that
// has no leverages, with the reason.
InfluenceResult influence(const FittedModel& model, const MatrixView& x, const Labels& y,
                          const Numbers& weights = {});
InfluenceResult influence_regression(const FittedModel& model, const MatrixView& x, const Numbers& y,
                                     const Numbers& weights = {});

}  // namespace discern
