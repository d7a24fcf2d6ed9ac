#include "discern/persist/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/io/binary/safetensors.hpp"
#include "discern/io/file/file.hpp"
#include "discern/persist/model_check.hpp"
#include "discern/persist/model_document.hpp"
#include "discern/persist/plain_locale.hpp"

namespace discern {
namespace {

constexpr const char* document_key = "discern";

Tensor tensor_of(std::string name, const Matrix& m) {
  return make_tensor(std::move(name), {m.rows(), m.cols()}, m.data());
}
Tensor tensor_of(std::string name, const Vector& v) {
  return make_tensor(std::move(name), {v.size()}, v.data());
}
Tensor tensor_of(std::string name, const std::vector<double>& v) {
  return make_tensor(std::move(name), {static_cast<Index>(v.size())}, v.data());
}

// One tensor of all matrices, put one after the other into `whole`.
Tensor tensor_of(std::string name, const std::vector<Matrix>& matrices, Index d, std::vector<double>& whole) {
  for (const Matrix& m : matrices) {
    if (m.rows() != d || m.cols() != d)
      throw Error(Code::model, fmt::format("tensor '{}': a matrix of {} by {}, expected {} by {}", name,
                                           m.rows(), m.cols(), d, d));
    whole.insert(whole.end(), m.data(), m.data() + m.size());
  }
  return make_tensor(std::move(name), {static_cast<Index>(matrices.size()), d, d}, whole.data());
}

// Indices as the numbers of a tensor, put into `whole` from `first` on.
Tensor tensor_of(std::string name, const std::vector<Index>& v, double* first) {
  std::transform(v.begin(), v.end(), first, [](Index i) { return static_cast<double>(i); });
  return make_tensor(std::move(name), {static_cast<Index>(v.size())}, first);
}

void add_tensors(const Additive& additive, std::vector<Tensor>& tensors, std::vector<double>& whole) {
  tensors.push_back(tensor_of("means", additive.means));
  tensors.push_back(tensor_of("precision", additive.precision));
  tensors.push_back(tensor_of("bias", additive.bias));
  tensors.push_back(tensor_of("weights", additive.weights));
  const Kernels& kernels = additive.kernels;
  if (kernels.features.empty()) return;
  whole.resize(kernels.features.size() + kernels.starts.size());
  tensors.push_back(tensor_of("kernel.features", kernels.features, whole.data()));
  tensors.push_back(tensor_of("kernel.starts", kernels.starts, whole.data() + kernels.features.size()));
  tensors.push_back(tensor_of("kernel.widths", kernels.widths));
  tensors.push_back(tensor_of("kernel.points", kernels.points));
  tensors.push_back(tensor_of("kernel.weights", kernels.weights));
}

// The code as -1, 0 and 1, machines x classes, and the calibration. `extra` holds what the model does not.
void add_tensors(const Reduction& reduction, std::size_t classes, std::vector<Tensor>& tensors,
                 std::vector<double>& extra) {
  const std::size_t code = reduction.strategy == Strategy::output_codes ? reduction.code.size() * classes : 0;
  const std::size_t starts = reduction.calibration ? reduction.calibration->starts.size() : 0;
  extra.assign(code + starts, 0);
  if (code > 0) {
    double* row = extra.data();
    for (const Sides& sides : reduction.code) {
      for (const std::int32_t k : sides.positive) row[k] = 1;
      for (const std::int32_t k : sides.negative) row[k] = -1;
      row += classes;
    }
    tensors.push_back(make_tensor("code", {reduction.machines(), static_cast<Index>(classes)}, extra.data()));
  }
  if (!reduction.calibration) return;
  const Calibration& calibration = *reduction.calibration;
  if (calibration.isotonic()) {
    tensors.push_back(tensor_of("calibration.starts", calibration.starts, extra.data() + code));
    tensors.push_back(tensor_of("calibration.scores", calibration.scores));
    tensors.push_back(tensor_of("calibration.proba", calibration.proba));
  } else {
    tensors.push_back(tensor_of("calibration.slope", calibration.slope));
    tensors.push_back(tensor_of("calibration.offset", calibration.offset));
  }
}

// The tensors of the steps.
void add_tensors(const Impute& step, std::size_t n, std::vector<Tensor>& tensors) {
  tensors.push_back(tensor_of(step_tensor(n, "fill"), step.fill));
}
void add_tensors(const OneHot&, std::size_t, std::vector<Tensor>&) {}
void add_tensors(const Standardize& step, std::size_t n, std::vector<Tensor>& tensors) {
  tensors.push_back(tensor_of(step_tensor(n, "center"), step.center));
  tensors.push_back(tensor_of(step_tensor(n, "scale"), step.scale));
}
void add_tensors(const Monomials&, std::size_t, std::vector<Tensor>&) {}
void add_tensors(const Pointwise& step, std::size_t n, std::vector<Tensor>& tensors) {
  tensors.push_back(tensor_of(step_tensor(n, "points"), step.points));
  if (step.function == PointFunction::gaussian)
    tensors.push_back(tensor_of(step_tensor(n, "widths"), step.widths));
}
void add_tensors(const Radial& step, std::size_t n, std::vector<Tensor>& tensors) {
  tensors.push_back(tensor_of(step_tensor(n, "centers"), step.centers));
  tensors.push_back(tensor_of(step_tensor(n, "scale"), step.scale));
  tensors.push_back(tensor_of(step_tensor(n, "widths"), step.widths));
}
void add_tensors(const Fourier& step, std::size_t n, std::vector<Tensor>& tensors) {
  tensors.push_back(tensor_of(step_tensor(n, "frequencies"), step.frequencies));
  tensors.push_back(tensor_of(step_tensor(n, "phases"), step.phases));
  tensors.push_back(tensor_of(step_tensor(n, "center"), step.coordinates.center));
  tensors.push_back(tensor_of(step_tensor(n, "scale"), step.coordinates.scale));
}

void add_tensors(const Hashing&, std::size_t, std::vector<Tensor>&) {}

// The tensors of a model, as views of its own memory and of `whole` and `extra`.
std::vector<Tensor> tensors_of(const Model& model, std::vector<double>& whole, std::vector<double>& extra) {
  std::vector<Tensor> tensors;
  if (model.reduction) add_tensors(*model.reduction, model.classes.size(), tensors, extra);
  if (const auto* linear = std::get_if<Linear>(&model.predictor)) {
    tensors.push_back(tensor_of("weights", linear->weights));
    tensors.push_back(tensor_of("bias", linear->bias));
    if (linear->center.size() > 0) tensors.push_back(tensor_of("center", linear->center));
  } else if (const auto* sum = std::get_if<KernelSum>(&model.predictor)) {
    tensors.push_back(tensor_of("support", sum->support));
    tensors.push_back(tensor_of("coefficients", sum->coefficients));
    tensors.push_back(tensor_of("bias", sum->bias));
    if (sum->center.size() > 0) tensors.push_back(tensor_of("center", sum->center));
    if (sum->scale.size() > 0) tensors.push_back(tensor_of("scale", sum->scale));
  } else if (const auto* network = std::get_if<Network>(&model.predictor)) {
    for (std::size_t l = 0; l < network->layers.size(); ++l) {
      tensors.push_back(tensor_of(layer_tensor(l, "weights"), network->layers[l].weights));
      tensors.push_back(tensor_of(layer_tensor(l, "bias"), network->layers[l].bias));
    }
    if (network->center.size() > 0) tensors.push_back(tensor_of("center", network->center));
    if (network->scale.size() > 0) tensors.push_back(tensor_of("scale", network->scale));
  } else if (const auto* additive = std::get_if<Additive>(&model.predictor)) {
    add_tensors(*additive, tensors, whole);
  } else {
    const auto& quadratic = std::get<Quadratic>(model.predictor);
    tensors.push_back(tensor_of("means", quadratic.means));
    tensors.push_back(tensor_of("bias", quadratic.bias));
    tensors.push_back(tensor_of("whiten", quadratic.whiten, quadratic.features(), whole));
  }
  for (const Statistic& one : model.statistics)
    tensors.push_back(make_tensor(statistic_prefix + one.name, one.shape, one.values.data()));
  if (model.priors.size() > 0) tensors.push_back(tensor_of("priors", model.priors));
  if (model.decision && model.decision->cost.size() > 0)
    tensors.push_back(tensor_of("decision.cost", model.decision->cost));
  if (model.decision && model.decision->prior_ratio.size() > 0)
    tensors.push_back(tensor_of("decision.prior_ratio", model.decision->prior_ratio));
  for (std::size_t n = 0; n < model.pipeline.steps().size(); ++n) {
    std::visit([&](const auto& step) { add_tensors(step, n, tensors); }, model.pipeline.steps()[n]);
  }
  return tensors;
}

// A model as a container holds it; views of the model's memory and of `whole`.
struct Parts {
  Metadata metadata;
  std::vector<Tensor> tensors;
  std::vector<double> whole, extra;
};

// Throws Code::model for a model that could not be loaded again.
Parts parts_of(const Model& model, const std::string& file) {
  try {
    Parts parts;
    parts.tensors = tensors_of(model, parts.whole, parts.extra);
    const std::string document = document_of(model);
    check_model(outline_of(document, file), parts.tensors, file);
    parts.metadata.emplace(document_key, document);
    return parts;
  } catch (const Error& error) {
    throw Error(error.code(), "cannot save the model: " + error.message(), {file, 0, ""});
  }
}

// ---- building a model from parts that check_model has found to fit

Matrix matrix_of(const Tensor& tensor) {
  return Eigen::Map<const Matrix>(numbers_of(tensor).data(), tensor.shape[0], tensor.shape[1]);
}
Vector vector_of(const Tensor& tensor) {
  return Eigen::Map<const Vector>(numbers_of(tensor).data(), tensor.shape[0]);
}
std::vector<double> list_of(const Tensor& tensor) {
  const auto numbers = numbers_of(tensor);
  return {numbers.begin(), numbers.end()};
}

void build(Linear& linear, const std::vector<Tensor>& tensors) {
  linear.weights = matrix_of(*find_tensor(tensors, "weights"));
  linear.bias = vector_of(*find_tensor(tensors, "bias"));
  if (const auto* center = find_tensor(tensors, "center")) linear.center = vector_of(*center);
}

void build(Quadratic& quadratic, const std::vector<Tensor>& tensors) {
  quadratic.means = matrix_of(*find_tensor(tensors, "means"));
  quadratic.bias = vector_of(*find_tensor(tensors, "bias"));
  const Index d = quadratic.features();
  const double* whiten = numbers_of(*find_tensor(tensors, "whiten")).data();
  for (Index k = 0; k < quadratic.scores(); ++k)
    quadratic.whiten.emplace_back(Eigen::Map<const Matrix>(whiten + k * d * d, d, d));
}

std::vector<Index> indices_of(const Tensor& tensor) {
  std::vector<Index> indices;
  for (const double number : numbers_of(tensor)) indices.push_back(static_cast<Index>(number));
  return indices;
}

void build(Additive& additive, const std::vector<Tensor>& tensors) {
  additive.means = matrix_of(*find_tensor(tensors, "means"));
  additive.precision = matrix_of(*find_tensor(tensors, "precision"));
  additive.bias = vector_of(*find_tensor(tensors, "bias"));
  additive.weights = matrix_of(*find_tensor(tensors, "weights"));
  const auto* features = find_tensor(tensors, "kernel.features");
  if (features == nullptr) return;
  additive.kernels = {indices_of(*features), matrix_of(*find_tensor(tensors, "kernel.widths")),
                      indices_of(*find_tensor(tensors, "kernel.starts")),
                      vector_of(*find_tensor(tensors, "kernel.points")),
                      vector_of(*find_tensor(tensors, "kernel.weights"))};
}

void build(KernelSum& sum, const std::vector<Tensor>& tensors) {
  sum.support = matrix_of(*find_tensor(tensors, "support"));
  sum.coefficients = matrix_of(*find_tensor(tensors, "coefficients"));
  sum.bias = vector_of(*find_tensor(tensors, "bias"));
  if (const auto* center = find_tensor(tensors, "center")) sum.center = vector_of(*center);
  if (const auto* scale = find_tensor(tensors, "scale")) sum.scale = vector_of(*scale);
}

void build_decision(Model& model, const std::vector<Tensor>& tensors) {
  if (const auto* priors = find_tensor(tensors, "priors")) model.priors = vector_of(*priors);
  if (!model.decision) return;
  if (const auto* cost = find_tensor(tensors, "decision.cost")) model.decision->cost = matrix_of(*cost);
  if (const auto* ratio = find_tensor(tensors, "decision.prior_ratio"))
    model.decision->prior_ratio = vector_of(*ratio);
}

void build_statistics(Model& model, const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors)
    if (tensor.name.starts_with(statistic_prefix))
      model.statistics.push_back(
          {tensor.name.substr(statistic_prefix.size()), tensor.shape, list_of(tensor)});
}

CodeMatrix code_of(const Tensor& tensor) {
  const Matrix signs = matrix_of(tensor);
  CodeMatrix code(static_cast<std::size_t>(signs.rows()));
  for (Index l = 0; l < signs.rows(); ++l)
    for (Index k = 0; k < signs.cols(); ++k) {
      Sides& sides = code[static_cast<std::size_t>(l)];
      if (signs(l, k) > 0) sides.positive.push_back(static_cast<std::int32_t>(k));
      if (signs(l, k) < 0) sides.negative.push_back(static_cast<std::int32_t>(k));
    }
  return code;
}

void build(Reduction& reduction, Index classes, const std::vector<Tensor>& tensors) {
  if (reduction.strategy == Strategy::output_codes)
    reduction.code = code_of(*find_tensor(tensors, "code"));
  else if (reduction.strategy == Strategy::one_vs_one)
    reduction.code = one_vs_one_code(classes);
  else
    reduction.code = one_vs_rest_code(classes);
  if (!reduction.calibration) return;
  Calibration& calibration = *reduction.calibration;
  if (calibration.isotonic()) {
    calibration.starts = indices_of(*find_tensor(tensors, "calibration.starts"));
    calibration.scores = vector_of(*find_tensor(tensors, "calibration.scores"));
    calibration.proba = vector_of(*find_tensor(tensors, "calibration.proba"));
  } else {
    calibration.slope = vector_of(*find_tensor(tensors, "calibration.slope"));
    calibration.offset = vector_of(*find_tensor(tensors, "calibration.offset"));
  }
}

void build(Network& network, const std::vector<Tensor>& tensors) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    network.layers[l].weights = matrix_of(*find_tensor(tensors, layer_tensor(l, "weights")));
    network.layers[l].bias = vector_of(*find_tensor(tensors, layer_tensor(l, "bias")));
  }
  if (const auto* center = find_tensor(tensors, "center")) network.center = vector_of(*center);
  if (const auto* scale = find_tensor(tensors, "scale")) network.scale = vector_of(*scale);
}

