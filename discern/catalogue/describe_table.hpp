// A table at a glance: what each column is like (stats/summary/column_summary.hpp), what it says of the target on its
// own (stats/summary/association.hpp), and the target itself. Exact, and the same on any number of threads.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/table.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/stats/summary/column_summary.hpp"

namespace discern {

struct DescribeOptions {
  std::string target = {};             // name of a side column; empty: none
  std::optional<Task> task = {};       // nothing: what the target looks like
  std::string positive = {};           // of two classes; empty: by name, or the last in order
  Index most_columns = 1'000'000'000;  // describe so many, the first ones
  Monitor monitor = {};
};

struct DescribedTarget {
  std::string name;
  Task task = Task::classification;
  Index missing = 0;
  std::vector<LevelCount> classes = {};  // in order; classification
  Index positive = 1;                    // of two classes
  DescribedColumn numbers = {};          // regression
};

// What the stored entries of a sparse table are like, all columns of it.
struct SparseSummary {
  Index entries = 0;
  Index least = 0, median = 0, most = 0;  // in a row
  Index empty_columns = 0;                // without any
};

struct TableDescription {
  Index rows = 0;
  Index columns = 0;  // features: of all, described or not
  Index texts = 0;    // so many of them hold text
  Index missing = 0;  // cells of the features
  std::optional<SparseSummary> sparse = {};
  std::vector<DescribedColumn> described = {};  // the first columns, in the order of the file
  std::optional<DescribedTarget> target = {};
  std::optional<Association> measure_of_numbers = {}, measure_of_texts = {};  // with the target
  std::vector<Note> notes = {};

  Index left_out() const { return columns - static_cast<Index>(described.size()); }
};

TableDescription describe_table(const Table& table, const DescribeOptions& options);

}  // namespace discern
