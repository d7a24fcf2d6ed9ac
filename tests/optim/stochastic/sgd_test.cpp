#include "discern/optim/stochastic/sgd.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/l1/cd.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/stats/symmetric.hpp"
#include "tests/support/fitting.hpp"
#include "tests/support/problems.hpp"

namespace discern::sgd_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A problem with the data that it points to.
struct Case {
  Features x;
  Targets targets;
  MemorySource source{x, targets};
  Problem problem;

  Case(const RowMajor& values, const Loss& loss, bool sparse = false) {
    x = sparse ? support::sparse_features(values) : support::dense_features(values);
    problem.source = &source;
    problem.loss = loss;
    problem.scaling.scale = problem.scaling.penalty = VectorXd::Ones(values.cols());
    problem.scaling.weight = static_cast<double>(values.rows());
    set_penalty(problem, {});
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  Minimum solve(const SgdOptions& how, const Monitor& monitor = {}) const {
    return sgd(problem, how, {.monitor = monitor});
  }
  double value_at_zero() const {
    return LinearFunction(problem).evaluate(VectorXd::Zero(problem.size()), {}).value;
  }
};

// Three entries in ten are not zero.
RowMajor random_rows(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  RowMajor x(rows, cols);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform() < 0.3 ? random.normal() : 0.0;
  return x;
}

// Labels by a plane with some noise.
std::vector<std::int32_t> random_labels(const RowMajor& x, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < x.rows(); ++i)
    labels.push_back(x(i, 0) - x(i, 1) + 0.3 + 0.5 * random.normal() > 0 ? 1 : 0);
  return labels;
}

TEST(Sgd, OneBatchOfAllSamplesIsAStepOfGradientDescent) {
  const RowMajor x = random_rows(40, 6, 1);
  Case data(x, LogisticLoss{});
  data.targets.labels = random_labels(x, 2);
  data.problem.scaling = fit_scaling(data.source, {true, true, {}}, {});
  set_penalty(data.problem, {.l2 = 0.7});
  const SgdOptions how{.learning_rate = 0.05,
                       .schedule = Schedule::constant,
                       .batch_size = 40,
                       .epochs = 3,
                       .order = SampleOrder::given};
  VectorXd point = VectorXd::Zero(7);
  LinearFunction function(data.problem);
  for (int k = 0; k < 3; ++k) point -= 0.05 * function.evaluate(point, {}).gradient;
  EXPECT_LT((data.solve(how).point - point).cwiseAbs().maxCoeff(), 1e-15);
}

// u after every step, by the formula at the top of the header and nothing else.
std::vector<VectorXd> plain_steps(const Case& data, const RowMajor& x, double rate, Index epochs) {
  const Problem& problem = data.problem;
  const auto n = static_cast<double>(x.rows());
  std::vector<VectorXd> points;
  VectorXd u = VectorXd::Zero(x.cols() + 1);
  for (Index l = 1; l <= epochs * x.rows(); ++l) {
    const Index i = (l - 1) % x.rows();
    VectorXd z(x.cols() + 1);
    z << 1, x.row(i).transpose();
    const double y = data.targets.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
    const double slope = LogisticLoss::at(z.dot(u), y).slope;
    u -= rate / std::sqrt(static_cast<double>(l)) * (slope * z + problem.l2.cwiseProduct(u) / n);
    points.push_back(u);
  }
  return points;
}

class SgdSteps : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Rows, SgdSteps, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "sparse" : "dense"; });

