// The page of a model file: what it holds, without the rows that it came from unless they are given.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "discern/catalogue/row_influence.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct InspectPage {
  const Model& model;
  std::string file;
  const RowInfluence* influence = nullptr;  // of the rows of the fit; null: not asked for
  std::vector<double> distances =
      {};  // signed, of labelled rows from the nearest plane; empty: not asked for
  std::optional<std::pair<Index, Index>> pixels = {};
};

Page inspect_page(const InspectPage& inspect);

}  // namespace discern::report
