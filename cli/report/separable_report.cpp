#include "cli/report/separable_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text/report_line.hpp"
#include "cli/text/text.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_pairs = 3;  // described in full
constexpr std::size_t most_rows = 12;  // of a proof, listed one by one
constexpr Index most_weights = 8;

std::string name_of(const ClassSeparability& all, Index k) {
  return k < 0 ? std::string("the rest") : shown(all.classes[static_cast<std::size_t>(k)]);
}

std::string verdict_text(Verdict verdict, const Paint& paint) {
  if (verdict == Verdict::separable) return paint.green("separable");
  return verdict == Verdict::not_separable ? paint.yellow("not separable") : paint.yellow("undecided");
}

std::string units_text(const Separability& result) {
  return result.standardized ? "with standardised features" : "in the units of the file";
}

std::string rows_text(const std::vector<Share>& shares, bool with_shares) {
  std::vector<std::string> items;
  for (const Share& share : shares) {
    if (items.size() == most_rows) break;
    items.push_back(with_shares ? fmt::format("{} of row {}", rounded(share.share, 4), share.row + 1)
                                : fmt::format("{}", share.row + 1));
  }
  if (shares.size() > most_rows) items.push_back(fmt::format("and {} more", shares.size() - most_rows));
  return fmt::format("{}", fmt::join(items, ", "));
}

std::string plane_text(const ClassSeparability& all, const Separability& result, std::size_t indent) {
  const Matrix& weights = result.plane.weights;
  std::vector<Index> order;
  for (Index j = 0; j < weights.cols(); ++j) order.push_back(j);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::fabs(weights(0, a)) > std::fabs(weights(0, b)); });
  if (static_cast<Index>(order.size()) > most_weights) order.resize(static_cast<std::size_t>(most_weights));
  TextTable table({Align::left, Align::right}, indent);
  for (const Index j : order) table.row({shown(all.pipeline.feature_name(j)), rounded(weights(0, j), 5)});
  table.row({"bias", rounded(result.plane.bias_at_origin()[0], 5)});
  return table.text();
}

std::string plane_lines(const ClassSeparability& all, const PairSeparability& pair, const Paint& paint) {
  const Separability& result = pair.result;
  std::string text =
      report_line(paint, "margin",
                  fmt::format("{} {}, and no plane has more than {} (relative duality gap {:.1e})",
                              rounded(result.margin, 6), units_text(result), rounded(result.margin_bound, 6),
                              result.gap));
  if (!result.converged)
    text += report_line(paint, "", "the gap is above 1e-09: a plane with a larger margin may exist");
  text += report_line(
      paint, "radius",
      fmt::format("{}: a perceptron that starts on the plane makes at most (radius / margin)^2 = {} "
                  "mistakes",
                  rounded(result.radius, 6), rounded(std::floor(result.mistake_bound()), 6)));
  text += report_line(paint, "support",
                      fmt::format("rows {} of {}; rows {} of {}", rows_text(result.positive, false),
                                  name_of(all, pair.positive), rows_text(result.negative, false),
                                  name_of(all, pair.negative)));
  const Index features = result.plane.features();
  text +=
      report_line(paint, "weights",
                  fmt::format("{}per unit of the feature; the score is 1 or more for {}, -1 or less for {}",
                              features > most_weights
                                  ? fmt::format("the {} largest of {}, ", most_weights, grouped(features))
                                  : std::string(),
                              name_of(all, pair.positive), name_of(all, pair.negative)));
  return text + plane_text(all, result, label_width);
}

std::string pair_text(const ClassSeparability& all, const PairSeparability& pair, const Paint& paint) {
  const Separability& result = pair.result;
  std::string text = report_line(
      paint, "classes",
      fmt::format("{} ({}) against {} ({})", name_of(all, pair.positive), counted(pair.positive_rows, "row"),
                  name_of(all, pair.negative), counted(pair.negative_rows, "row")));
  text += report_line(paint, "verdict", verdict_text(result.verdict, paint));
  if (result.verdict == Verdict::separable) return text + plane_lines(all, pair, paint);
  const bool proved = result.verdict == Verdict::not_separable;
  text += report_line(
      paint, proved ? "proof" : "residual",
      fmt::format("{}: the weighted means of {} and of {} are {}{:.1e} of the radius apart",
                  counted(static_cast<std::int64_t>(result.positive.size() + result.negative.size()), "row"),
                  name_of(all, pair.positive), name_of(all, pair.negative), proved ? "the same point, " : "",
                  result.residual));
  if (!proved)
    text +=
        report_line(paint, "", "neither a plane nor a common point of the classes holds in double precision");
  text += report_line(paint, name_of(all, pair.positive), rows_text(result.positive, true));
  return text + report_line(paint, name_of(all, pair.negative), rows_text(result.negative, true));
}

