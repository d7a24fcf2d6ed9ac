// The perceptron against its steps worked out by hand on truth tables (rows in the order 00, 01, 10, 11, from
// a = 0, in the features as they are), and against the theory of its mistakes.
#include "discern/model/perceptron/perceptron.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/generate.hpp"
#include "tests/support/fitting.hpp"

namespace discern::perceptron_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

Request request(const Options& options, bool standardize = false) {
  return {.model = "perceptron", .options = options, .standardize = standardize};
}

Table truth_table(const std::vector<std::string>& answers) {
  return make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, answers);
}
const std::vector<std::string> or_answers{"0", "1", "1", "1"}, and_answers{"0", "0", "0", "1"},
    xor_answers{"0", "1", "1", "0"};

double number(const Summary& summary, std::string_view name) {
  for (const Fact& fact : summary.facts)
    if (fact.name == name) return std::get<double>(fact.value);
  ADD_FAILURE() << "no fact " << name;
  return std::nan("");
}
bool has_fact(const Summary& summary, std::string_view name) {
  for (const Fact& fact : summary.facts)
    if (fact.name == name) return true;
  return false;
}

void expect_plane(const FitOutcome& outcome, const std::vector<double>& plane, Index epochs,
                  double mistakes) {
  const auto found = parameters(outcome.model);
  ASSERT_EQ(found.size(), plane.size());
  for (std::size_t j = 0; j < plane.size(); ++j) EXPECT_DOUBLE_EQ(found[j], plane[j]) << j;
  const Summary& summary = outcome.model.summary;
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.iterations, epochs);
  EXPECT_EQ(number(summary, "mistakes"), mistakes);
  EXPECT_EQ(summary.certificate.kind, "training-mistakes");
  EXPECT_EQ(summary.certificate.value, 0);
}

// Their squares have lost every digit that tells the rows apart.
TEST(Perceptron, SparseFeaturesFarFromZeroAreLearnedAsDenseOnesAre) {
  Random random(8);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 60; ++i) {
    const double u = random.normal(), v = random.normal();
    rows.push_back({1e9 + u, i % 3 == 0 ? v : 0, -3e8 + v});
    labels.push_back(u + v > 0.2 ? "b" : "a");
  }
  const Table table = make_table(rows, labels);
  for (const char* variant : {"sequential", "batch", "fractional", "sgd"}) {
    const auto dense = fit_table(table, request({{"variant", variant}, {"epochs", "50"}}, true));
    const auto sparse = fit_table(as_sparse(table), request({{"variant", variant}, {"epochs", "50"}}, true));
    EXPECT_LT((dense.train.scores - sparse.train.scores).cwiseAbs().maxCoeff(),
              1e-5 * dense.train.scores.cwiseAbs().maxCoeff())
        << variant;
    EXPECT_EQ(number(dense.model.summary, "mistakes"), number(sparse.model.summary, "mistakes")) << variant;
    EXPECT_NEAR(number(dense.model.summary, "radius"), number(sparse.model.summary, "radius"), 1e-6)
        << variant;
    EXPECT_NEAR(*dense.model.summary.objective, *sparse.model.summary.objective, 1e-5) << variant;
  }
}

TEST(Perceptron, SequentialTakesTheStepsOfTheLecture) {
  expect_plane(fit_table(truth_table(or_answers), request({})), {2, 2, -1}, 6, 9);
  expect_plane(fit_table(truth_table(and_answers), request({})), {3, 2, -4}, 9, 18);
}

TEST(Perceptron, BatchCorrectsAllMisclassifiedAtOnce) {
  expect_plane(fit_table(truth_table(or_answers), request({{"variant", "batch"}})), {2, 2, -1}, 5, 7);
  expect_plane(fit_table(truth_table(and_answers), request({{"variant", "batch"}})), {2, 2, -3}, 10, 15);
}

