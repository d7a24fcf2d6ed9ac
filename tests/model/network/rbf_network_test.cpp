// RBF networks, and forward selection by orthogonal least squares.
#include "discern/model/network/rbf_network.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/model/network/orthogonal_least_squares.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::rbf_network_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;

double fact(const Summary& summary, const std::string& name) {
  for (const Fact& one : summary.facts)
    if (one.name == name) return std::get<double>(one.value);
  ADD_FAILURE() << name;
  return 0;
}

double accuracy(const FitOutcome& outcome) {
  double right = 0;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i)
    right += outcome.train.labels[i] == outcome.train_labels[i] ? 1 : 0;
  return right / static_cast<double>(outcome.train_labels.size());
}

// ---- orthogonal least squares

Eigen::MatrixXd random_matrix(Random& random, Index rows, Index cols) {
  Eigen::MatrixXd m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = random.normal();
  return m;
}

// The share of |y|^2 that least squares on these columns explains.
double explained(const Eigen::MatrixXd& p, const Eigen::MatrixXd& y, const std::vector<Index>& columns) {
  Eigen::MatrixXd a(p.rows(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) a.col(static_cast<Index>(k)) = p.col(columns[k]);
  return 1 - (y - a * a.householderQr().solve(y)).squaredNorm() / y.squaredNorm();
}

TEST(ForwardSelection, IsGreedyByBruteForceAndItsRatiosAddUpToWhatIsExplained) {
  Random random(1);
  const Eigen::MatrixXd mixing = random_matrix(random, 12, 12);
  const Eigen::MatrixXd p = random_matrix(random, 80, 12) * mixing;
  const Eigen::MatrixXd y = p * random_matrix(random, 12, 2) + 5 * random_matrix(random, 80, 2);
  Eigen::MatrixXd left = p;
  const ForwardSelection selected = select_forward(left, y, 8);
  ASSERT_EQ(selected.columns.size(), 8U);
  std::vector<Index> chosen;
  double sum = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    Index best = -1;
    double most = -1;
    for (Index j = 0; j < 12; ++j) {
      if (std::find(chosen.begin(), chosen.end(), j) != chosen.end()) continue;
      auto with = chosen;
      with.push_back(j);
      if (const double share = explained(p, y, with); share > most) {
        most = share;
        best = j;
      }
    }
    chosen.push_back(best);
    sum += selected.ratios[k];
    EXPECT_EQ(selected.columns[k], best);
    EXPECT_NEAR(sum, most, 1e-12);
  }
}

TEST(ForwardSelection, StopsWhereTheRestIsDependent) {
  Random random(2);
  Eigen::MatrixXd p(50, 6);
  p.leftCols(3) = random_matrix(random, 50, 3);
  p.rightCols(3) = p.leftCols(3) * random_matrix(random, 3, 3);
  const Eigen::MatrixXd y = random_matrix(random, 50, 1);
  EXPECT_EQ(select_forward(p, y, 6).columns.size(), 3U);
}

TEST(RbfNetwork, ByOrthogonalLeastSquaresExplainsWhatItsRatiosSay) {
  Random random(3);
  std::vector<std::vector<double>> rows;
  std::vector<double> targets;
  for (int i = 0; i < 200; ++i) {
    rows.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
    targets.push_back(std::sin(rows.back()[0]) * std::cos(rows.back()[1]) + 0.05 * random.normal());
  }
  Table table = make_table(rows, std::vector<std::string>(200, "a"));
  table.side = {{"y", false, {}, targets, {}}};
  const auto outcome = fit_table(table, {.model = "rbf-network",
                                         .options = {{"placement", "ols"}, {"centers", "25"}, {"l2", "0"}},
                                         .task = Task::regression,
                                         .target = "y"});
  double mean = 0, total = 0, error = 0;
  for (const double y : targets) mean += y / 200;
  for (std::size_t i = 0; i < 200; ++i) {
    total += std::pow(targets[i] - mean, 2);
    error += std::pow(targets[i] - outcome.train.scores(static_cast<Index>(i), 0), 2);
  }
  EXPECT_NEAR(fact(outcome.model.summary, "explained"), 1 - error / total, 1e-9);
  EXPECT_GT(1 - error / total, 0.98);
  // Its centres are rows of the data.
  const auto& basis = std::get<Radial>(outcome.model.pipeline.steps().back());
  for (Index k = 0; k < basis.units(); ++k) {
    double nearest = 1;
    for (const auto& row : rows)
      nearest = std::min(nearest, std::hypot(row[0] - basis.centers(k, 0), row[1] - basis.centers(k, 1)));
    EXPECT_LT(nearest, 1e-12);
  }
}

// ---- the lecture's XOR: exp(-|x - c|^2) at (1, 1) and (0, 0)

