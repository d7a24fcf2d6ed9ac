// Logistic regression with Firth's correction, for two classes: a penalty of its own, Jeffreys' prior,
//
//   E(w, b) = -log L(w, b) - 1/2 log |I(w, b)|,     I = sum_i s_i p_i (1 - p_i) z_i z_i',   z = [1 x]
//
// (D. Firth, Biometrika 80, 1993; G. Heinze and M. Schemper, Statistics in Medicine 21, 2002). It takes away
// the first-order bias of maximum likelihood, whose odds are too large in small samples, and it has a finite
// minimum when the classes are separated. Its gradient is that of -log L plus
//
//   sum_i h_i (p_i - 1/2) z_i,     h_i = s_i p_i (1 - p_i) z_i' I^-1 z_i   the leverage of a row
//
// whose derivative with the leverages held, sum_i h_i p_i (1 - p_i) z_i z_i', is added to I for the steps of
// Newton's method: with as many weights as groups of rows h_i is near 1, and steps by I alone are twice too
// long. The errors come from I. The same sum gives that bias itself: I^-1 sum_i h_i (p_i - 1/2) z_i at the
// maximum of the likelihood (Cordeiro and McCullagh, JRSS B 53, 1991).
#pragma once

#include "discern/model/linear/logistic.hpp"
#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

Fitted fit_firth(const Logistic& options, const Training& training);

// sum_i h_i (p_i - 1/2) z_i at a point, from the inverse of I there. Both in scaled coordinates.
Eigen::VectorXd leverage_pull(const Problem& problem, const Eigen::VectorXd& point,
                              const Eigen::MatrixXd& inverse, const Monitor& monitor);

}  // namespace discern
