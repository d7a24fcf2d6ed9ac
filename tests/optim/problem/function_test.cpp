// What the solvers are told of a problem is the truth: values from the definition, derivatives by
// differences.
#include "discern/optim/problem/function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "tests/support/problems.hpp"

namespace discern::function_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using support::MadeProblem;
using support::ProblemShape;

struct Layout {
  const char* name;
  ProblemShape shape;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"dense_centred", {.weights = true, .penalty = {.l2 = 0.7}}},
      {"dense_uncentred", {.bias = false, .penalty = {.l2 = 0.7}}},
      {"dense_penalised_bias", {.center = false, .penalty = {.l2 = 0.7, .bias = true}}},
      {"sparse", {.sparse = true, .penalty = {.l2 = 0.7}}},
      {"sparse_weighted", {.sparse = true, .bias = false, .weights = true}},
      // Means of 100 and 100,000 standard deviations: below and beyond what products in place are used for.
      {"far_from_zero", {.weights = true, .offset = 100, .penalty = {.l2 = 0.7}}},
      {"very_far_from_zero", {.offset = 1e5, .penalty = {.l2 = 0.7}}},
  };
  return all;
}

const std::vector<std::pair<const char*, Loss>>& losses() {
  static const std::vector<std::pair<const char*, Loss>> all{
      {"squared", SquaredLoss{}},       {"regression", SquaredLoss{}}, {"logistic", LogisticLoss{}},
      {"softmax", SoftmaxLoss{}},       {"hinge", HingeLoss{}},        {"squared_hinge", SquaredHingeLoss{}},
      {"perceptron", PerceptronLoss{}}, {"tanh_unit", TanhUnitLoss{}}, {"logistic_unit", LogisticUnitLoss{}}};
  return all;
}

// Every loss on every layout, by their places in the lists.
class EveryFunction : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  EveryFunction() {
    const auto& [name, loss] = losses()[std::get<0>(GetParam())];
    ProblemShape shape = layouts()[std::get<1>(GetParam())].shape;
    if (std::holds_alternative<SoftmaxLoss>(loss)) shape.classes = 3;
    if (std::string_view(name) == "regression") shape.classes = 0;
    made_ = std::make_unique<MadeProblem>(loss, shape);
    function_ = std::make_unique<LinearFunction>(problem());
    point_ = random_point(7);
    direction_ = random_point(8);
  }
  const Problem& problem() const { return made_->problem(); }

  VectorXd random_point(std::uint64_t seed) const {
    Random random(seed);
    VectorXd point(problem().size());
    for (double& u : point) u = 0.5 * random.normal();
    if (!problem().bias) point.head(problem().scores).setZero();
    return point;
  }
  // E at the point from its definition, row by row.
  double definition(const VectorXd& point) const {
    const Index scores = problem().scores;
    const Eigen::Map<const RowMajor> weights(point.data(), problem().width(), scores);
    double value = 0;
    for (Index j = 0; j < problem().width(); ++j)
      for (Index k = 0; k < scores; ++k)
        value += ElasticNet{problem().l1[j], problem().l2[j]}.value(weights(j, k));
    for (Index i = 0; i < problem().source->rows(); ++i) {
      Eigen::RowVectorXd g = made_->scaled_row(i).transpose() * weights;
      value += made_->weight(i) * (problem().softmax() ? softmax_in_place(g.data(), scores, made_->label(i))
                                                       : single(g[0], made_->target(i)).value);
    }
    return value;
  }
  Derivatives single(double g, double y) const {
    return std::visit(
        [&]<class L>(L) -> Derivatives {
          if constexpr (std::is_same_v<L, SoftmaxLoss>)
            return {};
          else
            return L::at(g, y);
        },
        problem().loss);
  }
  // The Hessian: differences of gradients, or for losses that are not convex the sum that defines Gauss and
  // Newton's.
  MatrixXd hessian() {
    const Index size = problem().size();
    MatrixXd h = MatrixXd::Zero(size, size);
    if (is_convex(problem().loss)) {
      for (Index c = 0; c < size; ++c) h.col(c) = gradient_difference(VectorXd::Unit(size, c));
    } else {
      for (Index i = 0; i < problem().source->rows(); ++i) {
        const VectorXd z = made_->scaled_row(i);
        h += made_->weight(i) * single(z.dot(point_), made_->target(i)).curvature * z * z.transpose();
      }
      h.diagonal() += problem().l2;
    }
    function_->evaluate(point_, {});
    return h;
  }
  VectorXd gradient_difference(const VectorXd& direction) {
    const double step = 1e-5;
    return (function_->evaluate(point_ + step * direction, {}).gradient -
            function_->evaluate(point_ - step * direction, {}).gradient) /
           (2 * step);
  }
  // The places of a point that are free: all, or all but the biases.
  std::vector<Index> coordinates() const {
    std::vector<Index> all;
    for (Index c = problem().bias ? 0 : problem().scores; c < problem().size(); ++c) all.push_back(c);
    return all;
  }

  std::unique_ptr<MadeProblem> made_;
  std::unique_ptr<LinearFunction> function_;
  VectorXd point_, direction_;
};

