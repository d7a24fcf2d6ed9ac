// The scores of a Network (model/shape/predictor.hpp), and what its units compute.
#pragma once

#include <Eigen/Core>

#include "discern/model/shape/predictor.hpp"

namespace discern {

// Replaces the weighted sums of some units by what the units make of them.
template <class T>
void activate(UnitKind unit, double slope, T* values, Index count) {
  Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> v(values, count);
  switch (unit) {
    case UnitKind::linear:
      return;
    case UnitKind::relu:
      v = v.max(T(0));
      return;
    case UnitKind::tanh:
      v = v.tanh();
      return;
    case UnitKind::logistic:
      v = (1 + (static_cast<T>(-slope) * v).exp()).inverse();
      return;
    case UnitKind::step:
      for (T& one : v) one = one >= 0 ? T(1) : T(0);
      return;
  }
}

// Multiplies the slopes with respect to what the units give by f', found from what they give: y > 0 of relu,
// 1 - y^2 of tanh, a y (1 - y) of logistic units.
template <class T>
void times_slope(UnitKind unit, double slope, const T* given, T* slopes, Index count) {
  const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> y(given, count);
  Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> d(slopes, count);
  if (unit == UnitKind::relu) d = (y > T(0)).select(d, T(0));
  if (unit == UnitKind::tanh) d *= 1 - y.square();
  if (unit == UnitKind::logistic) d *= static_cast<T>(slope) * y * (1 - y);
}

// Rows whose sums are beyond double precision have the score NaN. The scores of a row do not depend on the
// rows around it, to the last bit.
Matrix scores_of(const Network& network, const Rows& x);

}  // namespace discern
