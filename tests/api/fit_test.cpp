#include "discern/api/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "discern/base/threads.hpp"
#include "discern/catalogue/models.hpp"
#include "tests/api/problems.hpp"
#include "tests/support/fitting.hpp"

namespace discern::api_fit_test {
namespace {

using api_test::gaussian_problem;
using api_test::refusal;
using api_test::Sample;
using RowMajorDouble = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const std::vector<ModelOptions> every_model{LeastSquares{},
                                            HoKashyap{.max_iter = 50},
                                            Logistic{},
                                            Svm{},
                                            Perceptron{.epochs = 20},
                                            KernelPerceptron{.epochs = 5},
                                            Lda{},
                                            Qda{},
                                            Fisher{},
                                            NaiveBayes{},
                                            Mlp{.layers = "4", .max_iter = 30},
                                            RbfNetwork{.centers = 5}};

TEST(Fit, OfEveryModelIsThatOfTheCatalogue) {
  const Sample sample = gaussian_problem();
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (Index i = 0; i < sample.x.rows(); ++i) {
    rows.emplace_back();
    for (Index j = 0; j < sample.x.cols(); ++j) rows.back().push_back(sample.x(i, j));
    labels.push_back(std::to_string(sample.y[static_cast<std::size_t>(i)]));
  }
  const Table table = support::make_table(rows, labels, {});
  ASSERT_EQ(every_model.size(), std::variant_size_v<ModelOptions>);
  for (const ModelOptions& options : every_model) {
    const FittedModel model = fit(options, sample.x, sample.y);
    FitSettings settings;
    settings.options = options;
    settings.target = "class";
    const FitOutcome expected = fit_model(table, settings);
    EXPECT_EQ(model.scores(sample.x), Eigen::MatrixXd(expected.train.scores)) << model.name();
    EXPECT_EQ(model.options(), expected.model.options) << model.name();
    EXPECT_EQ(model.converged(), expected.model.summary.converged) << model.name();
    EXPECT_EQ(model.certificate().value, expected.model.summary.certificate.value) << model.name();
  }
}

TEST(Fit, HasTheSameBitsWhateverTheLayoutOfTheMatrix) {
  const Sample sample = gaussian_problem();
  const RowMajorDouble rows = sample.x;
  const Eigen::MatrixXd scores = fit(Logistic{}, sample.x, sample.y).scores(sample.x);
  EXPECT_EQ(fit(Logistic{}, rows, sample.y).scores(rows), scores);
  const std::vector<double> values(rows.data(), rows.data() + rows.size());
  const FittedModel spanned = fit(Logistic{}, {values, rows.rows(), rows.cols()}, sample.y);
  EXPECT_EQ(spanned.scores({values, rows.rows(), rows.cols()}), scores);
  EXPECT_EQ(fit(Logistic{}, sample.x, sample.y, {.threads = 3}).scores(sample.x), scores);
}

TEST(Fit, OfCsrIsThatOfTheSameMatrixDense) {
  Sample sample = gaussian_problem();
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < sample.x.rows(); ++i) {
    for (Index j = 0; j < sample.x.cols(); ++j) {
      if ((i + j) % 3 == 0) sample.x(i, j) = 0;
      if (sample.x(i, j) == 0) continue;
      columns.push_back(static_cast<std::int32_t>(j));
      values.push_back(sample.x(i, j));
    }
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  const MatrixView csr = MatrixView::csr(sample.x.cols(), starts, columns, values);
  const FittedModel dense = fit(Logistic{}, sample.x, sample.y), sparse = fit(Logistic{}, csr, sample.y);
  EXPECT_LT((sparse.weights() - dense.weights()).norm(), 1e-9 * dense.weights().norm());
  EXPECT_LT((sparse.scores(csr) - dense.scores(sample.x)).norm(), 1e-8);
}

TEST(Fit, NamesClassesAfterTheirLabels) {
  const Sample sample = gaussian_problem(90, 3, 3);
  const FittedModel numbers = fit(Lda{}, sample.x, sample.y);
  EXPECT_EQ(numbers.classes(), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(numbers.positive(), "");
  const std::vector<std::int64_t> integers = numbers.integer_labels(sample.x);
  const std::vector<std::string> texts = numbers.labels(sample.x);
  const std::vector<std::int32_t> indices = numbers.label_indices(sample.x);
  int right = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(texts[i], std::to_string(integers[i]));
    EXPECT_EQ(indices[i], integers[i]);
    right += integers[i] == sample.y[i] ? 1 : 0;
  }
  EXPECT_GT(right, 50);  // chance would be 30
  std::vector<bool> truth;
  for (const int label : sample.y) truth.push_back(label == 0);
  const FittedModel booleans = fit(Lda{}, sample.x, truth);
  EXPECT_EQ(booleans.classes(), (std::vector<std::string>{"false", "true"}));
  EXPECT_EQ(booleans.positive(), "true");
  EXPECT_EQ(refusal([&] { booleans.integer_labels(sample.x); }),
            "the label 'false' is not an integer; labels() gives texts");
}

TEST(Fit, OfRegressionSolvesLeastSquares) {
  const Sample sample = gaussian_problem(60, 3);
  const Eigen::Vector3d w(1, -2, 0.5);
  const Eigen::VectorXd y = (sample.x * w).array() + 4;
  const FittedModel model = fit_regression(LeastSquares{}, sample.x, y);
  EXPECT_EQ(model.task(), Task::regression);
  EXPECT_TRUE(model.converged());
  EXPECT_LT((model.weights().row(0).transpose() - w).norm(), 1e-12);
  EXPECT_NEAR(model.bias()[0], 4, 1e-11);
  EXPECT_LT((model.predictions(sample.x) - y).norm(), 1e-11);
  EXPECT_EQ(refusal([&] { model.labels(sample.x); }),
            "the model is a regression: it has predictions, no labels or probabilities");
  EXPECT_EQ(refusal([&] { fit_regression(Logistic{}, sample.x, y); }),
            "'logistic' is a classifier; for `task` regression take least-squares or mlp");
}

TEST(Fit, WithWeightsIsThatOfRepeatedRows) {
  const Sample sample = gaussian_problem(40, 3);
  FitOptions options{.sample_weight = std::vector<double>(40, 1.0)};
  options.sample_weight[3] = 2;
  options.sample_weight[4] = 0;
  Sample repeated{Eigen::MatrixXd(40, 3), sample.y};
  repeated.x = sample.x;
  repeated.x.row(4) = sample.x.row(3);
  repeated.y[4] = sample.y[3];
  const FittedModel weighted = fit(Logistic{}, sample.x, sample.y, options);
  const FittedModel twice = fit(Logistic{}, repeated.x, repeated.y);
  EXPECT_LT((weighted.weights() - twice.weights()).norm(), 1e-9);
  options.sample_weight.pop_back();
  EXPECT_EQ(refusal([&] { fit(Logistic{}, sample.x, sample.y, options); }),
            "found 39 sample weights, expected 40, one per row");
}

TEST(Fit, HonoursWhatSurroundsTheModel) {
  const Sample sample = gaussian_problem();
  const FittedModel plain = fit(Logistic{}, sample.x, sample.y);
  EXPECT_EQ(plain.feature_names(), (std::vector<std::string>{"x1", "x2", "x3", "x4"}));
  const FittedModel other =
      fit(Logistic{}, sample.x, sample.y,
          {.feature_names = {"a", "b", "c", "d"}, .positive = "0", .standardize = true});
  EXPECT_EQ(other.positive(), "0");
  EXPECT_EQ(other.columns(), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_LT(other.weights()(0, 0) * plain.weights()(0, 0), 0);
  EXPECT_EQ(other.probabilities(sample.x).cols(), 2);
  EXPECT_GT((other.weights() + plain.weights()).norm(), 1e-4);  // another scale of the penalty
  const FittedModel squares = fit(Lda{}, sample.x, sample.y, {.basis = "powers:2"});
  EXPECT_EQ(squares.feature_names().size(), 8u);
  EXPECT_EQ(squares.labels(sample.x).size(), sample.y.size());
  const FittedModel calibrated =
      fit(Svm{}, sample.x, sample.y, {.multiclass = {.calibrate = CalibrationKind::platt}});
  EXPECT_TRUE(calibrated.has_probabilities());
  const FittedModel careful = fit(Logistic{}, sample.x, sample.y, {.decision = {.threshold = 1.0}});
  for (const std::string& label : careful.labels(sample.x)) EXPECT_EQ(label, "0");
}

TEST(Fit, FillsInMissingNumbersOnlyWhenAsked) {
  Sample sample = gaussian_problem();
  sample.x(7, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { fit(Lda{}, sample.x, sample.y); }),
            "column 'x3': row 8: found nan, expected a number; `impute` fills in what is missing");
  const FittedModel model = fit(Lda{}, sample.x, sample.y, {.impute = true});
  EXPECT_TRUE(model.scores(sample.x).allFinite());
  std::vector<double> third;
  for (Index i = 0; i < sample.x.rows(); ++i)
    if (i != 7) third.push_back(sample.x(i, 2));
  std::nth_element(third.begin(), third.begin() + 74, third.end());
  Eigen::MatrixXd filled = sample.x;
  filled(7, 2) = third[74];  // the median of 149
  EXPECT_EQ(model.scores(sample.x), model.scores(filled));
  EXPECT_EQ(fit(Lda{}, filled, sample.y).weights(), model.weights());
}

// The scores of a linear model without steps before it tell of such cells, even where every weight is zero.
TEST(Fit, PredictionsNameTheCellThatIsNotFinite) {
  const Sample sample = gaussian_problem();
  for (const double strength : {0.0, 1e6}) {
    const FittedModel model = fit(Logistic{.l1 = strength, .l2 = 1}, sample.x, sample.y);
    EXPECT_EQ(model.weights().norm() == 0, strength > 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [odd, said] : {std::pair{nan, "nan"}, std::pair{-infinity, "infinity"}}) {
      Eigen::MatrixXd x = sample.x;
      x(7, 2) = odd;
      const auto starts = [&, said = std::string("column 'x3': row 8: found ") + said](const auto& ask) {
        return refusal(ask).starts_with(said);
      };
      EXPECT_TRUE(starts([&] { model.probabilities(x); }));
      EXPECT_TRUE(starts([&] { model.scores(x); }));
      EXPECT_TRUE(starts([&] { model.label_indices(x); }));
      EXPECT_TRUE(starts([&] { model.labels(Eigen::MatrixXf(x.cast<float>())); }));
    }
  }
  const FittedModel model = fit(Logistic{}, sample.x, sample.y);
  Eigen::MatrixXd x = sample.x;
  x.row(9).setConstant(std::numeric_limits<double>::max());
  EXPECT_TRUE(refusal([&] { model.scores(x); }).starts_with("row 10: the values are so large"));
}

TEST(Fit, ReportsHowItEnded) {
  const Sample sample = gaussian_problem();
  const FittedModel good = fit(Logistic{}, sample.x, sample.y);
  EXPECT_TRUE(good.converged());
  EXPECT_LE(good.certificate().value, good.tolerance());
  EXPECT_GT(good.objective().value(), 0);
  EXPECT_GT(good.iterations(), 0);
  EXPECT_EQ(good.solver(), "newton");
  EXPECT_TRUE(good.warnings().empty());
  EXPECT_EQ(good.samples(), 150);
  const FittedModel bad = fit(Logistic{.solver = Solver::gd, .max_iter = 2}, sample.x, sample.y);
  EXPECT_FALSE(bad.converged());
  EXPECT_EQ(bad.iterations(), 2);
  ASSERT_EQ(bad.warnings().size(), 1u);
  EXPECT_NE(bad.warnings()[0].find("raise `max_iter` or `tol`"), std::string::npos) << bad.warnings()[0];
  std::ostringstream text;
  text << Certificate{"relative-gradient-norm", 0.0123};
  EXPECT_EQ(text.str(), "relative gradient norm 0.012");
}

TEST(Fit, GivesCoefficientsWithStandardErrorsWhenAsked) {
  const Sample sample = gaussian_problem(200, 2);
  const FittedModel model =
      fit(Logistic{.l2 = 0}, sample.x, sample.y, {.inference = {.intervals = Intervals::wald}});
  const std::vector<Coefficient> list = model.coefficients();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].feature, "(bias)");
  EXPECT_EQ(list[2].feature, "x2");
  EXPECT_NEAR(list[2].estimate, model.weights()(0, 1), 1e-9);
  EXPECT_NEAR(list[2].statistic, list[2].estimate / list[2].error, 1e-12);
  EXPECT_NEAR(list[2].high - list[2].estimate, 1.959964 * list[2].error, 1e-5 * list[2].error);
  EXPECT_LT(list[2].p, 1e-6);
  EXPECT_EQ(refusal([&] { fit(Lda{}, sample.x, sample.y).coefficients(); }),
            "the fit was not asked for `inference`, or the model has none");
  const FittedModel penalised =
      fit(Logistic{}, sample.x, sample.y, {.inference = {.intervals = Intervals::wald}});
  EXPECT_NE(refusal([&] { penalised.coefficients(); }).find("no standard errors: "), std::string::npos);
}

