#include "discern/api/fitted_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <type_traits>
#include <variant>

#include "discern/api/tables.hpp"
#include "discern/base/buffer.hpp"
#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/inference/inference.hpp"
#include "discern/model/shape/decision_options.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/persist/model_file.hpp"

namespace discern {
namespace {

// Whether a cell that is not finite leaves no score of its row finite. Then the scores tell, and looking for such
// cells beforehand, which takes as long as the scores do, is left out.
bool scores_tell(const Model& model, const MatrixView& x) {
  return !x.is_sparse() && std::holds_alternative<Linear>(model.predictor) && model.pipeline.steps().empty();
}

// Columns by their place. A sparse matrix may end before the last columns, which are then zero.
Features matched(const Model& model, const MatrixView& x, bool checked = true) {
  const Schema& input = model.pipeline.input();
  for (Index j = 0; j < input.size(); ++j)
    if (input.categorical(j))
      throw Error(Code::usage, "the column holds text, which a matrix does not have; predict from a frame",
                  {"", 0, input.name(j)});
  if (x.is_sparse() ? x.cols() > input.size() : x.cols() != input.size())
    throw Error(Code::usage,
                fmt::format("found {} columns, expected the {} of the fit", x.cols(), input.size()));
  if (!checked) return unchecked_features_of(x);
  std::vector<Noticed> missing;
  Features features = features_of(x, input, imputes(model.pipeline) ? &missing : nullptr);
  std::visit([&](auto& m) { m.cols = input.size(); }, features);
  return features;
}

// Hands the predictions of each block of rows to `keep`.
void predict_blocks(const Model& model, const Features& features,
                    const std::function<void(const Block&, const Prediction&)>& keep) {
  const Targets none;
  const PipelineSource source(features, model.pipeline, none);
  const Scorer scorer(model.predictor, source.sparse());
  std::vector<Index> beyond(static_cast<std::size_t>(source.block_count()));
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = source.block(k, scratch);
    const BlockPrediction part = predict_block(model, scorer, block, {});
    beyond[static_cast<std::size_t>(k)] = part.beyond;
    if (part.beyond == 0) keep(block, part.said);
  });
  for (const Index row : beyond)
    if (row > 0) refuse_scores(row);
}

void predict_blocks(const Model& model, const MatrixView& x,
                    const std::function<void(const Block&, const Prediction&)>& keep) {
  if (!scores_tell(model, x)) {
    predict_blocks(model, matched(model, x), keep);
    return;
  }
  const Features features = matched(model, x, false);
  try {
    predict_blocks(model, features, keep);
  } catch (const Error& error) {
    if (error.code() == Code::data) matched(model, x);  // throws with the cell, if that is not finite
    throw;
  }
}

// Memory for the answers about all rows. What is large is backed by huge pages: small ones take as long to come
// as the answers.
template <class Answers>
Answers room_for(Index rows, Index cols) {
  Answers answers(rows, cols);
  const auto bytes = static_cast<std::size_t>(answers.size()) * sizeof(*answers.data());
  if (bytes > (std::size_t{1} << 22)) ask_for_huge_pages(answers.data(), bytes);
  return answers;
}

std::vector<std::int32_t> labels_of(const Model& model, const MatrixView& x) {
  std::vector<std::int32_t> labels(static_cast<std::size_t>(x.rows()));
  predict_blocks(model, x, [&](const Block& block, const Prediction& said) {
    std::copy(said.labels.begin(), said.labels.end(), labels.begin() + block.first);
  });
  return labels;
}

Prediction predicted(const Model& model, const Frame& x, Unseen unseen, bool labels_only = false) {
  PredictOptions options;
  options.ignore_unseen = unseen == Unseen::ignore;
  options.refuse_missing = !imputes(model.pipeline);
  options.labels_only = labels_only;
  return predict(model, x.table(), options);
}

