#include "discern/model/linear/svm.hpp"

#include "discern/model/linear/linear_fit.hpp"

namespace discern {

Fitted fit(const Svm& options, const Training& training) {
  return options.loss == SvmLoss::hinge ? fit_linear(HingeLoss{}, linear_options(options), training)
                                        : fit_linear(SquaredHingeLoss{}, linear_options(options), training);
}

}  // namespace discern
