// How sure an unpenalised fit may be of its weights: standard errors, tests and confidence intervals.
//
// For a likelihood (logistic, softmax) the covariance of the estimates is the inverse of the Hessian H of the
// negative log-likelihood, and an estimate over its standard error is compared with the normal distribution
// (Wald). For least squares it is s^2 (Z'Z)^-1 with s^2 = RSS / (n - p), and Student's t with n - p degrees
// of freedom. Robust errors trust the model less: the sandwich
//
//   H^-1 M H^-1,   M = sum_i s_i grad_i grad_i'         (least squares: residuals divided by 1 - h_i, "HC3")
//
// A profile interval holds the values v of a coefficient whose likelihood, maximised over all the others, is
// so close to the maximum that a test would not reject v:  2 (E(v) - E) <= chi^2_1. It needs no symmetry, and
// is the better one in small samples.
//
// Softmax has as many weights a feature as classes, which only count relative to each other: the coefficients
// are those of each class minus those of the first. Sample weights count as repeated rows.
#pragma once

#include <string>

#include "discern/model/shape/predictor.hpp"
#include "discern/options/inference.hpp"

namespace discern {

struct Inference {
  std::string absent;  // why there is none; empty: there is
  bool bias = true;    // the first column is a parameter
  bool student = false;
  bool robust = false;
  double samples = 0;     // sum of the sample weights
  double parameters = 0;  // that were estimated
  double log_likelihood = 0, deviance = 0, null_deviance = 0;
  double dispersion = 1;  // s^2 of least squares
  Matrix estimates = {};  // scores, or classes - 1 of softmax, x (1 + features): the bias at the origin first
  Matrix errors = {};     // standard errors of those
  double confidence = 0.95;  // that was asked for
  // With profile intervals: their ends (infinite where the likelihood does not fall that
  // far), and the likelihood-ratio statistic 2 (E(0) - E) of each coefficient.
  Matrix low = {}, high = {}, likelihood_ratio = {};

  double degrees() const { return samples - parameters; }
  double null_degrees() const { return samples - (bias ? static_cast<double>(estimates.rows()) : 0.0); }
  double aic() const;
  double bic() const;
};

// The test of one coefficient against zero, by Wald or, when the profile is there, by the likelihood ratio.
struct CoefficientTest {
  double estimate = 0, error = 0;
  double statistic = 0;  // estimate / error
  double p = 1;          // of the statistic
  double low = 0, high = 0;
  double ratio_p = 1;  // of the likelihood ratio; 1 without
};
CoefficientTest test_of(const Inference& inference, Index contrast, Index column, double confidence);

}  // namespace discern
