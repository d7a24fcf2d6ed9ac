// How much single rows bend a fit: what R's influence.measures tells of lm and glm.
//
//   h_i = s_i v_i z_i' (sum_k s_k v_k z_k z_k' + P)^-1 z_i,     z = [1 x]           the leverage of a row
//
// v is the curvature of the loss (least squares 1, logistic p (1 - p)), P has the l2 of each weight. The
// leverages sum to p, the effective number of weights; without a penalty it is the number of weights. With
// the residual e = y - g (logistic: y - p, y = 0 or 1) and the loss L,
//
//   Pearson residual     r_i = sqrt(s_i) e_i / sqrt(v_i)
//   deviance residual    d_i = sign(e_i) sqrt(2 s_i L_i)             least squares: the same as r_i
//   standardised         d_i / sqrt(f (1 - h_i))                     f = sum d^2 / (n - p), logistic: 1
//   studentised          d_i / sqrt(f_i (1 - h_i)),                  logistic: sign(d_i) sqrt(d_i^2 + h_i
//                                                                    r_i^2 / (1 - h_i))
//   DFFITS               d_i sqrt(h_i / f_i) / (1 - h_i)
//   Cook's distance      r_i^2 h_i / (p f (1 - h_i)^2)
//
// where f_i = (sum d^2 - d_i^2 / (1 - h_i)) / (n - p - 1) is the dispersion without row i. For least squares
// without a penalty they are what leaving the row out does; for logistic what the first Newton step of that
// does (D. Pregibon, Annals of Statistics 9, 1981; R. D. Cook and S. Weisberg, Residuals and Influence in
// Regression, 1982). n is the sum of the weights; a row of weight s is left out as a whole. Of least squares
// with K classes the residual is the length of the K residuals, with the sign of that of the row's own class.
// What is divided by n - p or n - p - 1 is not there where these are not above 0, and nothing that is divided
// by f or f_i is there where least squares fits exactly: what is left as residuals is rounding. Where all
// other rows are fitted exactly without row i, f_i is 0 and what is divided by it infinite.
#pragma once

#include "discern/model/shape/predictor.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// A number a row, NaN where there is none. Where the leverage is 1 only the leverage and the two residuals
// are there: such a row is fitted whatever it says.
struct Influence {
  Vector leverage;
  Vector pearson, deviance;
  Vector standardized, studentized;
  Vector dffits, cook;
  double samples = 0;     // n
  double parameters = 0;  // p
  double dispersion = 1;  // f
  bool exact = false;     // least squares whose residuals are rounding
  // |grad E| at the point over that at zero. Where it is not small the rows are not those that the point was
  // fitted to.
  double gradient = 0;

  // n - p - left_out, NaN where that is not above 0 (weights that sum to less than there are parameters).
  double freedom(double left_out = 0) const;
};

// At a point, (1 + features) x scores in the problem's coordinates, that is a minimum of E: for the squared
// loss with any number of scores (1-of-K), or the logistic one with one. Without l1. Two folds. Throws
// Code::data for the squared loss when n is not above p: there is no dispersion.
Influence influence(const Problem& problem, const Eigen::MatrixXd& at, const Monitor& monitor);

// V with (R'R + diag(l2))^-1 = V V', the pseudo-inverse where that is singular, from the triangle R of rows
// [1 x] and the penalties of their weights, that of the bias first. x is centred at `center` (empty: it is
// not), so that what is left of a constant feature is known as rounding.
Eigen::MatrixXd inverse_root(const Eigen::MatrixXd& r, const Eigen::VectorXd& l2,
                             const Eigen::VectorXd& center);

}  // namespace discern
