#include "discern/multiclass/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/base/one_thread.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/multiclass/calibrate.hpp"
#include "discern/multiclass/codes.hpp"
#include "discern/multiclass/part_source.hpp"
#include "discern/multiclass/stack.hpp"

namespace discern {
namespace {

constexpr std::size_t most_warnings = 5;
// Weights and kernels of all machines; more is a mistake rather than a model.
constexpr double most_machines = 2e5;

// The labels and weights of all rows.
Targets targets_of(const Source& source) {
  Targets targets;
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    targets.labels.insert(targets.labels.end(), block.labels.begin(), block.labels.end());
    targets.weights.insert(targets.weights.end(), block.weights.begin(), block.weights.end());
  }
  return targets;
}

// Some rows of the whole, ascending, with labels of their own.
struct Part {
  std::vector<Index> rows;
  std::vector<std::int32_t> labels;
};

// The rows of the places in a part for which take(place) is true.
template <class Take>
Part some_of(const Part& part, const Take& take) {
  Part some;
  for (std::size_t n = 0; n < part.rows.size(); ++n) {
    if (!take(n)) continue;
    some.rows.push_back(part.rows[n]);
    some.labels.push_back(part.labels[n]);
  }
  return some;
}

// For each class its side of the machine: 1, 0, or -1 for neither.
std::vector<std::int32_t> side_of_class(const Sides& sides, Index classes) {
  std::vector<std::int32_t> side(static_cast<std::size_t>(classes), sides.negative.empty() ? 0 : -1);
  for (const std::int32_t k : sides.positive) side[static_cast<std::size_t>(k)] = 1;
  for (const std::int32_t k : sides.negative) side[static_cast<std::size_t>(k)] = 0;
  return side;
}

// Machines are not watched, and say nothing about the certainty of the whole.
Training training_on(const Source& source, const Training& whole) {
  Training training = whole.on(source);
  training.trace = {};
  training.inference = {};
  training.before = nullptr;
  training.keep_statistics = false;
  training.start = nullptr;
  training.rows = nullptr;
  return training;
}

// What is common to all machines.
class Machines {
 public:
  Machines(const Trainer& fit, const Training& training, const MulticlassOptions& options)
      : fit_(fit),
        training_(training),
        options_(options),
        all_(targets_of(training.source)),
        rows_of_(static_cast<std::size_t>(training.classes)) {
    for (std::size_t i = 0; i < all_.labels.size(); ++i)
      rows_of_[static_cast<std::size_t>(all_.labels[i])].push_back(static_cast<Index>(i));
    check_classes();
    if (!training.standardize) return;
    columns_ = column_summary(training.source, training.monitor);
  }

  Reduced joint() const {
    Reduced result{fit_(training_), Reduction{}};
    Reduction& reduction = *result.reduction;
    reduction.code = one_vs_rest_code(training_.classes);
    Part all{std::vector<Index>(all_.labels.size()), all_.labels};
    std::iota(all.rows.begin(), all.rows.end(), Index{0});
    const Matrix margins = unseen_margins(all, training_, reduction);
    std::vector<ScoredRows> scored;
    for (Index l = 0; l < reduction.machines(); ++l) {
      const auto sides = side_of_class(reduction.code[static_cast<std::size_t>(l)], training_.classes);
      for (std::size_t i = 0; i < all.labels.size(); ++i)
        all.labels[i] = sides[static_cast<std::size_t>(all_.labels[i])];
      scored.push_back(scored_rows(all, margins.col(l)));
    }
    reduction.calibration = calibrate(options_.calibrate, scored);
    return result;
  }

