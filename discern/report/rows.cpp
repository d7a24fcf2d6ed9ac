#include "discern/report/rows.hpp"

#include <fmt/format.h>

#include "discern/data/select_rows.hpp"
#include "discern/report/sample.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr double most_values = 4e6;  // of the features that are kept

Matrix dense_rows(const Source& source) {
  Matrix values = Matrix::Zero(source.rows(), source.cols());
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    std::visit(
        [&](const auto& x) {
          for (Index i = 0; i < x.rows; ++i)
            for_each(x.row(i), [&](Index j, double v) { values(block.first + i, j) = v; });
        },
        block.x);
  }
  return values;
}

Matrix plain_scores(const Model& model, const Source& source) {
  Matrix scores(source.rows(), score_count(model.predictor));
  const Scorer scorer(model.predictor, source.sparse());
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    scores.middleRows(block.first, block.rows()) = scorer(block.x);
  }
  return scores;
}

}  // namespace

std::string DrawnRows::note() const {
  if (all()) return "";
  return fmt::format("{} of {} rows are drawn, evenly spaced in each class.",
                     grouped(static_cast<Index>(rows.size())), grouped(of));
}

std::string DrawnRows::name(std::size_t i) const { return fmt::format("row {}", numbers[i] + 1); }

DrawnRows rows_of(const Model& model, const Table& table, const std::vector<std::int32_t>& labels,
                  const std::vector<double>& targets, Index most) {
  DrawnRows drawn;
  drawn.of = table.rows();
  drawn.rows = rows_to_draw(drawn.of, labels, most);
  for (const Index i : drawn.rows) {
    drawn.numbers.push_back(table.row_number(i));
    if (!labels.empty()) drawn.labels.push_back(labels[static_cast<std::size_t>(i)]);
    if (!targets.empty()) drawn.targets.push_back(targets[static_cast<std::size_t>(i)]);
  }
  const Table some = select_rows(table, drawn.rows);
  drawn.raw = arrange(some, model.pipeline, {.ignore_unseen = true}).x;
  const Targets none;
  const PipelineSource source(drawn.raw, model.pipeline, none);
  drawn.said = predict_rows(model, source);
  drawn.scores = plain_scores(model, source);
  if (static_cast<double>(source.rows()) * static_cast<double>(source.cols()) <= most_values)
    drawn.features = dense_rows(source);
  return drawn;
}

}  // namespace discern::report
