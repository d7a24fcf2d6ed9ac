#include "discern/model/inference/inference.hpp"

#include <cmath>

#include "discern/stats/distributions.hpp"

namespace discern {
namespace {

// The variance of least squares is one parameter more.
double counted_parameters(const Inference& inference) {
  return inference.parameters + (inference.student ? 1 : 0);
}

}  // namespace

double Inference::aic() const { return 2 * counted_parameters(*this) - 2 * log_likelihood; }
double Inference::bic() const { return std::log(samples) * counted_parameters(*this) - 2 * log_likelihood; }

CoefficientTest test_of(const Inference& inference, Index contrast, Index column, double confidence) {
  CoefficientTest test;
  test.estimate = inference.estimates(contrast, column);
  test.error = inference.errors(contrast, column);
  test.statistic = test.estimate / test.error;
  test.p = inference.student ? student_two_sided(test.statistic, inference.degrees())
                             : normal_two_sided(test.statistic);
  const double reach =
      inference.student ? student_central(confidence, inference.degrees()) : normal_central(confidence);
  test.low = test.estimate - reach * test.error;
  test.high = test.estimate + reach * test.error;
  if (inference.low.size() > 0 && confidence == inference.confidence) {
    test.low = inference.low(contrast, column);
    test.high = inference.high(contrast, column);
  }
  if (inference.likelihood_ratio.size() > 0)
    test.ratio_p = chi_squared_above(inference.likelihood_ratio(contrast, column), 1);
  return test;
}

}  // namespace discern