TEST(Perceptron, FractionalCorrectionGoesByTheDistanceFromThePlane) {
  expect_plane(fit_table(truth_table(or_answers), request({{"variant", "fractional"}, {"lambda", "1.5"}})),
               {3.0 / 16, 3.0 / 4, -1.0 / 16}, 2, 3);
  expect_plane(fit_table(truth_table(or_answers), request({{"variant", "fractional"}, {"lambda", "2"}})),
               {2, 2, -1}, 5, 8);
}

TEST(Perceptron, ADecreasingIncrementIsDividedByThePassOfBatch) {
  // After the first step only 00 is wrong: b = 2 - 1/2 - 1/3 - ... - 1/11 is the first below zero.
  double b = 2;
  for (int k = 2; k <= 11; ++k) b -= 1.0 / k;
  expect_plane(fit_table(truth_table(or_answers), request({{"variant", "batch"}, {"schedule", "inverse"}})),
               {2, 2, b}, 12, 14);
}

TEST(Perceptron, TheLearningRateOnlyScalesAConstantIncrement) {
  for (const char* variant : {"batch", "sequential"})
    expect_plane(
        fit_table(truth_table(or_answers), request({{"variant", variant}, {"learning-rate", "0.25"}})),
        {0.5, 0.5, -0.25}, variant[0] == 'b' ? 5 : 6, variant[0] == 'b' ? 7 : 9);
}

TEST(Perceptron, AveragedIsTheMeanOverAllSteps) {
  const auto outcome = fit_table(truth_table(or_answers), request({{"averaged", "true"}}));
  const auto found = parameters(outcome.model);
  EXPECT_DOUBLE_EQ(found[0], 4.0 / 3);
  EXPECT_DOUBLE_EQ(found[1], 19.0 / 12);
  EXPECT_DOUBLE_EQ(found[2], -5.0 / 12);
}

TEST(Perceptron, KeslersConstructionMovesTheOwnClassAndTheBestOfTheOthers) {
  const Table table = make_table({{0, 0}, {2, 0}, {0, 2}}, {"a", "b", "c"});
  expect_plane(fit_table(table, request({})), {-2, -2, 1, 2, 0, -1, 0, 2, 0}, 4, 5);
}

TEST(Perceptron, SaysWhenNoPlaneWasFound) {
  for (const char* variant : {"batch", "sequential", "fractional", "sgd"}) {
    const Summary summary =
        fit_table(truth_table(xor_answers), request({{"variant", variant}, {"epochs", "50"}})).model.summary;
    EXPECT_FALSE(summary.converged) << variant;
    EXPECT_EQ(summary.iterations, 50) << variant;
    EXPECT_GT(summary.certificate.value, 0) << variant;
    EXPECT_FALSE(has_fact(summary, "mistake_bound")) << variant;
    ASSERT_EQ(summary.warnings.size(), 1U) << variant;
    EXPECT_EQ(summary.warnings[0].find("not separated after 50 epochs: "), 0U) << summary.warnings[0];
  }
}

TEST(Perceptron, XorIsSeparatedWithTheProductOfItsFeatures) {
  Request with_product = request({});
  with_product.basis = "products:2";
  EXPECT_TRUE(fit_table(truth_table(xor_answers), with_product).model.summary.converged);
}

TEST(Perceptron, OneSampleABatchIsTheShuffledSequentialPerceptron) {
  const Request sgd = request({{"variant", "sgd"}}, true), shuffled = request({{"shuffle", "true"}}, true);
  for (const char* file : {"iris.csv", "banknote.csv"}) {
    const auto a = support::fit_file(data_file(file), sgd), b = support::fit_file(data_file(file), shuffled);
    EXPECT_TRUE(a.train.scores == b.train.scores) << file;
    const auto ordered = support::fit_file(data_file(file), request({}, true));
    EXPECT_FALSE(a.train.scores == ordered.train.scores) << file;
  }
}

