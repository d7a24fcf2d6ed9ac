// The proof that two classes can be separated by a plane, or that they cannot.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/class_separability.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

// `features`: the rows behind the pipeline; `labels`: their classes.
Figure separability_figure(const PairSeparability& pair, const std::vector<std::string>& classes,
                           const Matrix& features, const std::vector<std::int32_t>& labels,
                           const std::vector<std::string>& names);

}  // namespace discern::report
