// Tails and quantiles of the distributions that tests and confidence intervals need.
#pragma once

namespace discern {

constexpr double half_log_two_pi = 0.91893853320467274178;

// P(|X| >= |x|) of a standard normal X, and the x with P(|X| <= x) = p.
double normal_two_sided(double x);
double normal_central(double p);

// The same for Student's t with so many degrees of freedom.
double student_two_sided(double x, double degrees);
double student_central(double p, double degrees);

// P(X >= x) of chi-squared and of F.
double chi_squared_above(double x, double degrees);
double f_above(double x, double numerator_degrees, double denominator_degrees);

}  // namespace discern
