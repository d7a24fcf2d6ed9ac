#include "cli/report/cv_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/flags/fold_flags.hpp"
#include "cli/report/prediction_csv.hpp"
#include "cli/text/curve_plot.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/json_value.hpp"
#include "cli/text/text.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/number/number_text.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_folds = 20;  // in a table for people

std::vector<const Measure*> measures_of(Task task) {
  std::vector<const Measure*> list;
  for (const Measure& measure : measures())
    if (measure.task == task) list.push_back(&measure);
  return list;
}

// Those that fit on a line; the error says the same as the accuracy, and where every row is decided nothing
// is to be said of the others.
std::vector<const Measure*> shown_measures(const Validation& validation, Task task) {
  const bool all_decided = !(validation.pooled.metrics.undecided > 0);
  std::vector<const Measure*> list;
  for (const Measure* measure : measures_of(task)) {
    if (measure->name == "error" || measure->name == "macro_f1" || measure->name == "ece" ||
        measure->name == "average_precision")
      continue;
    if (all_decided && measure->name.find("decided") != std::string_view::npos) continue;
    if (estimate_of(validation, *measure).mean) list.push_back(measure);
  }
  return list;
}

std::string validation_table(const Validation& validation, Task task) {
  const auto list = shown_measures(validation, task);
  std::vector<Align> aligns(list.size() + 3, Align::right);
  aligns[0] = Align::left;
  TextTable table(aligns);
  const auto line = [&](std::vector<std::string> cells, const auto& value) {
    for (const Measure* measure : list) cells.push_back(measure_text(*measure, value(*measure)));
    table.row(std::move(cells));
  };
  std::vector<std::string> head{"fold", "trained on", "tested on"};
  for (const Measure* measure : list) head.emplace_back(measure->title);
  table.row(std::move(head));
  const bool several = validation.folds.back().repeat > 0;
  for (const FoldOutcome& fold : validation.folds) {
    if (validation.folds.size() > most_folds) break;
    line({several ? fmt::format("{}.{}", fold.repeat + 1, fold.fold + 1) : fmt::format("{}", fold.fold + 1),
          grouped(fold.train_rows), grouped(fold.test_rows)},
         [&](const Measure& m) { return m.value(fold.judged); });
  }
  line({"mean", "", ""}, [&](const Measure& m) { return estimate_of(validation, m).mean; });
  line({"standard error", "", ""}, [&](const Measure& m) { return estimate_of(validation, m).se; });
  std::string text = table.text();
  if (validation.folds.size() > most_folds)
    text += fmt::format("{} folds; --json has them one by one\n",
                        grouped(static_cast<Index>(validation.folds.size())));
  return text;
}

// The error of all rows together with its interval; rows that are tested several times are not independent.
std::string error_text(const Validation& validation) {
  const Metrics& m = validation.pooled.metrics;
  if (!m.error || !m.error_interval || validation.folds.back().repeat > 0) return "";
  return fmt::format("\nerror {} of {}, 95 % confidence {} to {}\n", percent(*m.error),
                     counted(m.rows, "row"), percent(m.error_interval->low), percent(m.error_interval->high));
}

std::string cv_imputed_text(const CvReport& report) {
  if (report.imputed == 0) return "";
  return fmt::format("\n{} filled in, in every fold as its training rows say\n",
                     counted(report.imputed, "missing cell"));
}

std::vector<std::optional<double>> column(const CvReport& report, bool training,
                                          std::optional<double> Estimate::*part) {
  std::vector<std::optional<double>> values;
  for (const Validation& validation : report.result->variants)
    values.push_back((training ? training_estimate_of(validation, *report.metric)
                               : estimate_of(validation, *report.metric)).*
                     part);
  return values;
}

// Why variants could not be fitted, each after what it is.
std::string failures_text(const CvReport& report, const auto& name) {
  std::string text;
  for (std::size_t v = 0; v < report.result->variants.size(); ++v)
    if (const std::string& failed = report.result->variants[v].failed; !failed.empty())
      text += wrap(fmt::format("{}: {}", name(v), with_flags(failed)), 96, 2) + '\n';
  return text.empty() ? "" : "\nCould not be fitted:\n" + text;
}

std::string standing_text(const CvReport& report, std::size_t v, const Paint& paint) {
  if (!report.result->variants[v].failed.empty()) return "not fitted, see below";
  return v == report.best() ? paint.green("best") : "";
}

