#include "cli/report/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/report/basis_json.hpp"
#include "cli/report/geometry.hpp"
#include "cli/report/inference_table.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/json_value.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

// One line. Bytes that are no UTF-8 (a Latin-1 file) become the replacement character.
std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Counts of rows are whole numbers; with sample weights they need not be.
Json amount(double weight) {
  const bool whole = weight == std::floor(weight) && std::abs(weight) < 9e15;
  return whole ? Json(static_cast<std::int64_t>(weight)) : Json(weight);
}

Json list_of(const Vector& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

Json metrics_of(const Metrics& m) {
  Json object{{"accuracy", nullable(m.accuracy)}, {"balanced_accuracy", nullable(m.balanced_accuracy)},
              {"error", nullable(m.error)},       {"log_loss", nullable(m.log_loss)},
              {"brier", nullable(m.brier)},       {"auc", nullable(m.auc)}};
  if (m.cost) object["cost"] = *m.cost;
  if (m.undecided > 0) {
    object["undecided"] = m.undecided / m.weight;
    object["accuracy_decided"] = nullable(m.accuracy_decided);
  }
  return object;
}

// What `evaluate` has beyond that.
void add_details(const Metrics& m, Json& object) {
  object["average_precision"] = nullable(m.average_precision);
  object["mcc"] = nullable(m.mcc);
  object["macro_f1"] = nullable(m.macro_f1);
  object["ece"] = nullable(m.ece);
  object["error_interval"] =
      m.error_interval ? Json{m.error_interval->low, m.error_interval->high} : Json(nullptr);
  object["calibration"] = Json::array();
  for (const CalibrationBin& bin : m.calibration)
    object["calibration"].push_back(
        {{"probability", bin.probability}, {"share", bin.share}, {"weight", amount(bin.weight)}});
}

Json metrics_of(const RegressionMetrics& m) {
  return {{"rmse", nullable(m.rmse)}, {"mae", nullable(m.mae)}, {"r2", nullable(m.r2)}};
}

Json facts_of(const Summary& summary) {
  Json object = Json::object();
  for (const Fact& fact : summary.facts) {
    const auto* number = std::get_if<double>(&fact.value);
    std::visit([&](const auto& value) { object[fact.name] = value; }, fact.value);
    if (number != nullptr) object[fact.name] = amount(*number);
  }
  return object;
}

Json reduction_of(const Model& model) {
  const Reduction& reduction = *model.reduction;
  const auto name = []<class E>(E value) { return value_names(value)[static_cast<std::size_t>(value)]; };
  const bool isotonic = reduction.calibration && reduction.calibration->isotonic();
  Json object{{"multiclass", name(reduction.strategy)},
              {"decision", name(reduction.combining)},
              {"machines", machine_names(model)},
              {"calibration", !reduction.calibration ? "none"
                              : isotonic             ? "isotonic"
                                                     : "platt"}};
  // The log-odds are slope g + offset of the planes' scores g.
  if (reduction.calibration && !isotonic) {
    object["slope"] = list_of(reduction.calibration->slope);
    object["offset"] = list_of(reduction.calibration->offset);
  }
  return object;
}

// What fit and inspect have in common.
Json base_of(const Model& model) {
  const Summary& summary = model.summary;
  Json base{{"model", model.name},
            {"task", model.task == Task::classification ? "classification" : "regression"},
            {"classes", model.classes},
            {"features", model.pipeline.feature_names()},
            {"n_samples", model.samples},
            {"n_features", model.pipeline.features()},
            {"solver", summary.solver},
            {"objective", nullable(summary.objective)},
            {"iterations", summary.iterations},
            {"converged", summary.converged},
            {"certificate", {{"kind", summary.certificate.kind}, {"value", summary.certificate.value}}}};
  if (model.reduction) base["reduction"] = reduction_of(model);
  for (const FitStage& stage : summary.stages)
    base["stages"].push_back(
        {{"solver", stage.solver},
         {"iterations", stage.iterations},
         {"certificate", {{"kind", stage.certificate.kind}, {"value", stage.certificate.value}}}});
  if (!summary.facts.empty()) base["facts"] = facts_of(summary);
  return base;
}

Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index k = 0; k < matrix.rows(); ++k) rows.push_back(list_of(matrix.row(k).transpose()));
  return rows;
}

