#include "discern/stats/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discern/base/random.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/symmetric.hpp"
#include "discern/stats/triangle.hpp"

namespace discern::fold_test {
namespace {

struct Sample {
  Features x;
  Targets targets;
  Eigen::MatrixXd dense;
};

Sample sample(Index rows, Index cols, Index classes, double offset) {
  Random random(static_cast<std::uint64_t>(rows * 31 + cols));
  Sample s;
  DenseMatrix<double> x{Buffer<double>(rows * cols), rows, cols};
  s.dense.resize(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    s.targets.labels.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes))));
    s.targets.weights.push_back(static_cast<double>(1 + random.below(3)));
    for (Index j = 0; j < cols; ++j)
      s.dense(i, j) = x.values[i * cols + j] = offset + random.normal() + s.targets.labels.back();
  }
  s.x = x;
  return s;
}

// Counts how it was called, to see the order of blocks and merges.
struct Order {
  std::string text;
  void add(const Block& block) { text += std::to_string(block.first / 4096) + " "; }
  void merge(const Order& other) { text = "(" + text + other.text + ")"; }
  double bytes() const { return 1; }
};

TEST(Fold, VisitsEveryBlockOnceInAnOrderThatThreadsDoNotChange) {
  const Sample s = sample(4096 * 5 + 7, 1, 2, 0);
  const MemorySource source(s.x, s.targets);
  std::string one, many;
  with_threads(1, [&] { one = fold(source, Order{}).text; });
  with_threads(4, [&] { many = fold(source, Order{}).text; });
  EXPECT_EQ(one, many);
  EXPECT_EQ(one, "(((0 1 )(2 3 ))(4 5 ))");
}

TEST(Fold, StopsWhenTheMonitorSaysSo) {
  const Sample s = sample(4096 * 5, 1, 2, 0);
  const MemorySource source(s.x, s.targets);
  EXPECT_THROW(fold(source, Order{}, [](const Progress&) { return false; }), Error);
}

TEST(Fold, LanesAreFewerForLargeAccumulatorsAndNeverMoreThanBlocks) {
  EXPECT_EQ(lane_count(1000, 8), 32);
  EXPECT_EQ(lane_count(1000, 400e3), 8);  // the power of two below 10
  EXPECT_EQ(lane_count(1000, 5e6), 4);
  EXPECT_EQ(lane_count(1000, 1e12), 2);
  EXPECT_EQ(lane_count(3, 8), 3);
  EXPECT_EQ(lane_count(0, 8), 0);
}

TEST(ColumnMoments, KeepTheirDigitsFarFromZero) {
  const Sample s = sample(10000, 3, 1, 1e9);
  const MemorySource source(s.x, s.targets);
  const auto found = fold(source, ColumnMoments(3)).result();
  for (Index j = 0; j < 3; ++j) {
    long double weight = 0, mean = 0, square = 0;
    for (Index i = 0; i < 10000; ++i) {
      const long double w = s.targets.weights[static_cast<std::size_t>(i)];
      weight += w;
      mean += w * s.dense(i, j);
    }
    mean /= weight;
    for (Index i = 0; i < 10000; ++i)
      square +=
          s.targets.weights[static_cast<std::size_t>(i)] * (s.dense(i, j) - mean) * (s.dense(i, j) - mean);
    EXPECT_NEAR(found.mean[j], static_cast<double>(mean), 2e-7);
    EXPECT_NEAR(found.deviation[j], static_cast<double>(std::sqrt(square / weight)), 1e-9);
  }
}

TEST(ColumnMoments, ZerosOfSparseRowsCount) {
  Targets targets;
  const SparseMatrix<float> x{Buffer<float>(std::vector<float>{2, 4, 3}),
                              Buffer<std::uint32_t>(std::vector<std::uint32_t>{0, 0, 1}),
                              Buffer<std::int64_t>(std::vector<std::int64_t>{0, 1, 2, 3, 3}), 4, 3};
  const Features features = x;
  const auto found = fold(MemorySource(features, targets), ColumnMoments(3)).result();
  EXPECT_DOUBLE_EQ(found.mean[0], 1.5);
  EXPECT_DOUBLE_EQ(found.deviation[0], std::sqrt((0.25 + 6.25 + 2 * 2.25) / 4));
  EXPECT_DOUBLE_EQ(found.mean[1], 0.75);
  EXPECT_FALSE(found.constant(0));
  EXPECT_TRUE(found.constant(2));
}

