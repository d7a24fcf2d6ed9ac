// The rows that bend a fit: leverage, residual and Cook's distance (model/inference/influence.hpp).
#pragma once

#include "discern/catalogue/row_influence.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

Figure influence_figure(const Model& model, const RowInfluence& influence);

}  // namespace discern::report
