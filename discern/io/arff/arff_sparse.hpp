// A sparse row of an ARFF file, "{i v, j w}", as the fields of the dense row that it stands for.
#pragma once

#include <string>
#include <vector>

#include "discern/io/csv/csv_plan.hpp"

namespace discern::csv {

// The row begins at p with a brace; returns where the next line begins. Throws Code::data.
const char* expand_sparse_row(const char* p, const char* last, Index line, const std::string& file,
                              const Plan& plan, std::vector<Field>& fields);

}  // namespace discern::csv
