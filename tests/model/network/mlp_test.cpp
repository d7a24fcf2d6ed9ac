// The multilayer perceptron: its gradient, what it becomes without hidden layers, XOR, and how it learns.
#include "discern/model/network/mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/network/network_file.hpp"
#include "discern/model/network/network_function.hpp"
#include "discern/model/shape/network.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::mlp_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;

// ---- the gradient

struct Case {
  UnitKind unit;
  std::string loss;  // cross-entropy, quadratic or regression
  Index classes;
};

// A task on a few random rows, with sample weights and a penalty that differs between inputs.
class Gradient {
 public:
  Gradient(const Case& c, bool sparse) {
    Random random(3);
    const Index rows = 23, features = 4;
    std::vector<double> values;
    for (Index i = 0; i < rows * features; ++i)
      values.push_back(random.below(4) == 0 ? 0 : 1 + 2 * random.normal());
    DenseMatrix<double> dense{Buffer<double>(std::move(values)), rows, features};
    Table table;
    table.x = dense;
    table.schema = Schema::numbered(features);
    x_ = sparse ? as_sparse(table).x : table.x;
    for (Index i = 0; i < rows; ++i) {
      if (c.loss == "regression")
        targets_.values.push_back(random.normal());
      else
        targets_.labels.push_back(
            static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(c.classes))));
      targets_.weights.push_back(0.5 + random.uniform());
    }
    task_.sparse = sparse;
    task_.layout.sizes = {features, 5, 3, c.classes > 2 ? c.classes : 1};
    task_.layout.units = {c.unit, c.unit, UnitKind::linear};
    task_.layout.slope = 1.5;
    task_.scaling.center = Vector{{0.5, -1.0, 0.25, 2.0}};
    task_.scaling.scale = Vector{{2.0, 0.5, 1.5, 3.0}};
    task_.scaling.penalty = Vector{{1.0, 4.0, 0.5, 1.0}};
    task_.scaling.constant.assign(4, false);
    task_.l2 = 0.3;
    task_.loss.scores = task_.layout.sizes.back();
    task_.softmax_unit = c.loss == "quadratic" && c.classes > 2;
    if (c.loss == "regression")
      task_.loss.loss = SquaredLoss{};
    else if (c.classes > 2)
      task_.loss.loss = SoftmaxLoss{};
    else if (c.loss == "quadratic")
      task_.loss.loss = LogisticUnitLoss{};
    else
      task_.loss.loss = LogisticLoss{};
    point_ = random_weights(task_.layout, task_.scaling, false, random);
  }

  Evaluation at(const Eigen::VectorXd& point) const {
    const MemorySource source(x_, targets_);
    return NetworkFunction(task_, source).evaluate(point, {});
  }
  const Eigen::VectorXd& point() const { return point_; }

 private:
  Features x_;
  Targets targets_;
  NetworkTask task_;
  Eigen::VectorXd point_;
};

TEST(Mlp, BackPropagationIsTheFiniteDifferenceForEveryUnitAndLoss) {
  for (const UnitKind unit : {UnitKind::relu, UnitKind::tanh, UnitKind::logistic, UnitKind::linear})
    for (const auto& [loss, classes] : {std::pair<std::string, Index>{"cross-entropy", 2},
                                        {"cross-entropy", 3},
                                        {"quadratic", 2},
                                        {"quadratic", 3},
                                        {"regression", 0}})
      for (const bool sparse : {false, true}) {
        const Gradient function({unit, loss, classes}, sparse);
        const Eigen::VectorXd gradient = function.at(function.point()).gradient;
        double largest = 0;
        for (Index k = 0; k < gradient.size(); ++k) {
          constexpr double h = 1e-6;
          Eigen::VectorXd up = function.point(), down = function.point();
          up[k] += h, down[k] -= h;
          const double difference = (function.at(up).value - function.at(down).value) / (2 * h);
          largest = std::max(largest, std::fabs(difference - gradient[k]));
        }
        EXPECT_LT(largest, 1e-7 * std::max(1.0, gradient.norm()))
            << static_cast<int>(unit) << " " << loss << " " << classes << " " << sparse;
      }
}

