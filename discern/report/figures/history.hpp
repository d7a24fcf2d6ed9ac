// A fit as it happened: the objective and the certificate by iteration, and the boundary of a linear model.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"
#include "discern/report/plane.hpp"

namespace discern::report {

// Keeps at most some hundred moments of a fit, evenly spaced, for FitSettings::watch.
class History {
 public:
  struct Moment {
    Index iteration = 0, start = 0;
    std::optional<double> objective, certificate;
    Matrix weights;  // of a linear model with few features; otherwise empty
    Vector bias;
  };
  void watch(const TraceStep& step);
  // The model itself ends the row.
  void finish(const Model& model);
  const std::vector<Moment>& moments() const { return moments_; }

 private:
  std::vector<Moment> moments_;
  Index seen_ = 0, every_ = 1;
};

std::optional<Figure> convergence_figure(const Model& model, const History& history);
// The boundary at every iteration, of a linear model: over its two columns, or along the plane in which the fitted
// model is drawn (plane.hpp).
std::optional<Figure> separator_figure(const Model& model, const DrawnRows& rows, const History& history);

}  // namespace discern::report
