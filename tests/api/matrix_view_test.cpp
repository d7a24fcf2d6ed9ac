#include "discern/api/matrix_view.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCore>
#include <limits>

#include "discern/api/tables.hpp"
#include "tests/api/problems.hpp"

namespace discern::matrix_view_test {
namespace {

using api_test::refusal;
using RowMajorDouble = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorFloat = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Features features(const MatrixView& x) { return features_of(x, Schema::numbered(x.cols()), nullptr); }

template <class T>
const DenseMatrix<T>& dense(const Features& x) {
  return std::get<DenseMatrix<T>>(x);
}

template <class T>
void expect_equal(const Features& x, const Eigen::MatrixXd& expected) {
  const auto& m = dense<T>(x);
  ASSERT_EQ(m.rows, expected.rows());
  ASSERT_EQ(m.cols, expected.cols());
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j)
      ASSERT_EQ(static_cast<double>(m.values[i * m.cols + j]), expected(i, j)) << i << " " << j;
}

// Whole numbers, which float holds exactly. More rows than are copied at a time, and no multiple of a tile.
Eigen::MatrixXd numbers(Index rows = 2100, Index cols = 37) {
  Eigen::MatrixXd x(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) x(i, j) = static_cast<double>(i * 100 + j);
  return x;
}

TEST(MatrixView, OfRowsOneAfterTheOtherSharesTheMemory) {
  const RowMajorDouble x = numbers();
  EXPECT_EQ(dense<double>(features(x)).values.data(), x.data());
  const RowMajorFloat single = x.cast<float>();
  EXPECT_EQ(dense<float>(features(single)).values.data(), single.data());
  const std::vector<double> values(12, 1.0);
  EXPECT_EQ(dense<double>(features(MatrixView(std::span(values), 3, 4))).values.data(), values.data());
  EXPECT_EQ(dense<double>(features(MatrixView(values, 3, 4))).values.data(), values.data());
  EXPECT_EQ(dense<double>(features(MatrixView(values.data(), 3, 4))).values.data(), values.data());
  const Eigen::Map<const RowMajorDouble> map(values.data(), 3, 4);
  EXPECT_EQ(dense<double>(features(map)).values.data(), values.data());
  EXPECT_EQ(dense<double>(features(x.middleRows(5, 7))).values.data(), x.data() + 5 * x.cols());
  const Eigen::VectorXd column = Eigen::VectorXd::LinSpaced(5, 0, 1);  // one column has one layout
  EXPECT_EQ(dense<double>(features(column)).values.data(), column.data());
}

TEST(MatrixView, OfAnyOtherLayoutIsCopiedWithTheSameEntries) {
  const Eigen::MatrixXd x = numbers();
  expect_equal<double>(features(x), x);
  expect_equal<float>(features(x.cast<float>().eval()), x);
  expect_equal<double>(features(x.block(1, 2, 50, 9)), x.block(1, 2, 50, 9));
  const RowMajorDouble rows = x;
  expect_equal<double>(features(rows.middleCols(3, 5)), x.middleCols(3, 5));
  expect_equal<double>(features(x.transpose()), x.transpose());
  const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> ref = x.middleRows(3, 40);
  expect_equal<double>(features(ref), x.middleRows(3, 40));
  expect_equal<double>(features(MatrixView(x.data(), x.rows(), x.cols(), MatrixView::Layout::column_major)),
                       x);
  // Every second row, last first.
  const Index last = (x.rows() - 1) / 2 * 2;
  const Features reversed =
      features(MatrixView(rows.data() + last * rows.cols(), last / 2 + 1, rows.cols(), -2 * rows.cols(), 1));
  for (Index i = 0; i <= last / 2; ++i)
    ASSERT_EQ(dense<double>(reversed).values[i * rows.cols()], x(last - 2 * i, 0)) << i;
}

TEST(MatrixView, RefusesNumbersThatAreNotFiniteByRowAndColumn) {
  Eigen::MatrixXd x = numbers();
  x(1500, 3) = std::numeric_limits<double>::quiet_NaN();
  x(1600, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { features(x); }),
            "column 'x4': row 1501: found nan, expected a number; `impute` fills in what is missing");
  x(1500, 3) = 0;
  EXPECT_EQ(refusal([&] { features(x); }), "column 'x2': row 1601: found infinity, expected a number");
  RowMajorFloat single = RowMajorFloat::Zero(3, 2);
  single(2, 1) = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal([&] { features(single); }), "column 'x2': row 3: found infinity, expected a number");
}

TEST(MatrixView, CountsMissingCellsWhereTheyAreAllowed) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(4, 2);
  x(1, 1) = x(3, 1) = std::numeric_limits<double>::quiet_NaN();
  std::vector<Noticed> missing;
  features_of(x, Schema::numbered(2), &missing);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].missing, 0);
  EXPECT_EQ(missing[1].missing, 2);
  EXPECT_EQ(missing[1].first_missing_line, 2);
  x(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { features_of(x, Schema::numbered(2), &missing); }),
            "column 'x1': row 3: found infinity, expected a number");
}

