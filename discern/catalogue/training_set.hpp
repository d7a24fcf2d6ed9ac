// From a table to what a trainer needs: classes, labels, weights, and the rows that count.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discern/catalogue/models.hpp"
#include "discern/data/table.hpp"

namespace discern {

struct TrainingSet {
  Table table;                       // prepared, rows of weight zero left out, and levels that only those had
  std::vector<std::string> classes;  // sorted; empty in regression
  Index positive = 1;
  Targets targets;                   // with two classes label 1 is the positive class
  std::vector<std::int32_t> labels;  // indices into classes
  std::vector<Index> rows;           // of the table given that are left; empty: all
  Index dropped = 0;                 // of weight zero
  std::vector<std::string> leaks;    // columns that alone tell the target
};

// "label=weight,label=weight" as pairs. Throws Code::usage for what is none, naming the labels that there are
// where they are known.
std::vector<std::pair<std::string, double>> parse_class_weights(const std::string& text,
                                                                const std::vector<std::string>& classes);
[[noreturn]] void refuse_class_weight(const std::string& item, const std::vector<std::string>& classes);

// The class of each level of a column with labels, and the classes in order: labels that spell the same number ("1"
// and "1.0") are one, named as the file first spelled it.
std::vector<std::int32_t> class_of_level(const SideColumn& column, std::vector<std::string>& classes);

TrainingSet training_set(const Table& table, const FitSettings& settings);

}  // namespace discern