// The kernel densities: an object a feature, with the width, the points and their weights of each class.
Json kernels_of(const Model& model, const Kernels& kernels, const std::vector<Index>& classes) {
  Json list = Json::array();
  for (std::size_t f = 0; f < kernels.features.size(); ++f) {
    Json one{{"feature", model.pipeline.feature_name(kernels.features[f])}};
    for (const char* key : {"widths", "points", "weights"}) one[key] = Json::array();
    for (const Index k : classes) {
      const std::size_t density = static_cast<std::size_t>(k) * kernels.features.size() + f;
      const Index start = kernels.starts[density], count = kernels.starts[density + 1] - start;
      one["widths"].push_back(kernels.widths(k, static_cast<Index>(f)));
      one["points"].push_back(list_of(kernels.points.segment(start, count)));
      one["weights"].push_back(list_of(kernels.weights.segment(start, count)));
    }
    list.push_back(std::move(one));
  }
  return list;
}

// The terms of an additive score, a row a class; a mean and a deviation are null where a feature has no
// Gaussian, and a weight where it has a kernel density.
void add_terms(const Model& model, const Additive& additive, Json& object) {
  object["weights"] = rows_of(additive.weights);
  object["bias"] = list_of(additive.bias);
  object["means"] = rows_of(additive.means);
  object["deviations"] = rows_of(additive.precision.cwiseInverse());
  for (Index k = 0; k < additive.scores(); ++k)
    for (Index j = 0; j < additive.features(); ++j)
      if (!(additive.precision(k, j) > 0)) object["means"][k][j] = object["deviations"][k][j] = nullptr;
  for (Index k = 0; k < additive.scores(); ++k)
    for (const Index j : additive.kernels.features) object["weights"][k][j] = nullptr;
  // With two classes the predictor's second is the positive one.
  std::vector<Index> classes(static_cast<std::size_t>(additive.scores()));
  std::iota(classes.begin(), classes.end(), Index{0});
  if (model.classes.size() == 2 && model.positive == 0) {
    std::swap(classes[0], classes[1]);
    for (const char* key : {"weights", "bias", "means", "deviations"})
      std::swap(object[key][0], object[key][1]);
  }
  if (!additive.kernels.features.empty()) object["kernels"] = kernels_of(model, additive.kernels, classes);
}

Json decision_of(const Decision& decision) {
  Json object{{"threshold", nullable(decision.threshold)}, {"reject", nullable(decision.reject)}};
  object["cost"] = decision.cost.size() > 0 ? rows_of(decision.cost) : Json(nullptr);
  object["prior_ratio"] = decision.prior_ratio.size() > 0 ? list_of(decision.prior_ratio) : Json(nullptr);
  return object;
}

Json inference_of(const Model& model, double confidence) {
  const Inference& inference = *model.inference;
  if (!inference.absent.empty()) return {{"absent", with_flags(inference.absent)}};
  const bool profiled = inference.low.size() > 0 && confidence == inference.confidence;
  const auto contrasts = contrast_names(model);
  Json coefficients = Json::array();
  for (Index k = 0; k < inference.estimates.rows(); ++k)
    for (Index j = inference.bias ? 0 : 1; j < inference.estimates.cols(); ++j) {
      const CoefficientTest test = test_of(inference, k, j, confidence);
      Json one{{"score", contrasts[static_cast<std::size_t>(k)]},
               {"name", coefficient_name(model, j)},
               {"estimate", test.estimate},
               {"error", test.error},
               {"statistic", test.statistic},
               {"p", test.p},
               {"low", test.low},
               {"high", test.high}};
      if (model.task == Task::classification) one["odds_ratio"] = std::exp(test.estimate);
      if (inference.likelihood_ratio.size() > 0) {
        one["likelihood_ratio"] = inference.likelihood_ratio(k, j);
        one["likelihood_ratio_p"] = test.ratio_p;
      }
      coefficients.push_back(std::move(one));
    }
  return {{"log_likelihood", inference.log_likelihood},
          {"deviance", inference.deviance},
          {"null_deviance", inference.null_deviance},
          {"degrees", inference.degrees()},
          {"dispersion", inference.dispersion},
          {"aic", inference.aic()},
          {"bic", inference.bic()},
          {"robust", inference.robust},
          {"confidence", confidence},
          {"intervals", inference.student ? "t"
                        : profiled        ? "profile"
                                          : "wald"},
          {"coefficients", std::move(coefficients)}};
}

// The smallest signed distances of rows to the planes, and how many are on the wrong side.
Json margins_of(const Model& model, const std::vector<RowDistance>& distances) {
  Json nearest = Json::array();
  Index wrong = 0;
  for (const RowDistance& one : distances) {
    wrong += one.distance < 0 ? 1 : 0;
    if (nearest.size() < 20)
      nearest.push_back({{"row", one.row + 1},
                         {"class", model.classes[static_cast<std::size_t>(one.label)]},
                         {"distance", one.distance}});
  }
  return {{"margin", distances[0].distance}, {"wrong", wrong}, {"nearest", std::move(nearest)}};
}

