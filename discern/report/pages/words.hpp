// The sentences and facts that pages share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/model.hpp"

namespace discern::report {

using Facts = std::vector<std::pair<std::string, std::string>>;

// "Logistic regression learns to tell benign from malignant by 30 features, from 427 rows."
std::string learned_sentence(const Model& model);
// "The fit converged: relative gradient norm 6.3e-18 after 6 iterations of newton."
std::string certificate_sentence(const Summary& summary);
// "It is right for 98.6 % of the training rows, ..."
std::string quality_sentence(const Metrics& metrics, const std::string& of);
std::string quality_sentence(const RegressionMetrics& metrics, const std::string& of);

Facts model_facts(const Model& model);

// "the 427 training rows"
std::string rows_text(Index rows, const std::string& kind);

}  // namespace discern::report