TEST(Perceptron, AllRowsInABatchIsTheBatchPerceptron) {
  const Options one{{"variant", "sgd"}, {"batch-size", "4"}};
  expect_plane(fit_table(truth_table(or_answers), request(one)), {2, 2, -1}, 5, 7);
}

TEST(Perceptron, ThePocketIsNeverWorseThanTheLastPlane) {
  for (const char* variant : {"batch", "sequential", "fractional", "sgd"})
    for (const char* file : {"iris.csv", "pima_tr.csv"}) {
      Request last = request({{"variant", variant}, {"epochs", "40"}}, true);
      if (file[0] == 'p') last.target = "type";
      Request pocket = last;
      pocket.options.emplace_back("pocket", "true");
      const auto a = support::fit_file(data_file(file), last), b = support::fit_file(data_file(file), pocket);
      EXPECT_LE(b.model.summary.certificate.value, a.model.summary.certificate.value) << variant << file;
    }
}

// Rows with |a*.y| >= margin for a random a* of length one; of K classes with Kesler's margin.
struct Separable {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  double radius = 0;
};

Separable separable(std::uint64_t seed, int n, int d, int classes, double margin) {
  Random random(seed);
  const int scores = classes == 2 ? 1 : classes;
  Matrix a(scores, d + 1);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = random.normal();
  a /= a.norm();
  Separable made;
  while (static_cast<int>(made.rows.size()) < n) {
    Vector y = Vector::Ones(d + 1);
    for (int j = 0; j < d; ++j) y[j] = random.below(3) == 0 ? 0 : random.normal();
    Vector g = a * y;
    Index best = 0, label = g[0] > 0 ? 1 : 0;
    double found = std::fabs(g[0]);
    if (classes > 2) {
      found = g.maxCoeff(&best);
      label = best;
      g[best] = -1e300;
      found -= g.maxCoeff();
    }
    if (found < margin) continue;
    made.rows.emplace_back(y.data(), y.data() + d);
    made.labels.push_back(std::string(1, static_cast<char>('a' + label)));
    made.radius = std::max(made.radius, y.norm());
  }
  return made;
}

bool all_classes(const Separable& data, int classes) {
  for (char c = 'a'; c < 'a' + classes; ++c)
    if (std::find(data.labels.begin(), data.labels.end(), std::string(1, c)) == data.labels.end())
      return false;
  return true;
}

TEST(Perceptron, MakesNoMoreMistakesThanTheTheoryAllows) {
  struct Case {
    Options options;
    double at_once;
  };
  constexpr int n = 40;
  const std::vector<Case> cases{{{}, 1},
                                {{{"shuffle", "true"}}, 1},
                                {{{"learning-rate", "0.01"}}, 1},
                                {{{"averaged", "true"}}, 1},
                                {{{"variant", "sgd"}}, 1},
                                {{{"variant", "sgd"}, {"batch-size", "5"}}, 5},
                                {{{"variant", "batch"}}, n}};
  Index tried = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const int classes : {2, 3}) {
      const double margin = seed % 2 == 0 ? 0.1 : 0.03;
      const Separable data = separable(seed, n, 1 + static_cast<int>(seed % 5), classes, margin);
      if (!all_classes(data, classes)) continue;
      for (const Case& one : cases) {
        Request fit = request(one.options);
        fit.options.emplace_back("epochs", "1000000");
        const Summary summary = fit_table(make_table(data.rows, data.labels), fit).model.summary;
        const double bound = one.at_once * (classes > 2 ? 2 : 1) * std::pow(data.radius / margin, 2);
        EXPECT_LE(number(summary, "mistakes"), bound) << seed;
        EXPECT_DOUBLE_EQ(number(summary, "radius"), data.radius) << seed;
        if (!summary.converged) continue;  // a mean need not separate
        EXPECT_GT(number(summary, "margin"), 0) << seed;
        if (classes == 2) {
          EXPECT_GE(number(summary, "best_margin"), margin * (1 - 1e-9)) << seed;
          EXPECT_GE(number(summary, "best_margin"), number(summary, "margin") * (1 - 1e-9)) << seed;
        }
        EXPECT_LE(number(summary, "mistakes"), number(summary, "mistake_bound")) << seed;
        ++tried;
      }
    }
  EXPECT_GT(tried, 400);
}