// The rows that bend the fit most. A number that a row does not have is null.
Json influence_of(const Model& model, const RowReport& report, Index limit) {
  const RowInfluence& found = *report.influence;
  const Influence& of = found.of;
  Json rows = Json::array();
  for (const Index i : report.order) {
    if (limit-- == 0) break;
    rows.push_back({{"row", found.rows[static_cast<std::size_t>(i)] + 1},
                    {"truth", truth_text(model, found, i)},
                    {"pearson", of.pearson[i]},
                    {"deviance", of.deviance[i]},
                    {"standardized", of.standardized[i]},
                    {"studentized", of.studentized[i]},
                    {"leverage", of.leverage[i]},
                    {"dffits", of.dffits[i]},
                    {"cook", of.cook[i]},
                    {"marks", influence_marks(of, i)}});
  }
  return {{"parameters", of.parameters},
          {"dispersion", of.dispersion},
          {"samples", of.samples},
          {"exact", of.exact},
          {"rows", std::move(rows)}};
}

Json truth_of(const TruthReport& truth) {
  const bool exact = !truth.known.standard_error;
  Json known{{"value", truth.known.value}, {"exact", exact}};
  if (!exact) {
    known["se"] = *truth.known.standard_error;
    known["draws"] = truth.known.draws;
  }
  return {{"bayes_error", std::move(known)},
          {"rows", {{"error", truth.rows.error}, {"bayes_error", truth.rows.bayes_error}}},
          {"risk", truth.rows.risk},
          {"bayes_risk", truth.rows.bayes_risk},
          {"excess_risk", {{"value", truth.rows.excess}, {"se", truth.rows.excess_error}}}};
}

Json entry_of(const ModelEntry& entry, std::string_view name) {
  Json options = Json::array();
  for (const FieldInfo& field : fields_of(entry.make(name)))
    options.push_back({{"name", field.name},
                       {"kind", field.kind},
                       {"default", field.value},
                       {"range", field.range},
                       {"choices", field.choices},
                       {"help", field.help}});
  Json grid = Json::object();
  if (entry.grid != nullptr)
    for (const GridAxis& axis : entry.grid(name)) grid[axis.option] = axis.values;
  return {{"name", entry.name},
          {"aliases", entry.aliases},
          {"summary", entry.summary},
          {"formula", with_flags(entry.formula)},
          {"regression", entry.regression},
          {"probabilities", entry.probabilities},
          {"options", std::move(options)},
          {"compare", std::move(grid)}};
}

// As fit --weights reads it.
Json network_of(const Network& network) {
  Json object{{"layers", Json::array()}, {"slope", network.slope}};
  for (const Layer& layer : network.layers)
    object["layers"].push_back(
        {{"weights", rows_of(layer.weights)},
         {"bias", list_of(layer.bias)},
         {"activation", value_names(UnitKind{})[static_cast<std::size_t>(layer.unit)]}});
  if (network.center.size() > 0) object["center"] = list_of(network.center);
  if (network.scale.size() > 0) object["scale"] = list_of(network.scale);
  return object;
}

Json chosen_of(const ChosenPenalty& chosen) {
  return {{"l1", chosen.l1},
          {"l2", chosen.l2},
          {"by", "min"},
          {"metric", chosen.metric->name},
          {"mean", nullable(chosen.score.mean)},
          {"se", nullable(chosen.score.se)},
          {"values", chosen.values},
          {"folds", chosen.folds}};
}

}  // namespace

std::string fit_json(const FitReport& report) {
  const Model& model = report.outcome->model;
  Json object = base_of(model);
  if (!report.outcome->predicted)
    object["train"] = nullptr;
  else
    object["train"] =
        model.task == Task::classification ? metrics_of(report.metrics) : metrics_of(report.regression);
  if (report.chosen) object["chosen"] = chosen_of(*report.chosen);
  object["warnings"] = with_flags(report.warnings);
  object["seconds"] = {
      {"read", report.read_seconds}, {"fit", report.fit_seconds}, {"total", report.total_seconds}};
  return json_line(object);
}