TEST(RbfNetwork, SolvesXorWithTwoCentresAsInTheLecture) {
  const Table table = make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {"0", "1", "1", "0"});
  Targets targets;
  targets.labels = {0, 1, 1, 0};
  const MemorySource source(table.x, targets);
  Training training{source, Task::classification, 2, false, {}, {"0", "1"}, {}, 0, {}};
  Radial units;
  units.centers = RowMajor{{1.0, 1.0}, {0.0, 0.0}};
  units.scale = {1.0, 1.0};
  units.widths = {std::sqrt(0.5), std::sqrt(0.5)};
  RbfNetwork options;
  options.centers = 2;
  options.l2 = 0;
  const Fitted fitted = fit_outputs(options, units, training);

  const auto& basis = std::get<Radial>(*fitted.basis);
  Workspace made;
  const Rows rows = basis.apply(rows_of(table.x, 0, 4), made);
  const double* y = std::get<DenseRows<double>>(rows).values;
  const double e1 = std::exp(-1.0), e2 = std::exp(-2.0);
  const double lecture[] = {e2, 1, e1, e1, e1, e1, 1, e2};
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(y[k], lecture[k], 1e-15);
  // w (1 + e^-2) + b = -1 and 2 w e^-1 + b = 1.
  const double w = -2 / (1 + e2 - 2 * e1);
  const auto& linear = std::get<Linear>(fitted.predictor);
  EXPECT_NEAR(linear.weights(0, 0), w, 1e-12);
  EXPECT_NEAR(linear.weights(0, 1), w, 1e-12);
  EXPECT_NEAR(linear.bias_at_origin()[0], 1 - 2 * w * e1, 1e-12);
  const Matrix scores = scores_of(fitted.predictor, rows);
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(scores(i, 0), targets.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1, 1e-12);
}

// The monitor stops it while units are placed, at whatever moment: in the start of k-means, in its
// iterations, in those of EM, in the choice of units.
TEST(RbfNetwork, InterruptedItIsAModelOfTheUnitsSoFar) {
  const Request request{.model = "rbf-network"};
  const Table table = support::read_for(data_file("iris.csv"), request);
  FitSettings settings;
  settings.target = "class";
  settings.standardize = settings.encode = settings.impute = true;
  for (const char* placement : {"kmeans", "em", "ols"})
    for (const char* loss : {"squared", "logistic"})
      for (const int last : {8, 20, 60}) {
        settings.options = with_point(RbfNetwork{}, {{"placement", placement}, {"loss", loss}});
        int calls = 0;
        settings.monitor = [&](const Progress&) { return ++calls <= last; };
        const FitOutcome outcome = fit_model(table, settings);
        if (!outcome.model.summary.interrupted) continue;  // it was done by then
        EXPECT_FALSE(outcome.model.summary.converged);
        EXPECT_GT(accuracy(outcome), 0.6) << placement << " " << loss << " " << last;
      }
  int calls = 0;
  settings.options = with_point(RbfNetwork{}, {{"placement", "kmeans"}});
  settings.monitor = [&](const Progress&) { return ++calls <= 8; };
  EXPECT_TRUE(fit_model(table, settings).model.summary.interrupted);
}

// The same for the centres of a basis, whatever model stands behind it, and when they are there but the model
// has not begun: the weights are not those of nothing.
TEST(RbfBasis, InterruptedWhileOrAfterCentresArePlacedItIsAModelAllTheSame) {
  const Table table = support::read_for(data_file("iris.csv"), {.model = "lda"});
  for (const auto& entry : models()) {
    FitSettings settings;
    settings.options = entry.make(entry.name);
    settings.target = "class";
    settings.basis = "rbf:12:kmeans";
    settings.standardize = settings.encode = settings.impute = true;
    for (const int last : {1, 20, 1000}) {
      int placing = 0, after = 0;
      settings.monitor = [&](const Progress& progress) {
        const bool places = progress.stage == "placing centres";
        placing += places ? 1 : 0;
        after += places || placing == 0 ? 0 : 1;
        return placing <= last && after == 0;
      };
      const FitOutcome outcome = fit_model(table, settings);
      if (after > 0 || placing > last) {  // otherwise it never asked
        EXPECT_TRUE(outcome.model.summary.interrupted) << entry.name;
        EXPECT_FALSE(outcome.model.summary.converged) << entry.name;
      }
      EXPECT_GT(accuracy(outcome), 0.6) << entry.name << " " << last;
      settings.whole_or_nothing = true;
      placing = after = 0;
      if (last < 1000) {
        EXPECT_THROW(fit_model(table, settings), Error) << entry.name;
      }
      settings.whole_or_nothing = false;
    }
  }
}

// A step or two for each of three machines, which need hundreds to end.
TEST(RbfBasis, InterruptedWhileCentresArePlacedTheFitBehindThemEndsAfterItsFirstSteps) {
  const Table table = support::read_for(data_file("iris.csv"), {.model = "svm"});
  FitSettings settings;
  settings.options = with_point(Svm{}, {{"tol", "0"}, {"max-iter", "200"}});
  settings.target = "class";
  settings.basis = "rbf:12:kmeans";
  settings.standardize = settings.encode = settings.impute = true;
  const Index whole = fit_model(table, settings).model.summary.iterations;
  bool interrupted = false;
  settings.monitor = [&](const Progress& progress) {
    interrupted = interrupted || progress.stage == "placing centres";
    return !interrupted;
  };
  EXPECT_LE(fit_model(table, settings).model.summary.iterations, 6);
  EXPECT_TRUE(interrupted);
  EXPECT_GT(whole, 20);
}

