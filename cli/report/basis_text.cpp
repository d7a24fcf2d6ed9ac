#include "cli/report/basis_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text/text.hpp"
#include "discern/base/join.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t most_left_named = 6;

std::string basis_name(const Monomials& step) {
  if (step.kind == Products::powers) return "powers";
  return step.kind == Products::distinct ? "products" : "poly";
}
std::string basis_name(const Pointwise& step) { return std::string(name_of(step.function)); }
std::string basis_name(const Radial&) { return "rbf"; }
std::string basis_name(const Fourier&) { return "fourier"; }

// Features by the columns that they come from: the indicators of a text column are one.
std::vector<std::string> origins(const std::vector<Index>& which, const std::vector<Feature>& in,
                                 const Schema& input) {
  std::vector<std::string> names;
  for (const Index j : which) {
    const Feature& feature = in[static_cast<std::size_t>(j)];
    const std::string name =
        feature.column >= 0 ? shown(input.name(feature.column)) + " (text)" : shown(feature.name);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

std::string list_text(std::vector<std::string> names) {
  const std::size_t more = names.size() > most_left_named ? names.size() - most_left_named : 0;
  names.resize(names.size() - more);
  return discern::join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

// Bumps and steps of a column that is constant: there are none.
std::vector<std::string> without_points(const Pointwise& step, const std::vector<Feature>& in) {
  std::vector<std::string> names;
  for (std::size_t u = 0; u < step.counts.size(); ++u)
    if (step.counts[u] == 0)
      names.push_back(shown(in[static_cast<std::size_t>(step.selection.used[u])].name));
  return names;
}
template <class S>
std::vector<std::string> without_points(const S&, const std::vector<Feature>&) {
  return {};
}

}  // namespace

std::vector<std::string> basis_sentences(const Pipeline& pipeline) {
  std::vector<std::string> sentences;
  std::vector<Step> before;
  for (const Step& step : pipeline.steps()) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { basis_name(s); }) {
            const std::vector<Feature> in = Pipeline(pipeline.input(), before).feature_list();
            const auto made = static_cast<Index>(s.names(in).size() - s.selection.passed.size());
            std::string text = fmt::format("{}: {} of {}", basis_name(s), counted(made, "feature"),
                                           counted(static_cast<Index>(s.selection.used.size()), "feature"));
            // Of columns that were named, the others are not meant.
            const auto passed = origins(s.selection.passed, in, pipeline.input());
            if (s.columns.empty() && !passed.empty())
              text +=
                  fmt::format("; as {}: {}", passed.size() == 1 ? "it was" : "they were", list_text(passed));
            if (const auto names = without_points(s, in); !names.empty())
              text += fmt::format("; left out because constant: {}", list_text(names));
            sentences.push_back(std::move(text));
          }
        },
        step);
    before.push_back(step);
  }
  return sentences;
}

}  // namespace discern::cli