TEST(Mlp, SparseRowsGiveTheGradientOfDenseOnes) {
  const Case c{UnitKind::tanh, "cross-entropy", 3};
  const Gradient dense(c, false), sparse(c, true);
  const Evaluation a = dense.at(dense.point()), b = sparse.at(sparse.point());
  EXPECT_NEAR(a.value, b.value, 1e-12 * a.value);
  EXPECT_LT((a.gradient - b.gradient).norm(), 1e-12 * a.gradient.norm());
}

// ---- what is known in closed form

double difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Mlp, WithoutHiddenLayersIsLogisticAndSoftmaxRegression) {
  const std::vector<std::pair<std::string, std::string>> exact{
      {"layers", "0"}, {"l2", "1"}, {"tol", "1e-10"}};
  const Request net{.model = "mlp", .options = exact}, line{.options = {{"l2", "1"}}};
  const auto two = data_file("breast_cancer_wdbc.csv"), three = data_file("wine.csv");
  EXPECT_LT(difference(fit_file(two, net).train.scores, fit_file(two, line).train.scores), 1e-6);
  EXPECT_LT(difference(fit_file(three, net).train.proba, fit_file(three, line).train.proba), 1e-7);
}

// ---- XOR

Table xor_table() { return make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {"0", "1", "1", "0"}); }

Fitted fit_xor(const Mlp& options, std::uint64_t seed) {
  const Table table = xor_table();
  const Targets targets{{0, 1, 1, 0}, {}, {}};
  const MemorySource source(table.x, targets);
  Training training{source, Task::classification, 2, true, {}, {}, {}, seed, {}};
  return fit(options, training);
}

TEST(Mlp, LearnsXorWithTwoHiddenUnitsFromEverySeed) {
  const Table table = xor_table();
  for (const HiddenUnit unit : {HiddenUnit::tanh, HiddenUnit::relu, HiddenUnit::logistic})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Mlp options;
      options.layers = "2";
      options.activation = unit;
      options.restarts = 10;
      const Matrix scores = scores_of(fit_xor(options, seed).predictor, rows_of(table.x, 0, 4));
      for (Index i = 0; i < 4; ++i)
        EXPECT_EQ(decide(scores.row(i).data(), 1), i == 1 || i == 2 ? 1 : 0)
            << static_cast<int>(unit) << " " << seed;
    }
}

class WithFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() /
             ("discern-mlp-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json"))
                .string();
    std::ofstream(path_) << text;
    return path_;
  }
  void TearDown() override {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  std::string path_;
};
using MlpWeights = WithFile;

const char* const xor_network =
    R"({"layers": [{"weights": [[1, 1], [1, 1]], "bias": [-0.5, -1.5], "activation": "step"},
                   {"weights": [[1, -1]], "bias": [-0.5]}]})";

