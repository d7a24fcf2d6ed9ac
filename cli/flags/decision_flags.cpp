#include "cli/flags/decision_flags.hpp"

#include <fmt/format.h>

#include <limits>

#include "discern/base/error.hpp"
#include "discern/catalogue/models.hpp"

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

void override_decision(const Arguments& arguments, Model& model) {
  DecisionOptions options = decision_options(arguments);
  options.priors = arguments.text("priors");
  if (options.empty()) return;
  check_decidable(model.name, model.task, has_probabilities(model), options);
  if (model.reduction && model.reduction->combining == Combining::unanimous)
    throw Error(
        Code::usage,
        fmt::format("{}: the machines of this model decide unanimously or not at all, so probabilities "
                    "cannot decide in their place",
                    options_set(options)));
  model.decision = make_decision(options, decision_classes(model));
}

}  // namespace discern::cli
