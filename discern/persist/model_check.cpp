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
    check_predictor();
    check_inference();
    check_pipeline();
    if (used_ != tensors_.size()) refuse_unknown_tensor();
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
  void check_inference() const;
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

  const ModelOutline& outline_;
  const std::vector<Tensor>& tensors_;
  const std::string& file_;
  Index features_ = 0;
  std::size_t used_ = 0;
};

// So that the work below does not depend on how many tensors and steps a file claims to have.
void Checker::check_counts() const {
  if (outline_.steps.size() > most_steps)
    fail(fmt::format("{} steps, expected at most {}", outline_.steps.size(), most_steps));
  std::size_t most_tensors = 3 + 2 * outline_.steps.size();
  if (std::holds_alternative<Additive>(outline_.model.predictor)) most_tensors += 6;
  if (std::holds_alternative<KernelSum>(outline_.model.predictor)) most_tensors += 2;
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
  if (name == "bias") return true;
  if (std::holds_alternative<Linear>(outline_.model.predictor)) return name == "weights" || name == "center";
  if (std::holds_alternative<Quadratic>(outline_.model.predictor)) return name == "means" || name == "whiten";
  if (std::holds_alternative<KernelSum>(outline_.model.predictor))
    return name == "support" || name == "coefficients" || name == "center" || name == "scale";
  return name == "means" || name == "precision" || name == "weights" || name.starts_with("kernel.");
}

void Checker::refuse_unknown_tensor() const {
  for (const auto& tensor : tensors_) {
    bool known = belongs_to_predictor(tensor.name);
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
  else
    check_additive();
}

void Checker::check_linear(const Linear& linear) {
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = classes > 2 ? classes : 1;
  features_ = second_length("weights");
  tensor("weights", {scores, features_});
  tensor("bias", {scores});
  if (find_tensor(tensors_, "center") != nullptr) tensor("center", {features_});
  if (linear.link == Link::logistic && classes != 2)
    fail(fmt::format("the link logistic needs two classes, the model has {}", classes));
  if (linear.link == Link::softmax && classes <= 2)
    fail(fmt::format("the link softmax needs more than two classes, the model has {}", classes));
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
  const auto classes = static_cast<Index>(outline_.model.classes.size());
  const Index scores = classes > 2 ? classes : 1, count = first_length("support");
  features_ = second_length("support");
  tensor("support", {count, features_});
  tensor("coefficients", {scores, count});
  tensor("bias", {scores});
  if (find_tensor(tensors_, "center") == nullptr && find_tensor(tensors_, "scale") == nullptr) return;
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

const Tensor* find_tensor(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

void check_model(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file) {
  Checker(outline, tensors, file).run();
}

}  // namespace discern
