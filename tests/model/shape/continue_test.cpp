// Fits that go on with more rows: what was kept of the first rows and the new ones give the fit of all rows.
// Sums are taken in another order than in one fit, so the models agree to rounding (1e-12 of the weights),
// not to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/generate.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::continue_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_table;
using support::make_table;
using support::read_for;
using support::Request;

// Rows from `first` to before `last` of a dense table, with only the levels of the target that they have.
Table part_of(const Table& table, Index first, Index last) {
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (Index i = first; i < last; ++i) {
    const double* row = x.values.data() + i * x.cols;
    rows.emplace_back(row, row + x.cols);
    labels.push_back(
        table.side[0].levels[static_cast<std::size_t>(table.side[0].values[static_cast<std::size_t>(i)])]);
  }
  return make_table(rows, labels);
}

Table generated(const char* shape, Index rows, Index features, Index classes) {
  GenerateOptions options;
  options.shape = shape;
  options.rows = rows;
  options.features = features;
  options.classes = classes;
  options.seed = 4;
  return generate(options);
}

FitOutcome go_on(const Model& before, const Table& table) { return fit_model(table, settings_of(before)); }

Matrix all_numbers(const Model& model) {
  if (const auto* quadratic = std::get_if<Quadratic>(&model.predictor)) {
    Matrix all(quadratic->scores(), quadratic->features() * (quadratic->features() + 1) + 1);
    for (Index k = 0; k < all.rows(); ++k) {
      const Matrix& whiten = quadratic->whiten[static_cast<std::size_t>(k)];
      all.row(k) << quadratic->means.row(k),
          Eigen::Map<const Eigen::RowVectorXd>(whiten.data(), whiten.size()), quadratic->bias[k];
    }
    return all;
  }
  if (const auto* additive = std::get_if<Additive>(&model.predictor)) {
    Matrix all(additive->scores(), 3 * additive->features() + 1);
    all << additive->means, additive->precision, additive->weights, additive->bias;
    return all;
  }
  const auto& linear = std::get<Linear>(model.predictor);
  Matrix all(linear.scores(), linear.features() + 1);
  all << linear.weights, linear.bias_at_origin();
  return all;
}

void expect_same(const Model& a, const Model& b, double tolerance) {
  const Matrix x = all_numbers(a), y = all_numbers(b);
  ASSERT_EQ(x.rows(), y.rows());
  ASSERT_EQ(x.cols(), y.cols());
  EXPECT_LT((x - y).cwiseAbs().maxCoeff(), tolerance * std::max(1.0, y.cwiseAbs().maxCoeff()));
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.summary.rank, b.summary.rank);
  EXPECT_EQ(a.summary.converged, b.summary.converged);
  EXPECT_EQ(a.summary.warnings, b.summary.warnings);
  ASSERT_EQ(a.priors.size(), b.priors.size());
  for (Index k = 0; k < a.priors.size(); ++k) EXPECT_NEAR(a.priors[k], b.priors[k], 1e-15);
  ASSERT_EQ(a.summary.objective.has_value(), b.summary.objective.has_value());
  const double objective = b.summary.objective.value_or(0);
  EXPECT_NEAR(a.summary.objective.value_or(0), objective, 1e-10 * objective);
}

