#include "discern/transform/basis_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

[[noreturn]] void refuse(std::size_t position, const std::string& problem) {
  throw Error(Code::usage, fmt::format("`basis`: at character {}: {}", position, problem));
}

// Cuts at the commas that are neither between parentheses nor, inside these, between quotes; returns each
// part, without the blanks before it, with its position, from 0.
std::vector<std::pair<std::string_view, std::size_t>> items_of(std::string_view text) {
  std::vector<std::pair<std::string_view, std::size_t>> items;
  std::size_t start = 0;
  int inside = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      // As in split_list: a quote counts where a name begins, and from there on.
      if (text[i] == '"' && inside > 0 && (quoted || std::string_view("(,\"").find(text[i - 1]) < 3))
        quoted = !quoted;
      if (text[i] == '(' && !quoted) ++inside;
      if (text[i] == ')' && !quoted) inside = std::max(inside - 1, 0);
      if (text[i] != ',' || inside > 0) continue;
    }
    while (start < i && text[start] == ' ') ++start;
    items.emplace_back(text.substr(start, i - start), start);
    start = i + 1;
  }
  return items;
}

const BasisForm& form_of(std::string_view name, std::size_t position) {
  for (const BasisForm& form : basis_forms())
    if (form.name == name) return form;
  std::vector<std::string_view> known;
  for (const BasisForm& form : basis_forms()) known.push_back(form.form);
  refuse(position, fmt::format("expected one of {}, got '{}'", join(known, ", "), name));
}

// Takes "(a,b)" off the end of the item; a name in double quotes may hold commas and parentheses.
std::vector<std::string> take_columns(std::string_view& item, std::size_t position) {
  const auto open = item.find('(');
  if (open == std::string_view::npos) return {};
  if (item.back() != ')')
    refuse(position + open, fmt::format("expected (COLUMN,COLUMN,...) at the end of '{}'", item));
  std::vector<std::string> columns;
  columns = split_list(item.substr(open + 1, item.size() - open - 2));
  for (const std::string& name : columns)
    if (name.empty()) refuse(position + open, fmt::format("expected a name for every column in '{}'", item));
  item = item.substr(0, open);
  return columns;
}

Index parse_count(const BasisForm& form, std::string_view text, std::size_t position) {
  Index count = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc() || end != text.data() + text.size() || count < form.least || count > form.most)
    refuse(position, fmt::format("expected {} with a whole number from {} to {}, got '{}'", form.form,
                                 form.least, form.most, text));
  return count;
}

BasisItem parse_item(std::string_view text, std::size_t position) {
  BasisItem item;
  item.text = text;
  item.position = position;
  item.columns = take_columns(text, position);
  const auto parts = split(text, ':');
  item.form = &form_of(parts[0], position);
  if (parts.size() - 1 > item.form->arguments)
    refuse(position, fmt::format("expected {}, got '{}'", item.form->form, text));
  if (item.form->most == 0) return item;
  std::size_t at = position + parts[0].size() + 1;
  item.count =
      parse_count(*item.form, parts.size() > 1 ? parts[1] : "", std::min(at, position + text.size()));
  for (std::size_t k = 2; k < parts.size(); ++k) item.arguments.emplace_back(parts[k]);
  return item;
}

}  // namespace

std::span<const BasisForm> basis_forms() {
  static constexpr std::array<BasisForm, 11> forms{{
      {BasisKind::poly, "poly", "poly:K", "all products of the features up to degree K", 1, 100, 1},
      {BasisKind::products, "products", "products:K", "products of up to K different features", 1, 100, 1},
      {BasisKind::powers, "powers", "powers:K", "powers of each feature up to K", 1, 100, 1},
      {BasisKind::log, "log", "log", "the logarithm of each feature", 0, 0, 0},
      {BasisKind::log1p, "log1p", "log1p", "log(1 + x) of each feature", 0, 0, 0},
      {BasisKind::sqrt, "sqrt", "sqrt", "the square root of each feature", 0, 0, 0},
      {BasisKind::gauss, "gauss", "gauss:N", "N Gaussian bumps a feature, at its quantiles", 1, 10000, 1},
      {BasisKind::threshold, "threshold", "threshold:N", "N steps from 0 to 1 a feature, at its quantiles", 1,
       10000, 1},
      {BasisKind::rbf, "rbf", "rbf:N[:random|kmeans|em[:WIDTH]]", "Gaussian nearness to N centres", 1, 100000,
       3},
      {BasisKind::fourier, "fourier", "fourier:D[:WIDTH]", "D random waves, for a Gaussian kernel", 1, 100000,
       2},
      {BasisKind::standardize, "standardize", "standardize", "mean 0 and deviation 1", 0, 0, 0},
  }};
  return forms;
}

std::vector<BasisItem> parse_basis(std::string_view text) {
  std::vector<BasisItem> items;
  if (text.empty()) return items;
  for (const auto& [item, start] : items_of(text)) items.push_back(parse_item(item, start + 1));
  return items;
}

void refuse_basis(const BasisItem& item, const std::string& problem) {
  refuse(item.position, fmt::format("{}: {}", item.text, problem));
}

}  // namespace discern
