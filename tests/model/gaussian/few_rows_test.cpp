// Fits of fewer rows than features, which are made from the products of the rows, against those from the
// scatter of the features. A fit that keeps its statistics takes the scatter.
#include "discern/model/gaussian/few_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/class_moments.hpp"
#include "tests/support/fitting.hpp"

namespace discern::few_rows_test {
namespace {

using support::as_sparse;
using support::fit_table;
using support::make_table;
using support::Request;

struct Shape {
  int rows, columns, classes;
  bool weighted = false;
  bool hard = false;  // a constant column, one constant within the classes, one twice, and units far apart
};

Table table_of(const Shape& shape) {
  Random random(11);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
  for (int i = 0; i < shape.rows; ++i) {
    const int k = i % shape.classes;
    std::vector<double> row(static_cast<std::size_t>(shape.columns));
    for (double& v : row) v = random.normal();
    row[static_cast<std::size_t>(k)] += 3;
    if (shape.hard) {
      row[5] = 0.1;
      row[6] = k;
      row[7] = row[8];
      row[9] = 1e6 + 1e3 * row[9];
      row[10] *= 1e-4;
    }
    rows.push_back(row);
    labels.push_back(std::string(1, static_cast<char>('a' + k)));
    if (shape.weighted) weights.push_back(0.5 + random.uniform());
  }
  return make_table(rows, labels, weights);
}

Request request_of(const Shape& shape, const std::string& model,
                   std::vector<std::pair<std::string, std::string>> options) {
  Request request{.model = model, .options = std::move(options), .standardize = false};
  if (shape.weighted) request.weight = "weight";
  return request;
}

double distance(const Matrix& a, const Matrix& b) { return (a - b).norm() / std::max(b.norm(), 1e-300); }

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {20, 24, 2}, {20, 24, 3}, {21, 60, 3, true}, {20, 24, 3, false, true}, {30, 90, 4, true, true}};
  return all;
}

void expect_same(const FitOutcome& few, const FitOutcome& whole, const std::string& what) {
  const auto &a = std::get<Linear>(few.model.predictor), &b = std::get<Linear>(whole.model.predictor);
  EXPECT_LT(distance(a.weights, b.weights), 1e-9) << what;
  EXPECT_LT(distance(few.train.scores, whole.train.scores), 1e-9) << what;
  EXPECT_EQ(few.model.summary.rank, whole.model.summary.rank) << what;
  EXPECT_EQ(few.model.summary.warnings, whole.model.summary.warnings) << what;
  EXPECT_TRUE(few.model.summary.converged) << what << " " << few.model.summary.certificate.value;
}

TEST(FewRows, LdaIsThatOfTheScatter) {
  for (const Shape& shape : shapes())
    for (const char* shrinkage : {"none", "0.3", "1", "1e-4", "oas"})
      for (const bool sparse : {false, true}) {
        const Table table = sparse ? as_sparse(table_of(shape)) : table_of(shape);
        Request request = request_of(shape, "lda", {{"shrinkage", shrinkage}});
        const auto few = fit_table(table, request);
        request.keep_statistics = true;
        expect_same(few, fit_table(table, request),
                    std::string(shrinkage) + " " + std::to_string(shape.columns));
      }
}

TEST(FewRows, LdaKnowsTheDivisor) {
  for (const Shape& shape : shapes()) {
    const Table table = table_of(shape);
    Request request = request_of(shape, "lda", {{"divisor", "mle"}});
    const auto few = fit_table(table, request);
    request.keep_statistics = true;
    expect_same(few, fit_table(table, request), std::to_string(shape.columns));
  }
}

// Ledoit and Wolf's leaves no statistics: its covariance is formed here.
TEST(FewRows, LedoitWolfIsThatOfTheScatter) {
  for (const Shape& shape : shapes()) {
    if (shape.weighted) continue;
    const Table table = table_of(shape);
    const auto few = fit_table(table, request_of(shape, "lda", {{"shrinkage", "ledoit-wolf"}}));
    Targets targets;
    for (int i = 0; i < shape.rows; ++i) targets.labels.push_back(i % shape.classes);
    const MemorySource source(table.x, targets);
    Training training{source};
    training.classes = shape.classes;
    const ClassMoments moments = class_moments(source, shape.classes, ClassMoments::Scatter::per_class, {});
    const Eigen::MatrixXd s = covariance_within(parse_shrinkage("ledoit-wolf"), Divisor::unbiased, moments, training);
    const Eigen::MatrixXd means =
        (moments.means().rowwise() - (moments.columns().mean - moments.shift()).transpose()).transpose();
    Matrix expected = solve_semidefinite(s, means).x.transpose();
    if (shape.classes == 2) expected = Matrix(expected.row(1) - expected.row(0));
    EXPECT_LT(distance(std::get<Linear>(few.model.predictor).weights, expected), 1e-9) << shape.columns;
  }
}