TEST(RbfNetwork, LearnsWhatNoPlaneCan) {
  Random random(5);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 400; ++i) {
    const double radius = i % 2 == 0 ? random.uniform(0, 1) : random.uniform(1.5, 2.5);
    const auto [sine, cosine] = portable_sin_cos(random.uniform(0, 6.28));
    rows.push_back({1e5 * radius * sine, 1e-5 * radius * cosine});
    labels.emplace_back(i % 2 == 0 ? "in" : "out");
  }
  const Table table = make_table(rows, labels);
  for (const char* placement : {"random", "kmeans", "em", "ols"})
    for (const char* unit : {"gaussian", "inverse-quadratic"})
      for (const char* loss : {"squared", "logistic"}) {
        const auto outcome = fit_table(
            table, {.model = "rbf-network",
                    .options = {{"placement", placement}, {"unit", unit}, {"loss", loss}, {"l2", "0.01"}}});
        EXPECT_GT(accuracy(outcome), 0.98) << placement << ' ' << unit << ' ' << loss;
        EXPECT_TRUE(outcome.model.summary.converged);
        EXPECT_EQ(outcome.train.proba.size() > 0, std::string(loss) == "logistic");
      }
}

TEST(RbfNetwork, IsABasisOfTheSameUnitsWithRidgeBehindIt) {
  const auto network =
      fit_file(data_file("wine.csv"), {.model = "rbf-network", .options = {{"centers", "12"}}});
  const auto basis = fit_file(data_file("wine.csv"), {.model = "ridge", .basis = "rbf:12:kmeans"});
  EXPECT_LT((network.train.scores - basis.train.scores).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(RbfNetwork, SavesItsUnitsWithTheModel) {
  for (const char* unit : {"gaussian", "inverse-quadratic"}) {
    const Request request{.model = "rbf-network", .options = {{"unit", unit}, {"placement", "ols"}}};
    const auto outcome = fit_file(data_file("iris.csv"), request);
    const Model loaded = model_from_bytes(model_to_bytes(outcome.model));
    EXPECT_TRUE(predict(loaded, support::read_for(data_file("iris.csv"), request)).scores ==
                outcome.train.scores);
    EXPECT_EQ(loaded.pipeline.feature_name(0), "rbf1");
  }
}

TEST(RbfNetwork, HasNoMoreCentresThanRowsAndSaysSo) {
  const Table table = make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 1}}, {"0", "1", "1", "0", "0"});
  const auto outcome = fit_table(table, {.model = "rbf-network"});
  EXPECT_EQ(fact(outcome.model.summary, "centers"), 4);
  ASSERT_EQ(outcome.model.summary.warnings.size(), 1U);
  EXPECT_EQ(outcome.model.summary.warnings[0],
            "4 centres instead of 20: the data have no more different rows");
  EXPECT_EQ(accuracy(outcome), 1);
}

TEST(RbfNetwork, MistakesAreRefused) {
  const Table table = make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {"0", "1", "1", "0"});
  const auto refusal = [&](const std::vector<std::pair<std::string, std::string>>& options) -> std::string {
    try {
      fit_table(table, {.model = "rbf-network", .options = options});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(refusal({{"width", "wide"}}),
            "`width`: expected auto, neighbours, cluster or a number above 0, got 'wide'");
  EXPECT_EQ(refusal({{"placement", "ols"}, {"width", "cluster"}}),
            "`placement` ols needs the width first: expected `width` auto or a number, got 'cluster'");
}

TEST(RbfNetwork, WarnsOfAWidthThatMakesAllRowsAlike) {
  for (const char* width : {"1e-100", "1e100"}) {
    const auto outcome =
        fit_file(data_file("iris.csv"), {.model = "rbf-network", .options = {{"width", width}}});
    ASSERT_EQ(outcome.model.summary.warnings.size(), 1U);
    EXPECT_EQ(outcome.model.summary.warnings[0].find("no unit tells rows apart"), 0U);
  }
}

TEST(RbfNetwork, IsSavedWithFewerCentresThanItsBasisHasColumns) {
  const auto outcome = fit_file(data_file("iris.csv"),
                                {.model = "rbf-network", .options = {{"centers", "5"}}, .basis = "poly:3"});
  const Model loaded = model_from_bytes(model_to_bytes(outcome.model));
  EXPECT_EQ(feature_count(loaded.predictor), 5);
  EXPECT_EQ(loaded.pipeline.features(), 5);
}

TEST(RbfNetwork, WithNothingToExplainSaysSo) {
  Request request;
  request.model = "rbf-network";
  request.options = {{"placement", "ols"}};
  const Table table = support::make_table({{1, 7}, {1, 7}, {1, 7}}, {"p", "q", "p"});
  EXPECT_THROW(support::fit_table(table, request), Error);
}

}  // namespace
}  // namespace discern::rbf_network_test
