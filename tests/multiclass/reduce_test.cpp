// Models of many classes from machines for two: each machine is the fit that it says it is, and together they
// decide as the lectures say.
#include "discern/multiclass/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::reduce_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;

struct Rows {
  std::vector<std::vector<double>> x;
  std::vector<std::string> labels;

  Table table() const { return make_table(x, labels); }
  Rows only(const std::string& a, const std::string& b) const {
    Rows some;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (labels[i] == a || labels[i] == b) {
        some.x.push_back(x[i]);
        some.labels.push_back(labels[i]);
      }
    return some;
  }
};

// Overlapping classes at the corners of a square, far from zero in one feature.
Rows corners(int n, std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (int i = 0; i < n; ++i) {
    const auto k = random.below(4);
    rows.x.push_back({random.normal() + 2.0 * static_cast<double>(k % 2),
                      5 * random.normal() + 8.0 * static_cast<double>(k / 2) + 1e5,
                      random.below(3) == 0 ? 0 : random.normal()});
    rows.labels.push_back(std::string(1, static_cast<char>('a' + k)));
  }
  return rows;
}

Index wrong(const FitOutcome& outcome) {
  Index count = 0;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i)
    count += outcome.train.labels[i] == outcome.train_labels[i] ? 0 : 1;
  return count;
}

TEST(Reduce, OneVsRestOfTheSvmIsWhatTheSvmDoesByItself) {
  for (const char* loss : {"hinge", "squared-hinge"}) {
    const Request joint{.model = "svm", .options = {{"loss", loss}}, .target = "class"};
    Request reduced = joint;
    reduced.options.push_back({"multiclass", "ovr"});
    const auto a = fit_file(data_file("wine.csv"), joint), b = fit_file(data_file("wine.csv"), reduced);
    EXPECT_LT((a.train.scores - b.train.scores).cwiseAbs().maxCoeff(), 1e-9) << loss;
    EXPECT_EQ(a.train.labels, b.train.labels);
    EXPECT_NEAR(*a.model.summary.objective, *b.model.summary.objective, 1e-9);
    EXPECT_EQ(a.model.summary.iterations, b.model.summary.iterations);
  }
}

// What a machine draws by chance, such as the order of its rows, is its own: four machines of the same rows
// that draw alike would err alike.
TEST(Reduce, EveryMachineHasASeedOfItsOwn) {
  const Table table = make_table({{0}, {1}, {2}, {3}}, {"a", "b", "c", "d"});
  const Targets targets{{0, 1, 2, 3}, {}, {}};
  const MemorySource source(table.x, targets);
  const auto seeds_of = [&](std::uint64_t seed) {
    std::map<std::string, std::uint64_t> seeds;
    std::mutex one_at_a_time;
    const Trainer trainer = [&](const Training& machine) {
      const std::lock_guard lock(one_at_a_time);
      seeds[machine.class_names[1]] = machine.seed;
      return fit(LeastSquares{}, machine);
    };
    const Training training{source, Task::classification, 4, false, {}, {"a", "b", "c", "d"}, {}, seed, {}};
    fit_reduced(trainer, training, {.multiclass = Strategy::one_vs_rest}, "squared");
    return seeds;
  };
  const auto seeds = seeds_of(1);
  std::set<std::uint64_t> different;
  for (const auto& [name, seed] : seeds) different.insert(seed);
  for (const auto& [name, seed] : seeds_of(2)) different.insert(seed);
  EXPECT_EQ(different.size(), 8U);
  EXPECT_EQ(seeds_of(1), seeds);
}

// The scores of a stacked predictor, one or two for each machine, against fits of the two classes alone.
TEST(Reduce, AMachineOfAPairIsTheFitOfItsTwoClasses) {
  const Rows rows = corners(240, 1);
  for (const char* model : {"logistic", "svm", "least-squares", "lda", "qda", "naive-bayes", "fisher",
                            "perceptron", "kernel-perceptron"}) {
    for (const bool sparse : {false, true}) {
      Request request{.model = model, .options = {}, .standardize = false};
      if (std::string(model).ends_with("perceptron")) request.options = {{"epochs", "5"}};
      Request reduced = request;
      reduced.options.push_back({"multiclass", "ovo"});
      const Table table = sparse ? as_sparse(rows.table()) : rows.table();
      const auto whole = fit_table(table, reduced);
      ASSERT_TRUE(whole.model.reduction);
      const Targets none;
      const Matrix scores = scores_of(whole.model.predictor, rows_of(table.x, 0, row_count(table.x)));
      const Matrix margins = margins_of(*whole.model.reduction, scores, link_of(whole.model.predictor));
      Index l = 0;
      for (const char* a : {"a", "b", "c", "d"})
        for (const char* b : {"a", "b", "c", "d"}) {
          if (std::string(a) >= b) continue;
          Request pair = request;
          pair.positive = a;
          pair.seed = seed_of_part(0, static_cast<std::uint64_t>(l));
          const Rows both = rows.only(a, b);
          const auto alone = fit_table(sparse ? as_sparse(both.table()) : both.table(), pair);
          Matrix expected = predict(alone.model, table).scores;
          // Two scores are in the order of the names, and here the first is the positive one.
          if (expected.cols() == 2) expected = (expected.col(0) - expected.col(1)).eval();
          EXPECT_LT((margins.col(l) - expected.col(0)).cwiseAbs().maxCoeff(),
                    1e-8 * std::max(1.0, expected.cwiseAbs().maxCoeff()))
              << model << ' ' << a << b << (sparse ? " sparse" : "");
          ++l;
        }
    }
  }
}

