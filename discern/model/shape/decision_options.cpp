#include "discern/model/shape/decision_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/data/schema.hpp"
#include "discern/io/file/file.hpp"
#include "discern/model/shape/priors.hpp"

namespace discern {
namespace {

using Names = std::vector<std::string>;

std::optional<Index> index_of(const Names& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return found - names.begin();
}

// NaN for what is no number. (With an optional GCC 12 warns of a value that is not there.)
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
double number_in(const std::string& text) { return number_of(text).value_or(not_a_number); }

// Sums of costs times probabilities and weights stay in the range of double.
constexpr double largest_cost = 1e150;
bool is_cost(double value) { return std::fabs(value) <= largest_cost; }

std::string listed(const Names& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 20);
  return join(std::span(names).first(shown), ", ") + (shown < names.size() ? ", ..." : "");
}

Matrix zero_one(Index classes) { return Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes); }

struct Pair {
  Index truth, decided;
};

// "a:b" for any a and b that are classes, even where their names have a colon.
std::optional<Pair> pair_of(std::string_view text, const Names& names) {
  for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const auto truth = index_of(names, text.substr(0, colon)),
               decided = index_of(names, text.substr(colon + 1));
    if (truth && decided) return Pair{*truth, *decided};
  }
  return std::nullopt;
}

Matrix costs_of_pairs(const std::string& text, const Names& names) {
  Matrix cost = zero_one(static_cast<Index>(names.size()));
  std::vector<bool> given(names.size() * names.size());
  for (const std::string& item : split_list(text)) {
    const auto equals = item.rfind('=');
    const double value = equals == std::string::npos ? not_a_number : number_in(item.substr(equals + 1));
    const auto pair = pair_of(std::string_view(item).substr(0, equals), names);
    if (!std::isfinite(value) || !pair)
      throw Error(
          Code::usage,
          fmt::format(
              "`cost`: expected TRUTH:DECISION=COST,... with the classes {}, zero-one, or a file; got "
              "'{}'",
              listed(names), item));
    if (!is_cost(value))
      throw Error(Code::usage,
                  fmt::format("`cost`: expected costs of at most {:g}, got '{}'", largest_cost, item));
    const auto place =
        static_cast<std::size_t>(pair->truth) * names.size() + static_cast<std::size_t>(pair->decided);
    if (given[place])
      throw Error(Code::usage, fmt::format("`cost`: '{}' is there twice", item.substr(0, equals)));
    given[place] = true;
    cost(pair->truth, pair->decided) = value;
  }
  return cost;
}

// The cells of each line of a CSV file that is not empty, with the number of the line.
struct Line {
  std::int64_t number;
  std::vector<std::string> cells;
};
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::int64_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back({number, split_list(line)});
  }
  return lines;
}

Index class_of(const std::string& name, const Names& names, std::vector<bool>& seen, const Place& place) {
  const auto found = index_of(names, name);
  if (!found)
    throw Error(Code::data, fmt::format("found '{}', expected one of the classes {}", name, listed(names)),
                place);
  if (seen[static_cast<std::size_t>(*found)])
    throw Error(Code::data, fmt::format("found the class '{}' twice", name), place);
  seen[static_cast<std::size_t>(*found)] = true;
  return *found;
}

Matrix costs_of_file(const std::string& path, const Names& names) {
  const FileContent content(path, Access::copy);
  const std::vector<Line> lines = lines_of(content.text());
  if (lines.size() < 2)
    throw Error(Code::data, "found no costs, expected a line of classes and then a line for each class",
                {path, 0, ""});
  Matrix cost = zero_one(static_cast<Index>(names.size()));
  std::vector<bool> truths(names.size()), decisions(names.size());
  std::vector<Index> columns;
  for (std::size_t j = 1; j < lines[0].cells.size(); ++j)
    columns.push_back(
        class_of(lines[0].cells[j], names, decisions, {path, lines[0].number, std::to_string(j + 1)}));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& [number, cells] = lines[i];
    const Index truth = class_of(cells[0], names, truths, {path, number, "1"});
    if (cells.size() != columns.size() + 1)
      throw Error(Code::data, fmt::format("found {} cells, expected {}", cells.size(), columns.size() + 1),
                  {path, number, ""});
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double value = number_in(cells[j + 1]);
      if (!is_cost(value))
        throw Error(
            Code::data,
            fmt::format("found '{}', expected a cost, a number of at most {:g}", cells[j + 1], largest_cost),
            {path, number, names[static_cast<std::size_t>(columns[j])]});
      cost(truth, columns[j]) = value;
    }
  }
  if (truths != decisions)
    throw Error(Code::data,
                "the classes of the lines are not those of the first line: expected a square of costs",
                {path, 0, ""});
  return cost;
}