TEST(FewRows, FisherIsThatOfTheScatter) {
  for (const Shape& shape : shapes())
    for (const char* principal : {"auto", "all", "3"}) {
      // With features of which some depend on others all of the components are rounding in part.
      if (shape.hard && std::string(principal) == "all") continue;
      const Table table = table_of(shape);
      Request request = request_of(shape, "fisher", {{"principal", principal}});
      const auto few = fit_table(table, request);
      request.keep_statistics = true;
      const auto whole = fit_table(table, request);
      expect_same(few, whole, std::string(principal) + " " + std::to_string(shape.columns));
      const Projection &a = *few.projection, &b = *whole.projection;
      EXPECT_EQ(a.principal, b.principal);
      EXPECT_LT(distance(a.directions, b.directions), 1e-9) << principal << " " << shape.columns;
      EXPECT_LT(distance(a.means, b.means), 1e-9);
      EXPECT_LT((a.ratios - b.ratios).norm(), 1e-9 * b.ratios.norm());
      EXPECT_LT((a.explained - b.explained).norm(), 1e-9);
      EXPECT_LT((a.center - b.center).norm(), 1e-12 * b.center.norm());
      EXPECT_LT((a.mean_difference - b.mean_difference).norm(), 1e-9 * b.mean_difference.norm() + 1e-300);
      EXPECT_NEAR(a.mean_difference_ratio, b.mean_difference_ratio, 1e-9 * b.mean_difference_ratio);
      EXPECT_LT(a.residual, 1e-9);
    }
}

TEST(FewRows, TheErrorsAreTheSame) {
  const Shape shape{20, 24, 3};
  for (const auto& [model, option, value] :
       {std::tuple{"fisher", "principal", "18"}, {"fisher", "components", "3"}, {"qda", "pooling", "0"}}) {
    std::vector<std::string> messages;
    for (const bool keep : {false, true}) {
      Request request = request_of(shape, model, {{option, value}});
      request.keep_statistics = keep;
      try {
        fit_table(table_of(shape), request);
        FAIL() << model << " " << option;
      } catch (const Error& error) {
        messages.push_back(error.message());
      }
    }
    EXPECT_EQ(messages[0], messages[1]);
  }
}

// The scatter would take 3.2 GB, and five times that on the way, which is refused.
TEST(FewRows, NothingOfFeaturesByFeaturesIsMade) {
  const Shape shape{12, 20000, 3};
  const Table table = table_of(shape);
  for (const char* model : {"lda", "fisher"}) {
    Request request = request_of(shape, model, {});
    const auto few = fit_table(table, request);
    EXPECT_TRUE(few.model.summary.converged) << model;
    EXPECT_EQ(few.model.summary.rank, 9) << model;
    request.keep_statistics = true;
    EXPECT_THROW(fit_table(table, request), Error) << model;
  }
  for (const char* l2 : {"0", "2"}) {
    const auto least =
        fit_table(table, request_of(shape, "least-squares", {{"l2", l2}, {"solver", "closed-form"}}));
    EXPECT_EQ(least.model.summary.solver, "closed-form");
    EXPECT_EQ(least.train.labels, least.train_labels) << l2;
  }
}

TEST(FewRows, QdaSaysWhatItWouldTakeAndWhatDoesNot) {
  for (const auto& [columns, code, text] :
       {std::tuple{20000, Code::memory, "keeps a 20000 x 20000 matrix per class: 9.6 GB for 3 classes"},
        {1200, Code::data,
         "too small for a covariance of its own: 4 rows for 1200 features (rank at most 3"}})
    try {
      fit_table(table_of({12, columns, 3}), {.model = "qda"});
      FAIL() << columns;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
      if (code == Code::memory) {
        EXPECT_NE(error.message().find("`model` lda"), std::string::npos) << error.message();
      }
    }
}

TEST(FewRows, AnyNumberOfThreadsGivesTheSameBits) {
  const Shape shape{300, 700, 3};
  const Table table = table_of(shape);
  for (const char* model : {"lda", "fisher"}) {
    Matrix one, three;
    with_threads(1, [&] {
      one = std::get<Linear>(fit_table(table, request_of(shape, model, {})).model.predictor).weights;
    });
    with_threads(3, [&] {
      three = std::get<Linear>(fit_table(table, request_of(shape, model, {})).model.predictor).weights;
    });
    EXPECT_EQ(one, three) << model;
  }
}

TEST(FewRows, AnInterruptEndsTheProductsOfRows) {
  const Shape shape{300, 700, 3};
  for (const char* model : {"lda", "fisher"}) {
    FitSettings settings;
    settings.options = find_model(model).make(model);
    settings.target = "class";
    settings.monitor = [](const Progress& progress) { return progress.stage != "multiplying rows"; };
    try {
      fit_model(table_of(shape), settings);
      FAIL() << model;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::interrupted) << model;
    }
  }
}

}  // namespace
}  // namespace discern::few_rows_test