void require_task(const Model& model, Task task) {
  if (model.task == task) return;
  throw Error(Code::usage, task == Task::regression
                               ? "the model is a classifier: it has labels and scores, no predictions"
                               : "the model is a regression: it has predictions, no labels or probabilities");
}

void require_probabilities(const Model& model) {
  require_task(model, Task::classification);
  if (!has_probabilities(model))
    throw Error(Code::usage,
                fmt::format("the model {} has no probabilities; `calibrate` gives it some", model.name));
}

const Linear& linear_of(const Model& model) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr)
    throw Error(Code::usage, fmt::format("the model {} is not linear: it has no weights", model.name));
  return *linear;
}

std::vector<std::string> texts_of(const Model& model, const std::vector<std::int32_t>& labels) {
  require_task(model, Task::classification);
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (const std::int32_t label : labels) texts.emplace_back(label_text(model, label));
  return texts;
}

std::int64_t integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size())
    throw Error(Code::usage, fmt::format("the label '{}' is not an integer; labels() gives texts", text));
  return value;
}

// One score is that of the positive class; of softmax the coefficients are relative to the first class.
std::string contrast_of(const Model& model, const Inference& inference, Index k) {
  if (inference.estimates.rows() == 1) return "";
  const Index offset = inference.estimates.rows() < static_cast<Index>(model.classes.size()) ? 1 : 0;
  return model.classes[static_cast<std::size_t>(k + offset)];
}

}  // namespace

