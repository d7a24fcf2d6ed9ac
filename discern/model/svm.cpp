#include "discern/model/svm.hpp"

#include "discern/model/linear_fit.hpp"

namespace discern {

Fitted fit(const SvmOptions& options, const Training& training) {
  return options.loss == SvmLoss::hinge ? fit_linear(Hinge{}, options, training)
                                        : fit_linear(SquaredHinge{}, options, training);
}

}  // namespace discern