// What a step's tensors hold, and what follows from that and the features that come in.
struct StepBuilder {
  const std::vector<Tensor>& tensors;
  std::size_t n;
  const std::vector<Feature> features;
  const Schema& input;

  const Tensor& part(std::string_view name) const { return *find_tensor(tensors, step_tensor(n, name)); }

  void operator()(Impute& step) const { step.fill = list_of(part("fill")); }
  void operator()(OneHot&) const {}
  void operator()(Standardize& step) const {
    step.center = list_of(part("center"));
    step.scale = list_of(part("scale"));
  }
  void operator()(Monomials& step) const {
    step = Monomials::make(step.degree, step.kind, features, step.columns);
  }
  void operator()(Pointwise& step) const {
    step.points = list_of(part("points"));
    if (step.function == PointFunction::gaussian) step.widths = list_of(part("widths"));
    step.selection = Selection::make(features, step.columns, false);
  }
  void operator()(Radial& step) const {
    step.centers = matrix_of(part("centers"));
    step.scale = list_of(part("scale"));
    step.widths = list_of(part("widths"));
    step.prepare(features);
  }
  void operator()(Fourier& step) const {
    step.frequencies = matrix_of(part("frequencies"));
    step.phases = list_of(part("phases"));
    step.coordinates.center = vector_of(part("center"));
    step.coordinates.scale = vector_of(part("scale"));
    step.prepare(features);
  }
  void operator()(Hashing& step) const { step = Hashing::make(step.bits, input); }
};

