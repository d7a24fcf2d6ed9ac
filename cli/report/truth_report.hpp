// A model beside the Bayes classifier of the density that the data were drawn from.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/console.hpp"
#include "cli/text/text.hpp"
#include "discern/evaluate/bayes.hpp"
#include "discern/model/shape/model.hpp"

namespace discern::cli {

struct TruthReport {
  std::string shape;
  BayesError known;  // of the density, whatever the rows
  BesideBayes rows;
  bool costs = false;  // the risk has costs of its own
};

// Throws Code::data when the truth in the file is about other features or classes than the model's.
TruthReport beside_truth(const std::string& path, const Model& model, const Table& table,
                         const Prediction& said, const std::vector<std::int32_t>& labels,
                         const std::vector<double>& weights, std::uint64_t seed);

std::string truth_text(const TruthReport& report, const Paint& paint);

}  // namespace discern::cli
