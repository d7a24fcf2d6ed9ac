#include "discern/multiclass/options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"

namespace discern {
namespace {

template <class E>
std::string_view name_of(E value) {
  return value_names(value)[static_cast<std::size_t>(value)];
}

std::span<const Combining> decisions_of(Strategy strategy) {
  static constexpr std::array<Combining, 1> joint{Combining::max};
  static constexpr std::array<Combining, 2> rest{Combining::max, Combining::unanimous};
  static constexpr std::array<Combining, 3> others{Combining::unanimous, Combining::vote, Combining::sum};
  if (strategy == Strategy::joint) return joint;
  if (strategy == Strategy::one_vs_rest) return rest;
  return others;
}

void check_decision(const MulticlassOptions& options) {
  const auto known = decisions_of(options.multiclass);
  if (options.decision == Combining::automatic ||
      std::find(known.begin(), known.end(), options.decision) != known.end())
    return;
  std::string names;
  for (const Combining one : known) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(one));
  throw Error(Code::usage, fmt::format("`decision` {}: `multiclass` {} decides by {}",
                                       name_of(options.decision), name_of(options.multiclass), names));
}

}  // namespace

void check(const MulticlassOptions& options, Index classes) {
  const MulticlassOptions plain;
  const bool reduces = options.multiclass != Strategy::joint;
  if (classes == 0 && (reduces || options.decision != plain.decision || options.calibrate != plain.calibrate))
    throw Error(Code::usage, "`multiclass`, `decision` and `calibrate` are for classification");
  check_decision(options);
  const bool codes = options.multiclass == Strategy::output_codes;
  if (!codes && (options.code != plain.code || options.code_length != plain.code_length))
    throw Error(Code::usage,
                fmt::format("`code` and `code_length` are for `multiclass` ecoc, and here it is {}",
                            name_of(options.multiclass)));
  if (options.code == CodeKind::exhaustive && options.code_length != plain.code_length)
    throw Error(Code::usage, "`code_length` is for random codes; an exhaustive one has its own length");
  if (options.calibrate == CalibrationKind::none && options.calibration_folds != plain.calibration_folds)
    throw Error(Code::usage, "`calibration_folds` is for `calibrate`, and that is not given");
}

}  // namespace discern
