// discern inspect: what is in a model file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cli/commands/inspect_rows.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/report/density_table.hpp"
#include "cli/report/fit_report.hpp"
#include "cli/report/geometry.hpp"
#include "cli/report/inference_table.hpp"
#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/pixels.hpp"
#include "cli/text/report_line.hpp"
#include "cli/text/text.hpp"
#include "discern/api/fitted_model.hpp"
#include "discern/base/error.hpp"
#include "discern/model/shape/decision_options.hpp"
#include "discern/report/pages/inspect.hpp"

namespace discern::cli {
namespace {

constexpr Index rows_shown = 20;
constexpr Index widest_foot = 8;  // features of a point that is shown

std::string classes_text(const Model& model) {
  std::string text;
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    text += (k > 0 ? ", " : "") + shown(model.classes[k]);
  if (model.classes.size() == 2)
    text += fmt::format("; a score of 0 or more means {}",
                        shown(model.classes[static_cast<std::size_t>(model.positive)]));
  else
    text += model.reduction ? "" : "; the largest score decides";
  return text;
}

// The code word of every class: its side of each machine.
std::string code_text(const Model& model, Index limit) {
  const CodeMatrix& code = model.reduction->code;
  const std::size_t machines =
      limit < static_cast<Index>(code.size()) ? std::min<std::size_t>(code.size(), 80) : code.size();
  TextTable table({Align::left, Align::left}, label_width);
  std::vector<std::string> words(model.classes.size(), std::string(machines, '0'));
  for (std::size_t l = 0; l < machines; ++l) {
    for (const std::int32_t k : code[l].positive) words[static_cast<std::size_t>(k)][l] = '+';
    for (const std::int32_t k : code[l].negative) words[static_cast<std::size_t>(k)][l] = '-';
  }
  for (std::size_t k = 0; k < words.size(); ++k)
    table.row({shown(model.classes[k], 16), words[k] + (machines < code.size() ? "..." : "")});
  return table.text();
}

std::string column_kind(const Schema& schema, Index j) {
  if (!schema.categorical(j)) return "number";
  const auto levels = static_cast<Index>(schema.column(j).levels.size());
  if (levels == 0) return "text";
  const Index other = schema.column(j).other;
  if (other < 0) return counted(levels, "level");
  return fmt::format("{}, {} for all others", counted(levels, "level"),
                     shown(schema.column(j).levels[static_cast<std::size_t>(other)]));
}

// The value that stands in for a missing cell, as the file would spell it.
std::string fill_text(const Schema& schema, const Impute& impute, Index j) {
  const double fill = impute.fill[static_cast<std::size_t>(j)];
  if (!schema.categorical(j)) return fmt::format("{}", fill);
  const auto& levels = schema.column(j).levels;
  const bool known = fill >= 0 && fill < static_cast<double>(levels.size());
  return known ? shown(levels[static_cast<std::size_t>(fill)]) : "-";
}

std::string step_text(const Step& step) {
  struct Visitor {
    std::string operator()(const Impute& s) const {
      if (s.indicators.empty()) return "missing cells are filled in";
      return "missing cells are filled in, with an indicator each" + of(s.indicators);
    }
    std::string operator()(const OneHot& s) const {
      return s.drop_first ? "text becomes indicators of all levels but the first"
                          : "text becomes indicators of its levels";
    }
    std::string operator()(const Standardize&) const { return "features are standardised"; }
    std::string operator()(const Monomials& s) const {
      const char* what = s.kind == Products::powers     ? "powers"
                         : s.kind == Products::distinct ? "products"
                                                        : "powers and products";
      return fmt::format("{} up to degree {}", what, s.degree) + of(s.columns);
    }
    std::string operator()(const Pointwise& s) const {
      if (elementwise(s.function)) return fmt::format("{} is taken", name_of(s.function)) + of(s.columns);
      if (s.function == PointFunction::parts) return "dates are taken apart" + of(s.columns);
      const char* what = s.function == PointFunction::step ? "step" : "Gaussian bump";
      return counted(static_cast<Index>(s.points.size()), what) + of(s.columns);
    }
    std::string operator()(const Radial& s) const {
      return counted(s.units(), s.unit == RadialUnit::gaussian ? "Gaussian radial unit"
                                                               : "inverse quadratic radial unit") +
             of(s.columns);
    }
    std::string operator()(const Fourier& s) const {
      return counted(s.waves(), "random wave") + of(s.columns);
    }
    std::string operator()(const Hashing& s) const {
      return "columns and texts are hashed into " + counted(s.width(), "feature");
    }

    static std::string of(const std::vector<Index>& columns) {
      return columns.empty() ? "" : " of " + counted(static_cast<Index>(columns.size()), "column");
    }
  };
  return std::visit(Visitor{}, step);
}

std::string columns_text(const Model& model, Index limit, const Paint& paint) {
  const Schema& schema = model.pipeline.input();
  const Impute* impute = nullptr;
  for (const Step& step : model.pipeline.steps())
    if (const auto* found = std::get_if<Impute>(&step)) impute = found;
  TextTable table({Align::left, Align::left, Align::left}, 2);
  for (Index j = 0; j < std::min(limit, schema.size()); ++j)
    table.row({shown(schema.name(j)), column_kind(schema, j),
               impute == nullptr ? "" : "missing becomes " + fill_text(schema, *impute, j)});
  std::string text = paint.bold("columns") + '\n' + table.text();
  if (schema.size() > limit)
    text += fmt::format("  and {} more (--all shows them)\n", grouped(schema.size() - limit));
  return text;
}

std::string weights_text(const Model& model, const Geometry& geometry, Index limit, const Paint& paint) {
  const Index features = geometry.weights.cols();
  if (model.reduction && geometry.weights.rows() > limit)
    return paint.bold("weights") + fmt::format(" of {} planes (--all shows them)\n", geometry.weights.rows());
  const bool calibrated = model.reduction && model.reduction->calibration;
  std::string text = paint.bold("weights") + (calibrated ? " of the scores before the calibration," : "") +
                     " in the units of the file";
  if (features > limit)
    text += fmt::format(", the {} largest of {} (--all shows the rest)", limit, grouped(features));
  text += '\n' + weights_table(model, geometry, limit, 2) + '\n' + paint.bold("planes") + '\n';
  TextTable table({Align::left, Align::right, Align::right, Align::right}, 2);
  table.row({"", "bias", "norm", "origin distance"});
  const auto names = plane_names(model);
  for (Index k = 0; k < geometry.bias.size(); ++k)
    table.row({shown(names[static_cast<std::size_t>(k)]), rounded(geometry.bias[k], 6),
               rounded(geometry.norm[k], 6), rounded(geometry.origin_distance[k], 6)});
  text += table.text();
  if (features > widest_foot) return text;
  text += "  the points of the planes that are nearest to the origin\n";
  TextTable feet(std::vector<Align>(static_cast<std::size_t>(features) + 1, Align::right), 2);
  std::vector<std::string> head{""};
  for (Index j = 0; j < features; ++j) head.push_back(shown(model.pipeline.feature_name(j), 16));
  feet.row(std::move(head));
  for (Index k = 0; k < geometry.bias.size(); ++k) {
    std::vector<std::string> cells{shown(names[static_cast<std::size_t>(k)])};
    for (Index j = 0; j < features; ++j) cells.push_back(rounded(geometry.origin_foot(k, j), 6));
    feet.row(std::move(cells));
  }
  return text + feet.text();
}

// What a calibration makes of the scores of the planes.
std::string calibration_text(const Model& model, Index limit) {
  const Calibration& calibration = *model.reduction->calibration;
  std::string text =
      "probabilities are a function of the score of the plane: the weights below are those of "
      "the score g before it";
  if (calibration.isotonic()) return text + ", and the probability rises with g step by step";
  text += ", and the log-odds are a g + b";
  const auto names = machine_names(model);
  for (Index l = 0; l < std::min(limit, calibration.slope.size()); ++l)
    text += fmt::format("{} {}a = {}, b = {}", l == 0 ? ":" : ";",
                        names.size() > 1 ? shown(names[static_cast<std::size_t>(l)], 24) + " " : "",
                        rounded(calibration.slope[l], 6), rounded(calibration.offset[l], 6));
  return text + (calibration.slope.size() > limit ? "; ... (--all shows them)" : "");
}

// How sure the fit is of its weights, or why it cannot tell.
std::string certainty_text(const Model& model, double confidence, Index limit, const Paint& paint) {
  const Inference& inference = *model.inference;
  if (!inference.absent.empty())
    return paint.bold("inference") + ": none, because " + with_flags(inference.absent) + '\n';
  std::string_view kind = inference.likelihood_ratio.size() > 0 && inference.confidence == confidence
                              ? "profile likelihood intervals"
                              : "Wald tests and intervals";
  if (inference.student) kind = "t tests and intervals";
  return paint.bold("inference") +
         fmt::format(": {}{}\n", kind, inference.robust ? ", robust (sandwich) errors" : "") +
         inference_text(model, confidence, limit, 2);
}

// The rows of a kernel sum that weigh most.
std::string support_text(const KernelSum& sum, Index limit, const Paint& paint) {
  const Vector size = sum.coefficients.cwiseAbs().colwise().maxCoeff().transpose();
  std::vector<Index> order(static_cast<std::size_t>(size.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size[a] > size[b]; });
  std::string text =
      paint.bold("support") + fmt::format(": {}, with their coefficients", counted(size.size(), "row"));
  if (size.size() > limit) {
    text += fmt::format(", the {} largest (--all shows the rest)", limit);
    order.resize(static_cast<std::size_t>(limit));
  }
  TextTable table(std::vector<Align>(static_cast<std::size_t>(sum.scores()) + 1, Align::right), 2);
  for (const Index n : order) {
    std::vector<std::string> cells{fmt::format("{}", n + 1)};
    for (Index k = 0; k < sum.scores(); ++k) cells.push_back(rounded(sum.coefficients(k, n), 6));
    table.row(std::move(cells));
  }
  return text + '\n' + table.text();
}

// The layers, and of a small network every weight.
std::string layers_text(const Network& network, const Model& model, Index limit, const Paint& paint) {
  std::string text =
      paint.bold("layers") + (network.center.size() > 0 ? " of standardised features\n" : "\n");
  TextTable table({Align::right, Align::right, Align::right, Align::left, Align::right}, 2);
  table.row({"layer", "inputs", "units", "activation", "norm of the weights"});
  Index weights = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    const bool last = l + 1 == network.layers.size();
    weights += layer.weights.size() + layer.bias.size();
    table.row({fmt::format("{}", l + 1), grouped(layer.weights.cols()), grouped(layer.weights.rows()),
               last ? "scores" : std::string(value_names(UnitKind{})[static_cast<std::size_t>(layer.unit)]),
               rounded(layer.weights.norm(), 6)});
  }
  text += table.text();
  if (weights > limit) return text;
  text += '\n' + paint.bold("units") + '\n';
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (Index k = 0; k < network.layers[l].weights.rows(); ++k) {
      std::string sum = rounded(network.layers[l].bias[k], 6);
      for (Index j = 0; j < network.layers[l].weights.cols(); ++j) {
        const double w = network.layers[l].weights(k, j);
        const std::string input =
            l == 0 ? shown(model.pipeline.feature_name(j), 16) : fmt::format("y{}.{}", l, j + 1);
        sum += fmt::format(" {} {} {}", w < 0 ? '-' : '+', rounded(std::abs(w), 6), input);
      }
      const bool last = l + 1 == network.layers.size();
      text += fmt::format("  {} = {}\n", last ? "g" : fmt::format("v{}.{}", l + 1, k + 1), sum);
    }
  return text;
}

// The centres of radial units in the units of the features, with the widths in the scaled ones.
std::string centers_text(const Radial& basis, const std::vector<Feature>& in, Index limit,
                         const Paint& paint) {
  const Index shown_units = std::min(limit, basis.units());
  const Index shown_columns = std::min(widest_foot, basis.centers.cols());
  std::string text = paint.bold("centres") + " in the units of the features, and their widths in scaled ones";
  if (shown_units < basis.units() || shown_columns < basis.centers.cols())
    text += fmt::format(", {} of {} and {} of {}", shown_units, counted(basis.units(), "unit"), shown_columns,
                        counted(basis.centers.cols(), "column"));
  TextTable table(std::vector<Align>(static_cast<std::size_t>(shown_columns) + 2, Align::right), 2);
  std::vector<std::string> head{"", "width"};
  for (Index c = 0; c < shown_columns; ++c)
    head.push_back(
        shown(in[static_cast<std::size_t>(basis.selection.used[static_cast<std::size_t>(c)])].name, 16));
  table.row(std::move(head));
  for (Index k = 0; k < shown_units; ++k) {
    std::vector<std::string> cells{fmt::format("rbf{}", k + 1),
                                   rounded(basis.widths[static_cast<std::size_t>(k)], 5)};
    for (Index c = 0; c < shown_columns; ++c) cells.push_back(rounded(basis.centers(k, c), 5));
    table.row(std::move(cells));
  }
  return text + '\n' + table.text();
}

// Of every step that has centres.
std::string centers_text(const Model& model, Index limit, const Paint& paint) {
  std::string text;
  std::vector<Step> before;
  for (const Step& step : model.pipeline.steps()) {
    if (const auto* basis = std::get_if<Radial>(&step))
      text +=
          '\n' + centers_text(*basis, Pipeline(model.pipeline.input(), before).feature_list(), limit, paint);
    before.push_back(step);
  }
  return text;
}

std::string inspection_text(const Model& model, double confidence, Index limit, const Paint& paint) {
  const Summary& summary = model.summary;
  const bool classification = model.task == Task::classification;
  std::string text =
      report_line(paint, "model",
                  fmt::format("{}, {}, target {}", model.name,
                              classification ? "classification" : "regression", shown(model.target)));
  if (classification) text += report_line(paint, "classes", classes_text(model));
  if (model.decision)
    text += report_line(paint, "decision", decision_text(*model.decision, decision_classes(model)));
  if (model.reduction) {
    text += report_line(paint, "multiclass", reduction_text(*model.reduction));
    if (model.reduction->strategy == Strategy::output_codes) text += code_text(model, limit);
    if (model.reduction->calibration)
      text += report_line(paint, "calibration", calibration_text(model, limit));
  }
  text += report_line(paint, "data",
                      fmt::format("{}, {}, {}", counted(model.samples, "row"),
                                  counted(model.pipeline.input().size(), "column"),
                                  counted(model.pipeline.features(), "feature")));
  std::vector<std::string> options;
  for (const auto& [name, value] : model.options) options.push_back(fmt::format("{} = {}", name, value));
  if (model.standardized) options.emplace_back("standardized");
  text += report_line(paint, "options", fmt::format("{}", fmt::join(options, ", ")));
  std::string solver = summary.solver;
  if (summary.iterations > 0) solver += fmt::format(", {}", counted(summary.iterations, "iteration"));
  if (summary.objective) solver += fmt::format(", objective {}", rounded(*summary.objective, 10));
  if (summary.rank) solver += fmt::format(", rank {}", *summary.rank);
  text += report_line(paint, "solver", solver) +
          report_line(paint, "certificate",
                      (summary.converged ? "converged: " : "not converged: ") + certificate_text(summary));
  if (const std::string facts = facts_text(summary); !facts.empty())
    text += report_line(paint, "facts", facts);
  for (const std::string& warning : summary.warnings)
    text += report_line(paint, "warning", with_flags(warning));
  std::vector<std::string> steps;
  for (const Step& step : model.pipeline.steps()) steps.push_back(step_text(step));
  if (!steps.empty()) text += report_line(paint, "pipeline", fmt::format("{}", fmt::join(steps, "; ")));
  text += '\n' + columns_text(model, limit, paint) + centers_text(model, limit, paint);
  if (const auto geometry = geometry_of(model)) text += '\n' + weights_text(model, *geometry, limit, paint);
  if (model.inference) text += '\n' + certainty_text(model, confidence, limit, paint);
  if (const auto* sum = std::get_if<KernelSum>(&model.predictor))
    text += '\n' + support_text(*sum, limit, paint);
  if (const auto* network = std::get_if<Network>(&model.predictor))
    text += '\n' + layers_text(*network, model, limit, paint);
  if (const auto* additive = std::get_if<Additive>(&model.predictor))
    text += '\n' + paint.bold("densities") +
            ": mean and deviation, points and width, or the weight of a score\n" +
            density_table(model, *additive, limit, 2);
  return text;
}

int run_inspect(const Arguments& arguments, Console& console) {
  const std::string page = report_path(arguments, arguments.positional(0));
  const FittedModel fitted = load(arguments.positional(0));
  const Model& model = fitted.model();
  const Index limit = arguments.has("all") ? std::numeric_limits<Index>::max() : rows_shown;
  const auto geometry = geometry_of(model);
  if (arguments.has("pixels") && !geometry)
    throw Error(Code::usage,
                fmt::format("--pixels: the model {} has no weights of a plane to show", model.name));
  const auto pictures = geometry ? write_pictures(arguments, geometry->weights, plane_names(model), "weights")
                                 : std::vector<std::string>();
  const RowReport rows = rows_of(model, arguments, console);
  const double confidence = confidence_of(arguments, model.inference ? model.inference->confidence : 0.95);
  if (model.inference && model.inference->low.size() > 0 && confidence != model.inference->confidence)
    console.warn(fmt::format("the profile intervals are those of --confidence {}; for {} Wald's are shown",
                             model.inference->confidence, confidence));
  console.print(console.json() ? inspection_json(model, confidence, rows, limit)
                               : inspection_text(model, confidence, limit, console.out()));
  if (const std::string text = rows_text(model, rows, limit, console.out()); !console.json() && !text.empty())
    console.print('\n' + text);
  if (!pictures.empty()) console.say(fmt::format("\nwritten: {}\n", fmt::join(pictures, ", ")));
  if (!page.empty()) {
    report::InspectPage told{model, name_of_input(arguments.positional(0))};
    if (rows.influence) told.influence = &*rows.influence;
    for (const RowDistance& row : rows.distances) told.distances.push_back(row.distance);
    told.pixels = pixel_size(arguments, model.pipeline.features());
    write_report(report::inspect_page(told), page, console);
  }
  return 0;
}

}  // namespace

