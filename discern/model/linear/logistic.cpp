#include "discern/model/linear/logistic.hpp"

#include "discern/model/inference/firth.hpp"
#include "discern/model/linear/linear_fit.hpp"

namespace discern {

Fitted fit(const Logistic& options, const Training& training) {
  if (options.firth) return fit_firth(options, training);
  return training.classes > 2 ? fit_linear(SoftmaxLoss{}, linear_options(options), training)
                              : fit_linear(LogisticLoss{}, linear_options(options), training);
}

}  // namespace discern