TEST_F(MlpWeights, OfTheLecturesSolveXor) {
  const auto outcome = fit_table(xor_table(), {.model = "mlp", .options = {{"weights", write(xor_network)}}});
  EXPECT_EQ(outcome.train.scores, (Matrix{{-0.5}, {0.5}, {0.5}, {-0.5}}));
  EXPECT_EQ(outcome.train.labels, (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(outcome.model.summary.solver, "given");
  EXPECT_TRUE(outcome.model.summary.converged);
  const Model loaded = model_from_bytes(model_to_bytes(outcome.model));
  EXPECT_EQ(predict(loaded, xor_table()).scores, outcome.train.scores);
}

TEST_F(MlpWeights, OfUnitsWithASlopeAreAStartAndWithoutIterationsTheModel) {
  const std::string file = write(
      R"({"layers": [{"weights": [[2, 2], [2, 2]], "bias": [-1, -3], "activation": "logistic"},
                     {"weights": [[1, -1]]}], "slope": 2})");
  const auto asis =
      fit_table(xor_table(), {.model = "mlp", .options = {{"weights", file}, {"max-iter", "0"}}});
  const double first = 1 / (1 + std::exp(-2.0)), second = 1 / (1 + std::exp(2.0));
  EXPECT_NEAR(asis.train.scores(1, 0), first - second, 1e-15);
  const auto learned = fit_table(
      xor_table(), {.model = "mlp", .options = {{"weights", file}, {"l2", "0.001"}, {"solver", "lbfgs"}}});
  EXPECT_EQ(learned.train.labels, (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_LT(*learned.model.summary.objective, *asis.model.summary.objective);
}

// l2/2 |W|^2 with the weights of the first layer in standardised features, whose deviation here is 1/2 and
// 50, or in the features as they are. Where the file has a scale, weights are of features divided by it.
TEST_F(MlpWeights, ArePenalisedOnTheScaleThatWasAskedFor) {
  Table table = make_table({{0, 0}, {0, 100}, {1, 0}, {1, 100}}, {"0", "1", "1", "0"});
  const auto penalty = [&](const std::string& more, bool standardize) {
    const std::string file = write(
        R"({"layers": [{"weights": [[2, 0.1]], "activation": "tanh"}, {"weights": [[3]]}])" + more + "}");
    const auto objective = [&](const char* l2) {
      return *fit_table(table, {.model = "mlp",
                                .options = {{"weights", file}, {"max-iter", "0"}, {"l2", l2}},
                                .standardize = standardize})
                  .model.summary.objective;
    };
    return objective("2") - objective("0");
  };
  EXPECT_NEAR(penalty("", false), 4 + 0.01 + 9, 1e-9);
  EXPECT_NEAR(penalty("", true), 1 + 25 + 9, 1e-9);
  const std::string scaled = R"(, "center": [0, 0], "scale": [2, 10])";
  EXPECT_NEAR(penalty(scaled, false), 1 + 0.0001 + 9, 1e-9);
  EXPECT_NEAR(penalty(scaled, true), 0.25 + 0.25 + 9, 1e-9);
}

TEST_F(MlpWeights, ThatDoNotFitAreRefusedSayingWhere) {
  const auto message = [&](const std::string& text) {
    try {
      fit_table(xor_table(), {.model = "mlp", .options = {{"weights", write(text)}}});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::data);
      EXPECT_EQ(error.place().file, path_);
      return error.message();
    }
    return std::string("accepted");
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(message(text).find(part), std::string::npos) << message(text) << "\n" << part;
  };
  expect("{", "not valid JSON");
  expect("[]", "expected an object with layers");
  expect(R"({"layers": []})", "with a layer at least");
  expect(R"({"layers": [{"weights": [[1]]}]})", "found weights for 1 features, expected 2");
  expect(R"({"layers": [{"weights": [[1, 2], [3, 4]]}]})", "found 2 scores, expected 1");
  expect(R"({"layers": [{"weights": [[1, 2], [3]]}]})",
         "layer 1, unit 2: found a list of 1, expected a list of 2");
  expect(R"({"layers": [{"weights": [[1, "a"]]}]})", "layer 1, unit 1: found \"a\", expected a number");
  expect(R"({"layers": [{"weights": [[1, 2]], "bias": [1, 2]}]})", "layer 1, bias: found a list of 2");
  expect(R"({"layers": [{"weights": [[1, 2]], "units": 3}]})", "found the member 'units'");
  expect(R"({"layers": [{"weights": [[1, 2]], "activation": "step"}]})", "has no activation");
  expect(R"({"layers": [{"weights": [[1, 2]], "activation": "sine"}, {"weights": [[1]]}]})",
         "found the activation \"sine\", expected one of linear, relu");
  expect(R"({"layers": [{"weights": [[1, 2]]}, {"weights": [[1, 1]]}]})",
         "layer 2 has weights for 2 inputs, and layer 1 has 1 units");
  expect(R"({"layers": [{"weights": [[1, 2]]}], "center": [0, 0]})", "expected both");
  expect(R"({"layers": [{"weights": [[1, 2]]}], "center": [0, 0], "scale": [1, 0]})",
         "expected numbers above 0");
}

// ---- learning

struct Rings {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
};

// Two noisy rings around each other, with some zeros, in odd units.
Rings rings(int n, double unit = 1, double shift = 0) {
  Random random(5);
  Rings r;
  for (int i = 0; i < n; ++i) {
    const bool outer = random.below(2) == 1;
    const double radius = (outer ? 2.0 : 1.0) + 0.15 * random.normal(), angle = 6.283 * random.uniform();
    r.rows.push_back({shift + unit * radius * std::cos(angle), radius * std::sin(angle),
                      random.below(3) == 0 ? 0 : random.normal()});
    r.labels.push_back(outer ? "out" : "in");
  }
  return r;
}

double accuracy(const FitOutcome& outcome) {
  double right = 0;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i)
    right += outcome.train.labels[i] == outcome.train_labels[i] ? 1 : 0;
  return right / static_cast<double>(outcome.train_labels.size());
}

