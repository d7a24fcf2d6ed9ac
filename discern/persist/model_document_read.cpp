// From a model's document, which may hold anything, to its parts.
#include <fmt/format.h>

#include <cmath>
#include <unordered_set>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/persist/json_reader.hpp"
#include "discern/persist/model_document.hpp"
#include "discern/persist/model_file.hpp"

namespace discern {
namespace {

constexpr Index highest_degree = 100;     // of Monomials, as in --basis
constexpr std::size_t most_layers = 101;  // of a network: a hundred hidden ones

std::vector<std::string> read_texts(const JsonReader& json) {
  std::vector<std::string> texts;
  json.for_each([&](const JsonReader& item) { texts.push_back(item.text()); });
  return texts;
}

// Texts that tell things apart: classes, levels.
std::vector<std::string> read_distinct(const JsonReader& json) {
  auto texts = read_texts(json);
  std::unordered_set<std::string_view> seen;
  for (const auto& text : texts)
    if (!seen.insert(text).second) json.fail("two entries are equal");
  return texts;
}

// A mark of one character, or none.
char read_mark(const JsonReader& json, std::string_view known) {
  const std::string mark = json.text();
  if (mark.empty() ? known.front() != '\0'
                   : mark.size() != 1 || known.find(mark[0]) == std::string_view::npos)
    json.fail("not a mark that numbers are written with");
  return mark.empty() ? '\0' : mark[0];
}

NumberForm read_form(const JsonReader& json) {
  NumberForm form;
  form.kind = static_cast<NumberForm::Kind>(json["kind"].choice({"number", "boolean", "date"}));
  if (form.kind != NumberForm::Kind::number) {
    json.expect_members({"kind"});
    return form;
  }
  json.expect_members({"kind", "decimal", "group", "unit"});
  form.decimal = read_mark(json["decimal"], ".,");
  form.group = read_mark(json["group"], std::string_view("\0,. '", 5));
  form.unit = json["unit"].text();
  if (form.decimal == form.group) json.fail("the decimal mark separates thousands, too");
  if (form.plain()) json.fail("a plain form is not written");
  return form;
}

Column read_column(const JsonReader& json) {
  Column column;
  column.categorical = json.has("levels");
  if (column.categorical) {
    const bool pooled = json.has("pool");
    json.expect_members(pooled ? std::vector<const char*>{"name", "levels", "pool"}
                               : std::vector<const char*>{"name", "levels"});
    column.levels = read_distinct(json["levels"]);
    if (pooled) column.other = json["pool"].integer(0, static_cast<std::int64_t>(column.levels.size()) - 1);
  } else if (json.has("form")) {
    json.expect_members({"name", "form"});
    column.form = read_form(json["form"]);
  } else {
    json.expect_members({"name"});
  }
  column.name = json["name"].text();
  return column;
}

Schema read_input(const JsonReader& json) {
  if (json.has("numbered")) {
    json.expect_members({"numbered"});
    return Schema::numbered(json["numbered"].integer(0));
  }
  json.expect_members({"columns"});
  std::vector<Column> columns;
  json["columns"].for_each([&](const JsonReader& item) { columns.push_back(read_column(item)); });
  if (columns.empty()) json["columns"].fail("an input without columns is written as \"numbered\": 0");
  try {
    return Schema(std::move(columns));
  } catch (const Error& error) {
    json["columns"].fail(error.message());
  }
}

std::vector<Index> read_counts(const JsonReader& json) {
  std::vector<Index> counts;
  json.for_each([&](const JsonReader& item) { counts.push_back(item.integer(0)); });
  return counts;
}

// Refuses unless a basis has exactly these members, and "columns" where it does not take all that it could.
std::vector<Index> read_columns(const JsonReader& json, std::vector<const char*> members) {
  if (json.has("columns")) members.push_back("columns");
  json.expect_members(members);
  if (!json.has("columns")) return {};
  std::vector<Index> columns = read_counts(json["columns"]);
  if (columns.empty()) json["columns"].fail("a basis without columns has no such member");
  return columns;
}

Monomials read_monomials(const JsonReader& json, bool powers) {
  Monomials step;
  step.columns =
      powers ? read_columns(json, {"kind", "degree"}) : read_columns(json, {"kind", "degree", "distinct"});
  step.degree = json["degree"].integer(1, highest_degree);
  step.kind = powers ? Products::powers : json["distinct"].boolean() ? Products::distinct : Products::all;
  return step;
}

Pointwise read_pointwise(const JsonReader& json, PointFunction function) {
  Pointwise step;
  step.function = function;
  step.columns = read_columns(json, {"kind", "counts"});
  step.counts = read_counts(json["counts"]);
  return step;
}

Radial read_radial(const JsonReader& json) {
  Radial step;
  step.columns = read_columns(json, {"kind", "unit"});
  constexpr RadialUnit units[] = {RadialUnit::gaussian, RadialUnit::inverse_quadratic};
  step.unit = units[json["unit"].choice({"gaussian", "inverse-quadratic"})];
  return step;
}

Impute read_impute(const JsonReader& json) {
  Impute step;
  if (!json.has("indicators")) {
    json.expect_members({"kind"});
    return step;
  }
  json.expect_members({"kind", "indicators"});
  step.indicators = read_counts(json["indicators"]);
  if (step.indicators.empty()) json["indicators"].fail("a step without indicators has no such member");
  return step;
}

OneHot read_one_hot(const JsonReader& json) {
  json.expect_members({"kind", "levels", "drop_first"});
  return {read_counts(json["levels"]), json["drop_first"].boolean()};
}

Fourier read_fourier(const JsonReader& json) {
  Fourier step;
  step.columns = read_columns(json, {"kind"});
  return step;
}

Hashing read_hashing(const JsonReader& json) {
  json.expect_members({"kind", "bits"});
  Hashing step;
  step.bits = json["bits"].integer(1, Hashing::most_bits);
  return step;
}

Step read_step(const JsonReader& json) {
  const std::size_t kind =
      json["kind"].choice({"impute", "one-hot", "standardize", "monomials", "powers", "gauss", "threshold",
                           "rbf", "fourier", "hash", "log", "log1p", "sqrt", "parts"});
  if (kind == 1) return read_one_hot(json);
  if (kind == 3 || kind == 4) return read_monomials(json, kind == 4);
  if (kind == 5) return read_pointwise(json, PointFunction::gaussian);
  if (kind == 6) return read_pointwise(json, PointFunction::step);
  if (kind == 7) return read_radial(json);
  if (kind == 8) return read_fourier(json);
  if (kind == 9) return read_hashing(json);
  if (kind == 10) return read_pointwise(json, PointFunction::log);
  if (kind == 11) return read_pointwise(json, PointFunction::log1p);
  if (kind == 12) return read_pointwise(json, PointFunction::sqrt);
  if (kind == 13) return read_pointwise(json, PointFunction::parts);
  if (kind == 0) return read_impute(json);
  json.expect_members({"kind"});
  return Standardize{};
}

KernelSum read_kernel_sum(const JsonReader& json) {
  json.expect_members({"shape", "kernel", "parameter"});
  KernelSum sum;
  constexpr KernelKind kinds[] = {KernelKind::linear, KernelKind::polynomial, KernelKind::gaussian};
  sum.kernel = {kinds[json["kernel"].choice({"linear", "poly", "gauss"})], json["parameter"].number()};
  return sum;
}

Link read_link(const JsonReader& json) {
  constexpr Link links[] = {Link::none, Link::logistic, Link::softmax};
  return links[json.choice({"none", "logistic", "softmax"})];
}

Network read_network(const JsonReader& json) {
  json.expect_members({"shape", "link", "units", "slope"});
  Network network;
  network.link = read_link(json["link"]);
  network.slope = json["slope"].number();
  json["units"].for_each([&](const JsonReader& item) {
    if (network.layers.size() == most_layers)
      json["units"].fail(fmt::format("more than {} layers", most_layers));
    const auto unit = static_cast<UnitKind>(item.choice({"linear", "relu", "tanh", "logistic", "step"}));
    network.layers.push_back({{}, {}, unit});
  });
  if (network.layers.empty() || network.layers.back().unit != UnitKind::linear)
    json["units"].fail("the last layer, which gives the scores, is not linear");
  return network;
}

Predictor read_predictor(const JsonReader& json) {
  const std::size_t shape =
      json["shape"].choice({"linear", "quadratic", "additive", "kernel-sum", "network"});
  if (shape == 3) return read_kernel_sum(json);
  if (shape == 4) return read_network(json);
  if (shape > 0) {
    json.expect_members({"shape"});
    if (shape == 1) return Quadratic{};
    return Additive{};
  }
  json.expect_members({"shape", "link"});
  Linear linear;
  linear.link = read_link(json["link"]);
  return linear;
}

Reduction read_reduction(const JsonReader& json) {
  json.expect_members({"strategy", "decision", "loss", "calibration"});
  Reduction reduction;
  reduction.strategy = static_cast<Strategy>(json["strategy"].choice({"joint", "ovr", "ovo", "ecoc"}));
  constexpr Combining decisions[] = {Combining::max, Combining::unanimous, Combining::vote, Combining::sum};
  reduction.combining = decisions[json["decision"].choice({"max", "unanimous", "vote", "sum"})];
  constexpr const char* losses[] = {"logistic", "hinge", "squared-hinge", "squared", "perceptron"};
  reduction.loss =
      losses[json["loss"].choice({"logistic", "hinge", "squared-hinge", "squared", "perceptron"})];
  const std::size_t calibration = json["calibration"].choice({"none", "platt", "isotonic"});
  if (calibration > 0) reduction.calibration.emplace();
  if (calibration == 1) reduction.calibration->slope = Vector::Zero(1);  // tells it from isotonic
  return reduction;
}

std::vector<std::pair<std::string, std::string>> read_options(const JsonReader& json) {
  std::vector<std::pair<std::string, std::string>> options;
  json.for_each([&](const JsonReader& item) {
    item.expect_members({"name", "value"});
    options.emplace_back(item["name"].text(), item["value"].text());
  });
  return options;
}

// What a threshold excludes is refused with the tensors.
Decision read_decision(const JsonReader& json, ModelOutline& outline) {
  json.expect_members({"threshold", "reject", "cost", "prior_ratio"});
  outline.costs = json["cost"].boolean();
  outline.prior_ratio = json["prior_ratio"].boolean();
  Decision decision;
  if (!json["threshold"].is_null()) decision.threshold = json["threshold"].number();
  if (!json["reject"].is_null()) decision.reject = json["reject"].number();
  if (decision.threshold && !(*decision.threshold >= 0 && *decision.threshold <= 1))
    json["threshold"].refuse("null or a number from 0 to 1");
  if (decision.reject && !std::isfinite(*decision.reject)) json["reject"].refuse("null or a finite number");
  return decision;
}

Fact read_fact(const JsonReader& json) {
  if (json.has("flag")) {
    json.expect_members({"name", "flag"});
    return {json["name"].text(), json["flag"].boolean()};
  }
  if (json.has("text")) {
    json.expect_members({"name", "text"});
    return {json["name"].text(), json["text"].text()};
  }
  json.expect_members({"name", "number"});
  return {json["name"].text(), json["number"].number()};
}

Summary read_summary(const JsonReader& json, Index version) {
  Summary summary;
  if (version == 1) {
    json.expect_members({"solver", "reason", "objective", "iterations", "converged", "interrupted",
                         "certificate", "tolerance", "rank", "warnings"});
  } else {
    json.expect_members({"solver", "reason", "objective", "iterations", "converged", "interrupted",
                         "certificate", "tolerance", "rank", "warnings", "facts"});
    json["facts"].for_each([&](const JsonReader& item) { summary.facts.push_back(read_fact(item)); });
  }
  summary.solver = json["solver"].text();
  summary.reason = json["reason"].text();
  if (!json["objective"].is_null()) summary.objective = json["objective"].number();
  summary.iterations = json["iterations"].integer(0);
  summary.converged = json["converged"].boolean();
  summary.interrupted = json["interrupted"].boolean();
  json["certificate"].expect_members({"kind", "value"});
  summary.certificate = {json["certificate"]["kind"].text(), json["certificate"]["value"].number()};
  summary.tolerance = json["tolerance"].number();
  if (!json["rank"].is_null()) summary.rank = json["rank"].integer(0);
  summary.warnings = read_texts(json["warnings"]);
  return summary;
}

// Rows of numbers, as many as the shape given has.
Matrix read_matrix(const JsonReader& json, Index rows, Index cols) {
  Matrix matrix(rows, cols);
  Index k = 0;
  json.for_each([&](const JsonReader& row) {
    Index j = 0;
    row.for_each([&](const JsonReader& item) {
      if (k < rows && j < cols) matrix(k, j) = item.number();
      ++j;
    });
    if (j != cols) row.fail(fmt::format("expected {} numbers, found {}", cols, j));
    ++k;
  });
  if (k != rows) json.fail(fmt::format("expected {} rows, found {}", rows, k));
  return matrix;
}

Inference read_inference(const JsonReader& json) {
  Inference inference;
  if (json.has("absent")) {
    json.expect_members({"absent"});
    inference.absent = json["absent"].text();
    return inference;
  }
  json.expect_members({"bias", "student", "robust", "samples", "parameters", "log_likelihood", "deviance",
                       "null_deviance", "dispersion", "confidence", "estimates", "errors", "profile"});
  inference.bias = json["bias"].boolean();
  inference.student = json["student"].boolean();
  inference.robust = json["robust"].boolean();
  inference.samples = json["samples"].number();
  inference.parameters = json["parameters"].number();
  inference.log_likelihood = json["log_likelihood"].number();
  inference.deviance = json["deviance"].number();
  inference.null_deviance = json["null_deviance"].number();
  inference.dispersion = json["dispersion"].number();
  inference.confidence = json["confidence"].number();
  // The shape of the estimates is checked against the predictor (model_check.cpp), the others against it.
  Index rows = 0, cols = 0;
  json["estimates"].for_each([&](const JsonReader& row) {
    if (rows++ == 0) row.for_each([&](const JsonReader&) { ++cols; });
  });
  inference.estimates = read_matrix(json["estimates"], rows, cols);
  inference.errors = read_matrix(json["errors"], rows, cols);
  const JsonReader profile = json["profile"];
  if (profile.is_null()) return inference;
  profile.expect_members({"low", "high", "likelihood_ratio"});
  inference.low = read_matrix(profile["low"], rows, cols);
  inference.high = read_matrix(profile["high"], rows, cols);
  inference.likelihood_ratio = read_matrix(profile["likelihood_ratio"], rows, cols);
  return inference;
}

Index check_version(const JsonReader& json, const std::string& file) {
  json["format"].choice({model_format_name});
  const Index version = json["version"].integer(1);
  if (version > model_file_version)
    throw Error(
        Code::model,
        fmt::format("the model has version {} of the file format, this program reads versions up to {}; "
                    "a newer Discern is needed",
                    version, model_file_version),
        {file, 0, ""});
  return version;
}

}  // namespace

ModelOutline outline_of(std::string_view document, const std::string& file) {
  const JsonOrigin origin{file};
  const nlohmann::json parsed = parse_json(document, origin);
  const JsonReader json(parsed, origin);
  const Index version = check_version(json, file);
  std::vector<const char*> members{"format",  "version",      "name",    "task",   "target",
                                   "classes", "positive",     "input",   "steps",  "predictor",
                                   "options", "standardized", "samples", "summary"};
  if (version >= 3) members.insert(members.end(), {"decision", "reduction", "inference"});
  json.expect_members(members);
  ModelOutline outline;
  Model& model = outline.model;
  model.name = json["name"].text();
  model.task =
      json["task"].choice({"classification", "regression"}) == 1 ? Task::regression : Task::classification;
  model.target = json["target"].text();
  model.classes = read_distinct(json["classes"]);
  model.positive = json["positive"].integer(0, 1);
  outline.input = read_input(json["input"]);
  json["steps"].for_each([&](const JsonReader& item) { outline.steps.push_back(read_step(item)); });
  model.predictor = read_predictor(json["predictor"]);
  if (version >= 3 && !json["decision"].is_null()) model.decision = read_decision(json["decision"], outline);
  if (version >= 3 && !json["reduction"].is_null()) model.reduction = read_reduction(json["reduction"]);
  model.options = read_options(json["options"]);
  model.standardized = json["standardized"].boolean();
  model.samples = json["samples"].integer(0);
  model.summary = read_summary(json["summary"], version);
  if (version >= 3 && !json["inference"].is_null()) model.inference = read_inference(json["inference"]);
  return outline;
}

}  // namespace discern