Pipeline build_pipeline(const ModelOutline& outline, const std::vector<Tensor>& tensors) {
  std::vector<Step> steps = outline.steps;
  std::vector<Step> built;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    // Steps before the bases do not look at the features, whose names would take memory for nothing.
    const bool basis =
        !std::holds_alternative<Impute>(steps[n]) && !std::holds_alternative<OneHot>(steps[n]) &&
        !std::holds_alternative<Hashing>(steps[n]) && !std::holds_alternative<Standardize>(steps[n]);
    const StepBuilder build{tensors, n,
                            basis ? Pipeline(outline.input, built).feature_list() : std::vector<Feature>{},
                            outline.input};
    std::visit(build, steps[n]);
    built.push_back(std::move(steps[n]));
  }
  return Pipeline(outline.input, std::move(built));
}

Model build_model(ModelOutline outline, const std::vector<Tensor>& tensors, const std::string& file) {
  check_model(outline, tensors, file);
  try {
    outline.model.pipeline = build_pipeline(outline, tensors);
    std::visit([&](auto& predictor) { build(predictor, tensors); }, outline.model.predictor);
    build_decision(outline.model, tensors);
    build_statistics(outline.model, tensors);
    if (outline.model.reduction)
      build(*outline.model.reduction, static_cast<Index>(outline.model.classes.size()), tensors);
  } catch (const Error& error) {
    throw Error(Code::model, error.message(), {file, 0, ""});
  }
  return std::move(outline.model);
}