Matrix costs_of(const std::string& text, const Names& names) {
  return text.find('=') == std::string::npos ? costs_of_file(text, names) : costs_of_pairs(text, names);
}

Matrix risk_costs(double eta, Index positive) {
  Matrix cost = Matrix::Zero(2, 2);
  cost(positive, 1 - positive) = eta;
  cost(1 - positive, positive) = 1 - eta;
  return cost;
}

Vector prior_ratio(const std::string& text, const DecisionClasses& classes) {
  if (classes.priors.size() == 0)
    throw Error(
        Code::usage,
        "`priors`: the model does not say which priors it was fitted with (it was written by an older "
        "version); fit it again");
  if (text == "shares")
    throw Error(Code::usage,
                "`priors`: expected equal or CLASS=P,...; shares, those of the rows, are for fit");
  return parse_priors(text, classes.names).cwiseQuotient(classes.priors);
}

// 0 and 1 are limits that a probability reaches: T = 0 always decides positive.
void check_share(const char* flag, const std::optional<double>& value) {
  if (value && !(*value >= 0 && *value <= 1))
    throw Error(Code::usage, fmt::format("`{}`: expected a number from 0 to 1, got {}", flag, *value));
}

void check_together(const DecisionOptions& options, const DecisionClasses& classes) {
  const int rules = (options.threshold ? 1 : 0) + (options.risk ? 1 : 0) + (options.has_cost() ? 1 : 0);
  if (rules > 1)
    throw Error(Code::usage, "`threshold`, `risk` and `cost` exclude each other: each is a rule of its own");
  if (options.threshold && options.reject)
    throw Error(
        Code::usage,
        "`threshold` and `reject` exclude each other: rejecting is compared with costs, which `risk` or "
        "`cost` give");
  for (const char* flag : {"threshold", "risk"}) {
    const bool given = flag[0] == 't' ? options.threshold.has_value() : options.risk.has_value();
    if (given && classes.names.size() != 2)
      throw Error(Code::usage,
                  fmt::format("`{}` is for two classes, and there are {}; `cost` is for any number", flag,
                              classes.names.size()));
  }
  check_share("threshold", options.threshold);
  check_share("risk", options.risk);
  if (options.reject && !is_cost(*options.reject))
    throw Error(Code::usage, fmt::format("`reject`: expected a cost of at most {:g}, got {}", largest_cost,
                                         *options.reject));
  if (options.reject && index_of(classes.names, undecided_name))
    throw Error(Code::usage,
                fmt::format("`reject`: a class is called '{0}', which is how a row without a decision is "
                            "written; rename the class",
                            undecided_name));
}

}  // namespace

DecisionClasses decision_classes(const Model& model) { return {model.classes, model.positive, model.priors}; }

std::string options_set(const DecisionOptions& options) {
  std::vector<std::string_view> names;
  if (options.threshold) names.emplace_back("`threshold`");
  if (options.risk) names.emplace_back("`risk`");
  if (options.has_cost()) names.emplace_back("`cost`");
  if (options.reject) names.emplace_back("`reject`");
  if (!options.priors.empty()) names.emplace_back("`priors`");
  return join(names, ", ");
}

Decision make_decision(const DecisionOptions& options, const DecisionClasses& classes) {
  check_together(options, classes);
  Decision decision;
  decision.threshold = options.threshold;
  if (options.risk) decision.cost = risk_costs(*options.risk, classes.positive);
  if (!options.cost.empty() && options.cost != "zero-one")
    decision.cost = costs_of(options.cost, classes.names);
  if (options.costs.size() > 0) decision.cost = options.costs;
  decision.reject = options.reject;
  if (!options.priors.empty()) decision.prior_ratio = prior_ratio(options.priors, classes);
  return decision;
}

std::string decision_text(const Decision& decision, const DecisionClasses& classes) {
  std::string text;
  if (decision.threshold) {
    text = fmt::format("{} where its probability is at least {}",
                       classes.names[static_cast<std::size_t>(classes.positive)], *decision.threshold);
  } else if (decision.cost.size() > 0) {
    text = "the least expected cost";
    if (decision.cost.rows() == 2)
      text += fmt::format(" (deciding {1} for {0} costs {2}, {0} for {1} costs {3})", classes.names[0],
                          classes.names[1], decision.cost(0, 1), decision.cost(1, 0));
  } else {
    text = "the largest probability";
  }
  if (decision.reject)
    text += fmt::format("; undecided where the expected cost is above {}", *decision.reject);
  if (decision.prior_ratio.size() > 0) text += "; with other priors than those of the training";
  return text;
}

}  // namespace discern
