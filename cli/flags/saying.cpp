#include "cli/flags/saying.hpp"

#include <fmt/format.h>

#include "cli/flags/decision_flags.hpp"
#include "cli/flags/reading.hpp"
#include "cli/report/fit_report.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/evaluate/judge.hpp"

namespace discern::cli {

std::vector<Flag> policy_flags() {
  std::vector<Flag> flags{
      {.name = "missing",
       .metavar = "POLICY",
       .help = "fill missing cells in as in training, or refuse them",
       .group = "data",
       .choices = {"impute", "error"},
       .standard = "impute"},
      {.name = "unseen",
       .metavar = "POLICY",
       .help =
           "take a text that training did not have as none of the known ones, with a warning, or refuse it",
       .group = "data",
       .choices = {"ignore", "error"},
       .standard = "ignore"},
  };
  return join({std::move(flags), decision_flags(), {new_priors_flag()}});
}

FittedModel load_for(const Arguments& arguments) {
  return with_decision(arguments, load(arguments.positional(0)));
}

void check_weight(const Model& model, const std::string& weight) {
  const bool feature = model.pipeline.input().find(weight).has_value();
  if (weight.empty() || (!feature && weight != model.target)) return;
  throw Error(Code::usage, fmt::format("'{}' cannot be both {} of the model and the sample weight", weight,
                                       feature ? "a feature" : "the target"));
}

Table read_for(const Model& model, const Arguments& arguments, Console& console,
               std::vector<SideRequest> side, const std::function<void(ReadOptions&)>& ask) {
  ReadOptions options = read_options(arguments, console);
  options.expected = &model.pipeline.input();
  options.side = std::move(side);
  if (ask) ask(options);
  Table table = read_table(arguments.positional(1), options);
  warn_unread(table.unread, console);
  if (table.skipped_entries > 0)
    console.warn(fmt::format("{} of columns beyond the {} that the model knows {} left out",
                             counted(table.skipped_entries, "value"), grouped(model.pipeline.input().size()),
                             table.skipped_entries == 1 ? "was" : "were"));
  return table;
}

PredictOptions predict_options(const Arguments& arguments) {
  PredictOptions options;
  options.refuse_missing = arguments.text("missing", "impute") == "error";
  options.ignore_unseen = arguments.text("unseen", "ignore") == "ignore";
  return options;
}

void tell_policies(const Prediction& said, Console& console) {
  if (said.imputed > 0) {
    const std::string text = filled_in_text(said.imputed, said.imputed_columns);
    console.json() ? console.warn(text) : console.say(text + '\n');
  }
  if (said.unseen > 0)
    console.warn(fmt::format("{} {} a text that training did not have, taken as none of the known ones: {}",
                             counted(said.unseen, "cell"), said.unseen == 1 ? "holds" : "hold",
                             cells_by_column(said.unseen_columns)));
}

Prediction predict_with(const Model& model, const Table& table, const Arguments& arguments, Console& console,
                        bool labels_only) {
  PredictOptions options = predict_options(arguments);
  options.monitor = console.monitor();
  options.labels_only = labels_only;
  Prediction said = predict(model, table, options);
  tell_policies(said, console);
  return said;
}

JudgedTable judge_with(const Model& model, const Table& table, const std::vector<std::int32_t>& labels,
                       const std::vector<double>& weights, const Arguments& arguments, Console& console) {
  JudgedTable judged;
  if (!better_by_blocks(model, table.rows())) {
    judged.said = predict_with(model, table, arguments, console);
    judged.metrics = judge(model, judged.said, labels, weights);
    return judged;
  }
  const PredictOptions options = predict_options(arguments);
  const Arranged arranged = arrange(table, model.pipeline, {options.ignore_unseen, options.refuse_missing});
  const Targets none;
  const PipelineSource source(arranged.x, model.pipeline, none);
  judged.metrics = judge_rows(model, source, labels, weights, judged.said.labels, console.monitor());
  judged.said.imputed = arranged.missing;
  judged.said.imputed_columns = arranged.missing_columns;
  judged.said.unseen = arranged.unseen;
  judged.said.unseen_columns = arranged.unseen_columns;
  tell_policies(judged.said, console);
  return judged;
}

}  // namespace discern::cli
