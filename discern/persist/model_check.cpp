#include "discern/persist/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/persist/pipeline_check.hpp"
#include "discern/persist/tensor_check.hpp"
#include "discern/stats/statistics.hpp"

namespace discern {
namespace {

constexpr std::size_t most_steps = 64;
constexpr std::size_t most_statistics = 16;

class Checker : private TensorCheck {
 public:
  Checker(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file)
      : TensorCheck(tensors, file), outline_(outline) {}

  void run() {
    check_counts();
    check_classes();
    if (outline_.model.reduction) check_reduction();
    check_predictor();
    check_decision();
    check_statistics();
    check_inference();
    check_pipeline(outline_, *this, features_);
    if (used() != tensors().size()) refuse_unknown_tensor();
  }

 private:
  void check_counts() const;
  void check_classes() const;
  void check_reduction();
  void check_code();
  void check_calibration(const Calibration& calibration);
  void check_points(Index first, Index last, std::span<const double> scores,
                    std::span<const double> proba) const;
  void check_predictor();
  void check_linear(const Linear& linear);
  void check_quadratic();
  void check_additive();
  void check_kernel_sum(const KernelSum& sum);
  void check_network(const Network& network);
  void check_link(Link link) const;
  void check_center_and_scale();
  void check_kernels();
  void check_decision();
  void check_statistics();
  void check_inference() const;

  bool belongs_to_predictor(std::string_view name) const;
  [[noreturn]] void refuse_unknown_tensor() const;

  bool reduced() const {
    return outline_.model.reduction && outline_.model.reduction->strategy != Strategy::joint;
  }
  // Scores of a predictor that has one for two classes, and of one that has one for each class.
  Index single_scores() const {
    const auto classes = static_cast<Index>(outline_.model.classes.size());
    return reduced() ? machines_ : classes > 2 ? classes : 1;
  }
  Index class_scores() const {
    return reduced() ? 2 * machines_ : static_cast<Index>(outline_.model.classes.size());
  }