TEST(MatrixView, OfAnotherSizeThanItsMemoryIsRefused) {
  const std::vector<double> values(11);
  EXPECT_EQ(refusal([&] { MatrixView(values, 3, 4); }), "found 11 values, expected 12 for a matrix of 3 x 4");
  EXPECT_EQ(refusal([&] { MatrixView(values.data(), -1, 4); }),
            "found a matrix of -1 x 4, expected no negative size");
  EXPECT_EQ(refusal([&] { MatrixView(static_cast<const float*>(nullptr), 1, 1); }),
            "found no memory for a matrix of 1 x 1");
}

// [1 0 2; 0 0 0; 0 3 4]
template <class Start, class Column, class Value>
struct Csr {
  std::vector<Start> starts{0, 2, 2, 4};
  std::vector<Column> columns{0, 2, 1, 2};
  std::vector<Value> values{1, 2, 3, 4};
  MatrixView view(Index cols = 3) const { return MatrixView::csr(cols, starts, columns, values); }
};

template <class Value>
void expect_csr(const Features& x) {
  const auto& m = std::get<SparseMatrix<Value>>(x);
  EXPECT_EQ(std::vector<std::int64_t>(m.starts.begin(), m.starts.end()),
            (std::vector<std::int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(std::vector<std::uint32_t>(m.columns.begin(), m.columns.end()),
            (std::vector<std::uint32_t>{0, 2, 1, 2}));
  EXPECT_EQ(std::vector<Value>(m.values.begin(), m.values.end()), (std::vector<Value>{1, 2, 3, 4}));
}

TEST(MatrixView, OfCsrSharesTheMemoryOfColumnsOf32Bits) {
  const Csr<std::int64_t, std::uint32_t, double> same;
  const auto shared = std::get<SparseMatrix<double>>(features(same.view()));
  EXPECT_EQ(shared.values.data(), same.values.data());
  EXPECT_EQ(shared.columns.data(), same.columns.data());
  EXPECT_EQ(shared.starts.data(), same.starts.data());
  const Csr<std::int32_t, std::int32_t, float> narrow;
  const auto borrowed = std::get<SparseMatrix<float>>(features(narrow.view()));
  EXPECT_EQ(borrowed.values.data(), narrow.values.data());
  EXPECT_EQ(static_cast<const void*>(borrowed.columns.data()), narrow.columns.data());
}

TEST(MatrixView, OfCsrTakesEveryTypeOfIndex) {
  expect_csr<double>(features(Csr<std::int32_t, std::int32_t, double>{}.view()));
  expect_csr<double>(features(Csr<std::int32_t, std::uint32_t, double>{}.view()));
  expect_csr<double>(features(Csr<std::int32_t, std::int64_t, double>{}.view()));
  expect_csr<float>(features(Csr<std::int64_t, std::int32_t, float>{}.view()));
  expect_csr<float>(features(Csr<std::int64_t, std::uint32_t, float>{}.view()));
  expect_csr<float>(features(Csr<std::int64_t, std::int64_t, float>{}.view()));
  Csr<std::int64_t, std::int32_t, double> unsorted;
  unsorted.columns = {2, 0, 2, 1};
  unsorted.values = {2, 1, 4, 3};
  expect_csr<double>(features(unsorted.view()));
  Eigen::SparseMatrix<double, Eigen::RowMajor> eigen(3, 3);
  eigen.insert(0, 0) = 1, eigen.insert(0, 2) = 2, eigen.insert(2, 1) = 3, eigen.insert(2, 2) = 4;
  EXPECT_EQ(refusal([&] { features(eigen); }),
            "the sparse matrix is not compressed; call makeCompressed() on it first");
  eigen.makeCompressed();
  expect_csr<double>(features(eigen));
}

TEST(MatrixView, RefusesCsrThatIsOutOfPlace) {
  using Good = Csr<std::int64_t, std::int32_t, double>;
  Good csr;
  EXPECT_EQ(refusal([&] { features(csr.view(2)); }),
            "row 1: found an entry in column 2, expected one from 0 to 1");
  csr.columns[3] = -1;
  EXPECT_EQ(refusal([&] { features(csr.view()); }),
            "row 3: found an entry in column -1, expected one from 0 to 2");
  csr = Good();
  csr.columns[3] = 1;
  EXPECT_EQ(refusal([&] { features(csr.view()); }), "column 'x2': row 3: found two entries in one column");
  csr = Good();
  csr.starts = {0, 3, 2, 4};
  EXPECT_EQ(refusal([&] { features(csr.view()); }),
            "row 2: its entries go from 3 to 2, expected rising numbers from 0 to 4, the number of entries");
  csr.starts = {0, 2, 2, 9};
  EXPECT_EQ(refusal([&] { features(csr.view()); }),
            "row 3: its entries go from 2 to 9, expected rising numbers from 0 to 4, the number of entries");
  csr.starts = {0, 2, 2, 3};
  EXPECT_EQ(refusal([&] { features(csr.view()); }),
            "the last row ends at 3, expected 4, the number of entries");
  csr = Good();
  csr.values[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { features(csr.view()); }), "column 'x2': row 3: found nan, expected a number");
  csr.values.pop_back();
  EXPECT_EQ(refusal([&] { csr.view(); }),
            "found 4 columns and 3 values of entries, expected as many of both");
  csr.starts.clear();
  EXPECT_EQ(refusal([&] { csr.view(); }), "found no starts, expected one more than there are rows");
}

}  // namespace
}  // namespace discern::matrix_view_test