TEST(Fit, RefusesOptionsOutOfTheirRangeByTheNamesOfTheMembers) {
  const Sample sample = gaussian_problem();
  const auto message = [&](const ModelOptions& options) {
    return refusal([&] { fit(options, sample.x, sample.y); });
  };
  EXPECT_EQ(message(Logistic{.l2 = -1}), "`l2`: expected a number, 0 or more, got '-1'");
  EXPECT_EQ(message(Logistic{.max_iter = 0}), "`max_iter`: expected a whole number, 1 or more, got '0'");
  EXPECT_EQ(message(Logistic{.tol = std::nan("")}), "`tol`: expected a number, got 'nan'");
  EXPECT_EQ(message(Logistic{.no_bias = true, .penalize_bias = true}),
            "`no_bias` and `penalize_bias` exclude each other");
  EXPECT_EQ(message(Lda{.shrinkage = "much"}),
            "`shrinkage`: expected none, a number from 0 to 1, ledoit-wolf or oas, got 'much'");
  EXPECT_EQ(refusal([&] { fit(Lda{}, sample.x, sample.y, {.multiclass = {.calibration_folds = 1}}); }),
            "`calibration_folds`: expected a whole number, 2 to 1000, got '1'");
}

TEST(Fit, RefusesDataThatDoNotFitTogether) {
  const Sample sample = gaussian_problem(20, 3);
  const std::vector<int> few(19), same(20, 1);
  EXPECT_EQ(refusal([&] { fit(Lda{}, sample.x, few); }), "found 19 labels, expected 20, one per row");
  EXPECT_NE(refusal([&] { fit(Lda{}, sample.x, same); }).find("all rows have the label '1'"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { fit_regression(LeastSquares{}, sample.x, std::vector<double>(19)); }),
            "found 19 targets, expected 20, one per row");
  EXPECT_EQ(refusal([&] { fit(Lda{}, sample.x, sample.y, {.feature_names = {"a"}}); }),
            "`feature_names`: found 1 names, expected 3, one per column");
  EXPECT_EQ(refusal([&] { fit(Lda{}, Eigen::MatrixXd(0, 3), std::vector<int>{}); }), "the table has no rows");
  const FittedModel model = fit(Lda{}, sample.x, sample.y);
  EXPECT_EQ(refusal([&] { model.scores(sample.x.leftCols(2)); }),
            "found 2 columns, expected the 3 of the fit");
  EXPECT_EQ(refusal([&] { model.predictions(sample.x); }),
            "the model is a classifier: it has labels and scores, no predictions");
  EXPECT_EQ(refusal([&] { fit(Svm{}, sample.x, sample.y).probabilities(sample.x); }),
            "the model svm has no probabilities; `calibrate` gives it some");
  EXPECT_EQ(refusal([&] { fit(Qda{}, sample.x, sample.y).weights(); }),
            "the model qda is not linear: it has no weights");
}

