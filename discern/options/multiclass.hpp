// How more than two classes are made from machines for two, and scores into probabilities.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"

namespace discern {

enum class Strategy {
  joint,        // as the model itself does it
  one_vs_rest,  // a machine for each class
  one_vs_one,   // a machine for each pair of classes
  output_codes  // machines for sets of classes
};
inline std::span<const std::string_view> value_names(Strategy) {
  static constexpr std::array<std::string_view, 4> names{"joint", "ovr", "ovo", "ecoc"};
  return names;
}

// How the machines decide; model/shape/reduction.hpp has the formulas.
enum class Combining { automatic, max, unanimous, vote, sum };
inline std::span<const std::string_view> value_names(Combining) {
  static constexpr std::array<std::string_view, 5> names{"auto", "max", "unanimous", "vote", "sum"};
  return names;
}

enum class CodeKind { automatic, exhaustive, dense, sparse };
inline std::span<const std::string_view> value_names(CodeKind) {
  static constexpr std::array<std::string_view, 4> names{"auto", "exhaustive", "dense", "sparse"};
  return names;
}

enum class CalibrationKind { none, platt, isotonic };
inline std::span<const std::string_view> value_names(CalibrationKind) {
  static constexpr std::array<std::string_view, 3> names{"none", "platt", "isotonic"};
  return names;
}

struct MulticlassOptions {
  Strategy multiclass = Strategy::joint;
  Combining decision = Combining::automatic;
  CodeKind code = CodeKind::automatic;
  Index code_length = 0;
  CalibrationKind calibrate = CalibrationKind::none;
  Index calibration_folds = 5;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, MulticlassOptions>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.multiclass,
        Field{"multiclass",
              "more than two classes: jointly as the model does it, one against the rest (ovr), one against "
              "one (ovo), by error-correcting output codes (ecoc)"});
  visit(options.decision,
        Field{"decision",
              "how the machines decide: the largest score (max), only unanimously, by vote, by the sum of "
              "scores or losses; auto is max for ovr, vote for ovo, sum for ecoc"});
  visit(options.code, Field{"code",
                            "the code words of ecoc: all splits of the classes, dense or sparse random ones; "
                            "auto is exhaustive up to 7 classes, then dense"});
  visit(options.code_length,
        Field{"code-length", "machines of a random code; 0: 10 log2 K dense, 15 log2 K sparse", 0, 100000});
  visit(options.calibrate,
        Field{"calibrate", "make scores probabilities: a logistic curve (platt), any rising one (isotonic)"});
  visit(options.calibration_folds,
        Field{"calibration-folds", "parts of the rows that a calibration leaves out in turn", 2, 1000});
}

}  // namespace discern
