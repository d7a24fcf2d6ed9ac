#include "discern/model/shape/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <span>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/base/threads.hpp"

namespace discern {

namespace {

constexpr double machine_scores_at_once = 1e6;  // of all machines of a reduction

Rows part_of(const Rows& x, Index first, Index count) {
  return std::visit(
      [&]<class R>(R rows) -> Rows {
        if constexpr (requires { rows.starts; })
          rows.starts += first;
        else
          rows.values += first * rows.cols;
        rows.rows = count;
        return rows;
      },
      x);
}

// Some rows at a time, so that the scores of very many machines need not be there together.
BlockPrediction combined_block(const Model& model, const Scorer& scorer, const Block& block) {
  BlockPrediction result;
  const auto classes = static_cast<Index>(model.classes.size());
  const auto machines = static_cast<double>(score_count(model.predictor));
  const Index step = std::max<Index>(1, static_cast<Index>(machine_scores_at_once / machines));
  result.said.scores.resize(block.rows(), predicted_scores(model));
  if (has_probabilities(model)) result.said.proba.resize(block.rows(), classes);
  for (Index first = 0; first < block.rows(); first += step) {
    const Index count = std::min(step, block.rows() - first);
    const Matrix scores = scorer(part_of(block.x, first, count));
    for (Index i = 0; i < count; ++i)
      if (!scores.row(i).allFinite()) {
        result.beyond = block.first + first + i + 1;
        return result;
      }
    const Combined part = combine(*model.reduction, scores, link_of(model.predictor), classes);
    result.said.scores.middleRows(first, count) = part.scores;
    if (part.proba.size() > 0) result.said.proba.middleRows(first, count) = part.proba;
    result.said.labels.insert(result.said.labels.end(), part.labels.begin(), part.labels.end());
  }
  return result;
}

// With two classes the predictor's class 1 is the positive one, which need not be the last by name.
bool swapped(const Model& model) {
  return model.task == Task::classification && model.classes.size() == 2 && model.positive == 0;
}

void swap_classes(Prediction& said) {
  for (std::int32_t& label : said.labels)
    if (label != undecided) label = 1 - label;
  if (said.proba.size() > 0) said.proba.col(0).swap(said.proba.col(1));
  if (said.scores.cols() == 2) said.scores.col(0).swap(said.scores.col(1));
}

// Kernels meet every row with all of their points. So many rows take some hundredths of a second.
Index rows_between_questions(const Predictor& predictor) {
  constexpr double work = 2e7;
  Index row = 1;
  if (const auto* sum = std::get_if<KernelSum>(&predictor)) row = sum->support.size();
  if (const auto* additive = std::get_if<Additive>(&predictor)) row = additive->kernels.points.size();
  return std::max<Index>(1, static_cast<Index>(work / static_cast<double>(std::max<Index>(row, 1))));
}

Matrix scores_of_block(const Model& model, const Scorer& scorer, const Block& block, const Monitor& monitor) {
  const Index step = rows_between_questions(model.predictor);
  if (step >= block.rows()) return scorer(block.x);
  Matrix scores(block.rows(), score_count(model.predictor));
  for (Index first = 0; first < block.rows(); first += step) {
    if (!go_on(monitor, {.stage = "predicting"})) throw Error(Code::interrupted, "interrupted");
    const Index count = std::min(step, block.rows() - first);
    scores.middleRows(first, count) = scorer(part_of(block.x, first, count));
  }
  return scores;
}

BlockPrediction plain_block(const Model& model, const Scorer& scorer, const Block& block,
                            const Monitor& monitor) {
  BlockPrediction result;
  Prediction& said = result.said;
  const Link link = link_of(model.predictor);
  said.scores = scores_of_block(model, scorer, block, monitor);
  for (Index i = 0; i < said.scores.rows(); ++i)
    if (!said.scores.row(i).allFinite()) {
      result.beyond = block.first + i + 1;
      return result;
    }
  if (model.task != Task::classification) return result;
  said.labels.reserve(static_cast<std::size_t>(said.scores.rows()));
  for (Index i = 0; i < said.scores.rows(); ++i)
    said.labels.push_back(decide(said.scores.row(i).data(), said.scores.cols()));
  if (link != Link::none) said.proba = probabilities(said.scores, link);
  return result;
}

// Where costs, a threshold or other priors decide, the probabilities do.
void decide_by(const Decision& decision, Index positive, Prediction& said) {
  assert(said.proba.rows() == said.scores.rows());
  for (Index i = 0; i < said.proba.rows(); ++i) {
    double* proba = said.proba.row(i).data();
    reweigh(decision, proba, said.proba.cols());
    said.labels[static_cast<std::size_t>(i)] = decide(decision, proba, said.proba.cols(), positive);
  }
}

}  // namespace

bool has_probabilities(const Model& model) {
  const bool calibrated = model.reduction && model.reduction->calibration;
  return model.task == Task::classification && (calibrated || link_of(model.predictor) != Link::none);
}

Index predicted_scores(const Model& model) {
  if (!model.reduction) return score_count(model.predictor);
  return model.classes.size() == 2 ? 1 : static_cast<Index>(model.classes.size());
}

BlockPrediction predict_block(const Model& model, const Scorer& scorer, const Block& block,
                              const Monitor& monitor) {
  BlockPrediction result =
      model.reduction ? combined_block(model, scorer, block) : plain_block(model, scorer, block, monitor);
  if (result.beyond > 0) return result;
  if (swapped(model)) swap_classes(result.said);
  if (model.decision) decide_by(*model.decision, model.positive, result.said);
  return result;
}

std::string_view label_text(const Model& model, std::int32_t label) {
  return label == undecided ? undecided_name
                            : std::string_view(model.classes[static_cast<std::size_t>(label)]);
}

void refuse_scores(Index beyond) {
  throw Error(
      Code::data,
      fmt::format("row {}: the values are so large that the score is beyond double precision", beyond));
}

Prediction predict_rows(const Model& model, const Source& features, bool labels_only,
                        const Monitor& monitor) {
  Prediction prediction;
  const Index rows = features.rows();
  const bool classify = model.task == Task::classification, numbers = !classify || !labels_only;
  if (numbers) prediction.scores.resize(rows, predicted_scores(model));
  if (classify) prediction.labels.resize(static_cast<std::size_t>(rows));
  if (numbers && has_probabilities(model))
    prediction.proba.resize(rows, static_cast<Index>(model.classes.size()));
  const Index blocks = features.block_count();
  const Scorer scorer(model.predictor, features.sparse());
  std::vector<Index> beyond(static_cast<std::size_t>(blocks));
  std::atomic<Index> done = 0;
  std::atomic<bool> stopped = false;
  parallel_for(blocks, [&](Index k) {
    const Monitor during = [&, at = done++](const Progress&) {
      return !stopped && go_on(monitor, {.stage = "predicting", .done = at, .total = blocks});
    };
    if (!during({})) {
      stopped = true;
      return;
    }
    Scratch scratch;
    const Block block = features.block(k, scratch);
    const BlockPrediction part = predict_block(model, scorer, block, during);
    beyond[static_cast<std::size_t>(k)] = part.beyond;
    if (part.beyond > 0) return;
    std::copy(part.said.labels.begin(), part.said.labels.end(), prediction.labels.begin() + block.first);
    if (!numbers) return;
    prediction.scores.middleRows(block.first, block.rows()) = part.said.scores;
    if (part.said.proba.size() > 0) prediction.proba.middleRows(block.first, block.rows()) = part.said.proba;
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  for (const Index row : beyond)
    if (row > 0) refuse_scores(row);
  return prediction;
}

Prediction predict(const Model& model, const Table& table, const PredictOptions& options) {
  Arranged arranged = arrange(table, model.pipeline, {options.ignore_unseen, options.refuse_missing});
  const Targets none;
  const PipelineSource source(arranged.x, model.pipeline, none);
  Prediction prediction = predict_rows(model, source, options.labels_only, options.monitor);
  prediction.unseen = arranged.unseen;
  prediction.unseen_columns = std::move(arranged.unseen_columns);
  prediction.imputed = arranged.missing;
  prediction.imputed_columns = std::move(arranged.missing_columns);
  return prediction;
}

Matrix distances(const Model& model, const Matrix& scores) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr)
    throw Error(Code::usage,
                fmt::format("'{}' has no hyperplane: distances exist for linear models only", model.name));
  if (model.reduction && (model.reduction->calibration || model.reduction->strategy != Strategy::one_vs_rest))
    throw Error(Code::usage,
                fmt::format("distances are of the scores of planes, and the scores of this model are "
                            "combined ({})",
                            reduction_text(*model.reduction)));
  Matrix result = scores;
  for (Index k = 0; k < scores.cols(); ++k) {
    const double norm = linear->weights.row(k).norm();
    if (norm > 0) result.col(k) /= norm;
  }
  return result;
}

std::vector<std::int32_t> labels_of(const Model& model, const Table& table) {
  const SideColumn* column = table.find_side(model.target);
  if (column == nullptr)
    throw Error(Code::data, "the data have no such column to compare with", {table.file, 0, model.target});
  if (column->noticed.missing > 0)
    throw Error(Code::data, "found no label, expected one in every row",
                {table.file, column->noticed.first_missing_line, model.target});
  std::unordered_map<std::string_view, std::ptrdiff_t> place;
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    place.emplace(model.classes[k], static_cast<std::ptrdiff_t>(k));
  std::vector<std::int32_t> codes;
  for (std::size_t k = 0; k < column->levels.size(); ++k) {
    const std::string& level = column->levels[k];
    const auto equal = place.find(level);
    auto found = equal == place.end() ? model.classes.end() : model.classes.begin() + equal->second;
    if (const auto number = number_of(level); found == model.classes.end() && number)
      found = std::find_if(model.classes.begin(), model.classes.end(),
                           [&](const std::string& name) { return number_of(name) == number; });
    if (found == model.classes.end())
      throw Error(
          Code::data,
          fmt::format(
              "found the label '{}', expected one of those in training: {}", level,
              join(std::span(model.classes).first(std::min<std::size_t>(20, model.classes.size())), ", ")),
          {table.file, k < column->noticed.level_line.size() ? column->noticed.level_line[k] : 0,
           model.target});
    codes.push_back(static_cast<std::int32_t>(found - model.classes.begin()));
  }
  std::vector<std::int32_t> labels;
  labels.reserve(column->values.size());
  for (const double value : column->values) labels.push_back(codes[static_cast<std::size_t>(value)]);
  return labels;
}

}  // namespace discern