TEST(Reduce, PenaltiesActOnFeaturesStandardisedByAllRows) {
  Rows rows = corners(240, 2);
  Request request{.model = "logistic", .options = {{"multiclass", "ovo"}}};
  const auto asked = fit_table(rows.table(), request);
  for (std::size_t j = 0; j < 3; ++j) {
    double mean = 0, squares = 0;
    for (const auto& row : rows.x) mean += row[j] / 240;
    for (const auto& row : rows.x) squares += (row[j] - mean) * (row[j] - mean) / 240;
    for (auto& row : rows.x) row[j] = (row[j] - mean) / std::sqrt(squares);
  }
  request.standardize = false;
  const auto by_hand = fit_table(rows.table(), request);
  EXPECT_LT((asked.train.proba - by_hand.train.proba).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Reduce, UnanimityReportsAmbiguity) {
  for (const char* strategy : {"ovr", "ovo", "ecoc"}) {
    const Request request{.model = "logistic",
                          .options = {{"multiclass", strategy}, {"decision", "unanimous"}}};
    const auto outcome = fit_table(corners(400, 3).table(), request);
    const auto ambiguous = std::count(outcome.train.labels.begin(), outcome.train.labels.end(), undecided);
    EXPECT_GT(ambiguous, 0) << strategy;
    const Fact& fact = outcome.model.summary.facts.back();
    EXPECT_EQ(fact.name, "ambiguous_rows");
    EXPECT_EQ(std::get<double>(fact.value), static_cast<double>(ambiguous));
    const Metrics metrics = judge(outcome.model, outcome.train, outcome.train_labels, {});
    EXPECT_EQ(metrics.undecided, static_cast<double>(ambiguous));
  }
}

TEST(Reduce, TheSummaryIsOfAllMachines) {
  const Request request{.model = "logistic", .options = {{"multiclass", "ovo"}}};
  const auto outcome = fit_table(corners(400, 4).table(), request);
  const Summary& summary = outcome.model.summary;
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.solver, "newton");
  EXPECT_EQ(summary.facts[0].name, "machines");
  EXPECT_EQ(std::get<double>(summary.facts[0].value), 6);
  Request stopped = request;
  stopped.options.push_back({"max-iter", "2"});
  const Summary short_of = fit_table(corners(400, 4).table(), stopped).model.summary;
  EXPECT_FALSE(short_of.converged);
  EXPECT_GT(short_of.certificate.value, short_of.tolerance);
  EXPECT_LE(short_of.iterations, 12);
  ASSERT_FALSE(short_of.warnings.empty());
  EXPECT_EQ(short_of.warnings[0].find("a : b: not converged"), 0U) << short_of.warnings[0];
}

// Accuracies on data that all of them should learn: digits by 45 machines, vowels by codes.
TEST(Reduce, LearnsRealData) {
  EXPECT_LE(wrong(fit_file(data_file("wine.csv"), {.model = "lda", .options = {{"multiclass", "ovo"}}})), 1);
  const Request codes{.model = "svm", .options = {{"multiclass", "ecoc"}, {"code", "sparse"}}};
  EXPECT_LE(wrong(fit_file(data_file("wine.csv"), codes)), 3);
}

TEST(Reduce, TwoClassesAreOneMachineWhateverTheStrategy) {
  const Rows both = corners(200, 5).only("a", "b");
  const auto joint = fit_table(both.table(), {.model = "logistic"});
  for (const char* strategy : {"ovr", "ovo", "ecoc"}) {
    const auto outcome =
        fit_table(both.table(), {.model = "logistic", .options = {{"multiclass", strategy}}});
    EXPECT_FALSE(outcome.model.reduction);
    EXPECT_TRUE(outcome.train.scores == joint.train.scores);
  }
}