TEST(Fit, EndsWithTheModelSoFarWhenTheMonitorSaysNo) {
  const Sample sample = gaussian_problem(400, 4);
  int calls = 0;
  const FittedModel model =
      fit(Logistic{.solver = Solver::gd, .tol = 0}, sample.x, sample.y,
          {.threads = 1, .monitor = [&](const Progress& p) { return !p.iterative || ++calls < 5; }});
  EXPECT_TRUE(model.interrupted());
  EXPECT_FALSE(model.converged());
  EXPECT_GE(calls, 5);
  EXPECT_TRUE(model.scores(sample.x).allFinite());
}

TEST(FittedModel, TakesAnotherDecisionRule) {
  const Sample sample = gaussian_problem();
  const FittedModel model = fit(Logistic{}, sample.x, sample.y);
  const FittedModel careful = model.with_decision({.threshold = 0.9});
  const Eigen::MatrixXd p = model.probabilities(sample.x);
  const std::vector<std::string> labels = careful.labels(sample.x);
  int changed = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double positive = p(static_cast<Index>(i), 1);
    EXPECT_EQ(labels[i], positive >= 0.9 ? "1" : "0") << i;
    changed += positive >= 0.5 && positive < 0.9 ? 1 : 0;
  }
  EXPECT_GT(changed, 0);
  EXPECT_EQ(model.with_decision({}).labels(sample.x), model.labels(sample.x));
  EXPECT_NE(refusal([&] {
              fit(Svm{}, sample.x, sample.y).with_decision({.threshold = 0.9});
            }).find("`threshold`: the model svm has no probabilities to decide by"),
            std::string::npos);
}

