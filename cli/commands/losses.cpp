// discern losses: the error functions side by side, as formulas, numbers and a picture.
#include "cli/commands/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/flags/files.hpp"
#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/plot.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/io/file/file.hpp"
#include "discern/loss/all.hpp"

namespace discern::cli {
namespace {

constexpr double farthest = 1e12;
constexpr int plot_rows = 20;  // about

char mark_of(std::string_view name) {
  if (name == "0-1") return '0';
  if (name == "squared") return 's';
  if (name == "perceptron") return 'p';
  if (name == "hinge") return 'h';
  if (name == "squared-hinge") return 'q';
  if (name == "logistic") return 'l';
  if (name == "tanh-unit") return 't';
  return name == "logistic-unit" ? 'u' : '*';
}

struct Range {
  double from = -2;
  double to = 2;
  // Point k of `steps` equal steps; 0 where rounding would give next to nothing.
  double at(std::int64_t k, std::int64_t steps) const {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    const double m = (1 - share) * from + share * to;
    return std::fabs(m) < 1e-12 * (to - from) ? 0 : m;
  }
};

std::vector<double> grid(const Range& range, std::int64_t steps) {
  std::vector<double> points;
  for (std::int64_t k = 0; k <= steps; ++k) points.push_back(range.at(k, steps));
  return points;
}

std::string number_text(double value) {
  return std::fabs(value) < 1e6 ? fmt::format("{:.4f}", value) : fmt::format("{:.4g}", value);
}

std::string formulas_text(const std::vector<LossCurve>& curves, const Paint& paint) {
  TextTable table({Align::left, Align::left, Align::left}, 2);
  for (const LossCurve& curve : curves)
    table.row({std::string(1, curve.mark), paint.bold(curve.name), curve.formula});
  return paint.bold("losses") + " of a score g for a class y = -1 or +1, by the margin m = y g\n" +
         table.text();
}

// Long names take two lines, so that the table fits beside them.
std::string values_text(const std::vector<double>& margins, const std::vector<LossCurve>& curves,
                        const Paint& paint) {
  std::vector<std::string> above{""}, below{paint.bold("m")};
  for (const LossCurve& curve : curves) {
    const bool two_words = curve.name != "0-1" && curve.name.find('-') != std::string::npos;
    const std::size_t cut = two_words ? curve.name.find('-') : 0;
    above.push_back(paint.bold(curve.name.substr(0, cut)));
    below.push_back(paint.bold(curve.name.substr(two_words ? cut + 1 : 0)));
  }
  TextTable table(std::vector<Align>(curves.size() + 1, Align::right), 2);
  table.row(std::move(above));
  table.row(std::move(below));
  for (std::size_t i = 0; i < margins.size(); ++i) {
    std::vector<std::string> cells{rounded(margins[i], 6)};
    for (const LossCurve& curve : curves) cells.push_back(number_text(curve.values[i]));
    table.row(std::move(cells));
  }
  return paint.bold("values") + '\n' + table.text();
}

// The picture is as high as the hinge gets: a square would hide all that is below it, and leaves at the top.
std::string plot_text(const Range& range, std::size_t width, const Paint& paint) {
  const double highest = std::max(1.0, 1 - range.from), tick = tick_for(highest);
  const auto ticks = static_cast<std::size_t>(std::ceil(highest / tick - 1e-9));
  const std::size_t per_tick = std::max<std::size_t>(plot_rows / ticks, 1), rows = ticks * per_tick + 1;
  std::vector<std::string> labels;
  for (std::size_t k = 0; k <= ticks; ++k) labels.push_back(rounded(static_cast<double>(k) * tick, 6));
  std::size_t margin = 0;
  for (const std::string& label : labels) margin = std::max(margin, label.size());

  const std::size_t columns = width - margin - 4;
  const std::vector<double> points = grid(range, static_cast<std::int64_t>(columns) - 1);
  Canvas canvas(rows, columns);
  for (const LossCurve& curve : loss_curves(points))
    for (std::size_t j = 0; j < columns; ++j) {
      const double height = std::round(curve.values[j] / tick * static_cast<double>(per_tick));
      if (height < static_cast<double>(rows))
        canvas.put(rows - 1 - static_cast<std::size_t>(height), j, curve.mark);
    }

  std::string text = paint.bold("picture") + ", where curves meet their marks take turns\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t height = rows - 1 - i;
    const std::string label = height % per_tick == 0 ? labels[height / per_tick] : "";
    std::string line = "  " + pad_left(label, margin) + (label.empty() ? " |" : " +") + canvas.line(i, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  const std::string left = rounded(range.from, 6), right = rounded(range.to, 6);
  std::string foot = left + pad_left("m", (columns - 1) / 2 + 1 - std::min((columns - 1) / 2, left.size()));
  foot += pad_left(right, columns - std::min(columns, foot.size()));
  return text + std::string(margin + 3, ' ') + '+' + std::string(columns, '-') + '\n' +
         std::string(margin + 4, ' ') + foot + '\n';
}

std::string csv_text(const std::vector<double>& margins, const std::vector<LossCurve>& curves) {
  std::string text = "m";
  for (const LossCurve& curve : curves) text += ',' + curve.name;
  text += '\n';
  for (std::size_t i = 0; i < margins.size(); ++i) {
    text += fmt::format("{}", margins[i]);
    for (const LossCurve& curve : curves) text += fmt::format(",{}", curve.values[i]);
    text += '\n';
  }
  return text;
}

void write_file(const std::string& path, std::string_view text) {
  FileWriter writer(path);
  writer.write(text);
  writer.commit();
}

int run_losses(const Arguments& arguments, Console& console) {
  Range range;
  range.from = arguments.number("from", -farthest, farthest).value_or(range.from);
  range.to = arguments.number("to", -farthest, farthest).value_or(range.to);
  const std::int64_t steps = arguments.whole("steps", 1, 1000000).value_or(8);
  if (!(range.from < range.to))
    throw Error(Code::usage, fmt::format("--from {}: must be below --to, which is {}", range.from, range.to));
  const std::string path = arguments.text("o");
  if (path == "-" && console.json())
    throw Error(Code::usage, "--json needs a file as OUT, not standard output");
  const std::vector<double> margins = grid(range, steps);
  const std::vector<LossCurve> curves = loss_curves(margins);
  const bool to_file = !path.empty() && path != "-";
  if (to_file) {
    write_file(path, csv_text(margins, curves));
    console.say(fmt::format("{} losses at {}, written to {}\n", curves.size(),
                            counted(static_cast<std::int64_t>(margins.size()), "margin"), path));
  }
  if (console.json())
    console.print(losses_json(margins, curves));
  else if (path == "-")
    console.print(csv_text(margins, curves));
  else if (!to_file)
    console.print(formulas_text(curves, console.out()) + '\n' + values_text(margins, curves, console.out()) +
                  '\n' + plot_text(range, plot_width(), console.out()));
  return 0;
}

LossCurve curve_of(const NamedLoss& loss, const std::vector<double>& margins) {
  LossCurve curve{std::string(loss.name), std::string(loss.formula), mark_of(loss.name), {}, {}, {}};
  for (const double m : margins) {
    const Derivatives at = loss.at(m, 1);
    curve.values.push_back(at.value);
    curve.slopes.push_back(at.slope);
    curve.curvatures.push_back(at.curvature);
  }
  return curve;
}

// As lectures draw it: log2(1 + exp(-m)), an upper bound of the 0-1 loss.
LossCurve scaled_logistic(LossCurve curve) {
  curve.name = "scaled-logistic";
  curve.formula += " / log 2";
  curve.mark = 'L';
  for (auto* numbers : {&curve.values, &curve.slopes, &curve.curvatures})
    for (double& v : *numbers) v /= std::numbers::ln2;
  return curve;
}

}  // namespace

std::vector<LossCurve> loss_curves(const std::vector<double>& margins) {
  std::vector<LossCurve> curves;
  for (const NamedLoss& loss : two_class_losses) {
    curves.push_back(curve_of(loss, margins));
    if (loss.name == "logistic") curves.push_back(scaled_logistic(curves.back()));
  }
  return curves;
}

Command losses_command() {
  return {
      .name = "losses",
      .usage = "[--from M] [--to M] [--steps N] [-o OUT.csv]",
      .summary = "the error functions side by side",
      .description =
          "Formulas, values and a picture of the losses of one score g, by the margin m = y g with y = -1 or "
          "+1: negative on the wrong side of the boundary. The logistic loss is also shown divided by log 2, "
          "which makes it 1 on the boundary. With --json the object holds the margins, and for each loss its "
          "name, formula, values, slopes and curvatures (of the units: those of Gauss and Newton).",
      .positionals = {},
      .flags = join(
          {{{.name = "from",
             .metavar = "M",
             .help = "the smallest margin",
             .group = "margins",
             .standard = "-2"},
            {.name = "to", .metavar = "M", .help = "the largest margin", .group = "margins", .standard = "2"},
            {.name = "steps",
             .metavar = "N",
             .help = "how many equal steps lead from one to the other",
             .group = "margins",
             .standard = "8"},
            {.name = "",
             .letter = 'o',
             .metavar = "OUT",
             .help = "write the values to this CSV file instead",
             .group = "output",
             .file = true}},
           common_flags()}),
      .examples = {{"discern losses", "Formulas, numbers and a picture"},
                   {"discern losses --from -4 --to 4 --steps 400 -o losses.csv",
                    "Curves for a plotting tool"}},
      .run = run_losses};
}

}  // namespace discern::cli
