#include "discern/io/csv/csv_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/io/number/number.hpp"

namespace discern::csv {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 30;
  std::string list;
  for (std::size_t j = 0; j < std::min(names.size(), most); ++j)
    list += fmt::format("{}{}", j == 0 ? "" : ", ", names[j]);
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

// Looks columns up by name, or by number when no column has that name.
class Lookup {
 public:
  Lookup(const std::vector<std::string>& names, const std::string& file) : names_(names), file_(file) {
    for (std::size_t j = 0; j < names.size(); ++j) index_.emplace(names[j], j);
  }

  std::optional<std::size_t> find(const std::string& wanted) const {
    const auto found = index_.find(wanted);
    if (found != index_.end()) return found->second;
    if (wanted.empty() || wanted.size() > 9 || !std::all_of(wanted.begin(), wanted.end(), decimal::is_digit))
      return std::nullopt;
    const std::size_t number = std::stoul(wanted);
    if (number < 1 || number > names_.size()) return std::nullopt;
    return number - 1;
  }

  std::size_t operator()(const std::string& wanted) const {
    if (const auto found = find(wanted)) return *found;
    throw Error(Code::usage, fmt::format("no column '{}'; the columns are: {}", wanted, list_of(names_)),
                {file_, 0, ""});
  }

 private:
  const std::vector<std::string>& names_;
  std::string file_;
  std::unordered_map<std::string_view, std::size_t> index_;
};

void set_aside(Plan& plan, const Lookup& lookup, const ReadOptions& options, const std::string& file) {
  for (const SideRequest& request : options.side) {
    const auto found = lookup.find(request.column);
    if (!found && !request.required) continue;
    PlannedColumn& column = plan.columns[found ? *found : lookup(request.column)];
    if (column.side)
      throw Error(Code::usage, fmt::format("column '{}' is asked for in two roles", column.name),
                  {file, 0, ""});
    column.side = true;
    column.kind = request.text ? Kind::text : Kind::number;
    column.may_be_text = false;
    column.slot = plan.sides.size();
    plan.sides.push_back(*found);
  }
}

std::vector<bool> chosen_features(const Plan& plan, const Lookup& lookup, const ReadOptions& options) {
  std::vector<bool> chosen(plan.columns.size(), options.features.empty());
  for (const auto& name : options.features) chosen[lookup(name)] = true;
  for (const auto& name : options.ignore) chosen[lookup(name)] = false;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (plan.columns[j].side) chosen[j] = false;
    if (options.expected != nullptr && !options.expected->find(plan.columns[j].name)) chosen[j] = false;
  }
  return chosen;
}

// The kinds that the options, or the columns of a fitted model, prescribe; features only.
void force_kinds(Plan& plan, const Lookup& lookup, const ReadOptions& options, const std::string& file) {
  std::vector<std::optional<Kind>> forced(plan.columns.size());
  for (const auto& name : options.numeric) forced[lookup(name)] = Kind::number;
  for (const auto& name : options.categorical) {
    auto& kind = forced[lookup(name)];
    if (kind == Kind::number)
      throw Error(Code::usage, fmt::format("column '{}' is to be both numeric and categorical", name),
                  {file, 0, ""});
    kind = Kind::text;
  }
  for (const std::size_t j : plan.features) {
    PlannedColumn& column = plan.columns[j];
    if (options.expected != nullptr) {
      column.kind =
          options.expected->categorical(*options.expected->find(column.name)) ? Kind::text : Kind::number;
      column.may_be_text = false;
    }
    if (forced[j]) {
      column.kind = *forced[j];
      column.may_be_text = false;
    }
  }
}

// What the sample says of one column.
struct Evidence {
  std::size_t present = 0;
  std::size_t numbers = 0;
  bool fits_float = true;
};

void add(Evidence& evidence, const Field& field, const Dialect& dialect) {
  if (is_missing(field, dialect)) return;
  ++evidence.present;
  double value = 0;
  const std::string_view text = number_text(field);
  const char* const last = text.data() + text.size();
  if (parse_any_number(text.data(), last, value) == last) {
    ++evidence.numbers;
    evidence.fits_float &= fits_float(value);
  } else {
    evidence.numbers += is_number_like(text);
  }
}

Levels sample_levels(const Sample& sample, std::size_t column, std::size_t columns, const Dialect& dialect) {
  Levels seen;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (record.size() != columns || is_missing(record[column], dialect)) continue;
    const Field& field = record[column];
    const std::string text = unescaped(field, dialect);
    seen.add(text, Levels::hash(text), field.line, true);
  }
  const SortedLevels in_order = sorted(seen);
  Levels result;
  for (std::size_t i = 0; i < in_order.texts.size(); ++i)
    result.add(in_order.texts[i], Levels::hash(in_order.texts[i]), in_order.lines[i], true);
  return result;
}

}  // namespace

void Plan::number_texts() {
  texts.clear();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].kind != Kind::text) continue;
    columns[j].levels = texts.size();
    texts.push_back(j);
  }
  known.resize(texts.size());
}

Plan plan_roles(const std::vector<std::string>& names, const std::string& file, const ReadOptions& options) {
  Plan plan;
  for (const auto& name : names) plan.columns.emplace_back().name = name;
  const Lookup lookup(names, file);
  set_aside(plan, lookup, options, file);
  const std::vector<bool> chosen = chosen_features(plan, lookup, options);
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!chosen[j]) continue;
    plan.columns[j].kind = Kind::undecided;
    plan.columns[j].slot = plan.features.size();
    plan.features.push_back(j);
  }
  force_kinds(plan, lookup, options, file);
  return plan;
}

void plan_kinds(Plan& plan, const Sample& sample, const Dialect& dialect) {
  const std::size_t columns = plan.columns.size();
  std::vector<Evidence> evidence(columns);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (record.size() != columns) continue;
    for (const std::size_t j : plan.features)
      if (plan.columns[j].kind != Kind::text) add(evidence[j], record[j], dialect);
  }
  for (const std::size_t j : plan.features) {
    PlannedColumn& column = plan.columns[j];
    if (column.kind == Kind::undecided && evidence[j].present > 0)
      column.kind = 2 * evidence[j].numbers >= evidence[j].present ? Kind::number : Kind::text;
    if (column.kind != Kind::text) plan.fits_float &= evidence[j].fits_float;
  }
  plan.number_texts();
  for (std::size_t k = 0; k < plan.texts.size(); ++k)
    plan.known[k] = sample_levels(sample, plan.texts[k], columns, dialect);
}

}  // namespace discern::csv