TEST(FittedModel, SavedAndLoadedPredictsTheSame) {
  const Sample sample = gaussian_problem(90, 3, 3);
  const auto path = std::filesystem::temp_directory_path() / "discern_api_fit_test.model";
  for (const ModelOptions& options : every_model) {
    const FittedModel model = fit(options, sample.x, sample.y);
    model.save(path.string());
    const FittedModel again = load(path.string());
    EXPECT_EQ(again.name(), model.name());
    EXPECT_EQ(again.scores(sample.x), model.scores(sample.x)) << model.name();
    EXPECT_EQ(from_bytes(model.to_bytes()).labels(sample.x), model.labels(sample.x)) << model.name();
  }
  std::filesystem::remove(path);
  EXPECT_NE(refusal([&] { load(path.string()); }).find("discern_api_fit_test.model"), std::string::npos);
}

TEST(Fit, GoesOnFromStatisticsAsTheFitOfAllRows) {
  const Sample sample = gaussian_problem();
  const Eigen::MatrixXd first = sample.x.topRows(80), rest = sample.x.bottomRows(70);
  const std::vector<int> y1(sample.y.begin(), sample.y.begin() + 80),
      y2(sample.y.begin() + 80, sample.y.end());
  const FittedModel half = fit(Lda{}, first, y1, {.keep_statistics = true});
  const FittedModel both = fit(Lda{}, rest, y2, {.start = half.shared()});
  EXPECT_EQ(both.samples(), 150);
  EXPECT_TRUE(both.scores(sample.x).isApprox(fit(Lda{}, sample.x, sample.y).scores(sample.x), 1e-9));
}

TEST(Fit, StartsAtTheWeightsOfAModelWithoutStatistics) {
  const Sample sample = gaussian_problem();
  const FittedModel cold = fit(Logistic{.solver = Solver::lbfgs}, sample.x, sample.y);
  const FittedModel warm =
      fit(Logistic{.solver = Solver::lbfgs}, sample.x, sample.y, {.start = cold.shared()});
  EXPECT_LT(warm.iterations(), cold.iterations());
  EXPECT_TRUE(warm.converged());
}

}  // namespace
}  // namespace discern::api_fit_test
