// What `fit` has to tell, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/flags/auto_penalty.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/catalogue/prepared_table.hpp"
#include "discern/evaluate/metrics.hpp"

namespace discern::cli {

struct FitReport {
  std::string file;
  const PreparedTable* prepared = nullptr;  // of a stream there is none
  const FitOutcome* outcome = nullptr;
  Metrics metrics;               // classification
  RegressionMetrics regression;  // regression
  std::vector<std::string> warnings;
  std::optional<ChosenPenalty> chosen;  // by --l1 auto, --l2 auto
  double read_seconds = 0;
  double fit_seconds = 0;
  double total_seconds = 0;
  std::string why_positive;  // the positive class is not the last in order; empty: it is
  std::string saved;         // where the model went; empty: nowhere
};

std::string fit_summary(const FitReport& report, const Paint& paint);

// What `fit --stream` tells in the same words: a line with its label, and the largest weights of a linear
// model.
constexpr std::size_t fit_label_width = 11;
constexpr std::size_t most_classes = 6;  // listed one by one
std::string fit_line(const Paint& paint, std::string_view label, std::string_view text);
std::string weights_lines(const Model& model, const Paint& paint);

// "relative gradient norm 3.1e-11 <= 1e-08"
std::string certificate_text(const Summary& summary);

// "mistakes: 12, radius: 1.732, within bound: yes"; empty when there are none.
std::string facts_text(const Summary& summary);

// "workclass 1,836, occupation 1,843, ..."
std::string cells_by_column(const std::vector<std::pair<std::string, Index>>& columns);
// "4,262 cells: workclass 1,836, occupation 1,843, ..."
std::string imputed_text(Index cells, const std::vector<std::pair<std::string, Index>>& columns);
// The same as a sentence.
std::string filled_in_text(Index cells, const std::vector<std::pair<std::string, Index>>& columns);

}  // namespace discern::cli