TEST(Mlp, EverySolverAndUpdateLearnsRings) {
  const Rings r = rings(600);
  const Table table = make_table(r.rows, r.labels);
  using Options = std::vector<std::pair<std::string, std::string>>;
  for (const Options& options :
       {Options{{"solver", "lbfgs"}},
        {{"solver", "cg"}},
        {{"solver", "gd"}, {"max-iter", "300"}},
        {{"solver", "gd"}, {"learning-rate", "0.5"}, {"max-iter", "400"}},
        {{"solver", "sgd"}, {"epochs", "60"}, {"batch-size", "20"}, {"learning-rate", "0.01"}},
        {{"solver", "sgd"}, {"update", "momentum"}, {"epochs", "60"}, {"batch-size", "20"}},
        {{"solver", "sgd"}, {"update", "plain"}, {"epochs", "60"}, {"batch-size", "1"}},
        {{"solver", "sgd"}, {"epochs", "60"}, {"learning-rate", "0.02"}, {"noise", "0.1"}},
        {{"loss", "quadratic"}},
        {{"layers", "8,6"}, {"activation", "tanh"}}}) {
    Request request{.model = "mlp", .options = {{"layers", "16"}}};
    for (const auto& option : options) request.options.push_back(option);
    EXPECT_GT(accuracy(fit_table(table, request)), 0.97) << options[0].second << options.back().second;
  }
}

TEST(Mlp, LbfgsAndConjugateGradientsEndAtAStationaryPointAndSaySo) {
  const Rings r = rings(300);
  for (const char* solver : {"lbfgs", "cg"}) {
    const auto summary = fit_table(make_table(r.rows, r.labels), {.model = "mlp",
                                                                  .options = {{"layers", "6"},
                                                                              {"activation", "tanh"},
                                                                              {"l2", "0.1"},
                                                                              {"solver", solver},
                                                                              {"tol", "1e-7"},
                                                                              {"max-iter", "5000"}}})
                             .model.summary;
    EXPECT_TRUE(summary.converged) << solver;
    EXPECT_EQ(summary.certificate.kind, "relative-gradient-norm");
    EXPECT_LE(summary.certificate.value, 1e-7);
    EXPECT_EQ(std::get<std::string>(summary.facts.back().value),
              "a stationary point, not proved to be the minimum");
  }
}

TEST(Mlp, UnitsOfTheFeaturesDoNotMatter) {
  const Rings plain = rings(300), odd = rings(300, 1e-6, 1e3);
  for (const char* solver : {"lbfgs", "sgd"}) {
    const Request request{.model = "mlp",
                          .options = {{"layers", "6"}, {"activation", "tanh"}, {"solver", solver}}};
    const auto a = fit_table(make_table(plain.rows, plain.labels), request);
    const auto b = fit_table(make_table(odd.rows, odd.labels), request);
    EXPECT_EQ(a.train.labels, b.train.labels) << solver;
  }
}

