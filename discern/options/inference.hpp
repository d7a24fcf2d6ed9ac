// Standard errors, tests and confidence intervals of the weights, as a request.
#pragma once

namespace discern {

enum class Intervals {
  none,
  wald,    // from the curvature at the estimates
  profile  // from the likelihood itself: the better ones in small samples
};

// What a fit is asked to say about its own uncertainty.
struct InferenceRequest {
  Intervals intervals = Intervals::none;
  bool robust = false;  // the sandwich estimator of the covariance
  double confidence = 0.95;
};

}  // namespace discern
