#include "cli/report/path_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/flags/fold_flags.hpp"
#include "cli/report/geometry.hpp"
#include "cli/report/prediction_csv.hpp"
#include "cli/text/curve_plot.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/json_value.hpp"
#include "cli/text/text.hpp"
#include "discern/io/file/file.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown_points = 12, shown_entries = 10, shown_weights = 6;

bool varies_l1(const PathReport& report) { return report.path->path.penalty != PathPenalty::l2; }

// What the points are drawn over and named by.
double strength_of(const PathReport& report, const PathPoint& point) {
  return varies_l1(report) ? point.l1 : point.l2;
}
std::string_view strength_name(const PathReport& report) { return varies_l1(report) ? "l1" : "l2"; }

// Some points all along the path, and those chosen.
std::vector<std::size_t> excerpt(const PathReport& report) {
  const std::size_t count = report.outcome->path.points.size();
  std::set<std::size_t> some;
  for (std::size_t k = 0; k < std::min(shown_points, count); ++k)
    some.insert(count <= shown_points ? k : k * (count - 1) / (shown_points - 1));
  if (!report.outcome->scores.empty()) some.insert({report.outcome->best, report.outcome->within_se});
  return {some.begin(), some.end()};
}

std::string mark_of(const PathOutcome& outcome, std::size_t k) {
  if (outcome.scores.empty()) return "";
  if (k == outcome.best && k == outcome.within_se) return "min, 1se";
  return k == outcome.best ? "min" : k == outcome.within_se ? "1se" : "";
}

std::string points_table(const PathReport& report) {
  const PathOutcome& outcome = *report.outcome;
  const bool folds = !outcome.scores.empty();
  const bool both = report.path->path.penalty == PathPenalty::elastic_net || report.path->path.fixed > 0;
  std::vector<Align> columns(both ? 7 : 6, Align::right);
  std::vector<std::string> head{"point", std::string(strength_name(report))};
  if (both) head.emplace_back(varies_l1(report) ? "l2" : "l1");
  head.insert(head.end(), {"weights", "df", "explained", "certificate"});
  if (folds) {
    head.insert(head.end(), {std::string(outcome.metric->title), "+- se", ""});
    columns.insert(columns.end(), {Align::right, Align::right, Align::left});
  }
  TextTable table(columns, 2);
  table.row(head);
  for (const std::size_t k : excerpt(report)) {
    const PathPoint& point = outcome.path.points[k];
    std::vector<std::string> cells{std::to_string(k + 1), rounded(strength_of(report, point))};
    if (both) cells.push_back(rounded(varies_l1(report) ? point.l2 : point.l1));
    cells.insert(cells.end(),
                 {grouped(point.nonzero), rounded(point.freedom), percent(point.explained),
                  fmt::format("{:.0e}{}", point.certificate.value, point.converged ? "" : " !")});
    if (folds)
      cells.insert(cells.end(), {measure_text(*outcome.metric, outcome.scores[k].mean),
                                 measure_text(*outcome.metric, outcome.scores[k].se), mark_of(outcome, k)});
    table.row(cells);
  }
  return table.text();
}

std::vector<double> strengths(const PathReport& report) {
  std::vector<double> x;
  for (const PathPoint& point : report.outcome->path.points) x.push_back(strength_of(report, point));
  return x;
}

// A feature's weight per standard deviation along the path; of several scores the length of theirs.
std::vector<std::optional<double>> course_of(const LinearPath& path, Index feature) {
  std::vector<std::optional<double>> course;
  for (const PathPoint& point : path.points) {
    double one = 0, squares = 0;
    for (const auto& [place, weight] : point.weights)
      if (place % path.features == feature) {
        one = weight * path.scale[feature];
        squares += one * one;
      }
    course.emplace_back(path.scores == 1 ? one : std::sqrt(squares));
  }
  return course;
}

// The features with the largest weights at the last point, per standard deviation.
std::vector<Index> largest_features(const LinearPath& path) {
  Vector size = Vector::Zero(path.features);
  for (const auto& [place, weight] : path.points.back().weights) {
    const Index j = place % path.features;
    size[j] = std::max(size[j], std::fabs(weight) * path.scale[j]);
  }
  std::vector<Index> order;
  for (Index j = 0; j < path.features; ++j)
    if (size[j] > 0) order.push_back(j);
  const auto count = static_cast<std::ptrdiff_t>(std::min(order.size(), shown_weights));
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index a, Index b) { return size[a] != size[b] ? size[a] > size[b] : a < b; });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

std::string weights_picture(const PathReport& report, const Paint& paint) {
  const LinearPath& path = report.outcome->path;
  const std::vector<std::string> names = report.outcome->fit.model.pipeline.feature_names();
  std::vector<Curve> curves;
  std::string legend;
  char mark = 'a';
  for (const Index j : largest_features(path)) {
    curves.push_back({mark, course_of(path, j), {}});
    legend += fmt::format("{}{} {}", legend.empty() ? "" : ", ", mark++,
                          shown(names[static_cast<std::size_t>(j)], 24));
  }
  const std::string picture =
      curve_picture(strengths(report), curves, std::string(strength_name(report)), "weight");
  if (picture.empty()) return "";
  return '\n' + paint.bold("weights") +
         fmt::format(" per standard deviation{}: {}\n",
                     path.scores > 1 ? ", their length over the classes" : "", legend) +
         picture;
}