Command inspect_command() {
  return {
      .name = "inspect",
      .usage = "MODEL [--data FILE [--influence]] [--all] [--pixels HxW]",
      .summary = "show a model: weights, geometry, certificate",
      .description =
          "Weights are in the units of the file; the origin distance is bias / norm. With --data, labelled "
          "rows: "
          "how far they are from the planes, negative on the wrong side, the nearest first. With "
          "--influence, "
          "which of the rows of the fit bend it most.",
      .positionals = {{.name = "MODEL", .help = "a model file that fit wrote"}},
      .flags = join({row_flags(),
                     {confidence_flag(),
                      {.name = "all",
                       .help = "show every column and weight, not just the largest 20",
                       .group = "output"},
                      report_flag()},
                     pixel_flags("weights"),
                     reading_flags(),
                     common_flags()}),
      .examples = {{"discern inspect income.model", "What did it learn"},
                   {"discern inspect digits.model --pixels 8x8", "The weights of each class as a picture"},
                   {"discern inspect tumour.model --data train.csv",
                    "Its margin, and the rows that support it"},
                   {"discern inspect tumour.model --data train.csv --influence",
                    "The rows that bend it most: residuals, leverage, Cook's distance"},
                   {"discern inspect income.model --json", "All weights, for a program"}},
      .run = run_inspect};
}

}  // namespace discern::cli
