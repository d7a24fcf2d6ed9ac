#include "discern/catalogue/class_separability.hpp"

#include "discern/base/error.hpp"
#include "discern/catalogue/training_set.hpp"

namespace discern {
namespace {

PairSeparability judge_pair(const Features& x, const std::vector<std::int32_t>& labels, Index positive,
                            Index negative, const SeparabilityOptions& options) {
  PairSeparability pair{positive, negative, 0, 0, {}};
  std::vector<std::int8_t> side(labels.size(), 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == positive) {
      side[i] = 1;
      ++pair.positive_rows;
    } else if (negative < 0 || labels[i] == negative) {
      side[i] = -1;
      ++pair.negative_rows;
    }
  }
  pair.result = separability(x, side, options);
  return pair;
}

}  // namespace

ClassSeparability class_separability(const Table& table, const FitSettings& settings, bool one_vs_rest) {
  if (table.rows() == 0) throw Error(Code::data, "the table has no rows", {table.file, 0, ""});
  if (table.schema.size() == 0)
    throw Error(Code::data, "the table has no feature columns", {table.file, 0, ""});
  const TrainingSet set = training_set(table, settings);
  ClassSeparability all;
  all.classes = set.classes;
  all.positive = set.positive;
  all.pipeline = fit_pipeline(set.table, {},
                              {.impute = settings.impute || settings.drop_missing,
                               .indicate = settings.missing_indicators,
                               .encode = settings.encode,
                               .date_parts = settings.date_parts,
                               .basis = settings.basis,
                               .standardize = settings.standardize,
                               .seed = settings.seed,
                               .monitor = settings.monitor});
  for (const Noticed& noticed : set.table.noticed) all.imputed += noticed.missing;
  const PipelineSource source(set.table.x, all.pipeline, set.targets);
  const Features x = all.pipeline.steps().empty() ? set.table.x : materialize(source);

  const SeparabilityOptions options{.standardize = settings.standardize, .monitor = settings.monitor};
  const auto classes = static_cast<Index>(set.classes.size());
  if (classes == 2) {
    all.pairs.push_back(judge_pair(x, set.labels, set.positive, 1 - set.positive, options));
    return all;
  }
  for (Index k = 0; k < classes; ++k) {
    if (one_vs_rest) {
      all.pairs.push_back(judge_pair(x, set.labels, k, -1, options));
      continue;
    }
    for (Index j = 0; j < k; ++j) all.pairs.push_back(judge_pair(x, set.labels, k, j, options));
  }
  return all;
}

}  // namespace discern
