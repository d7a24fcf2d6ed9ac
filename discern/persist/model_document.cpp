#include "discern/persist/model_document.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "discern/io/file/utf8.hpp"
#include "discern/persist/model_file.hpp"

namespace discern {
namespace {

using Json = nlohmann::json;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// A finite double as a JSON number that reads back as the same double; the others as texts, because JSON has
// no numbers for them.
Json write_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view names = "0123456789abcdef";
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += {names[byte / 16], names[byte % 16]};
  }
  return digits;
}

// Ordinary UTF-8 as it is, so that it stays readable; other bytes as {"hex": "ff00"}. Ordinary is what the
// container need not escape (io/file/utf8.hpp), so that readers have to know of one escape only.
Json write_text(const std::string& text) {
  if (to_utf8(text) == text) return text;
  return {{"hex", to_hex(text)}};
}

Json write_texts(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const auto& text : texts) list.push_back(write_text(text));
  return list;
}

// Only what is not plain is written.
Json write_form(const NumberForm& form) {
  if (form.kind == NumberForm::Kind::boolean) return {{"kind", "boolean"}};
  if (form.kind == NumberForm::Kind::date) return {{"kind", "date"}};
  Json json{{"kind", "number"}, {"decimal", std::string(1, form.decimal)}};
  json["group"] = form.group == '\0' ? "" : std::string(1, form.group);
  json["unit"] = form.unit;
  return json;
}

Json write_input(const Schema& input) {
  if (input.is_numbered()) return {{"numbered", input.size()}};
  Json columns = Json::array();
  for (Index j = 0; j < input.size(); ++j) {
    const Column& column = input.column(j);
    Json entry{{"name", write_text(column.name)}};
    if (column.categorical) entry["levels"] = write_texts(column.levels);
    if (!column.form.plain()) entry["form"] = write_form(column.form);
    if (column.other >= 0) entry["pool"] = column.other;
    columns.push_back(std::move(entry));
  }
  return {{"columns", std::move(columns)}};
}

// Columns are named only where a basis does not take all that it could.
Json with_columns(Json step, const std::vector<Index>& columns) {
  if (!columns.empty()) step["columns"] = columns;
  return step;
}

Json write_monomials(const Monomials& s) {
  if (s.kind == Products::powers) return with_columns({{"kind", "powers"}, {"degree", s.degree}}, s.columns);
  return with_columns(
      {{"kind", "monomials"}, {"degree", s.degree}, {"distinct", s.kind == Products::distinct}}, s.columns);
}

Json write_step(const Step& step) {
  return std::visit(
      Overloaded{[](const Impute& s) -> Json {
                   Json one{{"kind", "impute"}};
                   if (!s.indicators.empty()) one["indicators"] = s.indicators;
                   return one;
                 },
                 [](const OneHot& s) -> Json {
                   return {{"kind", "one-hot"}, {"levels", s.levels}, {"drop_first", s.drop_first}};
                 },
                 [](const Standardize&) -> Json {
                   return {{"kind", "standardize"}};
                 },
                 [](const Monomials& s) -> Json { return write_monomials(s); },
                 [](const Pointwise& s) -> Json {
                   return with_columns({{"kind", std::string(name_of(s.function))}, {"counts", s.counts}},
                                       s.columns);
                 },
                 [](const Radial& s) -> Json {
                   const bool gaussian = s.unit == RadialUnit::gaussian;
                   return with_columns(
                       {{"kind", "rbf"}, {"unit", gaussian ? "gaussian" : "inverse-quadratic"}}, s.columns);
                 },
                 [](const Fourier& s) -> Json {
                   return with_columns({{"kind", "fourier"}}, s.columns);
                 },
                 [](const Hashing& s) -> Json {
                   return {{"kind", "hash"}, {"bits", s.bits}};
                 }},
      step);
}

Json write_kernel_sum(const KernelSum& sum) {
  switch (sum.kernel.kind) {
    case KernelKind::polynomial:
      return {{"shape", "kernel-sum"}, {"kernel", "poly"}, {"parameter", write_number(sum.kernel.parameter)}};
    case KernelKind::gaussian:
      return {
          {"shape", "kernel-sum"}, {"kernel", "gauss"}, {"parameter", write_number(sum.kernel.parameter)}};
    case KernelKind::linear:
      break;
  }
  return {{"shape", "kernel-sum"}, {"kernel", "linear"}, {"parameter", 0.0}};
}

std::string_view link_name(Link link) {
  if (link == Link::logistic) return "logistic";
  return link == Link::softmax ? "softmax" : "none";
}

Json write_network(const Network& network) {
  Json units = Json::array();
  for (const Layer& layer : network.layers)
    units.push_back(value_names(UnitKind{})[static_cast<std::size_t>(layer.unit)]);
  return {{"shape", "network"},
          {"link", link_name(network.link)},
          {"units", std::move(units)},
          {"slope", write_number(network.slope)}};
}