TEST(Perceptron, EveryVariantSeparatesWhatCanBeSeparated) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const int classes : {2, 3}) {
      const Separable data = separable(seed, 60, 4, classes, 0.1);
      if (!all_classes(data, classes)) continue;
      for (const Options& options : {Options{{"variant", "fractional"}},
                                     {{"variant", "fractional"}, {"shuffle", "true"}},
                                     {{"schedule", "inverse-sqrt"}},
                                     {{"variant", "batch"}, {"schedule", "inverse-sqrt"}},
                                     {{"pocket", "true"}},
                                     {{"variant", "batch"}, {"pocket", "true"}},
                                     {{"variant", "sgd"}}}) {
        Request fit = request(options, seed % 2 == 0);
        fit.options.emplace_back("epochs", "100000");
        const auto outcome = fit_table(make_table(data.rows, data.labels), fit);
        EXPECT_TRUE(outcome.model.summary.converged) << seed << ' ' << classes << ' ' << options[0].second;
        EXPECT_EQ(outcome.train.labels, outcome.train_labels);
      }
    }
}

TEST(Perceptron, TheMarginIsThatOfTheNearestRowInItsCoordinates) {
  const Separable data = separable(5, 30, 3, 2, 0.1);
  const auto outcome = fit_table(make_table(data.rows, data.labels), request({}));
  const auto a = parameters(outcome.model);
  double norm = 0, least = 1e300;
  for (const double v : a) norm += v * v;
  for (Index i = 0; i < 30; ++i) least = std::min(least, std::fabs(outcome.train.scores(i, 0)));
  EXPECT_NEAR(number(outcome.model.summary, "margin"), least / std::sqrt(norm), 1e-14);
}

// The standardised rows given as they are lead to the same plane in the same coordinates.
TEST(Perceptron, LearnsInStandardisedCoordinates) {
  const Table table = support::read_for(data_file("iris.csv"), {});
  Table scaled = table;
  const Index n = table.rows(), d = table.schema.size();
  Buffer<double> values(n * d);
  std::visit(
      [&](const auto& x) {
        for (Index j = 0; j < d; ++j) {
          long double mean = 0, squares = 0;
          for (Index i = 0; i < n; ++i) mean += static_cast<long double>(x.values[i * d + j]);
          mean /= static_cast<long double>(n);
          for (Index i = 0; i < n; ++i) {
            const long double z = static_cast<long double>(x.values[i * d + j]) - mean;
            squares += z * z;
          }
          const long double deviation = std::sqrt(squares / static_cast<long double>(n));
          for (Index i = 0; i < n; ++i)
            values[i * d + j] =
                static_cast<double>((static_cast<long double>(x.values[i * d + j]) - mean) / deviation);
        }
      },
      table.x);
  scaled.x = DenseMatrix<double>{values, n, d};
  for (const char* variant : {"batch", "sequential", "fractional", "sgd"}) {
    const Options options{{"variant", variant}, {"epochs", "20"}};
    const auto a = fit_table(table, request(options, true)), b = fit_table(scaled, request(options));
    EXPECT_LT((a.train.scores - b.train.scores).cwiseAbs().maxCoeff(), 1e-9) << variant;
    EXPECT_NEAR(number(a.model.summary, "radius"), number(b.model.summary, "radius"), 1e-12) << variant;
    EXPECT_NEAR(number(a.model.summary, "margin"), number(b.model.summary, "margin"), 1e-12) << variant;
    const auto sparse = fit_table(as_sparse(table), request(options, true));
    EXPECT_LT((a.train.scores - sparse.train.scores).cwiseAbs().maxCoeff(), 1e-8) << variant;
    EXPECT_NEAR(number(a.model.summary, "radius"), number(sparse.model.summary, "radius"), 1e-10) << variant;
    EXPECT_EQ(number(a.model.summary, "mistakes"), number(sparse.model.summary, "mistakes")) << variant;
  }
}

