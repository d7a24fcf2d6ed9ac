// Fitting a model.
//
//   const FittedModel model = fit(Logistic{.l2 = 0.5}, X, y);
//   const FittedModel line = fit_regression(LeastSquares{}, X, prices);
//
// Classification and regression are two functions, so that labels which happen to be stored as numbers with a
// fraction are never taken for a regression by mistake, nor the other way round. LeastSquares, Mlp and
// RbfNetwork can do both.
//
// What the caller got wrong is thrown as Error. Not to converge is no error: see FittedModel::converged.
#pragma once

#include <string>

#include "discern/api/fit_options.hpp"
#include "discern/api/fitted_model.hpp"
#include "discern/api/frame.hpp"
#include "discern/api/labels.hpp"
#include "discern/api/matrix_view.hpp"
#include "discern/options/all.hpp"

namespace discern {

FittedModel fit(const ModelOptions& model, const MatrixView& x, const Labels& y,
                const FitOptions& options = {});
FittedModel fit_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                           const FitOptions& options = {});

// All columns of the frame but the target (and the weights) are features.
FittedModel fit(const ModelOptions& model, const Frame& frame, const std::string& target,
                const FitOptions& options = {});
FittedModel fit_regression(const ModelOptions& model, const Frame& frame, const std::string& target,
                           const FitOptions& options = {});

}  // namespace discern