Model read_model(std::string_view bytes, std::shared_ptr<void> owner, const std::string& file) {
  if (bytes.empty()) throw Error(Code::model, "not a Discern model: the file is empty", {file, 0, ""});
  const PlainLocale plain;
  try {
    const Container container = read_container(bytes, std::move(owner), file, Code::model);
    const auto document = container.metadata.find(document_key);
    if (document == container.metadata.end())
      throw Error(Code::model, "not a Discern model: the file holds tensors without a model document",
                  {file, 0, ""});
    return build_model(outline_of(document->second, file), container.tensors, file);
  } catch (const std::bad_alloc&) {
    throw Error(Code::memory, "no memory for the model", {file, 0, ""});
  }
}

}  // namespace

std::string model_to_bytes(const Model& model) {
  const PlainLocale plain;
  const Parts parts = parts_of(model, "");
  return write_container(parts.metadata, parts.tensors);
}

void save_model(const Model& model, const std::string& path) {
  const PlainLocale plain;
  const Parts parts = parts_of(model, path);
  FileWriter writer(path);
  write_container(writer, parts.metadata, parts.tensors);
  writer.commit();
}

Model model_from_bytes(std::string_view bytes, const std::string& file) {
  return read_model(bytes, nullptr, file);
}

Model load_model(const std::string& path) {
  const FileContent content(path, Access::copy);
  return read_model(content.text(), content.owner(), path);
}

}  // namespace discern
