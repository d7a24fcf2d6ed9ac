#include "discern/catalogue/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "discern/base/clock.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/possible_leaks.hpp"
#include "discern/evaluate/paired_test.hpp"
#include "discern/persist/model_file.hpp"

namespace discern {
namespace {

constexpr Index inner_folds = 4;
constexpr Index most_inner_rows = 2000;  // beyond, one inner split has enough rows to choose by
constexpr Index most_pair_rows = 5000;   // of a model whose effort grows with the pairs of rows

bool better(const Measure& metric, double a, double b) { return metric.higher ? a > b : a < b; }

// Everything that the contenders share.
struct Contest {
  const EvaluationSet& set;
  const FitSettings& settings;  // without a model
  const CompareOptions& options;
  const Folds& folds;
  const Measure& metric;
};

FitSettings settings_for(const Contest& contest, const std::string& model, const GridPoint& point,
                         const Monitor& monitor) {
  FitSettings settings = contest.settings;
  settings.options = with_point(find_model(model).make(model), point);
  settings.monitor = monitor;
  settings.whole_or_nothing = true;
  return settings;
}

std::vector<GridPoint> points_of(const std::string& model) {
  const ModelEntry& entry = find_model(model);
  return grid_points(entry.grid == nullptr ? std::vector<GridAxis>() : entry.grid(model));
}

std::vector<Index> pick(const std::vector<Index>& rows, const std::vector<Index>& places) {
  std::vector<Index> picked;
  picked.reserve(places.size());
  for (const Index i : places) picked.push_back(rows[static_cast<std::size_t>(i)]);
  return picked;
}

// The folds inside some rows, of which those from `first` on are used.
struct Inner {
  Folds folds;
  Index first;
};
Inner inner_of(const Contest& contest, const std::vector<Index>& rows) {
  const FoldRows part = part_of(contest.set.rows, rows);
  FoldOptions options = contest.options.folds;
  options.repeats = 1;
  options.leave_one_out = false;
  options.folds = std::min<Index>(inner_folds, options.time_ordered ? part.count - 1 : part.count);
  if (!part.groups.empty())
    options.folds =
        std::min<Index>(options.folds, 1 + *std::max_element(part.groups.begin(), part.groups.end()));
  const Folds folds = make_folds(part, options);
  return {folds, part.count > most_inner_rows ? folds.count() - 1 : 0};
}

// The mean score of a point inside the rows; nothing when it cannot be fitted there.
std::optional<double> inner_score(const Contest& contest, const FitSettings& settings,
                                  const std::vector<Index>& rows, const Inner& inner) {
  double sum = 0;
  Index count = 0;
  try {
    for (Index k = inner.first; k < inner.folds.count(); ++k) {
      const FoldRun run =
          run_fold(contest.set, settings, pick(rows, inner.folds.train(k)), pick(rows, inner.folds.test(k)));
      if (const auto value = contest.metric.value(run.judged)) sum += *value, ++count;
    }
  } catch (const Error& error) {
    if (error.code() == Code::interrupted || error.code() == Code::memory) throw;
    return std::nullopt;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

// The point with the best mean score inside the rows; of equals, and where none has a score, the first.
GridPoint choose_point(const Contest& contest, const std::string& model, const std::vector<Index>& rows,
                       const Monitor& monitor) {
  const std::vector<GridPoint> points = points_of(model);
  if (points.size() == 1) return points[0];
  const auto inner = attempt([&] { return inner_of(contest, rows); });
  if (!inner) return points[0];  // too few rows or groups to divide
  std::optional<double> best;
  GridPoint chosen = points[0];
  for (const GridPoint& point : points) {
    const auto score =
        inner_score(contest, settings_for(contest, model, point, monitor), rows, inner.value());
    if (!score || (best && !better(contest.metric, *score, *best))) continue;
    best = score;
    chosen = point;
  }
  return chosen;
}

// What a fold of a contender leaves behind.
struct FoldScore {
  std::optional<double> value;
  GridPoint point;
  std::size_t bytes = 0;
  bool converged = true;
  std::vector<std::string> warnings;
};

std::string without_numbers(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; });
  return text;
}

// A fit may warn of several classes in the same words: that is one warning of the fold.
void count_warnings(const std::vector<FoldScore>& folds, Contender& contender) {
  std::vector<std::string> kinds;
  for (const FoldScore& fold : folds) {
    std::vector<bool> here(kinds.size());
    for (const std::string& warning : fold.warnings) {
      const std::string kind = without_numbers(warning);
      const auto place =
          static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
      if (place == kinds.size()) {
        kinds.push_back(kind);
        here.push_back(false);
        contender.warnings.emplace_back(warning, 0);
      }
      if (!here[place]) ++contender.warnings[place].second;
      here[place] = true;
    }
  }
}

void count_choices(const std::vector<FoldScore>& folds, Contender& contender) {
  for (const FoldScore& fold : folds) {
    auto known = std::find_if(contender.chosen.begin(), contender.chosen.end(),
                              [&](const auto& choice) { return choice.first == fold.point; });
    if (known == contender.chosen.end()) known = contender.chosen.insert(known, {fold.point, 0});
    ++known->second;
  }
  std::stable_sort(contender.chosen.begin(), contender.chosen.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
}

// Why a model need not even be tried; empty: it may be.
std::string misfit(const Contest& contest, const std::string& model) {
  const ModelEntry& entry = find_model(model);
  if (contest.settings.task == Task::regression && !entry.regression) return "it only classifies";
  const bool calibrated = contest.settings.multiclass.calibrate != CalibrationKind::none;
  if (contest.metric.proba && !entry.probabilities && !calibrated)
    return fmt::format("it gives no probabilities, which {} needs", contest.metric.name);
  const auto rows = static_cast<Index>(contest.folds.train(contest.folds.count() - 1).size());
  if (entry.effort == Effort::pairs && rows > most_pair_rows)
    return fmt::format("its time grows with the pairs of rows: {} training rows, and it is tried up to {}",
                       rows, most_pair_rows);
  return "";
}

void run_contender(const Contest& contest, const std::string& stage, const Monitor& monitor,
                   Contender& contender) {
  std::vector<FoldScore> folds(static_cast<std::size_t>(contest.folds.count()));
  for_each_fold(contest.set, contest.folds.count(), stage, monitor, [&](Index k, const Monitor& quiet) {
    const std::vector<Index> train = contest.folds.train(k);
    FoldScore& fold = folds[static_cast<std::size_t>(k)];
    fold.point = choose_point(contest, contender.model, train, quiet);
    const FoldRun run = run_fold(contest.set, settings_for(contest, contender.model, fold.point, quiet),
                                 train, contest.folds.test(k));
    fold.value = contest.metric.value(run.judged);
    fold.converged = run.converged;
    fold.warnings = run.model.summary.warnings;
    fold.bytes = model_to_bytes(run.model).size();
  });
  std::vector<double> values;
  for (const FoldScore& fold : folds) {
    contender.scores.push_back(fold.value);
    if (fold.value) values.push_back(*fold.value);
    contender.stopped += fold.converged ? 0 : 1;
    contender.bytes = std::max(contender.bytes, fold.bytes);
  }
  contender.score = mean_and_error(values, contest.folds.per_repeat());
  if (!contender.score.mean)
    contender.left_out = fmt::format("{} has no value in any fold", contest.metric.name);
  count_choices(folds, contender);
  count_warnings(folds, contender);
}

// Seconds that a refit of the best so far may take: about what a fold took, with room.
double refit_seconds(const Comparison& comparison, const Contest& contest) {
  if (!contest.options.refit || comparison.ranking.empty()) return 0;
  double most = 0;
  for (const Contender& one : comparison.ranking) most = std::max(most, one.seconds);
  return 2 * most / static_cast<double>(contest.folds.count());
}

// Seconds that the next contender may take: half of what is left, all of it for the last.
double allowance(const Contest& contest, const Comparison& comparison, Clock::time_point start, bool last) {
  const double left = contest.options.budget - seconds_since(start) - refit_seconds(comparison, contest);
  return last ? left : left / 2;
}

void try_contender(const Contest& contest, const std::string& stage, double allowed, Contender& contender) {
  const bool limited = contest.options.budget > 0;
  const Clock::time_point start = Clock::now();
  std::atomic<bool> late = false;
  const Monitor monitor = [&](const Progress& progress) {
    if (limited && seconds_since(start) > allowed) late = true;
    return !late && go_on(contest.settings.monitor, progress);
  };
  contender.left_out = misfit(contest, contender.model);
  if (!contender.left_out.empty()) return;
  if (limited && allowed <= 0) {
    contender.late = true;
    contender.left_out = fmt::format("not tried: the budget of {} s was spent", contest.options.budget);
    return;
  }
  try {
    run_contender(contest, stage, monitor, contender);
  } catch (const Error& error) {
    if (error.code() == Code::interrupted && !late) throw;
    contender.late = error.code() == Code::interrupted;
    contender.left_out = contender.late
                             ? fmt::format("not finished in the {:.2g} s that the budget of {} s left for it",
                                           allowed, contest.options.budget)
                             : error.message();
  }
  contender.seconds = seconds_since(start);
}

// Always the most frequent class (with the shares as probabilities), or the mean.
Prediction constant_prediction(const EvaluationSet& set, const std::vector<Index>& train, Index rows) {
  const auto weight = [&](Index i) {
    return set.weights.empty() ? 1.0 : set.weights[static_cast<std::size_t>(i)];
  };
  Vector shares = Vector::Zero(std::max<Index>(1, static_cast<Index>(set.classes.size())));
  double total = 0, mean = 0;
  for (const Index i : train) {
    total += weight(i);
    if (set.targets.empty())
      shares[set.rows.labels[static_cast<std::size_t>(i)]] += weight(i);
    else
      mean += (set.targets[static_cast<std::size_t>(i)] - mean) * weight(i) / total;
  }
  Prediction said;
  if (!set.targets.empty()) {
    said.scores = Matrix::Constant(rows, 1, mean);
    return said;
  }
  Index most = 0;
  shares.maxCoeff(&most);
  said.labels.assign(static_cast<std::size_t>(rows), static_cast<std::int32_t>(most));
  said.proba = (shares / total).transpose().replicate(rows, 1);
  return said;
}

void judge_baseline(const Contest& contest, Comparison& comparison) {
  std::vector<Index> all(static_cast<std::size_t>(contest.set.rows.count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  std::vector<double> values;
  for (Index k = 0; k < contest.folds.count(); ++k) {
    const std::vector<Index> test = contest.folds.test(k);
    const Prediction said = constant_prediction(contest.set, all, static_cast<Index>(test.size()));
    if (const auto value = contest.metric.value(judge_said(contest.set, contest.settings, said, test)))
      values.push_back(*value);
  }
  comparison.baseline = mean_and_error(values, contest.folds.per_repeat());
  if (contest.set.classes.empty()) return;
  const std::int32_t most = constant_prediction(contest.set, all, 1).labels[0];
  comparison.baseline_class = contest.set.classes[static_cast<std::size_t>(most)];
}

// Ranks by the mean and tests each against the first.
void rank(const Contest& contest, Comparison& comparison) {
  auto& ranking = comparison.ranking;
  std::stable_sort(ranking.begin(), ranking.end(), [&](const Contender& a, const Contender& b) {
    return better(contest.metric, *a.score.mean, *b.score.mean);
  });
  double ratio = 0;
  for (Index k = 0; k < contest.folds.count(); ++k)
    ratio += static_cast<double>(contest.folds.test(k).size()) /
             static_cast<double>(contest.folds.train(k).size()) / static_cast<double>(contest.folds.count());
  comparison.test_ratio = ratio;
  for (std::size_t c = 1; c < ranking.size(); ++c) {
    std::vector<double> differences;
    for (std::size_t k = 0; k < ranking[c].scores.size(); ++k)
      if (ranking[0].scores[k] && ranking[c].scores[k])
        differences.push_back(*ranking[0].scores[k] - *ranking[c].scores[k]);
    ranking[c].p_value = corrected_p_value(differences, ratio);
  }
}

// In the order of the catalogue, where there is one.
void in_catalogue_order(std::vector<Contender>& contenders, const std::vector<std::string>& names) {
  const auto place = [&](const Contender& c) { return std::find(names.begin(), names.end(), c.model); };
  std::stable_sort(contenders.begin(), contenders.end(),
                   [&](const Contender& a, const Contender& b) { return place(a) < place(b); });
}

std::vector<std::string> names_of(const CompareOptions& options, Task task) {
  if (!options.models.empty()) return options.models;
  std::vector<std::string> names;
  for (const ModelEntry& entry : models())
    if (task == Task::classification || entry.regression) names.emplace_back(entry.name);
  return names;
}

void check(const CompareOptions& options) {
  for (auto name = options.models.begin(); name != options.models.end(); ++name) {
    find_model(*name);
    if (std::find(options.models.begin(), name, *name) != name)
      throw Error(Code::usage, fmt::format("`models`: {} was given twice", *name));
  }
  if (options.folds.leave_one_out && !options.metric->row_mean)
    throw Error(Code::usage,
                fmt::format("`leave_one_out`: {} has no value for a single row; take `metric` accuracy, "
                            "log_loss or brier, or mae in a regression",
                            options.metric->name));
}

void refit(const Contest& contest, const Table& table, Comparison& comparison) {
  const std::string& model = comparison.ranking[0].model;
  std::vector<Index> all(static_cast<std::size_t>(contest.set.rows.count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  comparison.options = choose_point(contest, model, all, contest.settings.monitor);
  comparison.best =
      fit_model(table, settings_for(contest, model, comparison.options, contest.settings.monitor));
  if (comparison.best->model.summary.interrupted) throw Error(Code::interrupted, "interrupted");
}

}  // namespace

Comparison compare(const Table& table, const FitSettings& settings, const CompareOptions& options) {
  const Clock::time_point start = Clock::now();
  check(options);
  const EvaluationSet set = evaluation_set(table, settings, options.group);
  const Folds folds = make_folds(set.rows, options.folds);
  const Contest contest{set, settings, options, folds, *options.metric};
  Comparison comparison;
  comparison.classes = set.classes;
  comparison.rows = set.rows.count;
  comparison.folds = folds.count();
  if (const std::string small = small_classes(set, folds); !small.empty() && !options.folds.leave_one_out)
    comparison.warnings.push_back(small);
  if (const Index absent = absent_rows(set, folds); absent > 0)
    comparison.warnings.push_back(absent_text(absent));
  for (const std::string& column : set.leaks)
    comparison.warnings.push_back(leak_text(column, settings.target));
  judge_baseline(contest, comparison);
  const std::vector<std::string> names = names_of(options, settings.task);
  std::vector<std::string> order = names;
  std::stable_sort(order.begin(), order.end(), [](const std::string& a, const std::string& b) {
    return find_model(a).effort < find_model(b).effort;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    Contender one;
    one.model = order[i];
    try_contender(contest, fmt::format("comparing {} ({} of {})", order[i], i + 1, order.size()),
                  allowance(contest, comparison, start, i + 1 == order.size()), one);
    (one.left_out.empty() ? comparison.ranking : comparison.left_out).push_back(std::move(one));
  }
  in_catalogue_order(comparison.ranking, names);
  in_catalogue_order(comparison.left_out, names);
  rank(contest, comparison);
  if (options.refit && !comparison.ranking.empty()) refit(contest, table, comparison);
  return comparison;
}

}  // namespace discern