  Reduced reduced(Reduction reduction) const {
    const Index count = reduction.machines();
    std::vector<Fitted> fitted(static_cast<std::size_t>(count));
    std::vector<ScoredRows> scored(options_.calibrate == CalibrationKind::none ? 0 : fitted.size());
    std::vector<std::optional<Error>> errors(fitted.size());
    std::atomic<Index> failed{count};
    const auto fit_one = [&](Index l) {
      if (l > failed) return;  // the first in order is the one to report
      const auto at = static_cast<std::size_t>(l);
      try {
        fitted[at] = machine(reduction.code[at], seed_of_part(training_.seed, at),
                             scored.empty() ? nullptr : &scored[at]);
      } catch (const Error& error) {
        errors[at] = error;
        if (error.code() == Code::interrupted && may_lack(reduction)) return;
        for (Index known = failed; l < known && !failed.compare_exchange_weak(known, l);) continue;
      }
    };
    if (enough_for_all_threads(count))
      each_on_one_thread(count, fit_one);
    else
      parallel_for(count, fit_one);
    std::vector<std::int32_t> without;
    if (failed == count && may_lack(reduction)) without = replace_unfitted(fitted, errors);
    if (failed < count)
      refuse(reduction.code[static_cast<std::size_t>(failed)], *errors[static_cast<std::size_t>(failed)]);
    if (!scored.empty()) reduction.calibration = calibrate(options_.calibrate, scored);
    Reduced result{merged(fitted, reduction.code), std::move(reduction)};
    if (!without.empty()) result.fitted.summary.warnings.push_back(without_weights(without, training_));
    return result;
  }

 private:
  void check_classes() const {
    const Index least = options_.calibrate == CalibrationKind::none ? 1 : 2;
    for (std::size_t k = 0; k < rows_of_.size(); ++k)
      if (const auto rows = static_cast<Index>(rows_of_[k].size()); rows < least)
        throw Error(Code::data,
                    fmt::format("the class '{}' has {} row{}, expected at least {}{}", class_name(k), rows,
                                rows == 1 ? "" : "s", least,
                                least > 1 ? " for `calibrate`, which leaves out some in turn" : ""));
  }

