#include "discern/report/figures/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/report/plane.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_terms = 14;

struct Explained {
  std::size_t row;
  std::string why;
};

// The surest right ones, those next to a boundary, and the surest wrong ones.
std::vector<Explained> telling_rows(const DrawnRows& rows) {
  const Numbers margin = margins_of(rows.said);
  std::vector<std::size_t> order(margin.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return margin[a] > margin[b]; });
  std::vector<Explained> chosen;
  const auto right = [&](std::size_t i) { return rows.said.labels[i] == rows.labels[i]; };
  const auto take = [&](auto begin, auto end, auto&& wanted, std::size_t count, const char* why) {
    for (auto at = begin; at != end && count > 0; ++at)
      if (rows.said.labels[*at] != undecided && wanted(*at)) chosen.push_back({*at, why}), --count;
  };
  take(
      order.begin(), order.end(), [&](std::size_t i) { return !right(i); }, 3, "wrong");
  take(order.rbegin(), order.rend(), right, 2, "right, but nearly undecided");
  take(order.begin(), order.end(), right, 2, "right, and the surest");
  return chosen;
}

Json explained(const Model& model, const Linear& linear, const DrawnRows& rows, const Explained& one) {
  const std::int32_t said = rows.said.labels[one.row];
  Vector w = linear.weights.row(0).transpose();
  double bias = linear.bias_at_origin()[0];
  std::string of = fmt::format("score, above 0 for {}",
                               shortened(model.classes[static_cast<std::size_t>(model.positive)]));
  if (linear.scores() > 1) {
    // The scores of two classes that are one each keep the order of the classes.
    Index next = said == 0 ? 1 : 0;
    for (Index k = 0; k < linear.scores(); ++k)
      if (k != said &&
          rows.scores(static_cast<Index>(one.row), k) > rows.scores(static_cast<Index>(one.row), next))
        next = k;
    w = (linear.weights.row(said) - linear.weights.row(next)).transpose();
    bias = linear.bias_at_origin()[said] - linear.bias_at_origin()[next];
    of = fmt::format("score of {} less that of {}", shortened(model.classes[static_cast<std::size_t>(said)]),
                     shortened(model.classes[static_cast<std::size_t>(next)]));
  }
  const Vector mean = rows.features.colwise().mean().transpose();
  const Vector x = rows.features.row(static_cast<Index>(one.row)).transpose();
  const Vector terms = w.cwiseProduct(x - mean);
  std::vector<Index> order(static_cast<std::size_t>(terms.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(terms[a]) > std::abs(terms[b]); });
  Json list = Json::array();
  const double base = w.dot(mean) + bias, total = base + terms.sum();
  list.push_back({{"name", "the mean row"}, {"value", number(base)}});
  double rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index j = order[i];
    if (i >= most_terms)
      rest += terms[j];
    else
      list.push_back({{"name", fmt::format("{} = {}", model.pipeline.feature_name(j), rounded(x[j]))},
                      {"value", number(terms[j])},
                      {"note", fmt::format("mean {}", rounded(mean[j]))}});
  }
  if (order.size() > most_terms)
    list.push_back({{"name", fmt::format("{} others", order.size() - most_terms)}, {"value", number(rest)}});
  list.push_back({{"name", "sum"}, {"value", number(total)}});
  return {{"name", fmt::format("{} ({})", rows.name(one.row), one.why)},
          {"text", fmt::format("Truth {}, decided {}; {}: {}.",
                               shortened(model.classes[static_cast<std::size_t>(rows.labels[one.row])]),
                               shortened(label_text(model, said)), of, rounded(total))},
          {"rows", list}};
}

}  // namespace

std::optional<Figure> explanation_figure(const Model& model, const DrawnRows& rows) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  const bool scores = linear != nullptr && !model.reduction && model.task == Task::classification;
  if (!scores || rows.features.size() == 0 || rows.rows.empty()) return std::nullopt;
  if (linear->scores() > 1 && linear->scores() != static_cast<Index>(model.classes.size()))
    return std::nullopt;
  if (linear->scores() == 2) return std::nullopt;
  Json groups = Json::array();
  for (const Explained& one : telling_rows(rows)) groups.push_back(explained(model, *linear, rows, one));
  if (groups.empty()) return std::nullopt;
  Figure figure{
      "explanation", "Why single rows got their scores",
      "A linear score is a sum, so its explanation is exact: from the score of the mean row, each "
      "feature adds its weight times its distance from the mean. Each bar begins where the one above it "
      "ended, and the last is the score. Choose a row."};
  figure.formula = "g(x) = g(x̄) + Σ_j w_j (x_j − x̄_j)";
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "score, feature by feature"},
                         {"bars", true},
                         {"steps", true},
                         {"group", "Row"},
                         {"groups", groups}});
  return figure;
}

}  // namespace discern::report
