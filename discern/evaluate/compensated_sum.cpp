#include "discern/evaluate/compensated_sum.hpp"

#include <cmath>

namespace discern {

void CompensatedSum::add(double term) {
  const double sum = sum_ + term;
  lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

void CompensatedSum::merge(const CompensatedSum& other) {
  add(other.sum_);
  lost_ += other.lost_;
}

// What is lost of a sum that overflowed is not a number; the sum itself then says more.
double CompensatedSum::value() const { return std::isfinite(lost_) ? sum_ + lost_ : sum_; }

}  // namespace discern
