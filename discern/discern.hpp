// The public interface of Discern.
//
//   Eigen::MatrixXd X = ...;  std::vector<int> y = ...;
//   const auto model = discern::fit(discern::Logistic{.l2 = 0.5}, X, y);
//   if (!model.converged()) std::cerr << model.certificate() << "\n";
//   Eigen::MatrixXd p = model.probabilities(X_new);
//   model.save("m.model");
//   discern::RowScorer score(model);
//   score(row, out);
//
// docs/guide/cpp.md is the manual, examples/ has small programs.
#pragma once

#include "discern/api/evaluate.hpp"       // evaluate, cross_validate, compare
#include "discern/api/fit.hpp"            // fit, fit_regression
#include "discern/api/fit_options.hpp"    // weights, preparation, decision, inference, threads
#include "discern/api/fitted_model.hpp"   // predictions, weights, certificate, save, load
#include "discern/api/frame.hpp"          // tables with text and missing cells
#include "discern/api/influence.hpp"      // how much each row bends a fit
#include "discern/api/labels.hpp"         // labels and numbers, one per row
#include "discern/api/matrix_view.hpp"    // matrices of any layout, and CSR
#include "discern/api/model_options.hpp"  // options by the names of the tool
#include "discern/api/path.hpp"           // regularisation paths
#include "discern/api/projection.hpp"     // the directions that separate the classes most
#include "discern/api/row_scorer.hpp"     // one row at a time, without allocating
#include "discern/api/separable.hpp"      // can a plane separate the classes
#include "discern/base/error.hpp"         // what is thrown
#include "discern/options/all.hpp"        // the models and their options