TEST(Mlp, BatchesGiveTheSameBytesOnOneThreadAndMany) {
  const Rings r = rings(1500);
  const Table dense = make_table(r.rows, r.labels);
  for (const Table& table : {dense, as_sparse(dense)})
    for (const char* update : {"adam", "momentum", "plain"}) {
      // Several parts of rows, of inputs and of weights.
      Request request{.model = "mlp",
                      .options = {{"layers", "300,130"},
                                  {"solver", "sgd"},
                                  {"update", update},
                                  {"batch-size", "250"},
                                  {"epochs", "2"},
                                  {"early-stopping", "true"}}};
      if (!is_sparse(table.x)) request.options.emplace_back("noise", "0.05");
      std::string one, many;
      with_threads(1, [&] { one = model_to_bytes(fit_table(table, request).model); });
      with_threads(4, [&] { many = model_to_bytes(fit_table(table, request).model); });
      EXPECT_TRUE(one == many) << update;
    }
}

TEST(Mlp, BatchesOfSparseRowsAreThoseOfDenseOnesUpToSinglePrecision) {
  const Rings r = rings(400);
  const Table dense = make_table(r.rows, r.labels);
  const Request request{.model = "mlp", .options = {{"layers", "10"}, {"solver", "sgd"}, {"epochs", "3"}}};
  const Matrix a = fit_table(dense, request).train.scores,
               b = fit_table(as_sparse(dense), request).train.scores;
  EXPECT_LT(difference(a, b), 1e-4);
}

TEST(Mlp, EarlyStoppingKeepsWhatDoesBestOnRowsHeldOut) {
  const Rings r = rings(200);
  for (const char* solver : {"lbfgs", "sgd"}) {
    Request request{.model = "mlp",
                    .options = {{"layers", "40"},
                                {"l2", "0"},
                                {"solver", solver},
                                {"early-stopping", "true"},
                                {"patience", "5"},
                                {"held-out", "0.3"},
                                {"restarts", "3"}}};
    if (request.options[2].second == "sgd") {
      request.options.emplace_back("learning-rate", "0.05");
      request.options.emplace_back("epochs", "300");
    }
    const auto outcome = fit_table(make_table(r.rows, r.labels), request);
    std::optional<double> held;
    for (const Fact& fact : outcome.model.summary.facts)
      if (fact.name == "held_out_loss") held = std::get<double>(fact.value);
    ASSERT_TRUE(held.has_value());
    EXPECT_LT(*held, 0.3) << solver;
    EXPECT_GT(accuracy(outcome), 0.9) << solver;
    ASSERT_FALSE(outcome.model.summary.warnings.empty());
    EXPECT_NE(outcome.model.summary.warnings[0].find("stopped early"), std::string::npos)
        << outcome.model.summary.warnings[0];
  }
}

TEST(Mlp, MoreStartsAreNeverWorse) {
  const Rings r = rings(120);
  double last = std::numeric_limits<double>::infinity();
  for (const char* restarts : {"1", "2", "4", "8"}) {
    const auto outcome = fit_table(
        make_table(r.rows, r.labels),
        {.model = "mlp", .options = {{"layers", "3"}, {"activation", "tanh"}, {"restarts", restarts}}});
    EXPECT_LE(*outcome.model.summary.objective, last);
    last = *outcome.model.summary.objective;
  }
}

TEST(Mlp, ALossThatExplodesIsAnErrorWithARateToTry) {
  const Rings r = rings(200);
  for (const auto& [solver, update] : {std::pair{"sgd", "plain"}, {"sgd", "momentum"}, {"gd", "adam"}}) {
    Request request{.model = "mlp",
                    .options = {{"solver", solver}, {"learning-rate", "1e6"}, {"loss", "cross-entropy"}}};
    if (std::string(solver) == "sgd") request.options.emplace_back("update", update);
    try {
      fit_table(make_table(r.rows, r.labels), request);
      ADD_FAILURE() << solver;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_NE(error.message().find("try `learning_rate` 1 instead of 1e+06"), std::string::npos)
          << error.message();
    }
  }
}

