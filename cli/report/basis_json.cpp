#include "cli/report/basis_json.hpp"

#include <string>
#include <vector>

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(const std::vector<Feature>& features, const std::vector<Index>& which) {
  std::vector<std::string> names;
  names.reserve(which.size());
  for (const Index j : which) names.push_back(features[static_cast<std::size_t>(j)].name);
  return names;
}

// The centres of radial units in the units of the features, and their widths in features divided by scale.
Json basis_of(const Radial& step, const std::vector<Feature>& in) {
  Json rows = Json::array();
  for (Index k = 0; k < step.units(); ++k)
    rows.push_back(std::vector<double>(step.centers.row(k).begin(), step.centers.row(k).end()));
  return {{"kind", step.unit == RadialUnit::gaussian ? "gaussian" : "inverse-quadratic"},
          {"columns", names_of(in, step.selection.used)},
          {"scale", step.scale},
          {"centers", std::move(rows)},
          {"widths", step.widths}};
}

// Steps and bumps: the points of each column.
Json basis_of(const Pointwise& step, const std::vector<Feature>& in) {
  const bool bumps = step.function == PointFunction::gaussian;
  Json object{{"kind", name_of(step.function)},
              {"columns", names_of(in, step.selection.used)},
              {"points", Json::array()}};
  auto point = step.points.begin();
  auto width = step.widths.begin();
  for (const Index count : step.counts) {
    object["points"].push_back(std::vector<double>(point, point + count));
    if (bumps) object["widths"].push_back(std::vector<double>(width, width + count));
    point += count;
    if (bumps) width += count;
  }
  return object;
}

}  // namespace

Json basis_json(const Pipeline& pipeline) {
  Json list = Json::array();
  std::vector<Step> before;
  for (const Step& step : pipeline.steps()) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { basis_of(s, std::vector<Feature>()); })
            list.push_back(basis_of(s, Pipeline(pipeline.input(), before).feature_list()));
        },
        step);
    before.push_back(step);
  }
  return list;
}

}  // namespace discern::cli