FittedModel::FittedModel(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
FittedModel::FittedModel(Model model) : model_(std::make_shared<const Model>(std::move(model))) {}

std::vector<std::string> FittedModel::labels(const MatrixView& x) const {
  require_task(*model_, Task::classification);
  return texts_of(*model_, labels_of(*model_, x));
}
std::vector<std::string> FittedModel::labels(const Frame& x, Unseen unseen) const {
  require_task(*model_, Task::classification);
  return texts_of(*model_, predicted(*model_, x, unseen, true).labels);
}

std::vector<std::int64_t> FittedModel::integer_labels(const MatrixView& x) const {
  require_task(*model_, Task::classification);
  std::vector<std::int64_t> integers, labels;
  for (const std::string& name : model_->classes) integers.push_back(integer_of(name));
  for (const std::int32_t label : labels_of(*model_, x))
    labels.push_back(label == undecided ? integer_of(undecided_name)
                                        : integers[static_cast<std::size_t>(label)]);
  return labels;
}

std::vector<std::int32_t> FittedModel::label_indices(const MatrixView& x) const {
  require_task(*model_, Task::classification);
  return labels_of(*model_, x);
}

Eigen::MatrixXd FittedModel::scores(const MatrixView& x) const {
  auto scores = room_for<Eigen::MatrixXd>(x.rows(), predicted_scores(*model_));
  predict_blocks(*model_, x, [&](const Block& block, const Prediction& said) {
    scores.middleRows(block.first, block.rows()) = said.scores;
  });
  return scores;
}
Eigen::MatrixXd FittedModel::scores(const Frame& x, Unseen unseen) const {
  return predicted(*model_, x, unseen).scores;
}

Eigen::MatrixXd FittedModel::probabilities(const MatrixView& x) const {
  require_probabilities(*model_);
  auto proba = room_for<Eigen::MatrixXd>(x.rows(), static_cast<Index>(model_->classes.size()));
  predict_blocks(*model_, x, [&](const Block& block, const Prediction& said) {
    proba.middleRows(block.first, block.rows()) = said.proba;
  });
  return proba;
}
Eigen::MatrixXd FittedModel::probabilities(const Frame& x, Unseen unseen) const {
  require_probabilities(*model_);
  return predicted(*model_, x, unseen).proba;
}

Eigen::VectorXd FittedModel::predictions(const MatrixView& x) const {
  require_task(*model_, Task::regression);
  auto numbers = room_for<Eigen::VectorXd>(x.rows(), 1);
  predict_blocks(*model_, x, [&](const Block& block, const Prediction& said) {
    numbers.segment(block.first, block.rows()) = said.scores.col(0);
  });
  return numbers;
}
Eigen::VectorXd FittedModel::predictions(const Frame& x, Unseen unseen) const {
  require_task(*model_, Task::regression);
  return predicted(*model_, x, unseen).scores.col(0);
}

const std::string& FittedModel::name() const { return model_->name; }
Task FittedModel::task() const { return model_->task; }
const std::vector<std::string>& FittedModel::classes() const { return model_->classes; }
std::string FittedModel::positive() const {
  return model_->classes.size() == 2 ? model_->classes[static_cast<std::size_t>(model_->positive)] : "";
}
std::vector<std::string> FittedModel::columns() const {
  std::vector<std::string> names;
  const Schema& input = model_->pipeline.input();
  for (Index j = 0; j < input.size(); ++j) names.push_back(input.name(j));
  return names;
}
std::vector<std::string> FittedModel::feature_names() const { return model_->pipeline.feature_names(); }
const std::vector<std::pair<std::string, std::string>>& FittedModel::options() const {
  return model_->options;
}
Index FittedModel::samples() const { return model_->samples; }
bool FittedModel::has_probabilities() const { return discern::has_probabilities(*model_); }

Eigen::MatrixXd FittedModel::weights() const { return linear_of(*model_).weights; }
Eigen::VectorXd FittedModel::bias() const { return linear_of(*model_).bias_at_origin(); }

std::vector<Coefficient> FittedModel::coefficients() const {
  if (!model_->inference)
    throw Error(Code::usage, "the fit was not asked for `inference`, or the model has none");
  const Inference& inference = *model_->inference;
  if (!inference.absent.empty()) throw Error(Code::usage, "no standard errors: " + inference.absent);
  std::vector<Coefficient> list;
  for (Index k = 0; k < inference.estimates.rows(); ++k)
    for (Index j = inference.bias ? 0 : 1; j < inference.estimates.cols(); ++j) {
      const CoefficientTest test = test_of(inference, k, j, inference.confidence);
      list.push_back({contrast_of(*model_, inference, k),
                      j == 0 ? "(bias)" : model_->pipeline.feature_name(j - 1), test.estimate, test.error,
                      test.statistic, test.p, test.low, test.high});
    }
  return list;
}

FittedModel FittedModel::with_decision(const DecisionOptions& decision) const {
  if (decision.empty()) return *this;
  check_decidable(model_->name, model_->task, has_probabilities(), decision);
  if (model_->reduction && model_->reduction->combining == Combining::unanimous)
    throw Error(
        Code::usage,
        fmt::format("{}: the machines of this model decide unanimously or not at all, so probabilities "
                    "cannot decide in their place",
                    options_set(decision)));
  Model other = *model_;
  other.decision = make_decision(decision, decision_classes(other));
  return other;
}

bool FittedModel::converged() const { return model_->summary.converged; }
bool FittedModel::interrupted() const { return model_->summary.interrupted; }
const Certificate& FittedModel::certificate() const { return model_->summary.certificate; }
double FittedModel::tolerance() const { return model_->summary.tolerance; }
std::optional<double> FittedModel::objective() const { return model_->summary.objective; }
Index FittedModel::iterations() const { return model_->summary.iterations; }
const std::string& FittedModel::solver() const { return model_->summary.solver; }
const std::vector<std::string>& FittedModel::warnings() const { return model_->summary.warnings; }

std::vector<std::pair<std::string, std::string>> FittedModel::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const Fact& fact : model_->summary.facts)
    facts.emplace_back(fact.name,
                       std::visit([](const auto& value) { return fmt::format("{}", value); }, fact.value));
  return facts;
}

void FittedModel::save(const std::string& path) const { save_model(*model_, path); }
std::string FittedModel::to_bytes() const { return model_to_bytes(*model_); }

FittedModel load(const std::string& path) { return load_model(path); }
FittedModel from_bytes(const std::string& bytes) { return model_from_bytes(bytes); }

}  // namespace discern
