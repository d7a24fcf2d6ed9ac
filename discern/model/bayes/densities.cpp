#include "discern/model/bayes/densities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/model/linear/linear_parts.hpp"

namespace discern {
namespace {

std::optional<Density> density_of(std::string_view name) {
  const auto found = std::find(density_names.begin(), density_names.end(), name);
  if (found == density_names.end()) return std::nullopt;
  return static_cast<Density>(found - density_names.begin());
}

Index category_of(const Training& training, Index j) {
  return training.category.empty() ? -1 : training.category[static_cast<std::size_t>(j)];
}

std::vector<Density> automatic(const Training& training, const ClassColumnSummary& columns) {
  const Index d = training.source.cols();
  const bool texts = std::any_of(training.category.begin(), training.category.end(),
                                 [](Index column) { return column >= 0; });
  const bool counts = training.source.sparse() && !texts && columns.whole && columns.low.minCoeff() >= 0 &&
                      columns.high.maxCoeff() > 1;
  std::vector<Density> chosen;
  for (Index j = 0; j < d; ++j) {
    if (category_of(training, j) >= 0)
      chosen.push_back(Density::categorical);
    else if (counts)
      chosen.push_back(Density::multinomial);
    else
      chosen.push_back(columns.binary[static_cast<std::size_t>(j)] ? Density::bernoulli : Density::gaussian);
  }
  return chosen;
}

// Gives the kind to the feature, or the indicators of the text column, of that name.
bool assign(std::string_view name, Density kind, const Training& training, std::vector<Density>& chosen) {
  bool found = false;
  for (Index j = 0; j < training.source.cols(); ++j) {
    const Index column = category_of(training, j);
    if (name != (column >= 0 ? training.input->name(column) : feature_name(training, j))) continue;
    chosen[static_cast<std::size_t>(j)] = kind;
    found = true;
  }
  return found;
}

void assign_each(std::string_view text, const Training& training, std::vector<Density>& chosen) {
  for (const std::string_view item : split(text, ',')) {
    const auto equals = item.rfind('=');
    const auto kind = equals == std::string_view::npos ? std::nullopt : density_of(item.substr(equals + 1));
    if (!kind)
      throw Error(Code::usage, fmt::format("`density`: expected auto, one of {}, or NAME=KIND,...; got '{}'",
                                           join(density_names, ", "), item));
    if (!assign(item.substr(0, equals), *kind, training, chosen))
      throw Error(Code::usage, fmt::format("`density`: there is no feature '{}'", item.substr(0, equals)));
  }
}

void check(const std::vector<Density>& chosen, const Training& training, const ClassColumnSummary& columns) {
  for (Index j = 0; j < training.source.cols(); ++j) {
    const auto refuse = [&](const std::string& problem) {
      throw Error(Code::data, problem, {"", 0, feature_name(training, j)});
    };
    switch (chosen[static_cast<std::size_t>(j)]) {
      case Density::bernoulli:
        if (!columns.binary[static_cast<std::size_t>(j)])
          refuse(fmt::format("found numbers from {} to {}, a Bernoulli density is for 0 and 1",
                             columns.low[j], columns.high[j]));
        break;
      case Density::multinomial:
      case Density::complement:
        if (columns.low[j] < 0)
          refuse(fmt::format("found {}, a {} density is for counts of 0 or more", columns.low[j],
                             density_names[static_cast<std::size_t>(chosen[static_cast<std::size_t>(j)])]));
        break;
      case Density::categorical:
        if (category_of(training, j) < 0)
          refuse(
              "the column holds numbers, a categorical density is for text; `categorical` reads it as text");
        break;
      case Density::gaussian:
      case Density::kernel:
        break;
    }
  }
}

}  // namespace

std::vector<Density> choose_densities(const std::string& text, const Training& training,
                                      const ClassColumnSummary& columns) {
  std::vector<Density> chosen = automatic(training, columns);
  if (const auto kind = density_of(text))
    std::fill(chosen.begin(), chosen.end(), *kind);
  else if (text != "auto")
    assign_each(text, training, chosen);
  check(chosen, training, columns);
  return chosen;
}

}  // namespace discern