// Sparse rows of 200 columns: counts, with weights or without; a last one of the entries given.
SparseMatrix<double> sparse_columns(Index rows, const std::vector<double>& last) {
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  Random random(3);
  for (Index i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < 200; ++j)
      if (random.uniform(0, 1) < 0.05) values.push_back(random.uniform(-1, 3)), columns.push_back(j);
    const double v = last[static_cast<std::size_t>(i) % last.size()];
    if (v != 0) values.push_back(v), columns.push_back(200);
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {Buffer<double>(values), Buffer<std::uint32_t>(columns), Buffer<std::int64_t>(starts), rows, 202};
}

TEST(ColumnSummary, PlainSumsOfSparseColumnsGiveWhatCentredOnesDo) {
  for (const bool weighted : {false, true}) {
    const Features x = sparse_columns(5000, {0, 1, -1});
    Targets targets;
    if (weighted)
      for (int i = 0; i < 5000; ++i) targets.weights.push_back(i % 7);
    const MemorySource source(x, targets);
    const ColumnSummary plain = column_summary(source), centred = fold(source, ColumnMoments(202)).result();
    EXPECT_DOUBLE_EQ(plain.weight, centred.weight);
    EXPECT_LT((plain.mean - centred.mean).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((plain.deviation - centred.deviation).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(plain.one_value, centred.one_value);
    EXPECT_TRUE(plain.constant(201));
  }
}

// Far from zero, nearly constant and constant, out of the range of squares below and above.
TEST(ColumnSummary, ColumnsWhoseDigitsPlainSumsWouldLoseHaveThem) {
  for (const std::vector<double>& last :
       {std::vector<double>{1e9, 1e9 + 1}, {1e6, 1e6, 1e6 + 1e-3}, {7}, {1e-200, -1e-200}, {1e200, 2e200}}) {
    const Features x = sparse_columns(3000, last);
    const Targets targets;
    const MemorySource source(x, targets);
    const ColumnSummary found = column_summary(source), exact = fold(source, ColumnMoments(202)).result();
    EXPECT_EQ(found.mean[200], exact.mean[200]);
    EXPECT_EQ(found.deviation[200], exact.deviation[200]);
    EXPECT_EQ(found.constant(200), last.size() == 1);
    EXPECT_GT(found.deviation[200] + (last.size() == 1 ? 1 : 0), 0) << last[0];
  }
}

TEST(ClassMoments, EqualTheDefinition) {
  const Sample s = sample(9000, 4, 3, 1e5);
  const MemorySource source(s.x, s.targets);
  const Eigen::VectorXd shift = Eigen::VectorXd::Constant(4, 1e5);
  const auto pooled = fold(source, ClassMoments(3, 4, ClassMoments::Scatter::pooled, shift));
  const auto own = fold(source, ClassMoments(3, 4, ClassMoments::Scatter::per_class, shift));
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(4, 4);
  for (Index k = 0; k < 3; ++k) {
    double weight = 0;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(4);
    Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(4, 4);
    for (int pass = 0; pass < 2; ++pass)
      for (Index i = 0; i < 9000; ++i) {
        if (s.targets.labels[static_cast<std::size_t>(i)] != k) continue;
        const double w = s.targets.weights[static_cast<std::size_t>(i)];
        const Eigen::VectorXd x = s.dense.row(i).transpose() - shift;
        if (pass == 0)
          weight += w, mean += w * x;
        else
          scatter += w * (x - mean / weight) * (x - mean / weight).transpose();
      }
    EXPECT_EQ(own.weights()[k], weight);
    EXPECT_LT((own.means().row(k).transpose() - mean / weight).norm(), 1e-12);
    EXPECT_LT((Eigen::MatrixXd(own.scatter(k).selfadjointView<Eigen::Lower>()) - scatter).norm(),
              1e-11 * scatter.norm());
    sum += scatter;
  }
  EXPECT_LT((Eigen::MatrixXd(pooled.scatter().selfadjointView<Eigen::Lower>()) - sum).norm(),
            1e-11 * sum.norm());
}

TEST(ClassMoments, AColumnConstantWithinItsClassHasNoScatterAtAll) {
  Sample s = sample(5000, 6, 3, 1e3);
  auto& x = std::get<DenseMatrix<double>>(s.x);
  // A tenth of the class, which no sum of tenths gives back, and a column that is the same everywhere.
  for (Index i = 0; i < 5000; ++i) {
    x.values[i * 6 + 2] = 0.1 * s.targets.labels[static_cast<std::size_t>(i)];
    x.values[i * 6 + 5] = 0.1;
  }
  const MemorySource source(s.x, s.targets);
  for (const auto scatter : {ClassMoments::Scatter::pooled, ClassMoments::Scatter::per_class}) {
    const auto found = class_moments(source, 3, scatter, {});
    for (Index k = 0; k < (scatter == ClassMoments::Scatter::pooled ? 1 : 3); ++k)
      for (const Index j : {2, 5}) {
        EXPECT_EQ(found.scatter(k).row(j).head(j + 1).cwiseAbs().maxCoeff(), 0);
        EXPECT_EQ(found.scatter(k).col(j).tail(6 - j).cwiseAbs().maxCoeff(), 0);
      }
    EXPECT_TRUE(found.columns().constant(5));
    EXPECT_FALSE(found.columns().constant(2));
  }
}

TEST(ClassMoments, ManyClassesOfFewRowsEqualTheDefinition) {
  const Sample s = sample(3000, 7, 1000, 0);
  const MemorySource source(s.x, s.targets);
  const auto found = class_moments(source, 1000, ClassMoments::Scatter::pooled, {});
  RowMajor means = RowMajor::Zero(1000, 7);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(1000);
  for (std::size_t i = 0; i < 3000; ++i) {
    means.row(s.targets.labels[i]) += s.targets.weights[i] * s.dense.row(static_cast<Index>(i));
    weights[s.targets.labels[i]] += s.targets.weights[i];
  }
  Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(7, 7);
  for (std::size_t i = 0; i < 3000; ++i) {
    const Index k = s.targets.labels[i];
    const Eigen::RowVectorXd z = s.dense.row(static_cast<Index>(i)) - means.row(k) / weights[k];
    scatter += s.targets.weights[i] * z.transpose() * z;
  }
  EXPECT_EQ(found.weights(), weights);
  // The classes lie up to 1000 apart, the rows of one about 1.
  EXPECT_LT((Eigen::MatrixXd(found.scatter().selfadjointView<Eigen::Lower>()) - scatter).norm(),
            1e-11 * scatter.norm());
}

TEST(ClassMoments, RowsFarFromTheFirstOnesKeepTheirDigits) {
  // Sorted by class, so that the mean of the first block says nothing about the others.
  Sample s = sample(20000, 30, 4, 0);
  std::sort(s.targets.labels.begin(), s.targets.labels.end());
  auto& x = std::get<DenseMatrix<double>>(s.x);
  for (Index i = 0; i < 20000; ++i)
    for (Index j = 0; j < 30; ++j)
      s.dense(i, j) = x.values[i * 30 + j] += 1e6 * s.targets.labels[static_cast<std::size_t>(i)];
  const MemorySource source(s.x, s.targets);
  const auto found = class_moments(source, 4, ClassMoments::Scatter::per_class, {});
  Index first = 0;
  for (Index k = 0; k < 4; ++k) {
    const Index count = std::count(s.targets.labels.begin(), s.targets.labels.end(), k);
    const auto weights = Eigen::Map<const Eigen::VectorXd>(s.targets.weights.data() + first, count).array();
    const Eigen::MatrixXd rows = s.dense.middleRows(first, count);
    const Eigen::RowVectorXd base = rows.row(0);
    Eigen::MatrixXd z = rows.rowwise() - base;
    const Eigen::RowVectorXd mean = (weights.matrix().transpose() * z) / weights.sum();
    z.rowwise() -= mean;
    const Eigen::MatrixXd scatter = z.transpose() * weights.matrix().asDiagonal() * z;
    EXPECT_LT((Eigen::MatrixXd(found.scatter(k).selfadjointView<Eigen::Lower>()) - scatter).norm(),
              1e-10 * scatter.norm());
    first += count;
  }
}

// A tenth of the rows lies 1e6 away from the others: those that come first in every block and say where the
// middle is, or with weights of a millionth, which should not say much.
TEST(ClassMoments, RowsFarFromTheFirstOfABlockKeepTheirDigits) {
  for (const double weight : {1.0, 1e-6}) {
    Sample s = sample(20000, 30, 2, 0);
    auto& x = std::get<DenseMatrix<double>>(s.x);
    for (Index i = 0; i < 20000; ++i) {
      const bool first = i % 4096 < 400;
      if (first) x.values[i * 30 + 7] = s.dense(i, 7) += 1e6;
      s.targets.weights[static_cast<std::size_t>(i)] = first ? weight : 1;
    }
    if (weight == 1) s.targets.weights.clear();
    const MemorySource source(s.x, s.targets);
    const auto found = class_moments(source, 2, ClassMoments::Scatter::per_class, {});
    for (Index k = 0; k < 2; ++k) {
      Eigen::Matrix<long double, Eigen::Dynamic, 1> sum = Eigen::Matrix<long double, 30, 1>::Zero();
      Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> squares =
          Eigen::Matrix<long double, 30, 30>::Zero();
      long double total = 0;
      for (Index i = 0; i < 20000; ++i) {
        if (s.targets.labels[static_cast<std::size_t>(i)] != k) continue;
        const long double w = s.targets.weights.empty() ? 1 : s.targets.weights[static_cast<std::size_t>(i)];
        const auto row = s.dense.row(i).transpose().cast<long double>().eval();
        total += w, sum += w * row, squares += w * row * row.transpose();
      }
      squares -= sum * sum.transpose() / total;
      for (Index j = 0; j < 30; ++j)
        for (Index i = j; i < 30; ++i) {
          const auto size = static_cast<double>(std::sqrt(squares(i, i) * squares(j, j)));
          EXPECT_NEAR(found.scatter(k)(i, j), static_cast<double>(squares(i, j)), 1e-13 * size);
        }
    }
  }
}

template <class Scalar>
void expect_triangle(Index rows, double tolerance) {
  const Sample s = sample(rows, 5, 2, 0);
  const MemorySource source(s.x, s.targets);
  Design design{&source,
                true,
                {},
                5,
                1,
                [](const Block& block, Index i, double* y) {
                  y[0] = block.labels[static_cast<std::size_t>(i)]; }};
  const auto r = fold(source, Triangle<Scalar>(design)).result();
  Eigen::MatrixXd z(rows, 7);
  for (Index i = 0; i < rows; ++i) {
    z.row(i) << 1, s.dense.row(i), s.targets.labels[static_cast<std::size_t>(i)];
    z.row(i) *= std::sqrt(s.targets.weights[static_cast<std::size_t>(i)]);
  }
  const Eigen::MatrixXd gram = z.transpose() * z, found = (r.transpose() * r).template cast<double>();
  EXPECT_LT((gram - found).norm(), tolerance * gram.norm()) << rows;
  EXPECT_TRUE(r.isUpperTriangular(static_cast<Scalar>(0)));
}

TEST(Triangle, ItsSquareIsTheGramMatrix) {
  for (const Index rows : {2, 7, 100, 20000}) {
    expect_triangle<double>(rows, 1e-14);
    expect_triangle<long double>(rows, 1e-14);
  }
}

TEST(Semidefinite, SolvesRegularAndSingularSystems) {
  Random random(3);
  Eigen::MatrixXd a(6, 4);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = random.normal();
  const Eigen::MatrixXd s = a.transpose() * a;
  const Eigen::MatrixXd m = s * Eigen::MatrixXd::Ones(4, 1);
  const auto regular = solve_semidefinite(s, m);
  EXPECT_EQ(regular.rank, 4);
  EXPECT_LT((regular.x - Eigen::MatrixXd::Ones(4, 1)).norm(), 1e-12);
  const Eigen::MatrixXd singular = a * a.transpose();
  const auto flat = solve_semidefinite(singular, singular.col(0));
  EXPECT_EQ(flat.rank, 4);
  EXPECT_LT((singular * flat.x - singular.col(0)).norm(), 1e-11 * singular.norm());
  EXPECT_FALSE(whitening(singular).has_value());
  const auto white = whitening(s);
  ASSERT_TRUE(white.has_value());
  EXPECT_LT((*white * s * white->transpose() - Eigen::MatrixXd::Identity(4, 4)).norm(), 1e-12);
}

}  // namespace
}  // namespace discern::fold_test