std::string table_text(const ClassSeparability& all, const Paint& paint) {
  TextTable table({Align::left, Align::left, Align::left, Align::right, Align::right}, 2);
  table.row({"", "", "", "margin", "residual"});
  for (const PairSeparability& pair : all.pairs) {
    const bool separable = pair.result.verdict == Verdict::separable;
    table.row({name_of(all, pair.positive), name_of(all, pair.negative),
               verdict_text(pair.result.verdict, paint), separable ? rounded(pair.result.margin, 6) : "",
               separable ? "" : fmt::format("{:.1e}", pair.result.residual)});
  }
  return paint.bold("verdicts") + ", margins " + units_text(all.pairs[0].result) +
         "; --json has the planes and the proofs\n" + table.text();
}

Json shares_json(const std::vector<Share>& shares) {
  Json list = Json::array();
  for (const Share& share : shares) list.push_back({{"row", share.row + 1}, {"share", share.share}});
  return list;
}

Json verdict_json(Verdict verdict) {
  return verdict == Verdict::unproved ? Json(nullptr) : Json(verdict == Verdict::separable);
}

Json pair_json(const ClassSeparability& all, const PairSeparability& pair) {
  const Separability& result = pair.result;
  Json object{{"separable", verdict_json(result.verdict)},
              {"positive", all.classes[static_cast<std::size_t>(pair.positive)]},
              {"negative", pair.negative < 0 ? Json(nullptr)
                                             : Json(all.classes[static_cast<std::size_t>(pair.negative)])}};
  if (result.verdict == Verdict::separable) {
    object["margin"] = result.margin;
    object["margin_bound"] = result.margin_bound;
    object["radius"] = result.radius;
    object["mistake_bound"] = result.mistake_bound();
    object["weights"] = std::vector<double>(result.plane.weights.data(),
                                            result.plane.weights.data() + result.plane.features());
    object["bias"] = result.plane.bias_at_origin()[0];
    object["standardized"] = result.standardized;
    object["converged"] = result.converged;
    object["certificate"] = {{"kind", "relative-duality-gap"}, {"value", result.gap}};
  } else {
    object["radius"] = result.radius;
    object["certificate"] = {{"kind", "common-point"}, {"value", result.residual}};
  }
  object["certificate"]["positive"] = shares_json(result.positive);
  object["certificate"]["negative"] = shares_json(result.negative);
  return object;
}

}  // namespace

std::string separability_text(const ClassSeparability& all, const Paint& paint) {
  if (all.pairs.size() > most_pairs) return table_text(all, paint);
  std::string text;
  for (const PairSeparability& pair : all.pairs)
    text += (text.empty() ? "" : "\n") + pair_text(all, pair, paint);
  return text;
}

std::string separability_json(const ClassSeparability& all) {
  Json object;
  if (all.pairs.size() == 1) {
    object = pair_json(all, all.pairs[0]);
    object["features"] = all.pipeline.feature_names();
  } else {
    Json pairs = Json::array();
    // One pair that cannot be separated decides, whatever is not known of the others.
    bool separable = true, refuted = false;
    for (const PairSeparability& pair : all.pairs) {
      pairs.push_back(pair_json(all, pair));
      separable = separable && pair.result.verdict == Verdict::separable;
      refuted = refuted || pair.result.verdict == Verdict::not_separable;
    }
    object = {{"separable", separable || refuted ? Json(separable) : Json(nullptr)},
              {"features", all.pipeline.feature_names()},
              {"pairs", std::move(pairs)}};
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace discern::cli