std::string scores_picture(const PathReport& report, const Paint& paint) {
  const PathOutcome& outcome = *report.outcome;
  if (outcome.scores.empty()) return "";
  Curve curve{'+', {}, {}};
  for (const Estimate& score : outcome.scores) {
    curve.y.push_back(score.mean);
    curve.se.push_back(score.se);
  }
  const std::string picture =
      curve_picture(strengths(report), {curve}, std::string(strength_name(report)), "");
  if (picture.empty()) return "";
  return '\n' + paint.bold(outcome.metric->title) + fmt::format(" in {}, +- se\n", report.folds) + picture;
}

std::string entries_text(const PathReport& report, const Paint& paint) {
  if (!varies_l1(report)) return "";
  const LinearPath& path = report.outcome->path;
  const std::vector<std::string> names = report.outcome->fit.model.pipeline.feature_names();
  const std::vector<PathEntry> entries = entries_of(path);
  if (entries.empty()) return "";
  TextTable table({Align::left, Align::right}, 2);
  table.row({"feature", "l1"});
  for (std::size_t k = 0; k < std::min(entries.size(), shown_entries); ++k)
    table.row({shown(names[static_cast<std::size_t>(entries[k].feature)]),
               rounded(path.points[entries[k].point].l1)});
  const std::string which =
      entries.size() > shown_entries
          ? fmt::format(" first, of {}", counted(static_cast<Index>(entries.size()), "feature"))
          : "";
  return '\n' + paint.bold("entering") + which + '\n' + table.text();
}

std::string choice_line(const PathReport& report, PathChoice by) {
  const PathOutcome& outcome = *report.outcome;
  const PathPoint& point = outcome.path.points[outcome.chosen(by)];
  std::string text = fmt::format("  {:<4}", value_names(PathChoice{})[static_cast<std::size_t>(by)]);
  if (point.l1 > 0) text += fmt::format(" l1 = {}", rounded(point.l1, 6));
  if (point.l2 > 0) text += fmt::format(" l2 = {}", rounded(point.l2, 6));
  return text + fmt::format(", {}, {}\n", counted(point.nonzero, "weight"),
                            score_text(*outcome.metric, outcome.scores[outcome.chosen(by)]));
}

std::string choices_text(const PathReport& report, const Paint& paint) {
  if (report.outcome->scores.empty()) return "";
  std::string text = '\n' + paint.bold("chosen") +
                     fmt::format(" by the {} of {}\n", mean_title(*report.outcome->metric), report.folds);
  text += choice_line(report, PathChoice::minimum) + choice_line(report, PathChoice::one_se);
  if (!report.saved.empty())
    text += fmt::format("\n{} {} (the fit at {})\n", paint.bold("saved"), report.saved,
                        value_names(PathChoice{})[static_cast<std::size_t>(report.choice)]);
  return text;
}

Json point_object(const PathReport& report, std::size_t k) {
  const PathOutcome& outcome = *report.outcome;
  const PathPoint& point = outcome.path.points[k];
  Json object{{"l1", point.l1},
              {"l2", point.l2},
              {"objective", point.objective},
              {"nonzero", point.nonzero},
              {"df", nullable(point.freedom)},
              {"explained", point.explained},
              {"certificate", {{"kind", point.certificate.kind}, {"value", point.certificate.value}}},
              {"converged", point.converged},
              {"iterations", point.iterations}};
  if (!outcome.scores.empty()) {
    object["mean"] = nullable(outcome.scores[k].mean);
    object["se"] = nullable(outcome.scores[k].se);
  }
  return object;
}

Json choice_object(const PathOutcome& outcome, PathChoice by) {
  const std::size_t k = outcome.chosen(by);
  const PathPoint& point = outcome.path.points[k];
  return {{"point", k + 1},
          {"l1", point.l1},
          {"l2", point.l2},
          {"nonzero", point.nonzero},
          {"mean", nullable(outcome.scores[k].mean)},
          {"se", nullable(outcome.scores[k].se)}};
}

// The points whose matrix was too large.
bool lacks_freedom(const LinearPath& path) {
  return std::any_of(path.points.begin(), path.points.end(), [](const PathPoint& p) { return !p.freedom; });
}

constexpr std::string_view no_freedom =
    "degrees of freedom are left out where the trace would need a matrix of more than 1,000 weights, or too "
    "many rows for one";

}  // namespace

std::string mean_title(const Measure& metric) {
  return fmt::format("{}{}", metric.title.starts_with("mean") ? "" : "mean ", metric.title);
}

std::string score_text(const Measure& metric, const Estimate& score) {
  std::string text = fmt::format("{} {}", mean_title(metric), measure_text(metric, score.mean));
  if (score.se) text += fmt::format(" +- {}", measure_text(metric, score.se));
  return text;
}