  std::string class_name(std::size_t k) const {
    return k < training_.class_names.size() ? training_.class_names[k] : fmt::format("{}", k);
  }
  std::vector<std::string> class_names() const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < static_cast<std::size_t>(training_.classes); ++k)
      names.push_back(class_name(k));
    return names;
  }

  [[noreturn]] void refuse(const Sides& sides, const Error& error) const {
    if (error.code() == Code::usage || error.code() == Code::interrupted) throw error;
    throw Error(error.code(),
                fmt::format("machine {}: {}", machine_name(sides, class_names()), error.message()),
                error.place());
  }

  PartSource source_of(const Part& part) const {
    Targets targets{part.labels, {}, {}};
    if (!all_.weights.empty())
      for (const Index row : part.rows)
        targets.weights.push_back(all_.weights[static_cast<std::size_t>(row)]);
    return {training_.source, part.rows, std::move(targets)};
  }

  // The rows of the classes on the two sides, with 1 and 0 as labels.
  Part part_of(const Sides& sides) const {
    const std::vector<std::int32_t> side = side_of_class(sides, training_.classes);
    Part part;
    if (sides.positive.size() + sides.negative.size() == 2) {
      const auto& own = rows_of_[static_cast<std::size_t>(sides.positive[0])];
      const auto& other = rows_of_[static_cast<std::size_t>(sides.negative[0])];
      std::merge(own.begin(), own.end(), other.begin(), other.end(), std::back_inserter(part.rows));
    } else {
      for (std::size_t i = 0; i < all_.labels.size(); ++i)
        if (side[static_cast<std::size_t>(all_.labels[i])] >= 0) part.rows.push_back(static_cast<Index>(i));
    }
    for (const Index row : part.rows)
      part.labels.push_back(side[static_cast<std::size_t>(all_.labels[static_cast<std::size_t>(row)])]);
    return part;
  }

  // One machine, and the scores of rows that it has not seen into `scored` unless that is null. Machines that
  // draw the same numbers would all err by the same rows, and deciding together would not mend it.
  Fitted machine(const Sides& sides, std::uint64_t seed, ScoredRows* scored) const {
    const Part part = part_of(sides);
    const PartSource source = source_of(part);
    Training training = training_on(source, training_);
    training.classes = 2;
    training.seed = seed;
    training.class_names = {side_name(sides.negative, class_names()),
                            side_name(sides.positive, class_names())};
    training.columns = columns_ ? &*columns_ : nullptr;
    Fitted fitted = fit_(training);
    if (scored != nullptr) {
      Reduction alone;
      alone.code = one_vs_rest_code(2);
      *scored = scored_rows(part, unseen_margins(part, training, alone).col(0));
    }
    return fitted;
  }

  // The margins of the rows of a part, rows x machines, each from a fit that has not seen the row.
  Matrix unseen_margins(const Part& part, const Training& training, const Reduction& reduction) const {
    const auto fold = stratified_parts(part.labels, options_.calibration_folds, training.seed);
    Matrix margins = Matrix::Zero(static_cast<Index>(part.rows.size()), reduction.machines());
    for (std::int32_t f = 0; f < options_.calibration_folds; ++f) {
      const PartSource unseen = source_of(some_of(part, [&](std::size_t n) { return fold[n] == f; }));
      if (unseen.rows() == 0) continue;
      const PartSource seen = source_of(some_of(part, [&](std::size_t n) { return fold[n] != f; }));
      Training rest = training_on(seen, training);
      rest.columns = columns_ ? &*columns_ : nullptr;
      const Matrix found = margins_on(unseen, fit_(rest).predictor, reduction);
      for (std::size_t n = 0, next = 0; n < fold.size(); ++n)
        if (fold[n] == f) margins.row(static_cast<Index>(n)) = found.row(static_cast<Index>(next++));
    }
    return margins;
  }

  static Matrix margins_on(const Source& rows, const Predictor& predictor, const Reduction& reduction) {
    Matrix margins(rows.rows(), reduction.machines());
    parallel_for(rows.block_count(), [&](Index k) {
      Scratch scratch;
      const Block block = rows.block(k, scratch);
      margins.middleRows(block.first, block.rows()) =
          margins_of(reduction, scores_of(predictor, block.x), link_of(predictor));
    });
    if (!margins.allFinite()) throw Error(Code::data, "`calibrate`: a score is beyond double precision");
    return margins;
  }

  ScoredRows scored_rows(const Part& part,
                         const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& margins) const {
    ScoredRows scored;
    for (std::size_t n = 0; n < part.rows.size(); ++n) {
      scored.scores.push_back(margins[static_cast<Index>(n)]);
      scored.positive.push_back(part.labels[n] == 1);
      if (!all_.weights.empty())
        scored.weights.push_back(all_.weights[static_cast<std::size_t>(part.rows[n])]);
    }
    return scored;
  }

  // Of one against the rest each machine is of one class, and those that an interrupt left out lose to the
  // others.
  bool may_lack(const Reduction& reduction) const {
    return reduction.strategy == Strategy::one_vs_rest && options_.calibrate == CalibrationKind::none;
  }

  // Gives machines that an interrupt left without weights a score that loses to all others, and returns which
  // they are. Where no machine has any, or scores are no sums of weights, the interrupt is all there is to tell.
  static std::vector<std::int32_t> replace_unfitted(std::vector<Fitted>& fitted,
                                                    const std::vector<std::optional<Error>>& errors) {
    std::vector<std::int32_t> without;
    const Fitted* some = nullptr;
    for (std::size_t l = 0; l < fitted.size(); ++l) {
      const auto* linear = std::get_if<Linear>(&fitted[l].predictor);
      const bool empty = linear != nullptr && linear->weights.isZero(0) && linear->bias.isZero(0);
      if (errors[l] || (fitted[l].summary.interrupted && empty))
        without.push_back(static_cast<std::int32_t>(l));
      else if (some == nullptr && linear != nullptr)
        some = &fitted[l];
    }
    for (const std::int32_t k : without) {
      Fitted& lacking = fitted[static_cast<std::size_t>(k)];
      if (some == nullptr) throw Error(Code::interrupted, "interrupted");
      Linear none = std::get<Linear>(some->predictor);
      none.weights.setZero();
      none.bias.setConstant(score_without_weights);
      lacking = {};
      lacking.predictor = std::move(none);
      lacking.summary.solver = some->summary.solver;
      lacking.summary.tolerance = some->summary.tolerance;
      lacking.summary.certificate = {some->summary.certificate.kind, 1};
      lacking.summary.rank = some->summary.rank;
      lacking.summary.interrupted = true;
    }
    return without;
  }

  // One model of all machines; the certificate is the worst of theirs.
  Fitted merged(std::vector<Fitted>& fitted, const CodeMatrix& code) const {
    Fitted whole;
    Summary& summary = whole.summary;
    summary = fitted[0].summary;
    summary.warnings.clear();
    summary.facts.clear();
    std::vector<Predictor> predictors;
    std::vector<std::string> solvers, warned;
    Index iterations = 0;
    double objective = 0;
    for (std::size_t l = 0; l < fitted.size(); ++l) {
      const Summary& one = fitted[l].summary;
      iterations += one.iterations;
      objective += one.objective.value_or(0);
      if (!one.objective) summary.objective.reset();
      summary.converged = summary.converged && one.converged;
      summary.interrupted = summary.interrupted || one.interrupted;
      if (one.certificate.value > summary.certificate.value) summary.certificate = one.certificate;
      if (one.rank != summary.rank) summary.rank.reset();
      if (std::find(solvers.begin(), solvers.end(), one.solver) == solvers.end())
        solvers.push_back(one.solver);
      for (const std::string& warning : one.warnings)
        warned.push_back(fmt::format("{}: {}", machine_name(code[l], class_names()), warning));
      predictors.push_back(std::move(fitted[l].predictor));
    }
    summary.iterations = iterations;
    if (summary.objective) summary.objective = objective;
    summary.solver = join(solvers, ", ");
    const std::size_t more = warned.size() - std::min(warned.size(), most_warnings);
    warned.resize(warned.size() - more);
    if (more > 0) warned.push_back(fmt::format("and {} more warnings of machines", more));
    summary.warnings = std::move(warned);
    summary.facts.push_back({"machines", static_cast<double>(code.size())});
    whole.predictor = stack(predictors);
    return whole;
  }

  const Trainer& fit_;
  const Training& training_;
  const MulticlassOptions& options_;
  Targets all_;
  std::vector<std::vector<Index>> rows_of_;  // a class each, ascending
  std::optional<ColumnSummary> columns_;
};