INSTANTIATE_TEST_SUITE_P(Lists, EveryFunction,
                         ::testing::Combine(::testing::Range<std::size_t>(0, losses().size()),
                                            ::testing::Range<std::size_t>(0, layouts().size())),
                         [](const auto& test) {
                           return std::string(losses()[std::get<0>(test.param)].first) + "_" +
                                  layouts()[std::get<1>(test.param)].name;
                         });

// Sums of 40 losses of size 1 with differences over 1e-5 are good to about 1e-8.
constexpr double accuracy = 2e-7;

TEST_P(EveryFunction, APointAndZeroAreEvaluatedInOnePass) {
  const EvaluationWithZero both = evaluate_with_zero(problem(), point_);
  const Evaluation at = function_->evaluate(point_, {}),
                   zero = function_->evaluate(VectorXd::Zero(problem().size()), {});
  EXPECT_NEAR(both.at.value, at.value, 1e-12 * std::fabs(at.value));
  EXPECT_LE((both.at.gradient - at.gradient).norm(), 1e-12 * at.gradient.norm());
  EXPECT_LE((both.gradient_at_zero - zero.gradient).norm(), 1e-12 * (1 + zero.gradient.norm()));
}

TEST_P(EveryFunction, HasTheValueOfItsDefinition) {
  const double value = definition(point_);
  EXPECT_NEAR(function_->evaluate(point_, {}).value, value, 1e-9 * value);
  EXPECT_NEAR(function_->value(point_, function_->scores_of(point_, {})), value, 1e-9 * value);
}

TEST_P(EveryFunction, HasTheGradientOfItsDefinition) {
  const VectorXd gradient = function_->evaluate(point_, {}).gradient;
  const double step = 1e-5;
  for (const Index c : coordinates()) {
    const VectorXd along = VectorXd::Unit(problem().size(), c);
    const double slope = (definition(point_ + step * along) - definition(point_ - step * along)) / (2 * step);
    EXPECT_NEAR(gradient[c], slope, accuracy * std::max(1.0, gradient.norm())) << c;
  }
}

TEST_P(EveryFunction, HasTheValueAndSlopeOnALineOfItsDefinition) {
  function_->evaluate(point_, {});
  const RowMajor change = function_->scores_of(direction_, {});
  const double t = 0.3, step = 1e-5;
  const VectorXd there = point_ + t * direction_;
  const auto line = function_->on_line(there, function_->scores() + t * change, direction_, change);
  const double slope =
      (definition(there + step * direction_) - definition(there - step * direction_)) / (2 * step);
  EXPECT_NEAR(line.value, definition(there), 1e-9 * line.value);
  EXPECT_NEAR(line.slope, slope, accuracy * std::max(1.0, std::fabs(slope)));
}