std::string choice_text(const PathOutcome& outcome, PathChoice by, std::string_view folds) {
  return fmt::format("by the {}, the {} of {} in {}",
                     score_text(*outcome.metric, outcome.scores[outcome.chosen(by)]),
                     by == PathChoice::minimum ? "best" : "largest within one standard error of the best",
                     outcome.scores.size(), folds);
}

std::string end_text(const PathOutcome& outcome, PathPenalty penalty, std::string_view further) {
  const std::size_t count = outcome.scores.size();
  if (count > 1 && outcome.best + 1 == count)
    return fmt::format("the best penalty is the smallest of the {} on the path: {} may do better", count,
                       further);
  // The largest l1 leaves no weight, and larger ones change nothing.
  if (count > 1 && outcome.best == 0 && penalty == PathPenalty::l2)
    return fmt::format("the best l2 is the largest of the {} on the path: larger ones may do better", count);
  return "";
}

std::string path_text(const PathReport& report, const Paint& paint) {
  std::string text = points_table(report);
  if (lacks_freedom(report.outcome->path)) text += paint.dim(fmt::format("  {}\n", no_freedom));
  return text + weights_picture(report, paint) + scores_picture(report, paint) + entries_text(report, paint) +
         choices_text(report, paint);
}

std::string path_json(const PathReport& report) {
  const PathOutcome& outcome = *report.outcome;
  const LinearPath& path = outcome.path;
  const Model& model = outcome.fit.model;
  const std::vector<std::string> names = model.pipeline.feature_names();
  Json object{{"model", report.model},
              {"task", model.task == Task::classification ? "classification" : "regression"},
              {"classes", model.classes},
              {"n_samples", model.samples},
              {"n_features", path.features},
              {"penalty", value_names(PathPenalty{})[static_cast<std::size_t>(report.path->path.penalty)]}};
  if (report.path->path.penalty == PathPenalty::elastic_net) object["l1_ratio"] = report.path->path.l1_ratio;
  object["tolerance"] = path.tolerance;
  object["points"] = Json::array();
  for (std::size_t k = 0; k < path.points.size(); ++k) object["points"].push_back(point_object(report, k));
  if (lacks_freedom(path)) object["df_absent"] = no_freedom;
  object["entries"] = Json::array();
  for (const PathEntry& entry : entries_of(path))
    object["entries"].push_back({{"feature", names[static_cast<std::size_t>(entry.feature)]},
                                 {"point", entry.point + 1},
                                 {"l1", path.points[entry.point].l1},
                                 {"l2", path.points[entry.point].l2}});
  if (!outcome.scores.empty()) {
    object["metric"] = outcome.metric->name;
    object["folds"] = report.folds;
    object["choices"] = {{"min", choice_object(outcome, PathChoice::minimum)},
                         {"1se", choice_object(outcome, PathChoice::one_se)}};
    if (!report.saved.empty())
      object["saved"] = {{"file", report.saved},
                         {"choice", value_names(PathChoice{})[static_cast<std::size_t>(report.choice)]}};
  }
  object["warnings"] = with_flags(report.warnings);
  object["seconds"] = {
      {"read", report.read_seconds}, {"path", report.path_seconds}, {"total", report.total_seconds}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_path_csv(const PathReport& report, const std::string& file) {
  const PathOutcome& outcome = *report.outcome;
  const LinearPath& path = outcome.path;
  const std::vector<std::string> names = outcome.fit.model.pipeline.feature_names();
  const std::vector<std::string> scores = score_names(outcome.fit.model);
  const auto column = [&](const std::string& name, std::size_t score) {
    return ',' + csv_cell(path.scores == 1 ? name : fmt::format("{}({})", name, scores[score]));
  };
  FileWriter writer(file);
  std::string text = "point,l1,l2,objective,nonzero,df,explained,certificate,converged,iterations";
  if (!outcome.scores.empty()) text += ",mean,se";
  for (std::size_t s = 0; s < static_cast<std::size_t>(path.scores); ++s) {
    text += column("b", s);
    for (const std::string& name : names) text += column(fmt::format("w({})", name), s);
  }
  text += '\n';
  const auto cell = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const PathPoint& point = path.points[k];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", k + 1, point.l1, point.l2, point.objective,
                        point.nonzero, cell(point.freedom), point.explained, point.certificate.value,
                        point.converged, point.iterations);
    if (!outcome.scores.empty())
      text += fmt::format(",{},{}", cell(outcome.scores[k].mean), cell(outcome.scores[k].se));
    const Linear linear = path.predictor(k);
    const Vector bias = linear.bias_at_origin();
    for (Index s = 0; s < path.scores; ++s) {
      text += fmt::format(",{}", bias[s]);
      for (Index j = 0; j < path.features; ++j) text += fmt::format(",{}", linear.weights(s, j));
    }
    text += '\n';
    writer.write(text);
    text.clear();
  }
  writer.write(text);
  writer.commit();
}

}  // namespace discern::cli