  const ModelOutline& outline_;
  Index features_ = 0;
  Index machines_ = 0;  // of a reduction
};

// So that the work below does not depend on how many tensors and steps a file claims to have.
void Checker::check_counts() const {
  if (outline_.steps.size() > most_steps)
    fail(fmt::format("{} steps, expected at most {}", outline_.steps.size(), most_steps));
  std::size_t most_tensors = 6 + most_statistics + 4 * outline_.steps.size();
  if (std::holds_alternative<Additive>(outline_.model.predictor)) most_tensors += 6;
  if (std::holds_alternative<KernelSum>(outline_.model.predictor)) most_tensors += 2;
  if (outline_.model.reduction) most_tensors += 4;
  if (const auto* network = std::get_if<Network>(&outline_.model.predictor))
    most_tensors += 2 * network->layers.size();
  if (tensors().size() > most_tensors)
    fail(fmt::format("{} tensors, expected at most {}", tensors().size(), most_tensors));
}

void Checker::check_classes() const {
  const auto count = outline_.model.classes.size();
  if (outline_.model.task == Task::regression) {
    if (count != 0) fail(fmt::format("a regression model with {} classes, expected none", count));
  } else if (count < 2) {
    fail(fmt::format("a classification model with {} classes, expected at least 2", count));
  }
}

// What is combined must be there to combine, and the decision one that the strategy has.
void Checker::check_reduction() {
  const Reduction& reduction = *outline_.model.reduction;
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  if (outline_.model.task == Task::regression) fail("a reduction to two classes cannot do regression");
  const bool joint = reduction.strategy == Strategy::joint,
             rest = reduction.strategy == Strategy::one_vs_rest;
  if (joint && !reduction.calibration) fail("the reduction joint needs a calibration");
  if (!joint && classes == 2) fail("a reduction to two classes needs more than two, the model has 2");
  if ((reduction.combining == Combining::max) != (joint || rest) &&
      !(rest && reduction.combining == Combining::unanimous))
    fail("the decision of the reduction does not go with its strategy");
  if (reduction.strategy == Strategy::output_codes)
    check_code();
  else if (reduction.strategy == Strategy::one_vs_one)
    machines_ = classes * (classes - 1) / 2;
  else
    machines_ = classes > 2 ? classes : 1;
  if (reduction.calibration) check_calibration(*reduction.calibration);
}

void Checker::check_code() {
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  machines_ = first_length("code");
  if (machines_ == 0) fail("tensor 'code': it has no rows");
  const auto code = tensor("code", {machines_, classes});
  for (Index l = 0; l < machines_; ++l) {
    const auto row = code.subspan(static_cast<std::size_t>(l * classes), static_cast<std::size_t>(classes));
    const auto count = [&](double side) { return std::count(row.begin(), row.end(), side); };
    if (count(1) == 0 || count(-1) == 0 || count(1) + count(-1) + count(0) != classes)
      fail(fmt::format("tensor 'code': row {} is not of -1, 0 and 1 with both sides", l + 1));
  }
}

void Checker::check_calibration(const Calibration& calibration) {
  if (!calibration.isotonic()) {
    tensor("calibration.slope", {machines_});
    tensor("calibration.offset", {machines_});
    return;
  }
  const Index total = first_length("calibration.scores");
  const auto scores = tensor("calibration.scores", {total}), proba = tensor("calibration.proba", {total});
  const auto starts = tensor("calibration.starts", {machines_ + 1});
  for (std::size_t l = 0; l < starts.size(); ++l)
    if (starts[l] != std::floor(starts[l]) || !(starts[l] >= 0 && starts[l] <= static_cast<double>(total)) ||
        (l > 0 && !(starts[l] > starts[l - 1])))
      fail(fmt::format(
          "tensor 'calibration.starts': number {} is {}, expected ascending whole numbers from 0 to "
          "{}",
          l + 1, starts[l], total));
  if (starts.front() != 0 || starts.back() != static_cast<double>(total))
    fail(fmt::format("tensor 'calibration.starts': from {} to {}, expected from 0 to {}", starts.front(),
                     starts.back(), total));
  for (std::size_t l = 0; l + 1 < starts.size(); ++l)
    check_points(static_cast<Index>(starts[l]), static_cast<Index>(starts[l + 1]), scores, proba);
}

void Checker::check_points(Index first, Index last, std::span<const double> scores,
                           std::span<const double> proba) const {
  for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
    if (!(proba[i] > 0 && proba[i] < 1)) fail("tensor 'calibration.proba': a number is not between 0 and 1");
    if (static_cast<Index>(i) > first && !(scores[i] > scores[i - 1] && proba[i] >= proba[i - 1]))
      fail("tensor 'calibration.scores': the points of a machine do not ascend");
  }
}

bool Checker::belongs_to_predictor(std::string_view name) const {
  if (name == "bias") return !std::holds_alternative<Network>(outline_.model.predictor);
  if (outline_.model.reduction && (name == "code" || name.starts_with("calibration."))) return true;
  if (std::holds_alternative<Linear>(outline_.model.predictor)) return name == "weights" || name == "center";
  if (std::holds_alternative<Quadratic>(outline_.model.predictor)) return name == "means" || name == "whiten";
  if (std::holds_alternative<KernelSum>(outline_.model.predictor))
    return name == "support" || name == "coefficients" || name == "center" || name == "scale";
  if (const auto* network = std::get_if<Network>(&outline_.model.predictor)) {
    bool known = name == "center" || name == "scale";
    for (std::size_t l = 0; l < network->layers.size(); ++l)
      known |= name == layer_tensor(l, "weights") || name == layer_tensor(l, "bias");
    return known;
  }
  return name == "means" || name == "precision" || name == "weights" || name.starts_with("kernel.");
}

void Checker::refuse_unknown_tensor() const {
  for (const auto& tensor : tensors()) {
    bool known = belongs_to_predictor(tensor.name) || tensor.name == "priors" ||
                 tensor.name.starts_with(statistic_prefix) ||
                 (outline_.costs && tensor.name == "decision.cost") ||
                 (outline_.prior_ratio && tensor.name == "decision.prior_ratio");
    for (std::size_t n = 0; n < outline_.steps.size(); ++n)
      for (const std::string_view part : tensor_parts(outline_.steps[n]))
        known |= tensor.name == step_tensor(n, part);
    if (!known) fail(fmt::format("the tensor '{}' is unknown", tensor.name.substr(0, 40)));
  }
  fail("a tensor is there twice");
}

void Checker::check_predictor() {
  if (const auto* linear = std::get_if<Linear>(&outline_.model.predictor))
    check_linear(*linear);
  else if (std::holds_alternative<Quadratic>(outline_.model.predictor))
    check_quadratic();
  else if (const auto* sum = std::get_if<KernelSum>(&outline_.model.predictor))
    check_kernel_sum(*sum);
  else if (const auto* network = std::get_if<Network>(&outline_.model.predictor))
    check_network(*network);
  else
    check_additive();
}

void Checker::check_linear(const Linear& linear) {
  const Index scores = single_scores();
  features_ = second_length("weights");
  tensor("weights", {scores, features_});
  tensor("bias", {scores});
  if (find_tensor(tensors(), "center") != nullptr) tensor("center", {features_});
  check_link(linear.link);
}

void Checker::check_link(Link link) const {
  const auto classes = outline_.model.classes.size();
  if (link == Link::logistic && classes != 2 && !reduced())
    fail(fmt::format("the link logistic needs two classes, the model has {}", classes));
  if (link == Link::softmax && reduced()) fail("the link softmax does not go with a reduction");
  if (link == Link::softmax && classes <= 2)
    fail(fmt::format("the link softmax needs more than two classes, the model has {}", classes));
}

void Checker::check_network(const Network& network) {
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = classes > 2 ? classes : 1;
  features_ = second_length(layer_tensor(0, "weights"));
  Index inputs = features_;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Index units = l + 1 == network.layers.size() ? scores : first_length(layer_tensor(l, "weights"));
    tensor(layer_tensor(l, "weights"), {units, inputs});
    tensor(layer_tensor(l, "bias"), {units});
    inputs = units;
  }
  if (!(network.slope > 0 && std::isfinite(network.slope)))
    fail(fmt::format("the slope of the units is {}, expected a number above 0", network.slope));
  check_center_and_scale();
  check_link(network.link);
}

