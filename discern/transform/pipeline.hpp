// The pipeline: from the raw columns of a file to the features of a predictor. It is part of the model, so
// `predict` takes the same raw file as `fit` did.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/data/table.hpp"
#include "discern/transform/steps.hpp"

namespace discern {

struct PipelineOptions {
  bool impute = false;      // otherwise a missing cell is an error
  bool indicate = false;    // with an indicator for each column that has missing cells
  bool encode = false;      // otherwise a text column is an error
  bool drop_first = false;  // reference coding of text columns
  bool date_parts = false;  // take dates apart
  std::string basis = {};   // transform/basis_spec.hpp; empty: none
  bool standardize = true;  // distances of a basis are those of standardised features
  std::uint64_t seed = 0;   // of what a basis draws by chance
  Monitor monitor = {};
};

class Pipeline {
 public:
  Pipeline() = default;
  Pipeline(Schema input, std::vector<Step> steps);

  const Schema& input() const { return input_; }
  const std::vector<Step>& steps() const { return steps_; }
  Index features() const { return features_; }  // number of output columns
  std::string feature_name(Index j) const;
  bool indicator(Index j) const;
  // The column of input() whose categories feature j indicates, -1 when it indicates none.
  Index category(Index j) const;
  std::vector<std::string> feature_names() const;
  std::vector<Feature> feature_list() const;

  // Rows with the columns of input(), in that order, to feature rows, built in the scratch unless there is
  // nothing to do.
  Rows apply(const Rows& raw, Scratch& scratch) const;
  bool sparse_output(bool sparse_input) const;
  const Hashing* hashing() const;  // its only step, if it is that

 private:
  Schema input_;
  std::vector<Step> steps_;
  std::vector<Feature> outputs_;  // empty when there are no steps, and after Hashing, whose are many
  Index features_ = 0;
};

// Learns fill values, levels and scales from the rows of a table, with sample weights (empty: all 1). When
// the monitor stops the placing of centres, those so far serve, the rest is learned without asking again and
// `interrupted` becomes true; a null one, or any other pass that is stopped, throws Code::interrupted.
Pipeline fit_pipeline(const Table& table, const std::vector<double>& weights, const PipelineOptions& options,
                      bool* interrupted = nullptr);

// The columns of a table arranged as the pipeline's input wants them.
struct Arranged {
  Features x;
  Index unseen = 0;   // cells with a category that training did not have
  Index missing = 0;  // missing cells
  std::vector<std::pair<std::string, Index>> unseen_columns;   // which columns, how many cells each
  std::vector<std::pair<std::string, Index>> missing_columns;  // which columns, how many cells each
};
struct ArrangeOptions {
  bool ignore_unseen = false;
  bool refuse_missing = false;
  // What can be done about a category that training did not have, for the message that refuses it.
  std::string_view unseen_advice = "`unseen` ignore takes it as none of the known ones";
};
// Matches by name, recodes levels. Shares the table's memory when nothing has to move. Throws Code::data
// naming the column that is missing, or the line of an unknown category or of the first missing cell.
Arranged arrange(const Table& table, const Pipeline& pipeline, const ArrangeOptions& options);

// Throws Code::data naming the first missing cell of this column, if there is one (Table::first_missing).
void refuse_missing(const Table& table, std::optional<Index> column);

// Hands out blocks of x with the pipeline applied. All must outlive it.
class PipelineSource : public Source {
 public:
  PipelineSource(const Features& x, const Pipeline& pipeline, const Targets& targets)
      : raw_(x, targets), pipeline_(&pipeline) {}
  Index rows() const override { return raw_.rows(); }
  Index cols() const override { return pipeline_->features(); }
  bool sparse() const override { return pipeline_->sparse_output(raw_.sparse()); }
  Block block(Index k, Scratch& scratch) const override;
  void extended(Index first, Index count, std::vector<long double>& values) const override;

 private:
  MemorySource raw_;
  const Pipeline* pipeline_;
};

// The features of another source, computed once and kept in memory.
class StoredSource : public Source {
 public:
  StoredSource(const Source& origin, const Features& x, const Targets& targets)
      : origin_(&origin), memory_(x, targets) {}
  Index rows() const override { return memory_.rows(); }
  Index cols() const override { return memory_.cols(); }
  bool sparse() const override { return memory_.sparse(); }
  Block block(Index k, Scratch& scratch) const override { return memory_.block(k, scratch); }
  std::optional<Block> all_rows() const override { return memory_.all_rows(); }
  void extended(Index first, Index count, std::vector<long double>& values) const override {
    origin_->extended(first, count, values);
  }

 private:
  const Source* origin_;
  MemorySource memory_;
};

// All blocks of a source as one matrix, for algorithms that pass over the data many times.
Features materialize(const Source& source);

}  // namespace discern
