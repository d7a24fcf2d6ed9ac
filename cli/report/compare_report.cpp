#include "cli/report/compare_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/flags/fold_flags.hpp"
#include "cli/report/cv_report.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/json_value.hpp"
#include "cli/text/text.hpp"
#include "discern/base/join.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double significant = 0.05;

bool as_good(const Contender& contender) { return !contender.p_value || *contender.p_value >= significant; }

std::string p_value_text(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", p); }

// In short; warnings_text says what it is.
std::string short_note(const Contender& contender) {
  if (contender.stopped > 0)
    return fmt::format("not converged in {} of {} folds", contender.stopped, contender.scores.size());
  return contender.warnings.empty() ? "" : "warned, see below";
}

// How a ranked model stands against the best.
std::string standing(const CompareReport& report, std::size_t place) {
  const Contender& contender = report.comparison->ranking[place];
  if (place == 0) return "best";
  if (!contender.p_value) return "no difference can be shown";
  return fmt::format("{} ({})", as_good(contender) ? "no significant difference" : "worse",
                     p_value_text(*contender.p_value));
}

std::string note_of(const CompareReport& report, std::size_t place) {
  const std::string more = short_note(report.comparison->ranking[place]);
  return standing(report, place) + (more.empty() ? "" : "; " + more);
}

std::string size_text(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return fmt::format("{} B", bytes);
  return size < 1e6 ? fmt::format("{:.3g} kB", size / 1e3) : fmt::format("{:.3g} MB", size / 1e6);
}

// Only what there was a choice of: an option that was the same in all trials says nothing.
std::string contender_choice(const Contender& contender) {
  if (contender.chosen.empty() || contender.chosen[0].first.empty()) return "";
  const ModelEntry& entry = find_model(contender.model);
  GridPoint free;
  for (const GridAxis& axis : entry.grid(contender.model))
    for (const auto& choice : contender.chosen[0].first)
      if (choice.first == axis.option && axis.values.size() > 1) free.push_back(choice);
  if (free.empty()) return "";
  return point_text(free) +
         (contender.chosen.size() == 1
              ? ""
              : fmt::format(" ({} of {} folds)", contender.chosen[0].second, contender.scores.size()));
}

std::string ranking_text(const CompareReport& report, const Paint& paint) {
  const Measure& metric = *report.options->metric;
  TextTable table({Align::right, Align::left, Align::right, Align::right, Align::left, Align::right,
                   Align::right, Align::left, Align::left});
  bool notes = false;
  for (const Contender& one : report.comparison->ranking) notes = notes || !short_note(one).empty();
  table.row({"", "model", std::string(metric.title), "std. error", "against the best", "time", "size",
             "chosen", notes ? "note" : ""});
  for (std::size_t c = 0; c < report.comparison->ranking.size(); ++c) {
    const Contender& one = report.comparison->ranking[c];
    const std::string against = standing(report, c);
    table.row({fmt::format("{}", c + 1), one.model, measure_text(metric, one.score.mean),
               measure_text(metric, one.score.se), c == 0 ? paint.green(against) : against,
               duration(one.seconds), size_text(one.bytes), contender_choice(one), short_note(one)});
  }
  return table.text();
}

// What fits warned of: they are still models, but their users should know.
std::string warnings_text(const CompareReport& report, const Paint& paint) {
  std::string text;
  std::size_t width = 0;
  for (const Contender& one : report.comparison->ranking)
    if (!one.warnings.empty()) width = std::max(width, one.model.size());
  for (const Contender& one : report.comparison->ranking)
    for (const auto& [warning, folds] : one.warnings)
      text += "  " + pad_right(one.model, width + 2) +
              wrap(fmt::format("{} (in {} of {} folds)", with_flags(warning), folds, one.scores.size()), 96,
                   width + 4) +
              '\n';
  return text.empty() ? "" : '\n' + paint.bold("warnings of the fits") + '\n' + text;
}

std::string left_out_text(const CompareReport& report, const Paint& paint) {
  if (report.comparison->left_out.empty()) return "";
  std::size_t width = 0;
  for (const Contender& one : report.comparison->left_out) width = std::max(width, one.model.size());
  std::string text = '\n' + paint.bold("not ranked") + '\n';
  for (const Contender& one : report.comparison->left_out)
    text += "  " + pad_right(one.model, width + 2) + wrap(with_flags(one.left_out), 96, width + 4) + '\n';
  return text;
}

// The names of the models other than the best that are as good, or that are not.
std::vector<std::string> others(const Comparison& comparison, bool good) {
  std::vector<std::string> names;
  for (std::size_t c = 1; c < comparison.ranking.size(); ++c)
    if (as_good(comparison.ranking[c]) == good) names.push_back(comparison.ranking[c].model);
  return names;
}

std::string score_sentence(const CompareReport& report) {
  const Measure& metric = *report.options->metric;
  const Contender& best = report.comparison->ranking[0];
  const std::string error =
      best.score.se ? fmt::format(", with a standard error of {}", measure_text(metric, best.score.se)) : "";
  if (metric.name == "accuracy")
    return fmt::format("{} is right on {} of rows that it has not seen{}.", best.model,
                       measure_text(metric, best.score.mean), error);
  return fmt::format("{} has the best {} on rows that it has not seen, {}{}.", best.model, metric.title,
                     measure_text(metric, best.score.mean), error);
}

bool better_than_nothing(const CompareReport& report) {
  const auto& base = report.comparison->baseline.mean;
  const double best = *report.comparison->ranking[0].score.mean;
  return !base || (report.options->metric->higher ? best > *base : best < *base);
}

std::string baseline_sentence(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  const Measure& metric = *report.options->metric;
  if (!comparison.baseline.mean) return "";
  const double base = *comparison.baseline.mean;
  const std::string always = comparison.classes.empty() ? "Always saying the mean"
                             : metric.proba
                                 ? std::string("Giving every row the shares of the classes")
                                 : fmt::format("Always saying '{}'", shown(comparison.baseline_class));
  if (better_than_nothing(report))
    return fmt::format(" {} would give {}.", always, measure_text(metric, base));
  return fmt::format(" {} gives {}: no model is better than that, so the columns may say nothing about '{}'.",
                     always, measure_text(metric, base), shown(report.settings->target));
}

// Where all of them know nothing there is nothing to choose between.
std::string rivals_sentence(const CompareReport& report) {
  if (!better_than_nothing(report)) return "";
  const Comparison& comparison = *report.comparison;
  const auto good = others(comparison, true), worse = others(comparison, false);
  std::string text;
  if (!good.empty())
    text += fmt::format(
        " These folds show no difference from it for {}: any of them is a fair choice, and a smaller "
        "or faster one may suit you better.",
        discern::join(good, ", "));
  if (!worse.empty())
    text += fmt::format(" Worse, and not by chance (p < {}): {}.", significant, discern::join(worse, ", "));
  return text;
}

std::string reasons_text(const CompareReport& report) {
  if (report.comparison->ranking.empty()) return "\nNo model could be judged; the reasons are above.\n";
  return '\n' + wrap(score_sentence(report) + baseline_sentence(report) + rivals_sentence(report), 96, 0) +
         '\n';
}

Json ranking_json(const CompareReport& report) {
  Json list = Json::array();
  for (std::size_t c = 0; c < report.comparison->ranking.size(); ++c) {
    const Contender& one = report.comparison->ranking[c];
    Json entry{{"model", one.model},           {"score", nullable(one.score.mean)},
               {"se", nullable(one.score.se)}, {"seconds", one.seconds},
               {"note", note_of(report, c)},   {"p_value", nullable(one.p_value)},
               {"bytes", one.bytes},           {"folds", Json::array()},
               {"chosen", Json::array()},      {"warnings", Json::array()}};
    for (const auto& score : one.scores) entry["folds"].push_back(nullable(score));
    for (const auto& [point, count] : one.chosen)
      entry["chosen"].push_back({{"options", point_json(point)}, {"folds", count}});
    for (const auto& [warning, count] : one.warnings)
      entry["warnings"].push_back({{"text", with_flags(warning)}, {"folds", count}});
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string compare_text(const CompareReport& report, const Paint& paint) {
  std::string text = report.comparison->ranking.empty() ? "" : ranking_text(report, paint);
  text += left_out_text(report, paint) + warnings_text(report, paint) + reasons_text(report);
  if (!report.saved.empty())
    text += fmt::format("\n{} fitted on all {} with {}, saved to {}\n", report.comparison->ranking[0].model,
                        counted(report.comparison->rows, "row"), point_text(report.comparison->options),
                        report.saved);
  return text;
}

std::string compare_json(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  Json object{{"metric", report.options->metric->name},
              {"n_samples", comparison.rows},
              {"n_folds", comparison.folds},
              {"ranking", ranking_json(report)},
              {"best", comparison.ranking.empty() ? Json(nullptr) : Json(comparison.ranking[0].model)},
              {"baseline", nullable(comparison.baseline.mean)},
              {"left_out", Json::array()}};
  for (const Contender& one : comparison.left_out)
    object["left_out"].push_back({{"model", one.model},
                                  {"note", with_flags(one.left_out)},
                                  {"budget", one.late},
                                  {"seconds", one.seconds}});
  if (!report.saved.empty()) {
    object["saved"] = report.saved;
    object["options"] = point_json(comparison.options);
  }
  object["warnings"] = with_flags(report.warnings);
  object["seconds"] = report.seconds;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace discern::cli
