#include "cli/report/prediction_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/geometry.hpp"
#include "cli/shell/interrupt.hpp"
#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/schema.hpp"

namespace discern::cli {
namespace {

constexpr Index piece = 1 << 14;        // rows formatted by one task
constexpr Index pieces_at_a_time = 64;  // held in memory before they are written

[[noreturn]] void refuse(const Model& model, std::string_view output, std::string_view why) {
  throw Error(Code::usage, fmt::format("--output {}: {} of the model {}", output, why, model.name));
}

PredictionTable named(const std::vector<std::string>& classes, std::string_view letter,
                      const Matrix& numbers) {
  PredictionTable table{{}, numbers};
  for (const std::string& name : classes) table.names.push_back(fmt::format("{}({})", letter, name));
  return table;
}

struct Formatter {
  const Model& model;
  const Prediction& said;
  const PredictionTable& table;
  std::vector<std::string> labels;  // ready for CSV, a class each and at last `undecided`

  const std::string& text_of(std::int32_t label) const {
    return label == undecided ? labels.back() : labels[static_cast<std::size_t>(label)];
  }

  void kept_cells(Index row, fmt::memory_buffer& out) const {
    for (std::size_t k = 0; k < table.kept->names.size(); ++k) {
      const std::string_view cell = table.kept->cell(row, k);
      if (!cell.empty()) out.append(csv_cell(table.safe ? safe_text(cell) : cell));
      out.push_back(',');
    }
  }

  void rows(Index first, Index last, fmt::memory_buffer& out) const {
    const bool regression = model.task == Task::regression;
    for (Index i = first; i < last; ++i) {
      if (table.kept != nullptr) kept_cells(i, out);
      if (regression)
        fmt::format_to(std::back_inserter(out), "{}", said.scores(i, 0));
      else
        out.append(text_of(said.labels[static_cast<std::size_t>(i)]));
      for (Index j = 0; j < static_cast<Index>(table.names.size()); ++j)
        fmt::format_to(std::back_inserter(out), ",{}", table.numbers(i, j));
      out.push_back('\n');
    }
  }
};

}  // namespace

std::string safe_text(std::string_view text) {
  const bool formula =
      !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
  return formula && !number_of(text) ? "'" + std::string(text) : std::string(text);
}

std::string csv_cell(std::string_view text) {
  const bool outer_blank = !text.empty() && (text.front() == ' ' || text.back() == ' ' ||
                                             text.front() == '\t' || text.back() == '\t');
  if (!text.empty() && !outer_blank && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

PredictionTable prediction_table(const Model& model, const Prediction& said, const std::string& output) {
  if (output == "labels") return {};
  if (model.task == Task::regression)
    refuse(model, output, "a regression has only predictions; it is no output");
  if (output == "proba") {
    if (!has_probabilities(model)) refuse(model, output, "probabilities are no output");
    return named(model.classes, "p", said.proba);
  }
  if (output == "scores") return named(score_names(model), "g", said.scores);
  if (!std::holds_alternative<Linear>(model.predictor))
    refuse(model, output, "there is no plane to be distant from; distances are no output");
  if (said.scores.cols() == 1) return {{"distance"}, distances(model, said.scores)};
  return named(model.classes, "distance", distances(model, said.scores));
}

std::string prediction_header(const PredictionTable& table) {
  std::string header;
  for (std::size_t k = 0; table.kept != nullptr && k < table.kept->names.size(); ++k)
    header += csv_cell(table.kept->names[k]) + ',';
  header += "prediction";
  for (const std::string& name : table.names) header += ',' + csv_cell(name);
  return header + '\n';
}

void write_predictions(const Model& model, const Prediction& said, const PredictionTable& table,
                       const std::function<void(std::string_view)>& sink) {
  sink(prediction_header(table));
  write_prediction_rows(model, said, table, sink);
}

void write_prediction_rows(const Model& model, const Prediction& said, const PredictionTable& table,
                           const std::function<void(std::string_view)>& sink) {
  Formatter formatter{model, said, table, {}};
  for (const std::string& name : model.classes)
    formatter.labels.push_back(csv_cell(table.safe ? safe_text(name) : name));
  formatter.labels.push_back(csv_cell(undecided_name));
  const Index rows =
      model.task == Task::regression ? said.scores.rows() : static_cast<Index>(said.labels.size());
  for (Index start = 0; start < rows; start += piece * pieces_at_a_time) {
    if (interrupted()) throw Error(Code::interrupted, "interrupted");
    const Index stop = std::min(rows, start + piece * pieces_at_a_time);
    std::vector<fmt::memory_buffer> buffers(static_cast<std::size_t>((stop - start + piece - 1) / piece));
    parallel_for(static_cast<Index>(buffers.size()), [&](Index k) {
      const Index first = start + k * piece;
      formatter.rows(first, std::min(stop, first + piece), buffers[static_cast<std::size_t>(k)]);
    });
    for (const auto& buffer : buffers) sink({buffer.data(), buffer.size()});
  }
}

}  // namespace discern::cli