// Both or neither.
void Checker::check_center_and_scale() {
  if (find_tensor(tensors(), "center") == nullptr && find_tensor(tensors(), "scale") == nullptr) return;
  tensor("center", {features_});
  positive("scale", {features_});
}

void Checker::check_inference() const {
  const auto& inference = outline_.model.inference;
  if (!inference || !inference->absent.empty()) return;
  if (!std::holds_alternative<Linear>(outline_.model.predictor))
    fail("inference: the predictor is not linear");
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index contrasts = std::max<Index>(classes - 1, 1);
  const Matrix& estimates = inference->estimates;
  if (estimates.rows() != contrasts || estimates.cols() != features_ + 1)
    fail(fmt::format("inference: {} x {} estimates, expected {} x {}", estimates.rows(), estimates.cols(),
                     contrasts, features_ + 1));
  if (!estimates.allFinite() || !(inference->errors.array() >= 0).all())
    fail("inference: an estimate is not finite, or an error is below 0");
  if (!(inference->confidence > 0 && inference->confidence < 1))
    fail(fmt::format("inference: a confidence of {}, expected one between 0 and 1", inference->confidence));
}

void Checker::check_quadratic() {
  if (outline_.model.task == Task::regression) fail("a quadratic predictor cannot do regression");
  const Index classes = class_scores();
  const Index d = features_ = second_length("means");
  tensor("means", {classes, d});
  tensor("bias", {classes});
  const auto whiten = tensor("whiten", {classes, d, d});
  for (Index row = 0; row < classes * d; ++row)
    for (Index j = row % d + 1; j < d; ++j)
      if (whiten[static_cast<std::size_t>(row * d + j)] != 0) fail("tensor 'whiten': not lower triangular");
}

void Checker::check_additive() {
  if (outline_.model.task == Task::regression) fail("an additive predictor cannot do regression");
  const Index classes = class_scores();
  features_ = second_length("means");
  tensor("means", {classes, features_});
  tensor("bias", {classes});
  const auto precision = tensor("precision", {classes, features_});
  if (std::any_of(precision.begin(), precision.end(), [](double v) { return v < 0; }))
    fail("tensor 'precision': a number is below 0");
  tensor("weights", {classes, features_});
  const auto of_kernels = [](const Tensor& t) { return t.name.starts_with("kernel."); };
  if (std::any_of(tensors().begin(), tensors().end(), of_kernels)) check_kernels();
}

void Checker::check_kernel_sum(const KernelSum& sum) {
  if (outline_.model.task == Task::regression) fail("a sum of kernels cannot do regression");
  const double k = sum.kernel.parameter;
  if (sum.kernel.kind == KernelKind::polynomial &&
      !(k == std::floor(k) && k >= 1 && k <= static_cast<double>(highest_kernel_degree)))
    fail(fmt::format("the degree of the kernel is {}, expected a whole number from 1 to {}", k,
                     highest_kernel_degree));
  if (sum.kernel.kind == KernelKind::gaussian && !(k > 1e-150 && k < 1e150))
    fail(fmt::format("the width of the kernel is {}, expected a number from 1e-150 to 1e150", k));
  const Index scores = single_scores(), count = first_length("support");
  features_ = second_length("support");
  tensor("support", {count, features_});
  tensor("coefficients", {scores, count});
  tensor("bias", {scores});
  check_center_and_scale();
}