TEST(Mlp, AnInterruptLeavesTheModelSoFar) {
  const Rings r = rings(500);
  const Table table = make_table(r.rows, r.labels);
  for (const char* solver : {"lbfgs", "sgd"}) {
    FitSettings settings;
    settings.options = find_model("mlp").make("mlp");
    set_option(settings.options, "solver", solver);
    settings.target = "class";
    int calls = 0;
    settings.monitor = [&](const Progress& progress) { return progress.stage != "fitting" || ++calls < 40; };
    const auto outcome = fit_model(table, settings);
    EXPECT_TRUE(outcome.model.summary.interrupted) << solver;
    EXPECT_FALSE(outcome.model.summary.converged) << solver;
    EXPECT_TRUE(outcome.train.scores.allFinite()) << solver;
    EXPECT_GT(accuracy(outcome), 0.6) << solver;
  }
}

TEST(Mlp, RegressionFollowsACurveWhateverTheUnitOfTheTarget) {
  for (const double unit : {1.0, 1e8}) {
    Random random(2);
    Table table;
    std::vector<double> x, y;
    for (int i = 0; i < 300; ++i) {
      x.push_back(6 * random.uniform() - 3);
      y.push_back(unit * (std::sin(2 * x.back()) + 10));
    }
    table.schema = Schema::numbered(1);
    table.x = DenseMatrix<double>{Buffer<double>(std::vector<double>(x)), 300, 1};
    table.side.push_back({"y", false, {}, y, {}});
    const auto outcome =
        fit_table(table, {.model = "mlp",
                          .options = {{"layers", "20"}, {"activation", "tanh"}, {"l2", "0.001"}},
                          .task = Task::regression,
                          .target = "y"});
    double worst = 0;
    for (Index i = 0; i < 300; ++i)
      worst = std::max(worst, std::fabs(outcome.train.scores(i, 0) - y[static_cast<std::size_t>(i)]) / unit);
    EXPECT_LT(worst, 0.1) << unit;
  }
}

TEST(Mlp, OptionsThatMakeNoSenseAreRefused) {
  const auto message = [](const std::vector<std::pair<std::string, std::string>>& options) {
    try {
      fit_table(xor_table(), {.model = "mlp", .options = options});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      return error.message();
    }
    return std::string("accepted");
  };
  for (const char* layers : {"", ",", "3,", "-1", "2,0", "x", "1.5"})
    EXPECT_NE(message({{"layers", layers}}).find("`layers`: expected"), std::string::npos) << layers;
  EXPECT_NE(message({{"batch-size", "3"}}).find("`batch_size` is for `solver` sgd"), std::string::npos);
  EXPECT_NE(message({{"solver", "sgd"}, {"max-iter", "3"}}).find("`max_iter` is for"), std::string::npos);
  EXPECT_NE(message({{"patience", "3"}}).find("`patience` is for `early_stopping`"), std::string::npos);
}

// ---- the shape

TEST(Network, ScoresAreThoseOfTheFormulaForDenseAndSparseRows) {
  Network network;
  network.layers = {{Matrix{{1.0, -2.0}, {0.5, 1.0}}, Vector{{0.25, -1.0}}, UnitKind::tanh},
                    {Matrix{{3.0, -1.0}}, Vector{{0.5}}, UnitKind::linear}};
  network.center = Vector{{1.0, 2.0}};
  network.scale = Vector{{2.0, 4.0}};
  const Table table = make_table({{3.0, 0.0}, {0.0, 10.0}}, {"a", "b"});
  for (const Features& x : {table.x, as_sparse(table).x}) {
    const Matrix scores = scores_of(Predictor(network), rows_of(x, 0, 2));
    EXPECT_NEAR(scores(0, 0), 3 * std::tanh(1 + 1 + 0.25) - std::tanh(0.5 - 0.5 - 1) + 0.5, 1e-14);
    EXPECT_NEAR(scores(1, 0), 3 * std::tanh(-0.5 - 4 + 0.25) - std::tanh(-0.25 + 2 - 1) + 0.5, 1e-14);
  }
}

}  // namespace
}  // namespace discern::mlp_test
