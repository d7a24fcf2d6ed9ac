#include "discern/catalogue/row_influence.hpp"

#include <fmt/format.h>

#include <numeric>

#include "discern/base/error.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/model/inference/likelihood_inference.hpp"
#include "discern/optim/confirm/separation.hpp"
#include "discern/transform/pipeline.hpp"

namespace discern {
namespace {

// The minimum of other rows has a gradient of about a per cent.
constexpr double largest_gradient = 1e-4;

std::string option_of(const Model& model, std::string_view name) {
  for (const auto& [option, value] : model.options)
    if (option == name) return value;
  return "";
}

bool is_set(const Model& model, std::string_view name) { return option_of(model, name) == "true"; }
double number_in(const Model& model, std::string_view name) {
  return number_of(option_of(model, name)).value_or(0);
}

// Why a model has none; empty: it may have.
std::string no_influence(const Model& model) {
  if (model.name != "least-squares" && model.name != "logistic")
    return fmt::format("leverages are those of least-squares and logistic, and this is {}", model.name);
  if (model.reduction) return "machines for two sides, or a calibration, have none as a whole";
  if (model.name == "logistic" && model.classes.size() > 2)
    return fmt::format("of logistic it is for two classes, and there are {}", model.classes.size());
  if (number_in(model, "l1") > 0)
    return "with l1 the weights do not follow the rows smoothly, so there are no leverages";
  if (number_in(model, "shrinkage") > 0) return "with `shrinkage` the penalty depends on the rows";
  for (const char* name : {"firth", "normalize-criterion", "normalize-weights"})
    if (is_set(model, name))
      return fmt::format("with {} the objective is more than a loss of each row and l2", option_name(name));
  if (const std::string unit = option_of(model, "activation"); !unit.empty() && unit != "none")
    return fmt::format("with `activation` {} the fit is no least squares of the scores", unit);
  if (const std::string targets = option_of(model, "targets"); !targets.empty() && targets != "pm1")
    return fmt::format("it knows the targets -1 and +1, and these are {}", targets);
  if (!model.summary.converged)
    return "the fit has not converged, so there is no minimum that rows could bend";
  if (1 + model.pipeline.features() > most_inferred)
    return fmt::format("there are {} weights, and the limit is {}", 1 + model.pipeline.features(),
                       most_inferred);
  return "";
}

// The rows as the fit saw them.
TrainingSet fitted_rows(const Model& model, const Table& table, const std::string& sample_weight) {
  FitSettings settings;
  settings.task = model.task;
  settings.target = model.target;
  settings.sample_weight = sample_weight;
  settings.before = &model;
  if (model.classes.size() == 2) settings.positive = model.classes[static_cast<std::size_t>(model.positive)];
  return training_set(table, settings);
}

Problem problem_of(const Model& model, const Source& source, const Monitor& monitor) {
  Problem problem;
  problem.source = &source;
  if (model.name == "least-squares") problem.loss = SquaredLoss{};
  problem.bias = !is_set(model, "no-bias");
  std::vector<bool> indicator;
  for (Index j = 0; j < model.pipeline.features(); ++j) indicator.push_back(model.pipeline.indicator(j));
  const bool penalize_bias = is_set(model, "penalize-bias");
  problem.scaling =
      fit_scaling(source, {problem.bias && !penalize_bias, model.standardized, indicator}, monitor);
  set_penalty(problem, {0, number_in(model, "l2"), penalize_bias});
  return problem;
}

// The model's planes in the coordinates of the problem.
Eigen::MatrixXd point_of(const Linear& plane, const Scaling& scaling) {
  Eigen::MatrixXd point(1 + plane.features(), plane.scores());
  Vector shift = Vector::Zero(plane.features());
  if (scaling.center.size() > 0) shift += scaling.center;
  if (plane.center.size() > 0) shift -= plane.center;
  point.row(0) = (plane.bias + plane.weights * shift).transpose();
  point.bottomRows(plane.features()) = scaling.scale.asDiagonal() * plane.weights.transpose();
  return point;
}

void check_same_rows(const Model& model, const Table& table, Index rows) {
  if (rows != model.samples)
    throw Error(
        Code::data,
        fmt::format("{} rows, and the model was fitted on {}: influence is that of the rows of the fit", rows,
                    model.samples),
        {table.file, 0, ""});
}

}  // namespace

void check_influence(const Model& model) {
  if (const std::string reason = no_influence(model); !reason.empty())
    throw Error(Code::usage, "`influence`: " + reason);
}

RowInfluence row_influence(const Model& model, const Table& table, const std::string& sample_weight,
                           const Monitor& monitor) {
  check_influence(model);
  TrainingSet set = fitted_rows(model, table, sample_weight);
  check_same_rows(model, table, set.table.rows());
  const Arranged arranged = arrange(set.table, model.pipeline, {});
  const PipelineSource source(arranged.x, model.pipeline, set.targets);
  const Problem problem = problem_of(model, source, monitor);
  RowInfluence result;
  result.of = influence(problem, point_of(std::get<Linear>(model.predictor), problem.scaling), monitor);
  if (!(result.of.gradient <= largest_gradient))
    throw Error(
        Code::data,
        fmt::format("the model is not the minimum of its objective on these rows (a relative gradient "
                    "of {:.1e}): influence is that of the rows of the fit, with their `sample_weight`; "
                    "fits with class weights have none",
                    result.of.gradient),
        {table.file, 0, ""});
  result.rows = std::move(set.table.row_numbers);
  if (result.rows.empty()) {
    result.rows.resize(static_cast<std::size_t>(table.rows()));
    std::iota(result.rows.begin(), result.rows.end(), Index{0});
  }
  result.labels = std::move(set.labels);
  result.targets = std::move(set.targets.values);
  return result;
}

}  // namespace discern
