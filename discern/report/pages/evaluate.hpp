// The page of an evaluation: how a model does on rows whose truth is known.
#pragma once

#include <string>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct EvaluationPage {
  const Model& model;
  const Table& table;
  const Prediction& said;
  const std::vector<std::int32_t>& labels;  // of classification
  const std::vector<double>& targets;       // of regression
  const std::vector<double>& weights;       // empty: all 1
  const Metrics& metrics;
  const RegressionMetrics& regression;
  std::string file;
};

Page evaluation_page(const EvaluationPage& evaluation);

}  // namespace discern::report
