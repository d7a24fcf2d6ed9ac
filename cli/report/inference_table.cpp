#include "cli/report/inference_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/report/geometry.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/stats/distributions.hpp"

namespace discern::cli {
namespace {

// As R marks them.
std::string_view stars(double p) {
  return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : p < 0.1 ? "." : "";
}

std::string p_text(double p) { return p < 2e-16 ? "<2e-16" : rounded(p, 3); }

// All columns in order, or those whose strongest test has the smallest p.
std::vector<Index> columns_shown(const Inference& inference, double confidence, Index limit) {
  std::vector<Index> columns(static_cast<std::size_t>(inference.estimates.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  if (!inference.bias) columns.erase(columns.begin());
  if (static_cast<Index>(columns.size()) <= limit) return columns;
  std::vector<double> strength(static_cast<std::size_t>(inference.estimates.cols()), 0.0);
  for (const Index j : columns)
    for (Index k = 0; k < inference.estimates.rows(); ++k) {
      double& strongest = strength[static_cast<std::size_t>(j)];
      strongest = std::max(strongest, std::fabs(test_of(inference, k, j, confidence).statistic));
    }
  std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) {
    return strength[static_cast<std::size_t>(a)] > strength[static_cast<std::size_t>(b)];
  });
  columns.resize(static_cast<std::size_t>(limit));
  return columns;
}

std::string figures(double value) { return rounded(value, 7); }

}  // namespace

Flag confidence_flag() {
  return {.name = "confidence",
          .metavar = "P",
          .help = "of the intervals of the weights, where the fit has them",
          .group = "output",
          .standard = "0.95"};
}

double confidence_of(const Arguments& arguments, double standard) {
  const double confidence = arguments.number("confidence", 0, 1).value_or(standard);
  if (!(confidence > 0 && confidence < 1))
    throw Error(Code::usage,
                fmt::format("--confidence: expected a number between 0 and 1, got {}", confidence));
  return confidence;
}

std::vector<std::string> contrast_names(const Model& model) {
  if (model.classes.size() <= 2) return score_names(model);
  std::vector<std::string> names;
  for (std::size_t k = 1; k < model.classes.size(); ++k)
    names.push_back(fmt::format("{} against {}", shown(model.classes[k]), shown(model.classes[0])));
  return names;
}

std::string coefficient_name(const Model& model, Index column) {
  return column == 0 ? "(bias)" : model.pipeline.feature_name(column - 1);
}

std::string likelihood_text(const Inference& inference) {
  return fmt::format(
      "log-likelihood {}, deviance {} with {} degrees of freedom (null {} with {}), AIC {}, BIC {}",
      figures(inference.log_likelihood), figures(inference.deviance), figures(inference.degrees()),
      figures(inference.null_deviance), figures(inference.null_degrees()), figures(inference.aic()),
      figures(inference.bic()));
}

std::string inference_text(const Model& model, double confidence, Index limit, std::size_t indent) {
  const Inference& inference = *model.inference;
  const bool odds = model.task == Task::classification, ratio = inference.likelihood_ratio.size() > 0;
  const auto names = contrast_names(model);
  const auto columns = columns_shown(inference, confidence, limit);
  const std::string margin(indent, ' ');
  std::string text;
  for (Index k = 0; k < inference.estimates.rows(); ++k) {
    if (names.size() > 1) text += margin + names[static_cast<std::size_t>(k)] + '\n';
    TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::left,
                     Align::right, Align::right, Align::right, Align::right},
                    indent);
    table.row({"", "estimate", "std. error", inference.student ? "t" : "z", "p", "",
               fmt::format("{:g} % from", 100 * confidence), "to", odds ? "odds ratio" : "",
               ratio ? "LR p" : ""});
    for (const Index j : columns) {
      const CoefficientTest test = test_of(inference, k, j, confidence);
      table.row({shown(coefficient_name(model, j)), rounded(test.estimate, 6), rounded(test.error, 5),
                 rounded(test.statistic, 4), p_text(test.p),
                 std::string(stars(ratio ? test.ratio_p : test.p)), rounded(test.low, 5),
                 rounded(test.high, 5), odds && j > 0 ? rounded(std::exp(test.estimate), 5) : "",
                 ratio ? p_text(test.ratio_p) : ""});
    }
    text += table.text();
  }
  if (static_cast<Index>(columns.size()) < inference.estimates.cols() - (inference.bias ? 0 : 1))
    text += margin + fmt::format("the {} strongest of {} (--all shows the rest)\n", columns.size(),
                                 grouped(inference.estimates.cols() - (inference.bias ? 0 : 1)));
  text += margin + fmt::format("*** p < 0.001, ** p < 0.01, * p < 0.05, . p < 0.1{}\n",
                               ratio ? " of the likelihood ratio" : "");
  text += margin + likelihood_text(inference) + '\n';
  if (!inference.student) return text;
  const double share = 1 - inference.deviance / inference.null_deviance;
  const double used = inference.parameters - (inference.bias ? 1 : 0);
  text += margin + fmt::format("residual standard error {}, R2 {}", figures(std::sqrt(inference.dispersion)),
                               rounded(share, 6));
  if (used > 0) {
    const double f = (inference.null_deviance - inference.deviance) / used / inference.dispersion;
    text += fmt::format(", F {} with {} and {} degrees of freedom, p {}", rounded(f, 5), used,
                        figures(inference.degrees()), p_text(f_above(f, used, inference.degrees())));
  }
  return text + '\n';
}

}  // namespace discern::cli