// Over the one option of a grid, when its values are numbers.
std::string grid_picture(const CvReport& report) {
  std::vector<double> x;
  for (const GridPoint& point : report.grid) {
    const auto value = point.size() == 1 ? number_of(point[0].second) : std::nullopt;
    if (!value) return "";
    x.push_back(*value);
  }
  const Curve curve{'+', column(report, false, &Estimate::mean), column(report, false, &Estimate::se)};
  return curve_picture(x, {curve}, report.grid[0][0].first, std::string(report.metric->title));
}

std::string grid_text(const CvReport& report, const Paint& paint) {
  const Measure& metric = *report.metric;
  const auto mean = column(report, false, &Estimate::mean), se = column(report, false, &Estimate::se);
  TextTable table({Align::left, Align::right, Align::right, Align::left});
  table.row({"options", std::string(metric.title), "standard error", ""});
  for (std::size_t v = 0; v < report.grid.size(); ++v)
    table.row({point_text(report.grid[v]), measure_text(metric, mean[v]), measure_text(metric, se[v]),
               standing_text(report, v, paint)});
  std::string text =
      table.text() + failures_text(report, [&](std::size_t v) { return point_text(report.grid[v]); });
  if (const std::string picture = grid_picture(report); !picture.empty()) text += '\n' + picture;
  return text + '\n' +
         wrap(
             "The best was chosen on the folds that judge it, so its score is a little too good; `discern "
             "compare` "
             "chooses inside the folds.",
             80, 0) +
         '\n';
}

std::string learning_text(const CvReport& report) {
  const Measure& metric = *report.metric;
  const auto mean = column(report, false, &Estimate::mean), se = column(report, false, &Estimate::se),
             training = column(report, true, &Estimate::mean);
  TextTable table({Align::right, Align::right, Align::right, Align::right});
  table.row({"trained on", "on training rows", "on other rows", "standard error"});
  std::vector<double> x;
  for (std::size_t v = 0; v < report.shares.size(); ++v) {
    double rows = 0;
    const auto& folds = report.result->variants[v].folds;
    for (const FoldOutcome& fold : folds)
      rows += static_cast<double>(fold.train_rows) / static_cast<double>(folds.size());
    x.push_back(rows);
    table.row({grouped(std::llround(rows)), measure_text(metric, training[v]), measure_text(metric, mean[v]),
               measure_text(metric, se[v])});
  }
  std::string text = fmt::format("{} by the number of rows\n", metric.title) + table.text();
  const std::string picture =
      curve_picture(x, {{'o', training, {}}, {'+', mean, se}}, "rows", std::string(metric.title));
  if (!picture.empty()) text += '\n' + picture + "  o on training rows, + on other rows\n";
  return text + failures_text(report, [&](std::size_t v) {
           return counted(static_cast<Index>(std::llround(x[v])), "row");
         });
}

Json values_of(Task task, const auto& value) {
  Json object = Json::object();
  for (const Measure* measure : measures_of(task))
    object[std::string(measure->name)] = nullable(value(*measure));
  return object;
}

void add_estimates(Json& object, const Validation& validation, Task task) {
  object["mean"] = values_of(task, [&](const Measure& m) { return estimate_of(validation, m).mean; });
  object["se"] = values_of(task, [&](const Measure& m) { return estimate_of(validation, m).se; });
}

void add_failure(Json& object, const Validation& validation) {
  if (!validation.failed.empty()) object["failed"] = with_flags(validation.failed);
}

Json folds_json(const Validation& validation, Task task) {
  Json list = Json::array();
  for (const FoldOutcome& fold : validation.folds) {
    Json one{{"repeat", fold.repeat + 1},
             {"fold", fold.fold + 1},
             {"train_rows", fold.train_rows},
             {"test_rows", fold.test_rows}};
    one.update(values_of(task, [&](const Measure& m) { return m.value(fold.judged); }));
    one["converged"] = fold.converged;
    one["seconds"] = fold.seconds;
    list.push_back(std::move(one));
  }
  return list;
}

std::string label_name(const CvReport& report, std::int32_t label) {
  return label < 0 ? "undecided" : csv_cell(report.result->classes[static_cast<std::size_t>(label)]);
}

// One line of the file of predictions.
void append_line(const CvReport& report, const FoldPrediction& fold, std::size_t i, bool several,
                 std::string& text) {
  const auto row = static_cast<Index>(i);
  if (several) text += fmt::format("{},", fold.repeat + 1);
  text += fmt::format("{},{},", fold.rows[i] + 1, fold.fold + 1);
  if (fold.labels.empty()) {
    append_number(text, fold.targets[i]);
    text += ',';
    append_number(text, fold.said.scores(row, 0));
  } else {
    text += label_name(report, fold.labels[i]) + ',' + label_name(report, fold.said.labels[i]);
    for (Index k = 0; k < fold.said.proba.cols(); ++k) {
      text += ',';
      append_number(text, fold.said.proba(row, k));
    }
  }
  text += '\n';
}

}  // namespace