std::string evaluation_json(const Model& model, const Metrics& metrics,
                            const std::optional<TruthReport>& truth) {
  const std::size_t classes = model.classes.size();
  Json object = metrics_of(metrics);
  const bool table = !metrics.confusion.empty();  // not of very many classes
  object["confusion"] = table ? Json::array() : Json(nullptr);
  object["per_class"] = Json::object();
  for (std::size_t k = 0; k < classes; ++k) {
    const ClassMetrics& one = metrics.per_class[k];
    if (table) {
      Json row = Json::array();
      for (std::size_t j = 0; j < classes; ++j) row.push_back(amount(metrics.confusion[k * classes + j]));
      if (metrics.undecided > 0) row.push_back(amount(one.undecided));
      object["confusion"].push_back(std::move(row));
    }
    object["per_class"][model.classes[k]] = {{"precision", nullable(one.precision)},
                                             {"recall", nullable(one.recall)},
                                             {"f1", nullable(one.f1)},
                                             {"support", amount(one.support)}};
  }
  add_details(metrics, object);
  if (truth) object["truth"] = truth_of(*truth);
  return json_line(object);
}

std::string evaluation_json(const RegressionMetrics& metrics) { return json_line(metrics_of(metrics)); }

std::string inspection_json(const Model& model, double confidence, const RowReport& rows, Index limit) {
  Json object = base_of(model);
  object["warnings"] = with_flags(model.summary.warnings);
  object["target"] = model.target;
  object["positive"] = model.classes.size() == 2
                           ? Json(model.classes[static_cast<std::size_t>(model.positive)])
                           : Json(nullptr);
  object["standardized"] = model.standardized;
  if (model.decision) object["decision"] = decision_of(*model.decision);
  if (model.priors.size() > 0) object["priors"] = list_of(model.priors);
  object["options"] = Json::object();
  for (const auto& [name, value] : model.options) object["options"][name] = value;
  for (const char* key : {"weights", "bias", "norm", "origin_distance", "origin_foot"}) object[key] = nullptr;
  if (const auto* sum = std::get_if<KernelSum>(&model.predictor)) {
    object["bias"] = list_of(sum->bias);
    object["support"] = rows_of(sum->support);
    object["coefficients"] = rows_of(sum->coefficients);
  }
  if (const auto* additive = std::get_if<Additive>(&model.predictor)) add_terms(model, *additive, object);
  if (const auto* network = std::get_if<Network>(&model.predictor)) object["network"] = network_of(*network);
  if (const auto geometry = geometry_of(model)) {
    object["weights"] = Json::array();
    for (Index k = 0; k < geometry->weights.rows(); ++k)
      object["weights"].push_back(list_of(geometry->weights.row(k).transpose()));
    object["bias"] = list_of(geometry->bias);
    object["norm"] = list_of(geometry->norm);
    object["origin_distance"] = list_of(geometry->origin_distance);
    object["origin_foot"] = Json::array();
    for (Index k = 0; k < geometry->origin_foot.rows(); ++k)
      object["origin_foot"].push_back(list_of(geometry->origin_foot.row(k).transpose()));
  }
  if (Json bases = basis_json(model.pipeline); !bases.empty()) object["basis"] = std::move(bases);
  if (model.inference) object["inference"] = inference_of(model, confidence);
  if (!rows.distances.empty()) object["margins"] = margins_of(model, rows.distances);
  if (rows.influence) object["influence"] = influence_of(model, rows, limit);
  return json_line(object);
}

std::string models_json() {
  Json list = Json::array();
  for (const ModelEntry& entry : models()) list.push_back(entry_of(entry, entry.name));
  return json_line({{"models", std::move(list)}});
}

std::string model_json(const ModelEntry& entry, std::string_view name) {
  return json_line(entry_of(entry, name));
}

std::string losses_json(const std::vector<double>& margins, const std::vector<LossCurve>& curves) {
  Json list = Json::array();
  for (const LossCurve& curve : curves)
    list.push_back({{"name", curve.name},
                    {"formula", curve.formula},
                    {"values", curve.values},
                    {"slopes", curve.slopes},
                    {"curvatures", curve.curvatures}});
  return json_line({{"margins", margins}, {"losses", std::move(list)}});
}

std::string columns_json(const std::vector<JsonColumn>& columns) {
  Json object = Json::object();
  for (const JsonColumn& column : columns)
    object[column.name] = column.texts.empty() ? Json(column.numbers) : Json(column.texts);
  return json_line(object);
}

std::string object_json(const std::vector<std::pair<std::string, JsonValue>>& items) {
  Json object = Json::object();
  for (const auto& item : items) std::visit([&](const auto& v) { object[item.first] = v; }, item.second);
  return json_line(object);
}

}  // namespace discern::cli