TEST_P(EveryFunction, HessianProductsAndDiagonalAreDifferencesOfTheGradient) {
  const MatrixXd h = hessian();
  RowMajor change;
  const VectorXd product = function_->hessian_times(direction_, &change, {});
  EXPECT_LT((product - h * direction_).norm(), accuracy * std::max(1.0, h.norm()));
  EXPECT_LT((change - function_->scores_of(direction_, {})).norm(), 1e-9 * std::max(1.0, change.norm()));
  const VectorXd diagonal = function_->hessian_diagonal({});
  for (const Index c : coordinates())
    EXPECT_NEAR(diagonal[c], h(c, c), accuracy * std::max(1.0, h.norm())) << c;
}

TEST_P(EveryFunction, HessianOfSomeCoordinatesIsItsPartOfTheWhole) {
  const MatrixXd h = hessian();
  const std::vector<Index> all = coordinates();
  std::vector<Index> some;
  for (std::size_t k = 0; k < all.size(); k += 2) some.push_back(all[k]);
  for (const auto& coordinates : {all, some}) {
    const MatrixXd part = coordinate_hessian(problem(), function_->curvature(), coordinates, {});
    EXPECT_LT((part - h(coordinates, coordinates)).norm(), accuracy * std::max(1.0, h.norm()));
    EXPECT_EQ(part, part.transpose());
  }
}

TEST_P(EveryFunction, NewtonsExpansionIsTheSameFunction) {
  const Index width = problem().width(), scores = problem().scores;
  const MatrixXd q = problem().softmax() ? sum_zero_basis(scores) : MatrixXd();
  // The same point in both coordinates: for softmax the scores' sums are zero.
  MatrixXd at = Eigen::Map<const RowMajor>(point_.data(), width, scores);
  if (problem().softmax()) at = (at * q).eval();
  const RowMajor same = problem().softmax() ? RowMajor(at * q.transpose()) : RowMajor(at);
  point_ = Eigen::Map<const VectorXd>(same.data(), same.size());
  const Expansion expansion = expand(NewtonCoordinates(problem()), at.reshaped(), {});
  const Evaluation evaluation = function_->evaluate(point_, {});
  EXPECT_NEAR(expansion.value, evaluation.value, 1e-10 * evaluation.value);

  // d(point)/d(Newton's coordinates): column s * width + j is row j of a point along column s of q.
  MatrixXd basis = MatrixXd::Zero(problem().size(), at.size());
  for (Index s = 0; s < at.cols(); ++s)
    for (Index j = 0; j < width; ++j)
      for (Index k = 0; k < scores; ++k)
        basis(j * scores + k, s * width + j) = problem().softmax() ? q(k, s) : 1.0;
  const VectorXd gradient = basis.transpose() * evaluation.gradient;
  MatrixXd h = basis.transpose() * hessian() * basis;
  if (!problem().bias)  // a bias that is not there has unit curvature
    for (Index s = 0; s < at.cols(); ++s) h(s * width, s * width) = 1;
  const MatrixXd full = expansion.hessian.selfadjointView<Eigen::Lower>();
  EXPECT_LT((expansion.gradient - gradient).norm(), 1e-9 * std::max(1.0, gradient.norm()));
  EXPECT_LT((full - h).norm(), accuracy * std::max(1.0, h.norm()));
}

TEST_P(EveryFunction, IsTheSameFromScoresThatAreKnown) {
  const Evaluation whole = function_->evaluate(point_, {});
  const RowMajor curvature = function_->curvature();
  LinearFunction again(problem());
  const Evaluation known = again.evaluate(point_, function_->scores(), {});
  EXPECT_EQ(known.value, whole.value);
  EXPECT_EQ(known.gradient, whole.gradient);
  EXPECT_EQ(again.curvature(), curvature);
}