Json write_predictor(const Predictor& predictor) {
  if (const auto* sum = std::get_if<KernelSum>(&predictor)) return write_kernel_sum(*sum);
  if (const auto* network = std::get_if<Network>(&predictor)) return write_network(*network);
  if (std::holds_alternative<Quadratic>(predictor)) return {{"shape", "quadratic"}};
  if (std::holds_alternative<Additive>(predictor)) return {{"shape", "additive"}};
  return {{"shape", "linear"}, {"link", link_name(std::get<Linear>(predictor).link)}};
}

// The costs and the ratios of priors are in tensors, when they are there.
Json write_decision(const Decision& decision) {
  return {{"threshold", decision.threshold ? write_number(*decision.threshold) : Json()},
          {"reject", decision.reject ? write_number(*decision.reject) : Json()},
          {"cost", decision.cost.size() > 0},
          {"prior_ratio", decision.prior_ratio.size() > 0}};
}

// The code and the numbers of a calibration are tensors.
Json write_reduction(const Reduction& reduction) {
  const auto name = []<class E>(E value) { return value_names(value)[static_cast<std::size_t>(value)]; };
  const char* calibration = !reduction.calibration              ? "none"
                            : reduction.calibration->isotonic() ? "isotonic"
                                                                : "platt";
  return {{"strategy", name(reduction.strategy)},
          {"decision", name(reduction.combining)},
          {"loss", reduction.loss},
          {"calibration", calibration}};
}

Json write_options(const std::vector<std::pair<std::string, std::string>>& options) {
  Json list = Json::array();
  for (const auto& [name, value] : options)
    list.push_back({{"name", write_text(name)}, {"value", write_text(value)}});
  return list;
}

Json write_fact(const Fact& fact) {
  Json json{{"name", write_text(fact.name)}};
  std::visit(Overloaded{[&](bool value) { json["flag"] = value; },
                        [&](double value) { json["number"] = write_number(value); },
                        [&](const std::string& value) { json["text"] = write_text(value); }},
             fact.value);
  return json;
}

Json write_matrix(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index k = 0; k < matrix.rows(); ++k) {
    Json row = Json::array();
    for (Index j = 0; j < matrix.cols(); ++j) row.push_back(write_number(matrix(k, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json write_inference(const Inference& inference) {
  if (!inference.absent.empty()) return {{"absent", write_text(inference.absent)}};
  Json json{{"bias", inference.bias},
            {"student", inference.student},
            {"robust", inference.robust},
            {"samples", write_number(inference.samples)},
            {"parameters", write_number(inference.parameters)},
            {"log_likelihood", write_number(inference.log_likelihood)},
            {"deviance", write_number(inference.deviance)},
            {"null_deviance", write_number(inference.null_deviance)},
            {"dispersion", write_number(inference.dispersion)},
            {"confidence", write_number(inference.confidence)},
            {"estimates", write_matrix(inference.estimates)},
            {"errors", write_matrix(inference.errors)},
            {"profile", Json()}};
  if (inference.low.size() > 0)
    json["profile"] = {{"low", write_matrix(inference.low)},
                       {"high", write_matrix(inference.high)},
                       {"likelihood_ratio", write_matrix(inference.likelihood_ratio)}};
  return json;
}

Json write_summary(const Summary& summary) {
  Json json;
  json["solver"] = write_text(summary.solver);
  json["reason"] = write_text(summary.reason);
  json["objective"] = summary.objective ? write_number(*summary.objective) : Json();
  json["iterations"] = summary.iterations;
  json["converged"] = summary.converged;
  json["interrupted"] = summary.interrupted;
  json["certificate"] = {{"kind", write_text(summary.certificate.kind)},
                         {"value", write_number(summary.certificate.value)}};
  json["tolerance"] = write_number(summary.tolerance);
  json["rank"] = summary.rank ? Json(*summary.rank) : Json();
  json["warnings"] = write_texts(summary.warnings);
  json["facts"] = Json::array();
  for (const Fact& fact : summary.facts) json["facts"].push_back(write_fact(fact));
  return json;
}

}  // namespace

std::string document_of(const Model& model) {
  Json json;
  json["format"] = model_format_name;
  json["version"] = model_file_version;
  json["name"] = write_text(model.name);
  json["task"] = model.task == Task::regression ? "regression" : "classification";
  json["target"] = write_text(model.target);
  json["classes"] = write_texts(model.classes);
  json["positive"] = model.positive;
  json["input"] = write_input(model.pipeline.input());
  json["steps"] = Json::array();
  for (const Step& step : model.pipeline.steps()) json["steps"].push_back(write_step(step));
  json["predictor"] = write_predictor(model.predictor);
  json["decision"] = model.decision ? write_decision(*model.decision) : Json();
  json["reduction"] = model.reduction ? write_reduction(*model.reduction) : Json();
  json["options"] = write_options(model.options);
  json["standardized"] = model.standardized;
  json["samples"] = model.samples;
  json["summary"] = write_summary(model.summary);
  json["inference"] = model.inference ? write_inference(*model.inference) : Json();
  return json.dump();
}

}  // namespace discern