struct Case {
  std::string name, model;
  std::vector<std::pair<std::string, std::string>> options = {};
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class Continued : public ::testing::TestWithParam<Case> {
 protected:
  Request request(bool keep) const {
    Request request{.model = GetParam().model, .options = GetParam().options};
    request.keep_statistics = keep;
    return request;
  }
};

// Model files of earlier versions have the number 0 for what is a word now.
TEST(Continue, OptionsOfEarlierFilesGoOn) {
  const Table all = generated("gaussians", 60, 3, 2);
  for (const auto& [name, option] :
       {std::pair<std::string, std::string>{"naive-bayes", "bandwidth"}, {"fisher", "principal"}}) {
    Request request{.model = name};
    request.keep_statistics = true;
    Model model = fit_table(part_of(all, 0, 30), request).model;
    for (auto& [key, value] : model.options)
      if (key == option) value = "0";
    model = model_from_bytes(model_to_bytes(model));
    request.keep_statistics = false;
    expect_same(go_on(model, part_of(all, 30, 60)).model, fit_table(all, request).model, 1e-12);
  }
}

TEST_P(Continued, OverThreePartsAndTheFileIsTheFitOfAllRows) {
  const Table all = generated("gaussians", 900, 5, 3);
  Model model = fit_table(part_of(all, 0, 250), request(true)).model;
  for (const auto& [first, last] : {std::pair<Index, Index>{250, 700}, {700, 900}}) {
    model = model_from_bytes(model_to_bytes(model));
    model = go_on(model, part_of(all, first, last)).model;
  }
  expect_same(model, fit_table(all, request(false)).model, 1e-12);
  EXPECT_EQ(model.summary.facts.back().name, "rows_before");
}

TEST_P(Continued, WithTwoClassesOfWhichTheFirstIsPositive) {
  const Table all = generated("gaussians", 400, 3, 2);
  Request keep = request(true), plain = request(false);
  keep.positive = plain.positive = "0";
  const Model model = go_on(fit_table(part_of(all, 0, 150), keep).model, part_of(all, 150, 400)).model;
  expect_same(model, fit_table(all, plain).model, 1e-12);
}

// Where centring about the first rows would show: the others lie far off, and miss a class.
TEST_P(Continued, WithRowsElsewhereAndOfOneClass) {
  Table all = generated("gaussians", 300, 4, 2);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  const auto& x = std::get<DenseMatrix<double>>(all.x);
  for (Index i = 0; i < 300; ++i) {
    const double shift = i < 200 ? 0 : 1000;
    rows.push_back({x.values.data()[4 * i] + shift, x.values.data()[4 * i + 1],
                    x.values.data()[4 * i + 2] - shift, x.values.data()[4 * i + 3]});
    labels.push_back(i >= 200 || all.side[0].values[static_cast<std::size_t>(i)] == 1 ? "b" : "a");
  }
  const Table whole = make_table(rows, labels);
  const Model model =
      go_on(fit_table(part_of(whole, 0, 200), request(true)).model, part_of(whole, 200, 300)).model;
  expect_same(model, fit_table(whole, request(false)).model, 1e-9);
}

TEST_P(Continued, GivesTheSameBitsOnOneAndTwoThreads) {
  const Table all = generated("gaussians", 900, 5, 3);
  std::vector<std::string> bytes;
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      bytes.push_back(model_to_bytes(
          go_on(fit_table(part_of(all, 0, 400), request(true)).model, part_of(all, 400, 900)).model));
    });
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST_P(Continued, OfAModelThatWasNotAskedForStatisticsIsRefused) {
  const Table all = generated("gaussians", 100, 3, 2);
  const FitOutcome outcome = fit_table(all, request(false));
  EXPECT_TRUE(outcome.model.statistics.empty());
  try {
    settings_of(outcome.model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "`continue`: the model has no statistics to go on from; fit it with `keep_statistics`");
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Continued,
                         ::testing::Values(Case{"lda", "lda"}, Case{"lda_oas", "lda", {{"shrinkage", "oas"}}},
                                           Case{"qda", "qda"},
                                           Case{"qda_pooled", "qda", {{"pooling", "0.3"}}},
                                           Case{"fisher", "fisher"}, Case{"naive_bayes", "naive-bayes"},
                                           Case{"least_squares", "least-squares"}, Case{"ridge", "ridge"},
                                           Case{"no_bias", "least-squares", {{"no-bias", "true"}}},
                                           Case{"shrinkage", "least-squares", {{"shrinkage", "0.2"}}}),
                         [](const auto& one) { return one.param.name; });

std::string refusal(const Request& request) {
  try {
    fit_table(generated("gaussians", 100, 3, 2), request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    return error.what();
  }
  return "no error";
}

TEST(Continue, ModelsThatCannotSaySo) {
  Request request{.model = "logistic"};
  request.keep_statistics = true;
  EXPECT_EQ(refusal(request),
            "the model logistic leaves no statistics to continue from: its fit needs all rows again; those "
            "that do are "
            "least-squares, lda, qda, fisher, naive-bayes");
  request.model = "lasso";
  EXPECT_NE(refusal(request).find("only the closed form of least-squares"), std::string::npos);
  request.model = "lda";
  request.options = {{"shrinkage", "ledoit-wolf"}};
  EXPECT_NE(refusal(request).find("ledoit-wolf needs all rows at once"), std::string::npos);
  request.model = "naive-bayes";
  request.options = {{"density", "kde"}};
  EXPECT_NE(refusal(request).find("a kernel density keeps all its points"), std::string::npos);
  request.model = "least-squares";
  request.options = {{"targets", "fisher"}};
  EXPECT_NE(refusal(request).find("`targets` fisher leaves no statistics"), std::string::npos);
}

TEST(Continue, SparseCountsOfNaiveBayesAndARegressionGoOn) {
  const Table words = generated("sparse", 400, 50, 3);
  const auto& x = std::get<SparseMatrix<float>>(words.x);
  const auto part = [&](Index first, Index last) {
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    for (Index i = first; i < last; ++i) {
      auto& row = rows.emplace_back(50, 0.0);
      for_each(x.view(i, 1).row(0), [&](Index j, double v) { row[static_cast<std::size_t>(j)] = v; });
      labels.push_back(
          words.side[0].levels[static_cast<std::size_t>(words.side[0].values[static_cast<std::size_t>(i)])]);
    }
    return as_sparse(make_table(rows, labels));
  };
  Request request{.model = "naive-bayes"};
  request.keep_statistics = true;
  const Model model = go_on(fit_table(part(0, 150), request).model, part(150, 400)).model;
  expect_same(model, fit_table(part(0, 400), request).model, 1e-12);

  Request line{.model = "least-squares", .task = Task::regression, .target = "y"};
  line.keep_statistics = true;
  const auto points = [](Index first, Index last) {
    std::vector<std::vector<double>> rows;
    SideColumn y{"y", false, {}, {}, {}};
    std::vector<std::string> labels;
    for (Index i = first; i < last; ++i) {
      const auto t = static_cast<double>(i);
      rows.push_back({t, std::sin(t)});
      labels.emplace_back("a");
      y.values.push_back(3 * t - 2 * std::sin(t) + 1 + std::cos(7 * t));
    }
    Table table = make_table(rows, labels);
    table.side = {y};
    return table;
  };
  const Model regression = go_on(fit_table(points(0, 20), line).model, points(20, 60)).model;
  expect_same(regression, fit_table(points(0, 60), line).model, 1e-12);
}

TEST(Continue, ANewClassOrCategoryIsRefusedByItsLine) {
  Request request{.model = "lda"};
  request.keep_statistics = true;
  const Model model = fit_table(make_table({{0}, {1}, {2}, {4}}, {"a", "a", "b", "b"}), request).model;
  try {
    go_on(model, make_table({{0}, {1}}, {"a", "c"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.message(), "found the label 'c', expected one of those in training: a, b");
  }
}

// A file may hold anything; what a fit goes on from must be finite.
TEST(Continue, StatisticsThatAreNotFiniteAreRefused) {
  Request request{.model = "lda"};
  request.keep_statistics = true;
  Model model = fit_table(generated("gaussians", 60, 3, 2), request).model;
  for (Statistic& one : model.statistics)
    if (one.name == "means") one.values[2] = std::numeric_limits<double>::infinity();
  try {
    go_on(model_from_bytes(model_to_bytes(model)), generated("gaussians", 60, 3, 2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::model);
    EXPECT_EQ(error.message(), "the statistic 'means' holds inf, expected finite numbers");
  }
}

TEST(Continue, IsForOneMachine) {
  support::Request request;
  request.model = "lda";
  request.keep_statistics = true;
  for (const auto& [name, value] : {std::pair("multiclass", "ovr"), std::pair("calibrate", "platt")}) {
    request.options = {{name, value}};
    EXPECT_THROW(support::fit_file(support::data_file("iris.csv"), request), Error) << name;
  }
}

}  // namespace
}  // namespace discern::continue_test