TEST(Perceptron, WeightsScaleTheCorrections) {
  const std::vector<std::vector<double>> rows{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  for (const char* variant : {"sequential", "batch"}) {
    Request weighted = request({{"variant", variant}});
    weighted.weight = "weight";
    const auto twice = fit_table(make_table(rows, or_answers, {2, 2, 2, 2}), weighted);
    const auto once = fit_table(make_table(rows, or_answers), request({{"variant", variant}}));
    EXPECT_TRUE(twice.train.scores == 2 * once.train.scores) << variant;
  }
  Request fractional = request({{"variant", "fractional"}});
  fractional.weight = "weight";
  EXPECT_THROW(fit_table(make_table(rows, or_answers, {1, 2, 1, 1}), fractional), Error);
}

TEST(Perceptron, WithoutABiasThePlaneGoesThroughTheOrigin) {
  const Table table = make_table({{1, 2}, {2, 1}, {-1, -3}, {-2, -1}}, {"a", "a", "b", "b"});
  for (const bool standardize : {false, true}) {
    const auto outcome = fit_table(table, request({{"no-bias", "true"}}, standardize));
    EXPECT_TRUE(outcome.model.summary.converged);
    EXPECT_EQ(parameters(outcome.model)[2], 0);
  }
}

TEST(Perceptron, RefusesWhatItCannotUse) {
  const auto message = [](const Options& options) {
    try {
      fit_table(truth_table(or_answers), request(options));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      return error.message();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({{"learning-rate", "0"}}), "`learning_rate`: expected a number above 0, got 0");
  EXPECT_EQ(message({{"learning-rate", "-2"}}), "`learning_rate`: expected a number above 0, got -2");
  EXPECT_EQ(message({{"variant", "fractional"}, {"lambda", "0"}}),
            "`lambda`: expected a number above 0, got 0");
  EXPECT_EQ(message({{"lambda", "1"}}),
            "`lambda` is for `variant` fractional, and the variant here is sequential");
  EXPECT_EQ(message({{"batch-size", "3"}}),
            "`batch_size` is for `variant` sgd, and the variant here is sequential");
  EXPECT_NE(
      message({{"variant", "batch"}, {"shuffle", "true"}}).find("`shuffle` is for `variant` sequential"),
      std::string::npos);
  EXPECT_NE(message({{"variant", "fractional"}, {"schedule", "inverse"}}).find("`schedule` is for"),
            std::string::npos);
  EXPECT_EQ(message({{"averaged", "true"}, {"pocket", "true"}}),
            "`averaged` and `pocket` exclude each other");
  EXPECT_EQ(message({{"learning-rate", "1e308"}}),
            "the corrections are so long that the weights overflow; take a smaller `learning_rate`");
}

TEST(Perceptron, StoppedByTheMonitorGivesThePlaneSoFar) {
  for (const char* variant : {"batch", "sequential"}) {
    FitSettings settings;
    settings.options = find_model("perceptron").make("perceptron");
    set_option(settings.options, "variant", variant);
    set_option(settings.options, "epochs", "1000000");
    settings.target = "class";
    int asked = 0;
    settings.monitor = [&](const Progress&) { return ++asked < 200; };
    const Summary summary = fit_model(truth_table(xor_answers), settings).model.summary;
    EXPECT_TRUE(summary.interrupted) << variant;
    EXPECT_FALSE(summary.converged) << variant;
  }
}

Table text_table() {
  GenerateOptions text;
  text.shape = "sparse";
  text.rows = 20000;
  text.features = 5000;
  text.noise = 0.05;
  return generate(text);
}

TEST(Perceptron, RowsThatAnotherThreadReadsAheadGiveTheSameBits) {
  const Table table = text_table();
  ASSERT_GT(stored_entries(table.x), 1 << 20);  // so many that it does
  for (const Options& options :
       {Options{{"shuffle", "true"}}, Options{{"averaged", "true"}, {"shuffle", "true"}},
        Options{{"pocket", "true"}, {"shuffle", "true"}},
        Options{{"variant", "fractional"}, {"shuffle", "true"}},
        Options{{"variant", "sgd"}, {"batch-size", "7"}}})
    for (const bool standardize : {false, true})
      for (const char* epochs : {"2", "3"}) {  // rows as they are, and with their features renumbered
        const auto with = [&](int threads) {
          Options few = options;
          few.emplace_back("epochs", epochs);
          std::vector<double> found;
          with_threads(threads,
                       [&] { found = parameters(fit_table(table, request(few, standardize)).model); });
          return found;
        };
        EXPECT_EQ(with(1), with(2)) << options[0].first << standardize << epochs;
      }
}

// The last feature first.
Table backwards(Table table) {
  std::visit(
      [&]<class Matrix>(Matrix& x) {
        if constexpr (requires { x.columns; })
          for (Index i = 0; i < x.rows; ++i) {
            const Index first = x.starts[i], last = x.starts[i + 1];
            for (Index k = first; k < last; ++k)
              x.columns[k] = static_cast<std::uint32_t>(x.cols - 1) - x.columns[k];
            std::reverse(x.columns.data() + first, x.columns.data() + last);
            std::reverse(x.values.data() + first, x.values.data() + last);
          }
      },
      table.x);
  return table;
}

TEST(Perceptron, ManyPassesOverManyFeaturesTakeTheStepsOfTheLecture) {
  const Table table = text_table();
  const auto& x = std::get<SparseMatrix<float>>(table.x);
  const FitOutcome outcome = fit_table(table, request({{"epochs", "3"}}));
  std::vector<double> plane(static_cast<std::size_t>(x.cols + 1));  // the bias last
  double mistakes = 0;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (Index i = 0; i < x.rows; ++i) {
      const double t = outcome.train_labels[static_cast<std::size_t>(i)] == outcome.model.positive ? 1 : -1;
      const SparseRow<float> row = x.view(i, 1).row(0);
      if (t * (dot(row, plane.data()) + plane.back()) > 0) continue;
      axpy(t, row, plane.data());
      plane.back() += t;
      ++mistakes;
    }
  EXPECT_EQ(number(outcome.model.summary, "mistakes"), mistakes);
  const auto& found = std::get<Linear>(outcome.model.predictor);
  EXPECT_EQ(found.bias[0], plane.back());
  for (Index j = 0; j < x.cols; ++j)
    EXPECT_NEAR(found.weights(0, j), plane[static_cast<std::size_t>(j)], 1e-9) << j;
}

TEST(Perceptron, TheNumbersOfTheFeaturesDoNotMatter) {
  const Table table = text_table(), turned = backwards(text_table());
  for (const Options& options :
       {Options{{"epochs", "3"}}, Options{{"epochs", "3"}, {"averaged", "true"}, {"shuffle", "true"}},
        Options{{"epochs", "3"}, {"pocket", "true"}},
        Options{{"epochs", "3"}, {"variant", "fractional"}, {"no-bias", "true"}}})
    for (const bool standardize : {false, true}) {
      const auto plane = [&](const Table& rows) {
        return std::get<Linear>(fit_table(rows, request(options, standardize)).model.predictor);
      };
      const Linear one = plane(table), other = plane(turned);
      EXPECT_NEAR(one.bias_at_origin()[0], other.bias_at_origin()[0], 1e-6);
      EXPECT_LE((one.weights - other.weights.rowwise().reverse()).norm(), 1e-9 * one.weights.norm())
          << options.back().first << standardize;
    }
}

}  // namespace
}  // namespace discern::perceptron_test
