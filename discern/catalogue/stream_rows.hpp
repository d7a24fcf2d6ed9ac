// From the tables of a stream to the rows of an online learner: numbers by column, and an indicator for every
// text that has appeared, numbered in the order of appearance.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/transform/pipeline.hpp"

namespace discern {

class StreamRows {
 public:
  struct Policy {
    bool impute = true, encode = true;
    Index hash_bits = 0;
  };
  // The columns of the first table, or those of a model that is gone on from.
  StreamRows(const Table& first, const Policy& policy);
  StreamRows(const Pipeline& before, const Table& first, const Policy& policy);

  Index numbers() const { return static_cast<Index>(number_columns_.size()); }
  Index entries() const { return entries_; }
  bool indicators() const { return !hash_ && !sparse_; }  // the entries are those of texts

  // Looks at the columns of a table and at what is missing. Throws Code::data for a column that is not there
  // and for what the policy does not allow.
  void begin(const Table& table);
  // Row i of that table: the numbers (NaN where missing), and the entries. Valid until the next call.
  struct Row {
    const double* numbers;
    SparseRow<double> entries;
  };
  Row row(Index i);

  Index missing() const { return missing_; }

  // For the model: the pipeline with `fill` for the numbers; where the features of the pipeline are among the
  // learner's columns; how often each text was there, column by column.
  Pipeline pipeline(const Eigen::VectorXd& fill) const;
  std::vector<Index> layout() const;
  // The entries in the order of the pipeline; from now on they are numbered so.
  std::vector<Index> arrange_entries();
  std::vector<double> level_counts() const;
  void set_level_counts(const std::vector<double>& counts);

 private:
  struct TextColumn {
    Index column = 0;  // of the input
    std::vector<std::string> levels;
    std::unordered_map<std::string, Index> find;
    std::vector<Index> entry;  // of each level
    std::vector<double> count;
    Index most_frequent = 0;
    Index other = -1;          // the level of all texts that have none; -1: a new text gets one
    std::vector<Index> codes;  // the level of each of the table's, -1: not looked up yet
  };
  void set_columns(const Schema& schema);
  void match(const Table& table);
  Index level_of(TextColumn& text, std::size_t code);

  Policy policy_;
  std::vector<Column> input_;  // without levels
  bool numbered_ = false, sparse_ = false;
  std::vector<Index> number_columns_;  // of the input
  std::vector<TextColumn> texts_;
  Index entries_ = 0;
  Index missing_ = 0;
  std::optional<Pipeline> hash_;
  // Of the table at hand.
  const Table* table_ = nullptr;
  std::vector<Index> from_;  // the table's column of each of the input's
  bool direct_ = false;      // its rows are the numbers as they are
  Features hashed_input_;
  Scratch scratch_;
  SparseRows<double> sparse_rows_{};
  std::vector<double> numbers_, values_;
  std::vector<std::uint32_t> columns_;
};

}  // namespace discern
