// discern generate: seeded data with known densities.
#include "discern/data/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/flags/files.hpp"
#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"
#include "discern/io/table/write.hpp"
#include "discern/persist/truth_file.hpp"

namespace discern::cli {
namespace {

constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max();
constexpr double endless = std::numeric_limits<double>::infinity();

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const ShapeInfo& shape : shapes()) names.emplace_back(shape.name);
  return names;
}

// "the distance of neighbours [gaussians, outliers]", from the shapes that take the parameter.
std::string shapes_with(std::string_view parameter) {
  std::vector<std::string_view> names;
  for (const ShapeInfo& shape : shapes())
    if (std::any_of(shape.parameters.begin(), shape.parameters.end(),
                    [&](const ShapeParameter& p) { return p.name == parameter; }))
      names.push_back(shape.name);
  return fmt::format(" [{}]", fmt::join(names, ", "));
}

std::vector<Flag> generate_flags() {
  return {
      {.name = "rows", .metavar = "N", .help = "number of rows", .group = "data", .standard = "1000"},
      {.name = "features",
       .metavar = "D",
       .help = "number of features" + shapes_with("features"),
       .group = "data"},
      {.name = "classes",
       .metavar = "K",
       .help = "number of classes" + shapes_with("classes"),
       .group = "data"},
      {.name = "margin",
       .metavar = "G",
       .help = "how far from the boundary" + shapes_with("margin"),
       .group = "data"},
      {.name = "noise",
       .metavar = "P",
       .help = "share of wrong labels, or spread of the points" + shapes_with("noise"),
       .group = "data"},
      {.name = "separation",
       .metavar = "S",
       .help = "how far apart the classes are" + shapes_with("separation"),
       .group = "data"},
      {.name = "own-covariance",
       .help = "a covariance of its own for every class" + shapes_with("own-covariance"),
       .group = "data"},
      {.name = "output",
       .letter = 'o',
       .metavar = "OUT",
       .help = "write to this file instead of standard output",
       .group = "output",
       .file = true},
      {.name = "truth",
       .metavar = "FILE.json",
       .help = "write the density that the rows are drawn from, for evaluate --truth [gaussians, xor, "
               "outliers, linear]",
       .group = "output",
       .file = true},
      {.name = "format",
       .metavar = "NAME",
       .help = "format to write",
       .group = "output",
       .choices = written_formats(),
       .standard = "by the file's extension, or csv"},
  };
}

std::string shapes_text() {
  std::string text = "Shapes: ";
  for (const ShapeInfo& shape : shapes())
    text += fmt::format("{}{}: {}", &shape == shapes().data() ? "" : "; ", shape.name, shape.summary);
  return text + ".";
}

int run_generate(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  GenerateOptions options;
  options.shape = arguments.positional(0);
  options.rows = arguments.whole("rows", 1, many).value_or(options.rows);
  options.features = arguments.whole("features", 1, many);
  options.classes = arguments.whole("classes", 1, many);
  options.margin = arguments.number("margin", -endless, endless);
  options.noise = arguments.number("noise", -endless, endless);
  options.separation = arguments.number("separation", -endless, endless);
  options.own_covariance = arguments.has("own-covariance");
  options.seed = arguments.seed();
  options.monitor = console.monitor();
  const std::string path = arguments.text("output", "-");
  const std::string format = arguments.text("format");
  if (path == "-" && console.json())
    throw Error(Code::usage, "--json needs -o OUT: the data go to standard output");
  if (format_of(path, format).write == nullptr)
    throw Error(Code::usage, fmt::format("'{}': this format can be read but not written", path));
  check_writable(path);
  const std::string truth_path = arguments.text("truth");
  std::optional<Truth> truth;
  if (!truth_path.empty()) {
    if (truth_path == path)
      throw Error(Code::usage, fmt::format("--truth and -o would both write '{}'", path));
    truth = truth_of(options);
    check_writable(truth_path);
  }

  const Table table = generate(options);
  write_table(table, path, {format});
  if (truth) save_truth(*truth, truth_path);
  const Index features = table.schema.size();
  console.say(fmt::format(
      "{}: {}, {}{}  {}\n", options.shape, counted(table.rows(), "row"), counted(features, "feature"),
      path == "-" ? "" : fmt::format(", written to {}", path), console.err().dim(duration(time.seconds()))));
  if (console.json())
    console.print(object_json({{"shape", options.shape},
                               {"output", path},
                               {"n_samples", table.rows()},
                               {"n_features", features},
                               {"seconds", time.seconds()}}));
  return 0;
}

}  // namespace

Command generate_command() {
  return {.name = "generate",
          .usage = "SHAPE [--rows N] [--features D] [--classes K] [--margin G] [--noise P] [-o OUT]",
          .summary = "make data with known densities",
          .description =
              "The label column is called class. The same seed gives the same data on every machine. " +
              shapes_text(),
          .positionals = {{.name = "SHAPE",
                           .help = "what the classes look like",
                           .choices = shape_names(),
                           .file = false}},
          .flags = join({generate_flags(), common_flags()}),
          .examples = {{"discern generate moons --rows 500 --noise 0.1 -o moons.csv", "Two half moons"},
                       {"discern generate linear --features 20 --margin 0.5 | discern fit - --target class",
                        "Separable data, straight into a fit"}},
          .run = run_generate};
}

}  // namespace discern::cli
