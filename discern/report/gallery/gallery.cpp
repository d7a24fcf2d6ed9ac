#include "discern/report/gallery/gallery.hpp"

#include <fmt/format.h>

#include <array>

namespace discern::report {

std::span<const Exhibit> exhibits() {
  static constexpr auto table = std::to_array<Exhibit>({
      {"F1", "class-densities", "class densities, priors, the posterior and the one threshold",
       class_densities},
      {"F2", "geometry", "the line, w at a right angle to it, and signed distances", geometry},
      {"F3", "descent", "gradient descent on the level lines of an error surface", descent},
      {"F4", "perceptron", "the perceptron's line at each correction, batch and sequential",
       perceptron_separable},
      {"F5", "perceptron-inseparable", "the perceptron that never settles", perceptron_inseparable},
      {"F6", "least-squares", "least squares by descent, separable and not", least_squares_descent},
      {"F7", "learning-rate", "gradient descent with a small, a good and a too large step", learning_rates},
      {"F8", "gaussians", "Gaussian classes with a shared covariance and with one each", gaussian_classes},
      {"F9", "sigmoid", "two normal densities and the posterior that they give", posterior_sigmoid},
      {"F10", "logistic", "the sigmoid at each iteration", logistic_line},
      {"F11", "losses", "error functions against the margin", losses},
      {"F12", "ridge-lasso", "the disc and the diamond, and the weights as the penalty grows", ridge_lasso},
      {"F13", "multiclass", "the regions of each multi-class strategy", multiclass_regions},
      {"F14", "xor", "why no line can do XOR; two layers and a product that can", xor_space},
      {"F15", "basis", "a basis function that makes a line enough", basis_line},
      {"F16", "solution-region", "the solution region in weight space", solution_region},
      {"F17", "ho-kashyap", "least squares that does not separate, targets that adapt", ho_kashyap_steps},
      {"F18", "separable", "a margin, the perceptron's mistakes and their bound", separability_proof},
      {"F19", "outlier", "points that are too correct bend least squares, not logistic regression", outliers},
      {"F20", "logic", "OR, AND and XOR as networks", logic_networks},
      {"F21", "layers", "what one, two and three layers can enclose", layers},
      {"F22", "activations", "activation functions and their slopes", activations},
      {"F23", "radial", "radial units: XOR in their plane, and centres on data", radial_units},
      {"F24", "orders", "perceptrons of many orders, and the bound on mistakes", perceptron_orders},
      {"F25", "fisher", "projections on an axis that turns", fisher_axis},
      {"F26", "discriminants", "five classes in their discriminant directions", discriminant_plane},
      {"F27", "naive-bayes", "densities per feature and the regions that they give", bayes_densities},
      {"F28", "images", "weights as images", weight_images},
      {"F29", "risk", "asymmetric costs, the threshold, and a reject region", risk},
      {"F30", "batches", "batch, online, stochastic and mini-batch descent", descents},
      {"F31", "normalisation", "the length and the direction of w, free and normalised", normalisation},
      {"", "truth-tables", "the truth tables of OR, AND and XOR with the given weights", truth_tables},
  });
  return table;
}

Page exhibit_page(const Exhibit& exhibit) {
  Page page{exhibit.number.empty() ? std::string(exhibit.name)
                                   : fmt::format("{}: {}", exhibit.number, exhibit.name),
            "demo"};
  page.summary = {fmt::format("{}.", exhibit.summary)};
  page.summary[0][0] = static_cast<char>(std::toupper(static_cast<unsigned char>(page.summary[0][0])));
  page.figures = exhibit.make();
  return page;
}

Page picture_book() {
  Page page{"Linear discriminants: a picture book", "demo --all"};
  page.summary = {
      "The figures of the subject, each computed by the library when this page was written: from two "
      "densities and a threshold to "
      "perceptrons, least squares, logistic regression, Fisher's discriminant, many classes, basis functions "
      "and networks.",
      "Sliders move what is named beside them; tables behind the figures hold the numbers."};
  for (const Exhibit& exhibit : exhibits())
    for (Figure& figure : exhibit.make()) {
      if (!exhibit.number.empty()) figure.title = fmt::format("{}. {}", exhibit.number, figure.title);
      page.figures.push_back(std::move(figure));
    }
  return page;
}

}  // namespace discern::report
