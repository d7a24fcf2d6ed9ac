#include "cli/report/stream_report.hpp"

#include <fmt/format.h>

#include "cli/text/text.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t column_width = 16;

std::string cells(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& cell : texts) text += pad_left(cell, column_width);
  return text + '\n';
}

std::string classes_line(const FitReport& report, const Paint& paint) {
  const Model& model = report.outcome->model;
  std::string text;
  for (std::size_t k = 0; k < std::min(model.classes.size(), most_classes); ++k) {
    text += (k > 0 ? ", " : "") + shown(model.classes[k]);
    if (model.priors.size() > 0) text += " " + percent(model.priors[static_cast<Index>(k)]);
    if (model.classes.size() == 2 && static_cast<std::size_t>(model.positive) == k)
      text +=
          report.why_positive.empty() ? " (positive)" : fmt::format(" (positive, {})", report.why_positive);
  }
  if (model.classes.size() > most_classes)
    text += fmt::format(", ... ({} in all)", grouped(static_cast<Index>(model.classes.size())));
  return fit_line(paint, "classes", text);
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
  std::string text = fit_line(paint, "data", data);
  if (model.task == Task::classification) text += classes_line(report, paint);
  if (report.outcome->imputed > 0)
    text += fit_line(paint, "imputed", counted(report.outcome->imputed, "cell"));
  std::string name = model.name;
  for (const auto& [option, value] : model.options)
    if (option == "l2" || option == "schedule" || option == "variant")
      name += fmt::format(", {} = {}", option, value);
  text += fit_line(paint, "model", name);
  std::string learned = fmt::format("loss {}", rounded(sums.mean_loss(), 5));
  if (model.task == Task::classification) learned += fmt::format(", accuracy {}", percent(sums.accuracy()));
  text += fit_line(paint, "judged", learned + ", each row before it was learned; nothing proves convergence");
  text += weights_lines(model, paint);
  return text + (report.saved.empty()
                     ? fit_line(paint, "model file", paint.dim("none; -o MODEL keeps the model"))
                     : fit_line(paint, "saved", report.saved));
}

}  // namespace discern::cli