TEST_P(EveryFunction, IsTheSameWithItsFeaturesRenumbered) {
  if (!problem().source->sparse()) return;
  const RenumberedProblem renumbered(problem());
  LinearFunction other(renumbered.problem());
  const Evaluation there = other.evaluate(point_, {});
  const Evaluation here = function_->evaluate(renumbered.from(point_), {});
  EXPECT_NEAR(there.value, here.value, 1e-12 * here.value);
  EXPECT_LT((renumbered.from(there.gradient) - here.gradient).norm(), 1e-12 * (1 + here.gradient.norm()));
  const std::vector<Index> all = coordinates();
  const MatrixXd h = coordinate_hessian(renumbered.problem(), other.curvature(), all, {});
  VectorXd product = VectorXd::Zero(problem().size());
  product(all) = h * direction_(all);
  const VectorXd expected = function_->hessian_times(renumbered.from(direction_), nullptr, {});
  for (const Index c : all)
    EXPECT_NEAR(renumbered.from(product)[c], expected[c], 1e-10 * (1 + expected.norm())) << c;
}

TEST(RenumberedProblem, HasTheFeaturesThatOccurMostFirst) {
  RowMajor values = RowMajor::Zero(12, 3);
  for (Index i = 0; i < 12; ++i) {
    values(i, 1) = static_cast<double>(i + 1);
    if (i % 2 == 0) values(i, 2) = 1;
    if (i % 3 == 0) values(i, 0) = 2;
  }
  const Features x = support::sparse_features(values);
  const Targets targets{{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, {}, {}};
  const MemorySource source(x, targets);
  Problem problem;
  problem.source = &source;
  problem.scaling = fit_scaling(source, {}, {});
  set_penalty(problem, {.l2 = 1});
  const RenumberedProblem renumbered(problem);
  std::vector<long double> row;
  renumbered.problem().source->extended(6, 1, row);
  EXPECT_EQ(row, (std::vector<long double>{7, 1, 2}));
  const VectorXd numbers = VectorXd::LinSpaced(4, 0, 3);
  EXPECT_EQ(renumbered.from(numbers), Eigen::Vector4d(0, 3, 1, 2));
}

// Of more rows than are taken at a time, with scores of all sizes.
TEST(RowLosses, OfTheLogisticLossAreTheSameTogetherAndOneByOne) {
  const MadeProblem made(LogisticLoss{}, {.rows = 150, .weights = true});
  Scratch scratch;
  const Block rows = made.problem().source->block(0, scratch);
  Random random(4);
  RowMajor scores(150, 1), curvature;
  for (Index i = 0; i < 150; ++i) scores(i, 0) = random.normal() * std::pow(10.0, random.uniform(-20, 3));
  scores(7, 0) = 0;
  const RowMajor g = scores;
  double expected = 0;
  const double value = row_losses(made.problem(), rows, scores, &curvature);
  for (Index i = 0; i < 150; ++i) {
    const Derivatives one = LogisticLoss::at(g(i, 0), made.target(i));
    expected += made.weight(i) * one.value;
    EXPECT_NEAR(scores(i, 0), made.weight(i) * one.slope, 4e-16 * std::fabs(one.slope) + 1e-300);
    EXPECT_NEAR(curvature(i, 0), made.weight(i) * one.curvature, 1e-15 * one.curvature + 1e-300);
  }
  EXPECT_NEAR(value, expected, 1e-14 * expected);
}

TEST(RowLosses, OfWhatIsNoNumberAreNone) {
  const MadeProblem made(LogisticLoss{}, {.rows = 5});
  Scratch scratch;
  const Block rows = made.problem().source->block(0, scratch);
  RowMajor scores = RowMajor::Zero(5, 1);
  scores(3, 0) = std::nan("");
  EXPECT_TRUE(std::isnan(row_losses(made.problem(), rows, scores, nullptr)));
  EXPECT_TRUE(std::isnan(scores(3, 0)));
}

TEST(SumZeroBasis, IsOrthonormalAndSumsToZero) {
  for (const Index classes : {2, 3, 7}) {
    const MatrixXd q = sum_zero_basis(classes);
    EXPECT_LT((q.transpose() * q - MatrixXd::Identity(classes - 1, classes - 1)).norm(), 1e-14);
    EXPECT_LT(q.colwise().sum().norm(), 1e-14);
  }
}

}  // namespace
}  // namespace discern::function_test
