#include "discern/model/shape/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

[[noreturn]] void refuse(const std::vector<std::string>& names, const std::string& problem) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 20);
  throw Error(
      Code::usage,
      fmt::format("`priors`: expected shares, equal or CLASS=P,... with a number above 0 for each of "
                  "{}{}; {}",
                  join(std::span(names).first(shown), ", "), shown < names.size() ? ", ..." : "", problem));
}

}  // namespace

Vector parse_priors(std::string_view text, const std::vector<std::string>& classes) {
  Vector priors = Vector::Zero(static_cast<Index>(classes.size()));
  if (text == "equal") return priors.setConstant(1 / static_cast<double>(classes.size()));
  for (const std::string& item : split_list(text)) {
    const auto equals = item.rfind('=');
    double value = 0;
    if (equals != std::string::npos) value = number_of(std::string_view(item).substr(equals + 1)).value_or(0);
    const auto found = std::find(classes.begin(), classes.end(), item.substr(0, equals));
    if (!(value > 0) || found == classes.end()) refuse(classes, fmt::format("got '{}'", item));
    double& prior = priors[found - classes.begin()];
    if (prior > 0) refuse(classes, fmt::format("'{}' is there twice", *found));
    prior = value;
  }
  for (Index k = 0; k < priors.size(); ++k)
    if (!(priors[k] > 0)) refuse(classes, fmt::format("'{}' has none", classes[static_cast<std::size_t>(k)]));
  return priors / priors.sum();
}

Vector log_priors(const std::string& text, const Vector& class_weights, const Training& training) {
  if (text != "shares") return parse_priors(text, training.class_names).array().log();
  return (class_weights / class_weights.sum()).array().log();
}

}  // namespace discern
