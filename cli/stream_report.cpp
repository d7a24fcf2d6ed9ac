#include "cli/stream_report.hpp"

#include <fmt/format.h>

#include "cli/geometry.hpp"
#include "cli/text.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t label_width = 11;
constexpr std::size_t column_width = 16;
constexpr Index top_weights = 6;
constexpr Index widest_table = 6;
constexpr std::size_t most_classes = 6;

std::string line(const Paint& paint, std::string_view label, std::string_view text) {
  return paint.bold(pad_right(label, label_width)) + std::string(text) + '\n';
}

std::string cells(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& cell : texts) text += pad_left(cell, column_width);
  return text + '\n';
}

std::string classes_line(const Model& model, const Paint& paint) {
  std::string text;
  for (std::size_t k = 0; k < std::min(model.classes.size(), most_classes); ++k) {
    text += (k > 0 ? ", " : "") + shown(model.classes[k]);
    if (model.priors.size() > 0) text += " " + percent(model.priors[static_cast<Index>(k)]);
    if (model.classes.size() == 2 && static_cast<std::size_t>(model.positive) == k) text += " (positive)";
  }
  if (model.classes.size() > most_classes)
    text += fmt::format(", ... ({} in all)", grouped(static_cast<Index>(model.classes.size())));
  return line(paint, "classes", text);
}

std::string weights_lines(const Model& model, const Paint& paint) {
  const auto geometry = geometry_of(model);
  if (!geometry || geometry->weights.rows() > widest_table) return "";
  std::string text = geometry->weights.cols() > top_weights
                         ? fmt::format("the {} largest of {}, per unit of the feature", top_weights,
                                       grouped(geometry->weights.cols()))
                         : std::string("per unit of the feature");
  if (model.task == Task::classification && geometry->weights.rows() == 1)
    text += fmt::format("; above zero speaks for {}", shown(score_names(model)[0]));
  return line(paint, "weights", text) + weights_table(model, *geometry, top_weights, label_width);
}

}  // namespace

void StreamTable::row(const Progressive& sums) {
  if (sums.rows == last_.rows) return;
  const bool classes = task_ == Task::classification;
  std::string text;
  if (!started_) {
    std::vector<std::string> names{"rows", "loss since", "loss so far"};
    if (classes) names.emplace_back("accuracy since");
    text = cells(names);
  }
  started_ = true;
  const Progressive since{sums.rows - last_.rows, sums.weight - last_.weight, sums.loss - last_.loss,
                          sums.right - last_.right};
  std::vector<std::string> row{grouped(static_cast<Index>(sums.rows)), rounded(since.mean_loss(), 5),
                               rounded(sums.mean_loss(), 5)};
  if (classes) row.push_back(percent(since.accuracy()));
  console_->say(text + cells(row));
  last_ = sums;
}

std::string stream_summary(const FitReport& report, const Progressive& sums, const Paint& paint) {
  const Model& model = report.outcome->model;
  const Schema& schema = model.pipeline.input();
  const double rate = sums.rows / std::max(report.fit_seconds, 1e-9);
  std::string data = fmt::format("{}: {}", report.file, counted(static_cast<Index>(sums.rows), "row"));
  if (model.pipeline.hashing() == nullptr || !schema.is_numbered())
    data += fmt::format(", {}", counted(schema.size(), "column"));
  if (model.pipeline.features() != schema.size())
    data += fmt::format(", {}", counted(model.pipeline.features(), "feature"));
  data += paint.dim(fmt::format("  {}, {} rows a second", duration(report.fit_seconds), rounded(rate, 3)));
  std::string text = line(paint, "data", data);
  if (model.task == Task::classification) text += classes_line(model, paint);
  if (report.outcome->imputed > 0) text += line(paint, "imputed", counted(report.outcome->imputed, "cell"));
  std::string name = model.name;
  for (const auto& [option, value] : model.options)
    if (option == "l2" || option == "schedule" || option == "variant")
      name += fmt::format(", {} = {}", option, value);
  text += line(paint, "model", name);
  std::string learned = fmt::format("loss {}", rounded(sums.mean_loss(), 5));
  if (model.task == Task::classification) learned += fmt::format(", accuracy {}", percent(sums.accuracy()));
  text += line(paint, "judged", learned + ", each row before it was learned; nothing proves convergence");
  text += weights_lines(model, paint);
  return text + (report.saved.empty() ? line(paint, "model file", paint.dim("none; -o MODEL keeps the model"))
                                      : line(paint, "saved", report.saved));
}

}  // namespace discern::cli