Combining usual_decision(Strategy strategy) {
  if (strategy == Strategy::one_vs_one) return Combining::vote;
  return strategy == Strategy::output_codes ? Combining::sum : Combining::max;
}

}  // namespace

Reduced fit_reduced(const Trainer& fit, const Training& training, const MulticlassOptions& options,
                    std::string_view loss) {
  check(options, training.classes);
  if (options.multiclass == Strategy::joint || training.classes == 2) {
    Reduced result = options.calibrate == CalibrationKind::none ? Reduced{fit(training), {}}
                                                                : Machines(fit, training, options).joint();
    if (options.multiclass != Strategy::joint) result.fitted.summary.facts.push_back({"machines", 1.0});
    return result;
  }
  if (training.trace.show)
    throw Error(Code::usage,
                "`trace` shows one fit, and `multiclass` makes several; take `multiclass` joint");
  const auto classes = static_cast<double>(training.classes);
  if (options.multiclass == Strategy::one_vs_one && classes * (classes - 1) / 2 > most_machines)
    throw Error(Code::usage,
                fmt::format("`multiclass` ovo: {} classes have {} pairs, and the limit is {}; take "
                            "ovr or ecoc",
                            training.classes, classes * (classes - 1) / 2, most_machines));
  Reduction reduction{options.multiclass, options.decision, std::string(loss), {}};
  if (reduction.combining == Combining::automatic) reduction.combining = usual_decision(reduction.strategy);
  if (reduction.strategy == Strategy::one_vs_rest)
    reduction.code = one_vs_rest_code(training.classes);
  else if (reduction.strategy == Strategy::one_vs_one)
    reduction.code = one_vs_one_code(training.classes);
  else
    reduction.code = output_code(options, training.classes, training.seed);
  return Machines(fit, training, options).reduced(std::move(reduction));
}

}  // namespace discern
