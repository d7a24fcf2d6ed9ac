#include "discern/persist/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/persist/pipeline_check.hpp"
#include "discern/persist/tensor_check.hpp"

namespace discern {
namespace {

constexpr std::size_t most_steps = 64;

class Checker : private TensorCheck {
 public:
  Checker(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file)
      : TensorCheck(tensors, file), outline_(outline) {}

  void run() {
    check_counts();
    check_classes();
    check_predictor();
    check_pipeline(outline_, *this, features_);
    if (used() != tensors().size()) refuse_unknown_tensor();
  }

 private:
  void check_counts() const;
  void check_classes() const;
  void check_predictor();
  void check_linear(const Linear& linear);
  void check_quadratic();
  void check_additive();
  void check_kernel_sum(const KernelSum& sum);
  void check_kernels();

  bool belongs_to_predictor(std::string_view name) const;
  [[noreturn]] void refuse_unknown_tensor() const;

  const ModelOutline& outline_;
  Index features_ = 0;
};

// So that the work below does not depend on how many tensors and steps a file claims to have.
void Checker::check_counts() const {
  if (outline_.steps.size() > most_steps)
    fail(fmt::format("{} steps, expected at most {}", outline_.steps.size(), most_steps));
  std::size_t most_tensors = 3 + 4 * outline_.steps.size();
  if (std::holds_alternative<Additive>(outline_.model.predictor)) most_tensors += 6;
  if (std::holds_alternative<KernelSum>(outline_.model.predictor)) most_tensors += 2;
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

bool Checker::belongs_to_predictor(std::string_view name) const {
  if (name == "bias") return true;
  if (std::holds_alternative<Linear>(outline_.model.predictor)) return name == "weights" || name == "center";
  if (std::holds_alternative<Quadratic>(outline_.model.predictor)) return name == "means" || name == "whiten";
  if (std::holds_alternative<KernelSum>(outline_.model.predictor))
    return name == "support" || name == "coefficients" || name == "center" || name == "scale";
  return name == "means" || name == "precision" || name == "weights" || name.starts_with("kernel.");
}

void Checker::refuse_unknown_tensor() const {
  for (const auto& tensor : tensors()) {
    bool known = belongs_to_predictor(tensor.name);
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
  else
    check_additive();
}

void Checker::check_linear(const Linear& linear) {
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = classes > 2 ? classes : 1;
  features_ = second_length("weights");
  tensor("weights", {scores, features_});
  tensor("bias", {scores});
  if (find_tensor(tensors(), "center") != nullptr) tensor("center", {features_});
  if (linear.link == Link::logistic && classes != 2)
    fail(fmt::format("the link logistic needs two classes, the model has {}", classes));
  if (linear.link == Link::softmax && classes <= 2)
    fail(fmt::format("the link softmax needs more than two classes, the model has {}", classes));
}

void Checker::check_quadratic() {
  if (outline_.model.task == Task::regression) fail("a quadratic predictor cannot do regression");
  const auto classes = static_cast<Index>(outline_.model.classes.size());
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
  const auto classes = static_cast<Index>(outline_.model.classes.size());
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
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = classes > 2 ? classes : 1, count = first_length("support");
  features_ = second_length("support");
  tensor("support", {count, features_});
  tensor("coefficients", {scores, count});
  tensor("bias", {scores});
  if (find_tensor(tensors(), "center") == nullptr && find_tensor(tensors(), "scale") == nullptr) return;
  tensor("center", {features_});
  const auto scale = tensor("scale", {features_});
  if (!std::all_of(scale.begin(), scale.end(), [](double v) { return v > 0; }))
    fail("tensor 'scale': a number is not above 0");
}

// What finds the points of a density by halving and divides by its width has to rely on.
void Checker::check_kernels() {
  const auto classes = static_cast<Index>(outline_.model.classes.size());
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

}  // namespace

void check_model(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file) {
  Checker(outline, tensors, file).run();
}

}  // namespace discern