// What finds the points of a density by halving and divides by its width has to rely on.
void Checker::check_kernels() {
  const Index classes = class_scores();
  const Index count = first_length("kernel.features"), total = first_length("kernel.points");
  const auto features = tensor("kernel.features", {count});
  const auto ascending = [&](std::span<const double> numbers, double low, double high, const char* name) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] != std::floor(numbers[i]) || !(numbers[i] >= low && numbers[i] <= high) ||
          (i > 0 && !(numbers[i] > numbers[i - 1])))
        fail(fmt::format("tensor '{}': number {} is {}, expected ascending whole numbers from {} to {}", name,
                         i + 1, numbers[i], low, high));
    }
  };
  ascending(features, 0, static_cast<double>(features_ - 1), "kernel.features");
  if (count == 0) fail("tensor 'kernel.features': it is empty");
  const auto widths = tensor("kernel.widths", {classes, count});
  if (!std::all_of(widths.begin(), widths.end(), [](double v) { return v > 0; }))
    fail("tensor 'kernel.widths': a number is not above 0");
  const auto points = tensor("kernel.points", {total}), weights = tensor("kernel.weights", {total});
  const auto starts = tensor("kernel.starts", {classes * count + 1});
  ascending(starts, 0, static_cast<double>(total), "kernel.starts");
  if (starts.front() != 0 || starts.back() != static_cast<double>(total))
    fail(fmt::format("tensor 'kernel.starts': from {} to {}, expected from 0 to {}", starts.front(),
                     starts.back(), total));
  for (std::size_t n = 0; n + 1 < starts.size(); ++n)
    for (auto i = static_cast<std::size_t>(starts[n]) + 1; i < static_cast<std::size_t>(starts[n + 1]); ++i)
      if (!(points[i] > points[i - 1])) fail("tensor 'kernel.points': the points of a density do not ascend");
  if (!std::all_of(weights.begin(), weights.end(), [](double v) { return v > 0; }))
    fail("tensor 'kernel.weights': a number is not above 0");
}

// Their shapes are for the fit to check that goes on from them. Those of columns that are nowhere have
// infinite limits.
void Checker::check_statistics() {
  for (std::size_t n = 0; n < tensors().size(); ++n) {
    const Tensor& one = tensors()[n];
    if (!one.name.starts_with(statistic_prefix)) continue;
    count_used();
    if (one.type != TensorType::f64)
      fail(fmt::format("tensor '{}': the numbers are not of type F64", one.name));
    for (std::size_t m = 0; m < n; ++m)
      if (tensors()[m].name == one.name) fail("a tensor is there twice");
    const auto numbers = numbers_of(one);
    if (std::any_of(numbers.begin(), numbers.end(), [](double v) { return std::isnan(v); }))
      fail(fmt::format("tensor '{}': a number is NaN", one.name));
    // Sums of squares may be below zero by rounding.
    double largest = 0;
    for (const double v : numbers) largest = std::max(largest, std::isfinite(v) ? std::fabs(v) : 0.0);
    const std::string_view name = std::string_view(one.name).substr(statistic_prefix.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (is_amount(name, one.shape, i) && numbers[i] < -1e-12 * largest)
        fail(fmt::format("tensor '{}': number {} is {}, expected 0 or more", one.name, i + 1, numbers[i]));
  }
}

void Checker::check_decision() {
  const Model& model = outline_.model;
  const auto classes = static_cast<Index>(model.classes.size());
  if (find_tensor(tensors(), "priors") != nullptr) positive("priors", {classes});
  if (!model.decision) return;
  if (model.task == Task::regression) fail("a regression model with a decision rule, expected none");
  if (link_of(model.predictor) == Link::none && !(model.reduction && model.reduction->calibration))
    fail("a decision rule without probabilities to decide by");
  if (outline_.costs) tensor("decision.cost", {classes, classes});
  if (outline_.prior_ratio) positive("decision.prior_ratio", {classes});
  const Decision& decision = *model.decision;
  if (decision.threshold && (classes != 2 || outline_.costs || decision.reject))
    fail("decision: a threshold is for two classes, without costs and rejecting");
  if (decision.reject &&
      std::find(model.classes.begin(), model.classes.end(), undecided_name) != model.classes.end())
    fail(fmt::format("decision: rejecting, and a class is called '{}'", undecided_name));
}

}  // namespace

void check_model(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file) {
  Checker(outline, tensors, file).run();
}

}  // namespace discern
