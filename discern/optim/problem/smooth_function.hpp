// A function of a point with a value and a gradient, each evaluation one pass over the data. The descent methods
// need nothing else.
#pragma once

#include <Eigen/Core>

#include "discern/base/progress.hpp"
#include "discern/data/row.hpp"

namespace discern {

struct Evaluation {
  double value = 0;
  Eigen::VectorXd gradient;
  double slopes = 0;  // the sum over the rows of |s L'|, where that is known
};

class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  virtual Index size() const = 0;
  // Throws Code::interrupted when the monitor asks to stop.
  virtual Evaluation evaluate(const Eigen::VectorXd& point, const Monitor& monitor) = 0;
  // What is zero at a minimum: the gradient, or where terms with a kink are added to the function, the
  // shortest subgradient of the sum.
  virtual Eigen::VectorXd residual(const Eigen::VectorXd& /*point*/, const Eigen::VectorXd& gradient) const {
    return gradient;
  }
};

}  // namespace discern
