#include "discern/persist/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"

namespace discern {
namespace {

// Feature names are made from the names of columns and levels, and a long name can be in many of them. A
// model may need this much for them, and this many times its own size.
constexpr double names_floor = 64e6;
constexpr double names_factor = 100;
constexpr std::size_t most_steps = 64;
constexpr std::size_t most_statistics = 16;

using Shape = std::vector<Index>;

std::string shown(const Shape& shape) {
  std::string text;
  for (const Index length : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", length);
  return "[" + text + "]";
}

// The features between two steps: how many there are of each kind, and the bytes of their names.
struct Width {
  Index numeric = 0, indicators = 0;
  double numeric_bytes = 0, indicator_bytes = 0;

  Index total() const { return numeric + indicators; }
};

class Checker {
 public:
  Checker(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file)
      : outline_(outline), tensors_(tensors), file_(file) {}

  void run() {
    check_counts();
    check_classes();
    if (outline_.model.reduction) check_reduction();
    check_predictor();
    check_decision();
    check_statistics();
    check_pipeline();
    if (used_ != tensors_.size()) refuse_unknown_tensor();
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
  void check_pipeline();
  void check_order() const;
  Width input_width() const;
  Width after(const Impute& step, std::size_t position, const Width& in);
  Width after(const OneHot& step, std::size_t position, const Width& in);
  Width after(const Standardize& step, std::size_t position, const Width& in);
  Width after(const Monomials& step, std::size_t position, const Width& in);
  void check_names(const Width& width) const;

  bool belongs_to_predictor(std::string_view name) const;
  std::span<const double> tensor(const std::string& name, const Shape& shape);
  Index first_length(const std::string& name) const;
  Index second_length(const std::string& name) const;
  [[noreturn]] void refuse_unknown_tensor() const;
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(Code::model, problem, {file_, 0, ""});
  }

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
  const std::vector<Tensor>& tensors_;
  const std::string& file_;
  Index features_ = 0;
  Index machines_ = 0;  // of a reduction
  std::size_t used_ = 0;
};

// So that the work below does not depend on how many tensors and steps a file claims to have.
void Checker::check_counts() const {
  if (outline_.steps.size() > most_steps)
    fail(fmt::format("{} steps, expected at most {}", outline_.steps.size(), most_steps));
  std::size_t most_tensors = 6 + most_statistics + 2 * outline_.steps.size();
  if (std::holds_alternative<Additive>(outline_.model.predictor)) most_tensors += 6;
  if (std::holds_alternative<KernelSum>(outline_.model.predictor)) most_tensors += 2;
  if (outline_.model.reduction) most_tensors += 4;
  if (const auto* network = std::get_if<Network>(&outline_.model.predictor))
    most_tensors += 2 * network->layers.size();
  if (tensors_.size() > most_tensors)
    fail(fmt::format("{} tensors, expected at most {}", tensors_.size(), most_tensors));
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

// The tensor of that name, with all its numbers finite.
std::span<const double> Checker::tensor(const std::string& name, const Shape& shape) {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  if (found->type != TensorType::f64) fail(fmt::format("tensor '{}': the numbers are not of type F64", name));
  if (found->shape != shape)
    fail(fmt::format("tensor '{}': the shape is {}, expected {}", name, shown(found->shape), shown(shape)));
  const auto numbers = numbers_of(*found);
  const auto odd = std::find_if(numbers.begin(), numbers.end(), [](double v) { return !std::isfinite(v); });
  if (odd != numbers.end())
    fail(fmt::format("tensor '{}': number {} is {}, expected finite ones", name, odd - numbers.begin() + 1,
                     *odd));
  ++used_;
  return numbers;
}

Index Checker::first_length(const std::string& name) const {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  return found->shape.empty() ? 0 : found->shape[0];
}

// The number of features, which the shape of the predictor's largest tensor declares.
Index Checker::second_length(const std::string& name) const {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  if (found->shape.size() != 2)
    fail(fmt::format("tensor '{}': the shape is {}, expected two lengths", name, shown(found->shape)));
  return found->shape[1];
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
  for (const auto& tensor : tensors_) {
    bool known = belongs_to_predictor(tensor.name) || tensor.name == "priors" ||
                 tensor.name.starts_with(statistic_prefix) ||
                 (outline_.costs && tensor.name == "decision.cost") ||
                 (outline_.prior_ratio && tensor.name == "decision.prior_ratio");
    for (std::size_t n = 0; n < outline_.steps.size(); ++n) {
      known |= std::holds_alternative<Impute>(outline_.steps[n]) && tensor.name == step_tensor(n, "fill");
      known |= std::holds_alternative<Standardize>(outline_.steps[n]) &&
               (tensor.name == step_tensor(n, "center") || tensor.name == step_tensor(n, "scale"));
    }
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
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = single_scores();
  features_ = second_length("weights");
  tensor("weights", {scores, features_});
  tensor("bias", {scores});
  if (find_tensor(tensors_, "center") != nullptr) tensor("center", {features_});
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
  if (find_tensor(tensors_, "center") == nullptr && find_tensor(tensors_, "scale") == nullptr) return;
  tensor("center", {features_});
  const auto scale = tensor("scale", {features_});
  if (!std::all_of(scale.begin(), scale.end(), [](double v) { return v > 0; }))
    fail("tensor 'scale': a number is not above 0");
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
  if (std::any_of(tensors_.begin(), tensors_.end(), of_kernels)) check_kernels();
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
  for (std::size_t n = 0; n < tensors_.size(); ++n) {
    const Tensor& one = tensors_[n];
    if (!one.name.starts_with(statistic_prefix)) continue;
    ++used_;
    if (one.type != TensorType::f64)
      fail(fmt::format("tensor '{}': the numbers are not of type F64", one.name));
    for (std::size_t m = 0; m < n; ++m)
      if (tensors_[m].name == one.name) fail("a tensor is there twice");
    const auto numbers = numbers_of(one);
    if (std::any_of(numbers.begin(), numbers.end(), [](double v) { return std::isnan(v); }))
      fail(fmt::format("tensor '{}': a number is NaN", one.name));
  }
}

void Checker::check_decision() {
  const Model& model = outline_.model;
  const auto classes = static_cast<Index>(model.classes.size());
  const auto positive = [&](const std::string& name) {
    const auto numbers = tensor(name, {classes});
    if (!std::all_of(numbers.begin(), numbers.end(), [](double v) { return v > 0; }))
      fail(fmt::format("tensor '{}': a number is not above 0", name));
  };
  if (find_tensor(tensors_, "priors") != nullptr) positive("priors");
  if (!model.decision) return;
  if (model.task == Task::regression) fail("a regression model with a decision rule, expected none");
  if (link_of(model.predictor) == Link::none) fail("a decision rule without probabilities to decide by");
  if (outline_.costs) tensor("decision.cost", {classes, classes});
  if (outline_.prior_ratio) positive("decision.prior_ratio");
  const Decision& decision = *model.decision;
  if (decision.threshold && (classes != 2 || outline_.costs || decision.reject))
    fail("decision: a threshold is for two classes, without costs and rejecting");
  if (decision.reject &&
      std::find(model.classes.begin(), model.classes.end(), undecided_name) != model.classes.end())
    fail(fmt::format("decision: rejecting, and a class is called '{}'", undecided_name));
}

// Missing cells are filled first, then text is encoded; the bases, which need numbers, follow.
void Checker::check_order() const {
  bool encoded = !outline_.input.any_categorical();
  for (std::size_t n = 0; n < outline_.steps.size(); ++n) {
    const Step& step = outline_.steps[n];
    if (std::holds_alternative<Impute>(step)) {
      if (n > 0) fail(fmt::format("step {}: impute must be the first step", n));
    } else if (std::holds_alternative<OneHot>(step)) {
      if (encoded) fail(fmt::format("step {}: one-hot without text columns to encode", n));
      encoded = true;
    } else if (!encoded) {
      fail(fmt::format("step {}: text columns are not encoded yet", n));
    }
  }
  if (!encoded) fail("text columns without a one-hot step");
}

Width Checker::input_width() const {
  Width width;
  width.numeric = outline_.input.size();
  if (outline_.input.is_numbered()) {
    width.numeric_bytes = 20 * static_cast<double>(width.numeric);
  } else {
    for (Index j = 0; j < outline_.input.size(); ++j)
      width.numeric_bytes += static_cast<double>(outline_.input.column(j).name.size());
  }
  return width;
}

Width Checker::after(const Impute&, std::size_t position, const Width& in) {
  const std::string name = step_tensor(position, "fill");
  const auto fill = tensor(name, {in.total()});
  for (Index j = 0; j < in.total(); ++j) {
    if (!outline_.input.categorical(j)) continue;
    const double code = fill[static_cast<std::size_t>(j)];
    const auto levels = static_cast<double>(outline_.input.column(j).levels.size());
    if (!(code >= 0 && code < levels && code == std::floor(code)))
      fail(fmt::format("tensor '{}': number {} is {}, expected the index of one of {} levels", name, j + 1,
                       code, levels));
  }
  return in;
}

Width Checker::after(const OneHot& step, std::size_t position, const Width& in) {
  if (static_cast<Index>(step.levels.size()) != in.total())
    fail(fmt::format("step {}: one-hot for {} columns, the input has {}", position, step.levels.size(),
                     in.total()));
  Width out;
  for (Index j = 0; j < in.total(); ++j) {
    const Column& column = outline_.input.column(j);
    const auto levels = static_cast<Index>(column.levels.size()), dropped = Index{step.drop_first};
    if (step.levels[static_cast<std::size_t>(j)] != levels)
      fail(fmt::format("step {}: one-hot with {} levels for column {}, which has {}", position,
                       step.levels[static_cast<std::size_t>(j)], j + 1, levels));
    const auto name = static_cast<double>(column.name.size());
    if (column.categorical) {
      out.indicators += levels - dropped;
      out.indicator_bytes += static_cast<double>(levels) * (name + 1);
      for (const auto& level : column.levels) out.indicator_bytes += static_cast<double>(level.size());
    } else {
      out.numeric += 1;
      out.numeric_bytes += name;
    }
  }
  return out;
}

Width Checker::after(const Standardize&, std::size_t position, const Width& in) {
  tensor(step_tensor(position, "center"), {in.total()});
  const std::string name = step_tensor(position, "scale");
  const auto scale = tensor(name, {in.total()});
  const auto odd = std::find_if(scale.begin(), scale.end(), [](double v) { return !(v > 0); });
  if (odd != scale.end())
    fail(fmt::format("tensor '{}': number {} is {}, expected more than 0", name, odd - scale.begin() + 1,
                     *odd));
  return in;
}

// C(n + k, k) - 1 monomials of n features up to degree k; C(n, 1) + ... + C(n, k) with distinct factors.
// Counted in double, where too many are just a large number, and stopped once they are too many.
Width Checker::after(const Monomials& step, std::size_t position, const Width& in) {
  const auto n = static_cast<double>(in.numeric), most = static_cast<double>(features_ - in.indicators);
  double term = 1, count = 0;  // term: the number of degree k
  for (Index k = 1; k <= step.degree && count <= most && term > 0; ++k) {
    const auto degree = static_cast<double>(k);
    term = step.distinct ? term * (n - degree + 1) / degree : term * (n + degree - 1) / degree;
    count += term;
  }
  if (!(count <= most))
    fail(
        fmt::format("step {}: monomials up to degree {} of {} features are more than the {} features of the "
                    "predictor",
                    position, step.degree, in.numeric, features_));
  Width out = in;
  out.numeric = std::llround(count);
  // Every feature is in equally many monomials, and none has more factors than the degree.
  const double factors = count * static_cast<double>(step.degree);
  out.numeric_bytes = in.numeric == 0 ? 0 : factors * (in.numeric_bytes / n + 8);
  return out;
}

void Checker::check_names(const Width& width) const {
  double own = 0;
  for (const auto& tensor : tensors_) own += static_cast<double>(tensor.bytes.size());
  for (Index j = 0; !outline_.input.is_numbered() && j < outline_.input.size(); ++j) {
    own += static_cast<double>(outline_.input.column(j).name.size());
    for (const auto& level : outline_.input.column(j).levels) own += static_cast<double>(level.size());
  }
  if (width.numeric_bytes + width.indicator_bytes > names_floor + names_factor * own)
    fail("the names of the columns are too long for the number of features that carry them");
}

void Checker::check_pipeline() {
  check_order();
  Width width = input_width();
  for (std::size_t n = 0; n < outline_.steps.size(); ++n) {
    width = std::visit([&](const auto& step) { return after(step, n, width); }, outline_.steps[n]);
    check_names(width);
  }
  if (width.total() != features_)
    fail(fmt::format("the input and its steps make {} features, the predictor has {}", width.total(),
                     features_));
}

}  // namespace

std::span<const double> numbers_of(const Tensor& tensor) {
  return {reinterpret_cast<const double*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(double)};
}

std::string step_tensor(std::size_t step, std::string_view part) {
  return fmt::format("step.{}.{}", step, part);
}

std::string layer_tensor(std::size_t layer, std::string_view part) {
  return fmt::format("layer.{}.{}", layer, part);
}

const Tensor* find_tensor(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

void check_model(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file) {
  Checker(outline, tensors, file).run();
}

}  // namespace discern
