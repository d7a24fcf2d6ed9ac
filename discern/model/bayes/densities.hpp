// Which density each feature of a naive Bayes classifier has.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/model/shape/training.hpp"
#include "discern/stats/class_columns.hpp"

namespace discern {

enum class Density { gaussian, bernoulli, multinomial, complement, categorical, kernel };
inline constexpr std::array<std::string_view, 6> density_names{"gaussian",   "bernoulli",   "multinomial",
                                                               "complement", "categorical", "kde"};

// A density for each feature from "auto", one kind for all, or NAME=KIND,... (the others as with auto). The
// name of a text column stands for all its indicators. auto means
//
//   a text column                                  categorical
//   a column of nothing but 0 and 1                Bernoulli
//   sparse rows of whole numbers of 0 or more      multinomial: counts
//   any other column                               Gaussian
//
// Throws Code::usage for an unknown kind or name, Code::data naming a feature whose numbers its density does
// not have.
std::vector<Density> choose_densities(const std::string& text, const Training& training,
                                      const ClassColumnSummary& columns);

}  // namespace discern
