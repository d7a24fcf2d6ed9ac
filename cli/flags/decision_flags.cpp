#include "cli/flags/decision_flags.hpp"

#include <limits>

namespace discern::cli {
namespace {

constexpr double largest_number = std::numeric_limits<double>::max();

}  // namespace

std::vector<Flag> decision_flags() {
  return {
      {.name = "threshold",
       .metavar = "T",
       .help = "of two classes: decide the positive one where its probability is at least T",
       .group = "decision",
       .standard = "0.5"},
      {.name = "cost",
       .metavar = "SPEC",
       .help =
           "decide what costs least: TRUTH:DECISION=COST,... or a CSV file with a line and a column a class; "
           "zero-one (what is not named)",
       .group = "decision"},
      {.name = "risk",
       .metavar = "ETA",
       .help = "of two classes: a missed positive costs ETA, a false one 1 - ETA (a threshold of 1 - ETA)",
       .group = "decision"},
      {.name = "reject",
       .metavar = "COST",
       .help = "decide nothing (undecided) where every decision is expected to cost more",
       .group = "decision"},
  };
}

Flag new_priors_flag() {
  return {.name = "priors",
          .metavar = "SPEC",
          .help = "exchange the priors of the training for these: equal, or CLASS=P,CLASS=P",
          .group = "decision"};
}

DecisionOptions decision_options(const Arguments& arguments) {
  return {.threshold = arguments.number("threshold", 0, 1),
          .risk = arguments.number("risk", 0, 1),
          .reject = arguments.number("reject", -largest_number, largest_number),
          .cost = arguments.text("cost"),
          .priors = ""};
}

FittedModel with_decision(const Arguments& arguments, const FittedModel& model) {
  DecisionOptions options = decision_options(arguments);
  options.priors = arguments.text("priors");
  return model.with_decision(options);
}

}  // namespace discern::cli
