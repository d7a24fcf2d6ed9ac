// A table at a glance: the same whatever holds the cells and however many threads look at them.
#include "discern/catalogue/describe_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "tests/support/fitting.hpp"

namespace discern::describe_test {
namespace {

Table sample_table(int rows, int cols) {
  Random random(5);
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels;
  for (int i = 0; i < rows; ++i) {
    cells.emplace_back();
    for (int j = 0; j < cols; ++j)
      cells.back().push_back(random.uniform() < 0.6 ? 0 : std::floor(8 * random.normal()) / 4);
    labels.emplace_back(random.uniform() + 0.1 * cells.back()[0] > 0.5 ? "yes" : "no");
  }
  return support::make_table(cells, labels);
}

void expect_same(const TableDescription& a, const TableDescription& b) {
  ASSERT_EQ(a.described.size(), b.described.size());
  for (std::size_t j = 0; j < a.described.size(); ++j) {
    const DescribedColumn &one = a.described[j], &other = b.described[j];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.missing, other.missing);
    EXPECT_EQ(one.distinct, other.distinct);
    EXPECT_EQ(one.association, other.association);
    ASSERT_TRUE(one.numbers && other.numbers);
    EXPECT_EQ(one.numbers->q1, other.numbers->q1);
    EXPECT_EQ(one.numbers->mean, other.numbers->mean);
    EXPECT_EQ(one.numbers->deviation, other.numbers->deviation);
    EXPECT_EQ(one.numbers->histogram.counts, other.numbers->histogram.counts);
  }
}

TEST(Describe, DenseAndSparseAndAnyNumberOfThreadsSayTheSame) {
  const Table table = sample_table(300, 21);
  const DescribeOptions options{.target = "class"};
  TableDescription one, two;
  with_threads(1, [&] { one = describe_table(table, options); });
  with_threads(3, [&] { two = describe_table(table, options); });
  expect_same(one, two);
  const TableDescription sparse = describe_table(support::as_sparse(table), options);
  expect_same(one, sparse);
  EXPECT_FALSE(one.sparse);
  ASSERT_TRUE(sparse.sparse);
  EXPECT_EQ(sparse.sparse->empty_columns, 0);
}

TEST(Describe, TheFirstColumnsAreAsInTheWholeTable) {
  const Table table = sample_table(100, 21);
  TableDescription all = describe_table(table, {.target = "class"});
  const TableDescription some = describe_table(table, {.target = "class", .most_columns = 5});
  EXPECT_EQ(some.left_out(), 16);
  EXPECT_EQ(some.columns, 21);
  all.described.resize(5);
  expect_same(all, some);
}

TEST(Describe, TheClassThatSaysYesIsPositiveUnlessAskedOtherwise) {
  Table table = support::make_table({{1}, {2}, {3}, {4}}, {"-", "-", "+", "+"});
  EXPECT_DOUBLE_EQ(*describe_table(table, {.target = "class"}).described[0].association, 1);
  EXPECT_DOUBLE_EQ(*describe_table(table, {.target = "class", .positive = "-"}).described[0].association, 0);
  EXPECT_THROW(describe_table(table, {.target = "class", .positive = "x"}), Error);
  EXPECT_THROW(describe_table(table, {.target = "other"}), Error);
}

TEST(Describe, ManyDifferentNumbersAreARegressionUnlessToldOtherwise) {
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels;
  for (int i = 0; i < 60; ++i) cells.push_back({1.0 * i}), labels.push_back(std::to_string(3 * i));
  const Table table = support::make_table(cells, labels);
  const TableDescription guessed = describe_table(table, {.target = "class"});
  EXPECT_EQ(guessed.target->task, Task::regression);
  EXPECT_EQ(guessed.measure_of_numbers, Association::pearson);
  EXPECT_NEAR(*guessed.described[0].association, 1, 1e-12);
  EXPECT_DOUBLE_EQ(guessed.target->numbers.numbers->max, 177);
  const TableDescription told = describe_table(table, {.target = "class", .task = Task::classification});
  EXPECT_EQ(told.target->classes.size(), 60U);
}

TEST(Describe, PassesTheNotesOfTheTableOn) {
  Table table = sample_table(20, 2);
  table.notes.push_back({"x1", "read as it was not written"});
  const TableDescription all = describe_table(table, {});
  ASSERT_EQ(all.notes.size(), 1U);
  EXPECT_EQ(all.notes[0].text, "read as it was not written");
  EXPECT_FALSE(all.target);
  EXPECT_FALSE(all.described[0].association);
}

TEST(Describe, EndsWhenTheMonitorSaysSo) {
  const Table table = sample_table(20, 2);
  const auto stop = [](const Progress&) { return false; };
  try {
    describe_table(table, {.monitor = stop});
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::interrupted);
  }
}

// What a fit leaves out or warns of stands beside what the reader assumed.
TEST(Describe, NotesWhatAFitLeavesOut) {
  Table table;
  table.notes = {{"", "lines are left out"}};
  std::vector<double> cells, labels;
  for (int i = 0; i < 60; ++i) {
    cells.insert(cells.end(), {i + 1.0, 7.0, i < 30 ? i / 4.0 : 10 + i / 4.0});
    labels.push_back(i < 30 ? 0 : 1);
  }
  table.schema = Schema({{"id", false, {}}, {"ship", false, {}}, {"boat", false, {}}});
  table.x = DenseMatrix<double>{Buffer<double>(cells), 60, 3};
  table.side.push_back({"y", true, {"no", "yes"}, labels, {}});
  const auto notes = describe_table(table, {.target = "y"}).notes;
  ASSERT_EQ(notes.size(), 4U);
  EXPECT_EQ(notes[0].text, "lines are left out");
  EXPECT_EQ(notes[1].column + ": " + notes[1].text,
            "id: would be left out as an identifier: 60 different whole numbers in 60 cells");
  EXPECT_EQ(notes[2].column + ": " + notes[2].text, "ship: would be left out: all cells are equal");
  EXPECT_EQ(notes[3].column, "boat");
}

}  // namespace
}  // namespace discern::describe_test