TEST(Reduce, CalibratedProbabilitiesAreBetterThanThoseOfNaiveBayes) {
  // Three copies of the same feature make naive Bayes three times too sure of itself.
  Rows rows = corners(600, 6);
  for (auto& row : rows.x) row.insert(row.end(), {row[0], row[0], row[1], row[1]});
  for (const char* kind : {"platt", "isotonic"})
    for (const char* strategy : {"joint", "ovr", "ovo"}) {
      const Request plain{.model = "naive-bayes", .options = {{"multiclass", strategy}}};
      Request calibrated = plain;
      calibrated.options.push_back({"calibrate", kind});
      const auto a = fit_table(rows.table(), plain), b = fit_table(rows.table(), calibrated);
      EXPECT_LT(*judge(b.model, b.train, b.train_labels, {}).log_loss,
                *judge(a.model, a.train, a.train_labels, {}).log_loss)
          << kind << ' ' << strategy;
    }
}

TEST(Reduce, ACalibratedModelOfTwoClassesKeepsItsPositiveClass) {
  const Rows both = corners(300, 7).only("a", "b");
  Request request{.model = "svm", .options = {{"calibrate", "platt"}}};
  const auto last = fit_table(both.table(), request);
  request.positive = "a";
  const auto first = fit_table(both.table(), request);
  EXPECT_LT((last.train.proba - first.train.proba).cwiseAbs().maxCoeff(), 1e-9);
  for (Index i = 0; i < first.train.proba.rows(); ++i)
    EXPECT_EQ(first.train.labels[static_cast<std::size_t>(i)],
              first.train.proba(i, 0) >= first.train.proba(i, 1) ? 0 : 1);
}

std::string refusal(const Table& table, const Request& request, Code code) {
  try {
    fit_table(table, request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.message();
  }
  return "";
}

TEST(Reduce, OptionsThatDoNotFitAreRefusedByName) {
  const Table table = corners(80, 8).table();
  using Options = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [options, words] : {
           std::pair{Options{{"decision", "vote"}}, "`multiclass` joint decides by max"},
           {Options{{"multiclass", "ovr"}, {"decision", "sum"}}, "decides by max, unanimous"},
           {Options{{"multiclass", "ovo"}, {"decision", "max"}}, "decides by unanimous, vote, sum"},
           {Options{{"multiclass", "ovo"}, {"code", "dense"}}, "`multiclass` ecoc"},
           {Options{{"multiclass", "ecoc"}, {"code", "exhaustive"}, {"code-length", "9"}}, "`code_length`"},
           {Options{{"multiclass", "ecoc"}, {"code-length", "1"}}, "`code_length` 1"},
           {Options{{"calibration-folds", "3"}}, "`calibrate`"},
       })
    EXPECT_NE(refusal(table, {.model = "logistic", .options = options}, Code::usage).find(words),
              std::string::npos)
        << words;
  EXPECT_NE(
      refusal(table, {.model = "lda", .options = {{"multiclass", "ovo"}, {"priors", "a=1,b=1,c=1,d=1"}}},
              Code::usage)
          .find("`priors`"),
      std::string::npos);
}

TEST(Reduce, AClassOfOneRowCannotBeCalibratedAndAMachineThatFailsIsNamed) {
  Rows rows = corners(80, 9);
  rows.x.push_back({0, 1e5, 0});
  rows.labels.emplace_back("e");
  EXPECT_EQ(refusal(rows.table(), {.model = "svm", .options = {{"calibrate", "platt"}}}, Code::data),
            "the class 'e' has 1 row, expected at least 2 for `calibrate`, which leaves out some in turn");
  const std::string message =
      refusal(rows.table(), {.model = "qda", .options = {{"multiclass", "ovo"}}}, Code::data);
  EXPECT_EQ(message.find("machine a : e: "), 0U) << message;
}

TEST(Reduce, EveryShapeIsSavedAndLoaded) {
  const Table table = corners(200, 10).table();
  using Options = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [model, options] : {std::pair{"svm", Options{{"multiclass", "ecoc"}}},
                                       {"qda", Options{{"multiclass", "ovo"}}},
                                       {"naive-bayes", Options{{"multiclass", "ovr"}, {"density", "kde"}}},
                                       {"kernel-perceptron", Options{{"multiclass", "ovr"}, {"epochs", "3"}}},
                                       {"svm", Options{{"multiclass", "ovo"}, {"calibrate", "isotonic"}}},
                                       {"lda", Options{{"calibrate", "platt"}}}}) {
    const auto outcome = fit_table(table, {.model = model, .options = options});
    const std::string bytes = model_to_bytes(outcome.model);
    const Model loaded = model_from_bytes(bytes);
    EXPECT_TRUE(model_to_bytes(loaded) == bytes) << model;
    const Prediction said = predict(loaded, table);
    EXPECT_EQ(said.labels, outcome.train.labels) << model;
    EXPECT_TRUE(said.scores == outcome.train.scores) << model;
    EXPECT_TRUE(said.proba == outcome.train.proba) << model;
  }
}

}  // namespace
}  // namespace discern::reduce_test