std::size_t CvReport::best() const {
  const auto mean = column(*this, false, &Estimate::mean);
  std::size_t best = 0;
  while (!result->variants[best].failed.empty()) ++best;
  for (std::size_t v = best + 1; v < mean.size(); ++v)
    if (mean[v] && (!mean[best] || (metric->higher ? *mean[v] > *mean[best] : *mean[v] < *mean[best])))
      best = v;
  return best;
}

std::string point_text(const GridPoint& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "the defaults" : text;
}

std::string cv_text(const CvReport& report, const Paint& paint) {
  const Task task = report.settings->task;
  const std::string imputed = cv_imputed_text(report);
  if (!report.shares.empty()) return learning_text(report) + imputed;
  if (!report.grid.empty()) return grid_text(report, paint) + imputed;
  const Validation& only = report.result->variants[0];
  return validation_table(only, task) + error_text(only) + imputed;
}

std::string cv_json(const CvReport& report) {
  const Task task = report.settings->task;
  std::size_t best = report.grid.empty() ? report.result->variants.size() - 1 : report.best();
  while (!report.result->variants[best].failed.empty()) --best;
  const Validation& chosen = report.result->variants[best];
  Json object{{"model", report.model},
              {"task", task == Task::classification ? "classification" : "regression"},
              {"classes", report.result->classes},
              {"n_samples", report.result->rows},
              {"imputed", report.imputed},
              {"n_folds", chosen.per_repeat},
              {"repeats", chosen.folds.back().repeat + 1}};
  add_estimates(object, chosen, task);
  object["folds"] = folds_json(chosen, task);
  object["pooled"] = values_of(task, [&](const Measure& m) { return m.value(chosen.pooled); });
  if (const auto& interval = chosen.pooled.metrics.error_interval)
    object["pooled"]["error_interval"] = {interval->low, interval->high};
  if (!report.grid.empty()) {
    object["metric"] = report.metric->name;
    object["best"] = point_json(report.grid[best]);
    object["grid"] = Json::array();
    for (std::size_t v = 0; v < report.grid.size(); ++v) {
      Json one{{"options", point_json(report.grid[v])}};
      add_estimates(one, report.result->variants[v], task);
      add_failure(one, report.result->variants[v]);
      object["grid"].push_back(std::move(one));
    }
  }
  if (!report.shares.empty()) {
    object["learning_curve"] = Json::array();
    for (std::size_t v = 0; v < report.shares.size(); ++v) {
      const Validation& one = report.result->variants[v];
      Json point{{"share", report.shares[v]}, {"train_rows", Json::array()}};
      for (const FoldOutcome& fold : one.folds) point["train_rows"].push_back(fold.train_rows);
      point["training"] =
          values_of(task, [&](const Measure& m) { return training_estimate_of(one, m).mean; });
      add_estimates(point, one, task);
      add_failure(point, one);
      object["learning_curve"].push_back(std::move(point));
    }
  }
  object["warnings"] = with_flags(report.result->warnings);
  object["seconds"] = report.seconds;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_out_of_fold(const CvReport& report, const std::string& path) {
  const auto& folds = report.result->predictions;
  const bool several = folds.back().repeat > 0;
  struct Line {
    Index repeat, row;
    std::size_t fold, i;
  };
  std::vector<Line> lines;
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (std::size_t i = 0; i < folds[f].rows.size(); ++i)
      lines.push_back({folds[f].repeat, folds[f].rows[i], f, i});
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.repeat != b.repeat ? a.repeat < b.repeat : a.row < b.row;
  });
  FileWriter writer(path);
  std::string text = several ? "repeat,row,fold,truth,prediction" : "row,fold,truth,prediction";
  for (std::size_t k = 0; k < report.result->classes.size() && folds[0].said.proba.size() > 0; ++k)
    text += ',' + csv_cell(fmt::format("p({})", report.result->classes[k]));
  text += '\n';
  for (const Line& line : lines) {
    append_line(report, folds[line.fold], line.i, several, text);
    if (text.size() < 1 << 20) continue;
    writer.write(text);
    text.clear();
  }
  writer.write(text);
  writer.commit();
}

}  // namespace discern::cli