TEST_P(SgdSteps, AreThoseOfTheFormulaHoweverLazily) {
  const RowMajor x = random_rows(50, 8, 3);
  for (const bool uniform : {true, false}) {
    Case data(x, LogisticLoss{}, GetParam());
    data.targets.labels = random_labels(x, 4);
    set_penalty(data.problem, {.l2 = 5, .bias = true});
    if (!uniform) data.problem.l2[3] = 0.1;
    const auto points = plain_steps(data, x, 0.5, 4);
    SgdOptions how{
        .learning_rate = 0.5, .schedule = Schedule::inverse_sqrt, .epochs = 4, .order = SampleOrder::given};
    EXPECT_LT((data.solve(how).point - points.back()).cwiseAbs().maxCoeff(), 1e-13);
    how.average = true;
    VectorXd mean = VectorXd::Zero(9);
    for (std::size_t l = points.size() / 2; l < points.size(); ++l) mean += points[l];
    mean /= static_cast<double>(points.size() / 2);
    EXPECT_LT((data.solve(how).point - mean).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST_P(SgdSteps, SurviveAShrinkageToExactlyZero) {
  const RowMajor x = random_rows(10, 3, 5);
  Case data(x, LogisticLoss{}, GetParam());
  data.targets.labels = random_labels(x, 6);
  set_penalty(data.problem, {.l2 = 10});
  for (const double rate : {1.0, 2.0}) {  // 1 - h l2 / n is 0 and -1
    const auto points = [&] {
      Case copy(x, LogisticLoss{});
      copy.targets.labels = data.targets.labels;
      copy.problem.l2 = data.problem.l2;
      VectorXd u = VectorXd::Zero(4);
      LinearFunction function(copy.problem);
      for (int k = 0; k < 4; ++k) u -= rate / 10 * function.evaluate(u, {}).gradient;
      return u;
    }();
    const SgdOptions how{.learning_rate = rate / 10,
                         .schedule = Schedule::constant,
                         .batch_size = 10,
                         .epochs = 4,
                         .order = SampleOrder::given};
    EXPECT_LT((data.solve(how).point - points).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Sgd, SparseRowsGiveTheAnswerOfDenseRows) {
  const RowMajor x = random_rows(300, 20, 7);
  for (const PenaltyStrength& penalty : {PenaltyStrength{0, 2, false}, PenaltyStrength{3, 0, false}})
    for (const bool average : {false, penalty.l1 == 0})  // the mean is of weights clipped when last used
      for (const Index batch : {1, 7}) {
        Case dense(x, LogisticLoss{}), sparse(x, LogisticLoss{}, true);
        for (Case* data : {&dense, &sparse}) {
          data->targets.labels = random_labels(x, 8);
          data->problem.scaling.scale = VectorXd::LinSpaced(20, 0.5, 3);
          set_penalty(data->problem, penalty);
        }
        const SgdOptions how{.batch_size = batch, .epochs = 5, .average = average, .seed = 9};
        const Minimum a = dense.solve(how), b = sparse.solve(how);
        EXPECT_LT((a.point - b.point).cwiseAbs().maxCoeff(), 1e-12) << penalty.l1 << average << batch;
        EXPECT_NEAR(a.value, b.value, 1e-10 * a.value);
      }
}

TEST(Sgd, AveragedLeastMeanSquaresReachesTheClosedForm) {
  Random random(10);
  RowMajor x(2000, 3);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  Case data(x, SquaredLoss{});
  for (Index i = 0; i < x.rows(); ++i)
    data.targets.values.push_back(1 + x(i, 0) - 2 * x(i, 1) + 0.1 * random.normal());
  MatrixXd z(2000, 4);
  z << VectorXd::Ones(2000), x;
  const Eigen::Map<const VectorXd> y(data.targets.values.data(), 2000);
  const VectorXd exact = solve_semidefinite(z.transpose() * z, z.transpose() * y).x;
  const Minimum found =
      data.solve({.learning_rate = 0.02, .schedule = Schedule::constant, .epochs = 20, .average = true});
  EXPECT_LT((found.point - exact).norm(), 1e-3 * exact.norm());
  EXPECT_EQ(found.iterations, 20);
  EXPECT_FALSE(found.converged);  // to 1e-8
  EXPECT_GT(found.certificate, 1e-8);
  EXPECT_LT(found.certificate, 1e-2);
}

// With h = 1/l and nothing but a bias, least squares by draws is the mean of what was drawn.
TEST(Sgd, TheLecturesRateOfOneOverLAveragesTheTargets) {
  Case data(RowMajor::Zero(4, 1), SquaredLoss{});
  data.targets.values = {1, 2, 4, 9};
  SgdOptions how{.learning_rate = 1, .schedule = Schedule::inverse, .epochs = 3, .order = SampleOrder::given};
  EXPECT_NEAR(data.solve(how).point[0], 4, 1e-14);
  how.order = SampleOrder::drawn;
  how.epochs = 10000;
  // The standard deviation of the mean of 40,000 draws is 0.0154.
  EXPECT_NEAR(data.solve(how).point[0], 4, 0.06);
  EXPECT_NE(data.solve(how).point[0], 4);
}

TEST(Sgd, DrawsWithOneOverLSeparateATinyExample) {
  const RowMajor x{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  Case data(x, LogisticLoss{});
  data.targets.labels = {0, 1, 1, 1};  // OR
  const Minimum found = data.solve(
      {.learning_rate = 5, .schedule = Schedule::inverse, .epochs = 2000, .order = SampleOrder::drawn});
  for (Index i = 0; i < 4; ++i)
    EXPECT_EQ(found.point[0] + x.row(i).dot(found.point.tail(2)) >= 0,
              data.targets.labels[static_cast<std::size_t>(i)] == 1);
}

TEST(Sgd, TheSameSeedGivesTheSameBitsOnAnyNumberOfThreads) {
  const RowMajor x = random_rows(5000, 10, 11);
  Case data(x, HingeLoss{});
  data.targets.labels = random_labels(x, 12);
  const auto with = [&](int threads, std::uint64_t seed) {
    VectorXd point;
    with_threads(threads, [&] { point = data.solve({.epochs = 2, .seed = seed}).point; });
    return point;
  };
  const VectorXd one = with(1, 1);
  EXPECT_TRUE(one == with(1, 1));
  EXPECT_TRUE(one == with(2, 1));
  EXPECT_FALSE(one == with(1, 2));
}

TEST(Sgd, RowsThatAnotherThreadReadsAheadGiveTheSameBits) {
  const RowMajor x = random_rows(20000, 200, 15);  // so many that it does
  Case data(x, LogisticLoss{}, true);
  data.targets.labels = random_labels(x, 16);
  const auto with = [&](int threads) {
    Minimum found;
    with_threads(threads, [&] { found = data.solve({.epochs = 2, .average = true}); });
    return found;
  };
  const Minimum one = with(1), two = with(2);
  EXPECT_TRUE(one.point == two.point);
  EXPECT_EQ(one.certificate, two.certificate);
  EXPECT_EQ(one.value, two.value);
}

// Those who watch are shown the features in their own order, so a trace keeps others from being numbered
// anew.
TEST(Sgd, FeaturesNumberedByFrequencyGetTheSameBits) {
  constexpr Index rows = 20000, cols = 5000, entries = 6;
  Random random(17);
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  Case data(RowMajor::Zero(2, cols), LogisticLoss{}, true);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < entries; ++k) {
      const double share = random.uniform();
      const auto within = static_cast<std::uint32_t>(share * share * 800);
      columns.push_back(static_cast<std::uint32_t>(k) * 800 + 799 - within);
      values.push_back(random.normal());
    }
    starts.push_back(static_cast<std::int64_t>(values.size()));
    data.targets.labels.push_back(values.back() + random.normal() > 0 ? 1 : 0);
  }
  data.x = SparseMatrix<double>{Buffer<double>(values), Buffer<std::uint32_t>(columns),
                                Buffer<std::int64_t>(starts), rows, cols};
  data.problem.scaling.weight = rows;
  const MemorySource source(data.x, data.targets);
  data.problem.source = &source;
  ASSERT_TRUE(RenumberedProblem::worth_making(data.problem));
  set_penalty(data.problem, {.l1 = 0.3, .l2 = 0.1});
  for (const bool average : {false, true}) {
    const SgdOptions how{.epochs = 3, .average = average};
    const Minimum renumbered = sgd(data.problem, how, {});
    const Minimum watched = sgd(data.problem, how, {.monitor = {}, .trace = [](const Minimum&) {}});
    EXPECT_TRUE(renumbered.point == watched.point);
    EXPECT_NEAR(renumbered.value, watched.value, 1e-13 * watched.value);
    EXPECT_NEAR(renumbered.certificate, watched.certificate, 1e-12 * watched.certificate);
    EXPECT_LT(renumbered.value, data.value_at_zero());
  }
}

TEST(Sgd, AnInterruptLeavesTheModelSoFar) {
  const RowMajor x = random_rows(300, 10, 13);
  Case data(x, LogisticLoss{});
  data.targets.labels = random_labels(x, 14);
  for (const bool average : {false, true}) {
    int questions = 0;
    const Minimum found = data.solve({.epochs = 50, .average = average}, [&](const Progress& progress) {
      EXPECT_LE(progress.done, progress.total);
      return ++questions < 4;
    });
    EXPECT_TRUE(found.interrupted);
    EXPECT_EQ(found.iterations, 3);
    EXPECT_TRUE(found.point.allFinite());
    EXPECT_LT(found.value, data.value_at_zero());
  }
}

TEST(Sgd, TheL1PenaltyGivesExactZerosAndAnObjectiveNearTheBest) {
  Random random(15);
  RowMajor x(1000, 20);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  for (const bool sparse : {false, true}) {
    Case data(x, LogisticLoss{}, sparse);
    data.targets.labels = random_labels(x, 16);
    set_penalty(data.problem, {.l1 = 30});
    const Minimum best = coordinate_descent(data.problem, Eigen::VectorXd::Zero(data.problem.size()), {}),
                  found = data.solve({.epochs = 20});
    ASSERT_TRUE(best.converged);
    EXPECT_GE((found.point.array() == 0).count(), 15);
    EXPECT_NE(found.point[1], 0);
    EXPECT_NE(found.point[2], 0);
    EXPECT_GE(found.value, best.value * (1 - 1e-12));
    EXPECT_LE(found.value, best.value * 1.005);
  }
}

TEST(Sgd, BringsTheWeightsToUnitLengthWhenAsked) {
  const RowMajor x = random_rows(200, 5, 17);
  Case data(x, PerceptronLoss{});
  data.targets.labels = random_labels(x, 18);
  EXPECT_NEAR(data.solve({.epochs = 3, .normalize_weights = true}).point.norm(), 1, 1e-14);
}

TEST(Sgd, StepsThatAreTooLongAreRefusedByName) {
  const RowMajor x = 10 * random_rows(200, 5, 19);
  Case data(x, SquaredLoss{});
  data.targets.values.assign(200, 1.0);
  const auto result = attempt(
      [&] { return data.solve({.learning_rate = 10, .schedule = Schedule::constant, .epochs = 50}); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Code::usage);
  EXPECT_NE(result.error().message().find("`learning_rate`"), std::string::npos);
}

TEST(Sgd, LowersEveryLossFromSparseAndDenseRows) {
  const RowMajor x = random_rows(500, 8, 20);
  const std::vector<Loss> losses{SquaredLoss{},      LogisticLoss{},   SoftmaxLoss{},  HingeLoss{},
                                 SquaredHingeLoss{}, PerceptronLoss{}, TanhUnitLoss{}, LogisticUnitLoss{}};
  for (const bool sparse : {false, true})
    for (const Loss& loss : losses) {
      Case data(x, loss, sparse);
      data.targets.labels = random_labels(x, 21);
      if (data.problem.softmax()) {
        data.problem.scores = 3;
        for (std::size_t i = 0; i < 500; i += 2)
          data.targets.labels[i] += x(static_cast<Index>(i), 2) > 0.2 ? 1 : 0;
      }
      const Minimum found = data.solve({.epochs = 5});
      if (std::holds_alternative<PerceptronLoss>(loss)) {
        // Zero is a minimum of the criterion; what counts is the mistakes.
        Index right = 0;
        for (Index i = 0; i < 500; ++i)
          right += (found.point[0] + x.row(i).dot(found.point.tail(8)) >= 0) ==
                           (data.targets.labels[static_cast<std::size_t>(i)] == 1)
                       ? 1
                       : 0;
        EXPECT_GE(right, 350);
      } else {
        EXPECT_LT(found.value, 0.9 * data.value_at_zero()) << loss.index();
      }
    }
}

TEST(Sgd, SampleWeightsAreThoseOfTheObjective) {
  const RowMajor x = random_rows(400, 4, 22);
  Case data(x, SquaredLoss{});
  for (Index i = 0; i < 400; ++i) {
    data.targets.values.push_back(i % 2 == 0 ? x(i, 0) : 5 - x(i, 1));
    data.targets.weights.push_back(i % 2 == 0 ? 1 : 0);
  }
  data.problem.scaling.weight = 200;
  const Minimum found = data.solve({.epochs = 100});
  EXPECT_NEAR(found.point[0], 0, 1e-6);
  EXPECT_NEAR(found.point[1], 1, 1e-6);
}

using Options = std::vector<std::pair<std::string, std::string>>;

double objective(const char* file, const char* target, const Options& options) {
  const auto outcome = support::fit_file(support::data_file(file), {.options = options, .target = target});
  return *outcome.model.summary.objective;
}

TEST(Sgd, ReachesNewtonsObjectiveInAHundredEpochs) {
  const double best = objective("pima_tr.csv", "type", {{"solver", "newton"}});
  const double found = objective("pima_tr.csv", "type", {{"solver", "sgd"}, {"epochs", "100"}});
  EXPECT_GE(found, best * (1 - 1e-12));
  EXPECT_LE(found, best * (1 + 1e-3));
}

TEST(Sgd, IsWithinAPercentOfTheBestLogisticObjectiveByDefault) {
  for (const auto& [file, target] :
       std::vector<std::pair<const char*, const char*>>{{"banknote.csv", "class"},
                                                        {"breast_cancer_wdbc.csv", "class"},
                                                        {"iris.csv", "class"},
                                                        {"pima_te.csv", "type"},
                                                        {"pima_tr.csv", "type"},
                                                        {"vowel_train.csv", "class"},
                                                        {"wine.csv", "class"}})
    EXPECT_LE(objective(file, target, {{"solver", "sgd"}}),
              1.01 * objective(file, target, {{"solver", "newton"}}))
        << file;
}

}  // namespace
}  // namespace discern::sgd_test
