// discern project: rows in the few directions in which the classes lie apart most.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/flags/files.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/prediction_csv.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/pixels.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/number/number_text.hpp"
#include "discern/report/pages/project.hpp"

namespace discern::cli {
namespace {

constexpr Index features_shown = 20;

std::vector<Flag> project_flags() {
  return {
      {.name = "target", .metavar = "COL", .help = "the column with the classes", .group = "data"},
      sample_weight_flag(),
      {.name = "components",
       .metavar = "M",
       .help = "directions to project on, at most one fewer than classes",
       .group = "projection",
       .standard = "all"},
      {.name = "principal",
       .metavar = "M",
       .help = "reduce the rows to so many principal components first; all: rows less classes",
       .group = "projection",
       .standard = "those of 95 % of the variance, where rows are few"},
      missing_flag(),
      keep_all_flag(),
      {.name = "basis",
       .metavar = "SPEC",
       .help = "features made from the features, as in fit",
       .group = "features"},
  };
}

std::vector<Flag> picture_flags() {
  return {{.name = "",
           .letter = 'o',
           .metavar = "OUT",
           .help = "write the projected rows to this CSV file; - for standard output",
           .group = "output",
           .file = true},
          report_flag(),
          {.name = "all", .help = "show every feature, not just the first 20", .group = "output"}};
}

FitSettings projection_settings(const Arguments& arguments, Console& console) {
  FitSettings settings;
  settings.options = find_model("fisher").make("fisher");
  for (const char* name : {"components", "principal"})
    if (arguments.has(name)) set_option(settings.options, name, arguments.text(name));
  settings.sample_weight = arguments.text("sample-weight");
  settings.basis = basis_text(arguments);
  settings.positive_by_name = true;
  settings.encode = true;
  set_preparing(arguments, settings);
  settings.monitor = console.monitor();
  return settings;
}

Table read_labelled(const Arguments& arguments, Console& console, FitSettings& settings) {
  const std::string& path = arguments.positional(0);
  ReadOptions reading = read_options(arguments, console);
  settings.target = target_of(arguments, path, reading);
  reading.side.push_back({settings.target, true, true});
  if (!settings.sample_weight.empty()) reading.side.push_back({settings.sample_weight, false, true});
  Table table = read_table(path, reading);
  // A column may be asked for by its number; the table has it under its name.
  settings.target = table.side[0].name;
  if (!settings.sample_weight.empty()) settings.sample_weight = table.side[1].name;
  return table;
}

// The directions, and for two classes the difference of the means beside them.
struct Columns {
  std::vector<std::string> names;
  Matrix directions;
};

Columns columns_of(const Projection& projection) {
  const Index extra = projection.mean_difference.size() > 0 ? 1 : 0;
  Columns columns{{}, Matrix(projection.components() + extra, projection.center.size())};
  columns.directions.topRows(projection.components()) = projection.directions;
  for (Index c = 0; c < projection.components(); ++c) columns.names.push_back(fmt::format("z{}", c + 1));
  if (extra == 0) return columns;
  columns.directions.bottomRows(1) = projection.mean_difference.transpose();
  columns.names.emplace_back("mean_difference");
  return columns;
}

// A linear predictor whose scores are the coordinates.
Matrix coordinates(const FitOutcome& outcome, const Columns& columns, const Table& table) {
  Model projector = outcome.model;
  projector.task = Task::regression;
  projector.predictor = Linear{columns.directions, Vector::Zero(columns.directions.rows()),
                               outcome.projection->center, Link::none};
  return predict(projector, table).scores;
}

void write_csv(const std::string& path, const Columns& columns, const Matrix& z, const SideColumn& target) {
  FileWriter writer(path);
  std::string text;
  for (const std::string& name : columns.names) text += name + ',';
  text += csv_cell(target.name) + '\n';
  for (Index i = 0; i < z.rows(); ++i) {
    for (Index c = 0; c < z.cols(); ++c) {
      append_number(text, z(i, c));
      text += ',';
    }
    const double label = target.values[static_cast<std::size_t>(i)];
    if (label == label) text += csv_cell(target.levels[static_cast<std::size_t>(label)]);
    text += '\n';
    if (text.size() < 1 << 20) continue;
    writer.write(text);
    text.clear();
  }
  writer.write(text);
  writer.commit();
}

std::string table_text(const FitOutcome& outcome, const Columns& columns, bool all, const Paint& paint) {
  const Projection& projection = *outcome.projection;
  const Model& model = outcome.model;
  std::vector<Align> aligns(columns.names.size() + 1, Align::right);
  aligns[0] = Align::left;
  TextTable table(aligns);
  const auto line = [&](const std::string& label, const auto& cell) {
    std::vector<std::string> cells{label};
    for (std::size_t c = 0; c < columns.names.size(); ++c) cells.push_back(cell(static_cast<Index>(c)));
    table.row(std::move(cells));
  };
  const auto own = [&](Index c) { return c < projection.components(); };
  line("", [&](Index c) { return columns.names[static_cast<std::size_t>(c)]; });
  line("between / within",
       [&](Index c) { return rounded(own(c) ? projection.ratios[c] : projection.mean_difference_ratio, 6); });
  line("explained", [&](Index c) { return own(c) ? percent(projection.explained[c]) : std::string(); });
  const Index shown_features =
      all ? columns.directions.cols() : std::min(features_shown, columns.directions.cols());
  for (Index j = 0; j < shown_features; ++j)
    line(shown(model.pipeline.feature_name(j)),
         [&](Index c) { return rounded(columns.directions(c, j), 5); });
  std::string text = table.text();
  if (shown_features < columns.directions.cols())
    text += fmt::format("and {} more features (--all shows them)\n",
                        grouped(columns.directions.cols() - shown_features));
  TextTable means(std::vector<Align>(static_cast<std::size_t>(projection.components()) + 1, Align::right), 2);
  for (Index k = 0; k < projection.means.rows(); ++k) {
    std::vector<std::string> cells{shown(model.classes[static_cast<std::size_t>(k)])};
    for (Index c = 0; c < projection.components(); ++c) cells.push_back(rounded(projection.means(k, c), 5));
    means.row(std::move(cells));
  }
  return text + '\n' + paint.bold("class means") + '\n' + means.text();
}

nlohmann::ordered_json projected_rows(const Matrix& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (Index k = 0; k < matrix.rows(); ++k)
    rows.push_back(std::vector<double>(matrix.row(k).data(), matrix.row(k).data() + matrix.cols()));
  return rows;
}

std::string projection_json(const FitOutcome& outcome, const std::string& output,
                            const std::vector<std::string>& pictures) {
  const Projection& p = *outcome.projection;
  const auto list = [](const Vector& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
  nlohmann::ordered_json object{
      {"classes", outcome.model.classes},
      {"features", outcome.model.pipeline.feature_names()},
      {"n_samples", outcome.model.samples},
      {"components", p.components()},
      {"ratios", list(p.ratios)},
      {"explained", list(p.explained)},
      {"directions", projected_rows(p.directions)},
      {"center", list(p.center)},
      {"means", projected_rows(p.means)},
      {"mean_difference", nullptr},
      {"mean_difference_ratio", nullptr},
      {"rank", p.rank},
      {"principal_components", p.principal},
      {"residual", p.residual},
      {"output", output.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(output)},
      {"pictures", pictures},
      {"warnings", with_flags(outcome.model.summary.warnings)}};
  if (p.mean_difference.size() > 0) {
    object["mean_difference"] = list(p.mean_difference);
    object["mean_difference_ratio"] = p.mean_difference_ratio;
  }
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

int run_project(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& path = arguments.positional(0);
  const std::string output = arguments.text("o");
  if (output == "-" && console.json())
    throw Error(Code::usage, "--json and -o - would both write to standard output");
  FitSettings settings = projection_settings(arguments, console);
  if (!output.empty() && output != "-") check_different(path, output);
  const std::string page = report_path(arguments, path, "-o", output);
  const PreparedTable prepared = prepare(read_labelled(arguments, console, settings), settings);
  const Table& table = prepared.table;
  const FitOutcome outcome = fit_model(table, settings);
  const Columns columns = columns_of(*outcome.projection);
  const std::vector<std::string> pictures =
      write_pictures(arguments, columns.directions, columns.names, "direction");
  if (!output.empty())
    write_csv(output, columns, coordinates(outcome, columns, table), *table.find_side(settings.target));
  console.say(notes_text(prepared, console.err()));
  for (const std::string& warning : outcome.model.summary.warnings) console.warn(warning);
  console.say(console.err().dim(
      fmt::format("{}: {}, {}{}  {}\n", name_of_input(path), counted(table.rows(), "row"),
                  counted(outcome.model.pipeline.features(), "feature"),
                  output.empty() ? "" : ", projected into " + output, duration(time.seconds()))));
  if (console.json())
    console.print(with_notes(projection_json(outcome, output, pictures), prepared));
  else if (output != "-")
    console.print(table_text(outcome, columns, arguments.has("all"), console.out()));
  if (!page.empty())
    write_report(
        report::project_page({outcome, coordinates(outcome, columns, table), labels_of(outcome.model, table),
                              name_of_input(path), pixel_size(arguments, columns.directions.cols())}),
        page, console);
  return 0;
}

}  // namespace

Command project_command() {
  return {.name = "project",
          .usage = "DATA --target COL [--components M] [-o OUT.csv]",
          .summary = "project rows onto the directions that separate the classes most (Fisher, MDA)",
          .description =
              "Finds the directions with the largest spread between the classes compared with the spread "
              "within them, at "
              "most one fewer than there are classes, and shows their weights in the units of the file, "
              "their ratios and "
              "the class means; -o writes the coordinates z1, z2, ... of every row with its class. With two "
              "classes the plain "
              "difference of the means stands beside Fisher's direction. The same directions classify as "
              "`fit --model "
              "fisher`.",
          .positionals = {{.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
          .flags = join({project_flags(), column_flags(), reading_flags(), picture_flags(),
                         pixel_flags("direction"), common_flags()}),
          .examples = {{"discern project wine.csv --target class --components 2 -o plane.csv",
                        "Thirteen measurements in a plane"},
                       {"discern project faces.csv --target subject --components 5 --pixels 28x23",
                        "Fisherfaces: the first five directions as pictures"}},
          .run = run_project};
}

}  // namespace discern::cli
