// --l1 auto and --l2 auto of fit: the penalty with the best mean score of five folds on a path of 100
// (catalogue/path.hpp). With both it is the elastic net with equal shares; the one that is neither auto nor
// given is zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/catalogue/path.hpp"

namespace discern::cli {

struct ChosenPenalty {
  double l1 = 0, l2 = 0;
  Index values = 0;  // that it was chosen from
  Index folds = 0;
  const Measure* metric = nullptr;
  Estimate score;
  std::string how;  // "by the mean log loss 0.0812 +- 0.012, the best of 100 in 5 folds"
  std::vector<std::string> warnings;
};

// Whether --l1 or --l2 of fit asks for the choice.
bool is_auto(const Arguments& arguments, std::string_view flag);
bool wants_auto(const Arguments& arguments);

// The flags of the models, with the word that --l1 and --l2 take besides numbers.
std::vector<Flag> with_auto(std::vector<Flag> flags);

// Throws Code::usage, naming the flag, when it is asked for and the model or its options have no path.
void check_auto(const Arguments& arguments, const FitSettings& settings);

// Chooses, and puts the penalty into the settings' options.
ChosenPenalty choose_penalty(const Arguments& arguments, const Table& table, FitSettings& settings);

}  // namespace discern::cli
