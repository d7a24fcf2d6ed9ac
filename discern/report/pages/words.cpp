#include "discern/report/pages/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/report/words.hpp"

namespace discern::report {
namespace {

std::string model_title(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> titles[] = {
      {"perceptron", "The perceptron"},        {"kernel-perceptron", "The kernel perceptron"},
      {"least-squares", "Least squares"},      {"ho-kashyap", "Ho and Kashyap's procedure"},
      {"logistic", "Logistic regression"},     {"svm", "A linear support vector machine"},
      {"lda", "Linear discriminant analysis"}, {"qda", "Quadratic discriminant analysis"},
      {"fisher", "Fisher's discriminant"},     {"naive-bayes", "Naive Bayes"},
      {"mlp", "A multilayer perceptron"},      {"rbf-network", "A network of radial units"}};
  for (const auto& [key, title] : titles)
    if (key == name) return std::string(title);
  return "The model " + std::string(name);
}

std::string classes_phrase(const Model& model) {
  const auto name = [&](std::size_t k) {
    return fmt::format("\u201c{}\u201d", shortened(model.classes[k], 40));
  };
  if (model.task == Task::regression) return fmt::format("predict {}", shortened(model.target, 60));
  if (model.classes.size() == 2)
    return fmt::format("tell {} from {}", name(static_cast<std::size_t>(model.positive)),
                       name(static_cast<std::size_t>(1 - model.positive)));
  std::string list;
  const std::size_t shown = std::min<std::size_t>(model.classes.size(), 5);
  for (std::size_t k = 0; k < shown; ++k) list += (k == 0 ? "" : ", ") + name(k);
  if (shown < model.classes.size()) list += ", \u2026";
  return fmt::format("tell {} classes of {} apart ({})", grouped(static_cast<Index>(model.classes.size())),
                     shortened(model.target, 60), list);
}

}  // namespace

std::string learned_sentence(const Model& model) {
  std::string text =
      fmt::format("{} learned to {} by {}, from {}.", model_title(model.name), classes_phrase(model),
                  counted(model.pipeline.features(), "feature"), counted(model.samples, "row"));
  if (model.reduction)
    text += fmt::format(" It combines machines for two sides: {}.", reduction_text(*model.reduction));
  return text;
}

std::string certificate_sentence(const Summary& summary) {
  std::string kind = summary.certificate.kind;
  std::replace(kind.begin(), kind.end(), '-', ' ');
  if (summary.certificate.kind == "exact") return "The fit is a formula in counts and moments, and exact.";
  std::string text = summary.converged     ? "The fit converged"
                     : summary.interrupted ? "The fit was interrupted"
                                           : "The fit did not converge";
  text += fmt::format(": {} {}", kind, rounded(summary.certificate.value, 3));
  if (summary.tolerance > 0) text += fmt::format(" (tolerance {})", rounded(summary.tolerance, 3));
  if (summary.iterations > 0)
    text += fmt::format(" after {} of {}", counted(summary.iterations, "iteration"), summary.solver);
  return text + ".";
}

std::string quality_sentence(const Metrics& metrics, const std::string& of) {
  if (!metrics.accuracy) return "";
  std::string text = fmt::format("It is right for {} of {}", percent(*metrics.accuracy), of);
  if (metrics.undecided > 0)
    text += fmt::format(", and leaves {} undecided", percent(metrics.undecided / metrics.weight));
  if (metrics.error_interval)
    text += fmt::format("; the error of such rows lies between {} and {} (95 % interval)",
                        percent(metrics.error_interval->low), percent(metrics.error_interval->high));
  return text + ".";
}

std::string quality_sentence(const RegressionMetrics& metrics, const std::string& of) {
  return fmt::format("On {} its predictions are off by {} (root mean square) and explain {} of the variance.",
                     of, rounded(metrics.rmse), metrics.r2 ? percent(*metrics.r2) : "-");
}

Facts model_facts(const Model& model) {
  Facts facts{{"model", model.name},
              {"rows", grouped(model.samples)},
              {"features", grouped(model.pipeline.features())}};
  if (model.task == Task::classification)
    facts.emplace_back("classes", grouped(static_cast<Index>(model.classes.size())));
  facts.emplace_back("solver", model.summary.solver);
  for (const auto& [name, value] : model.options)
    if (name == "l1" || name == "l2") facts.emplace_back(name, value);
  if (model.summary.objective) facts.emplace_back("objective", rounded(*model.summary.objective, 8));
  return facts;
}

std::string rows_text(Index rows, const std::string& kind) {
  return fmt::format("the {} {}", grouped(rows), rows == 1 ? kind : kind + "s");
}

}  // namespace discern::report
