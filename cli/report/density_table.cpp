#include "cli/report/density_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/geometry.hpp"
#include "cli/text/text.hpp"

namespace discern::cli {
namespace {

std::string term_text(const Additive& additive, Index k, Index j) {
  if (additive.precision(k, j) > 0)
    return fmt::format("{} +- {}", rounded(additive.means(k, j)), rounded(1 / additive.precision(k, j)));
  const Kernels& kernels = additive.kernels;
  const auto found = std::lower_bound(kernels.features.begin(), kernels.features.end(), j);
  if (found == kernels.features.end() || *found != j) return rounded(additive.weights(k, j));
  const Index f = found - kernels.features.begin();
  const auto density = static_cast<std::size_t>(k) * kernels.features.size() + static_cast<std::size_t>(f);
  return fmt::format("{}, width {}", counted(kernels.starts[density + 1] - kernels.starts[density], "point"),
                     rounded(kernels.widths(k, f)));
}

}  // namespace

std::string density_table(const Model& model, const Additive& additive, Index limit, std::size_t indent) {
  std::vector<Align> columns(static_cast<std::size_t>(additive.scores()) + 1, Align::right);
  columns[0] = Align::left;
  TextTable table(columns, indent);
  std::vector<std::string> head{""};
  for (const std::string& name : plane_names(model)) head.push_back(shown(name, 16));
  // With two classes the predictor's second is the positive one.
  if (model.classes.size() == 2 && model.positive == 0) std::swap(head[1], head[2]);
  table.row(std::move(head));
  for (Index j = 0; j < std::min(limit, additive.features()); ++j) {
    std::vector<std::string> cells{shown(model.pipeline.feature_name(j))};
    for (Index k = 0; k < additive.scores(); ++k) cells.push_back(term_text(additive, k, j));
    table.row(std::move(cells));
  }
  return table.text();
}

}  // namespace discern::cli
