#include "discern/model/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

[[noreturn]] void refuse(const Training& training, const std::string& problem) {
  const auto& names = training.class_names;
  const std::size_t shown = std::min<std::size_t>(names.size(), 20);
  throw Error(
      Code::usage,
      fmt::format("--priors: expected shares, equal or CLASS=P,... with a number above 0 for each of "
                  "{}{}; {}",
                  join(std::span(names).first(shown), ", "), shown < names.size() ? ", ..." : "", problem));
}

Vector parse(std::string_view text, const Training& training) {
  Vector priors = Vector::Zero(training.classes);
  for (const std::string_view item : split(text, ',')) {
    const auto equals = item.rfind('=');
    const auto value = equals == std::string_view::npos ? std::nullopt : number_of(item.substr(equals + 1));
    const auto found =
        std::find(training.class_names.begin(), training.class_names.end(), item.substr(0, equals));
    if (!value || !(*value > 0) || found == training.class_names.end())
      refuse(training, fmt::format("got '{}'", item));
    double& prior = priors[found - training.class_names.begin()];
    if (prior > 0) refuse(training, fmt::format("'{}' is there twice", *found));
    prior = *value;
  }
  for (Index k = 0; k < priors.size(); ++k)
    if (!(priors[k] > 0))
      refuse(training, fmt::format("'{}' has none", training.class_names[static_cast<std::size_t>(k)]));
  return priors;
}

}  // namespace

Vector log_priors(const std::string& text, const Vector& class_weights, const Training& training) {
  Vector priors = class_weights;
  if (text == "equal")
    priors.setOnes();
  else if (text != "shares")
    priors = parse(text, training);
  return (priors / priors.sum()).array().log();
}

}  // namespace discern
