#include "discern/api/separable.hpp"

#include <algorithm>

#include "discern/api/tables.hpp"
#include "discern/catalogue/class_separability.hpp"

namespace discern {
namespace {

SeparablePair pair_of(const ClassSeparability& all, const PairSeparability& one) {
  const auto name = [&](Index k) { return k < 0 ? "" : all.classes[static_cast<std::size_t>(k)]; };
  SeparablePair pair{name(one.positive), name(one.negative)};
  if (one.result.verdict == Verdict::not_separable) pair.verdict = SeparableVerdict::no;
  if (one.result.verdict != Verdict::separable) return pair;
  pair.verdict = SeparableVerdict::yes;
  pair.weights = one.result.plane.weights.row(0).transpose();
  pair.bias = one.result.plane.bias_at_origin()[0];
  pair.margin = one.result.margin;
  pair.margin_bound = one.result.margin_bound;
  return pair;
}

SeparableResult decided(const Table& table, const FitSettings& settings, const SeparableOptions& options) {
  return on_threads(options.fit.threads, [&] {
    const ClassSeparability all = class_separability(table, settings, options.one_vs_rest);
    SeparableResult result{all.pipeline.feature_names(), {}};
    for (const PairSeparability& one : all.pairs) result.pairs.push_back(pair_of(all, one));
    return result;
  });
}

}  // namespace

bool SeparableResult::yes() const {
  return std::all_of(pairs.begin(), pairs.end(),
                     [](const SeparablePair& pair) { return pair.verdict == SeparableVerdict::yes; });
}

SeparableResult separable(const MatrixView& x, const Labels& y, const SeparableOptions& options) {
  return decided(training_table(x, y, options.fit),
                 settings_for(Lda{}, options.fit, Task::classification, target_name), options);
}

SeparableResult separable(const Frame& frame, const std::string& target, const SeparableOptions& options) {
  return decided(training_table(frame, target, Task::classification, options.fit),
                 settings_for(Lda{}, options.fit, Task::classification, target), options);
}

}  // namespace discern
