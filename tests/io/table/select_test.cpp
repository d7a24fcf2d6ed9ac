#include "discern/io/table/select.hpp"

#include <gtest/gtest.h>

#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::select_test {
namespace {

Table numbers() {
  Table table;
  table.file = "t";
  table.schema = Schema({{"a", false, {}}, {"b", false, {}}, {"c", true, {"9", "10"}}});
  table.x = DenseMatrix<float>{Buffer(std::vector<float>{1, 2, 0, 3, 2.5, 1}), 2, 3};
  table.noticed = {{}, {}, {0, 0, {2, 3}}};
  return table;
}

Code code_of(const ReadOptions& options) {
  const auto result = attempt([&] { return select_columns(numbers(), options); });
  EXPECT_FALSE(result.ok());
  return result.error().code();
}

TEST(SelectColumns, WithoutAWishTheTableIsNotCopied) {
  const Table table = numbers();
  const Table same = select_columns(table, {});
  EXPECT_EQ(std::get<DenseMatrix<float>>(same.x).values.data(),
            std::get<DenseMatrix<float>>(table.x).values.data());
}

TEST(SelectColumns, FeaturesAndIgnoreKeepTheOrderOfTheFile) {
  ReadOptions options;
  options.features = {"c", "a", "b"};
  options.ignore = {"b"};
  const Table table = select_columns(numbers(), options);
  ASSERT_EQ(table.schema.size(), 2);
  EXPECT_EQ(table.schema.name(0), "a");
  EXPECT_EQ(table.schema.column(1).levels, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(cell(table.x, 1, 0), 3);
  EXPECT_EQ(cell(table.x, 1, 1), 1);
  EXPECT_EQ(table.noticed[1].level_line, (std::vector<Index>{2, 3}));
}

TEST(SelectColumns, NumbersBecomeTextAndTextNumbers) {
  ReadOptions options;
  options.categorical = {"b"};
  options.numeric = {"c"};
  const Table table = select_columns(numbers(), options);
  EXPECT_EQ(table.schema.column(1).levels, (std::vector<std::string>{"2", "2.5"}));
  EXPECT_EQ(cell(table.x, 1, 1), 1);
  EXPECT_FALSE(table.schema.categorical(2));
  EXPECT_EQ(cell(table.x, 0, 2), 9);
}

TEST(SelectColumns, ATextThatIsNoNumberIsRefusedWithItsLine) {
  Table table = numbers();
  table.schema = Schema({{"a", false, {}}, {"b", false, {}}, {"c", true, {"9", "many"}}});
  ReadOptions options;
  options.numeric = {"c"};
  const auto result = attempt([&] { return select_columns(table, options); });
  ASSERT_FALSE(result.ok());
  EXPECT_STREQ(result.error().what(), "t:3: column 'c': expected a number, found 'many'");
}

TEST(SelectColumns, ExpectedColumnsAreReadWithTheirTypes) {
  const Schema expected({{"c", false, {}}, {"b", false, {}}, {"elsewhere", false, {}}});
  ReadOptions options;
  options.expected = &expected;
  const Table table = select_columns(numbers(), options);
  ASSERT_EQ(table.schema.size(), 2);
  EXPECT_EQ(table.schema.name(0), "b");
  EXPECT_EQ(cell(table.x, 1, 1), 10);
}

TEST(SelectColumns, UnknownColumnsAreUsageErrors) {
  for (const auto member :
       {&ReadOptions::features, &ReadOptions::ignore, &ReadOptions::categorical, &ReadOptions::numeric}) {
    ReadOptions options;
    options.*member = {"z"};
    EXPECT_EQ(code_of(options), Code::usage);
  }
  ReadOptions options;
  options.side = {{"z", true, true}};
  EXPECT_EQ(code_of(options), Code::usage);
  options.side = {{"a", true, true}, {"a", false, true}};
  options.side[1].column = "1";
  EXPECT_EQ(code_of(options), Code::usage);
}

TEST(SelectColumns, ASparseTableKeepsItsNumbersWhenColumnsAreIgnored) {
  Table table;
  table.schema = Schema::numbered(2000000000);
  table.x =
      SparseMatrix<double>{Buffer(std::vector<double>{1, 2, 3}), Buffer(std::vector<std::uint32_t>{0, 5, 7}),
                           Buffer(std::vector<std::int64_t>{0, 3}), 1, 2000000000};
  ReadOptions options;
  options.ignore = {"x6"};
  const Table kept = select_columns(table, options);
  EXPECT_EQ(kept.schema.size(), 2000000000);
  EXPECT_EQ(stored_entries(kept.x), 2);
  options = {};
  options.features = {"x8", "x1"};
  const Table two = select_columns(table, options);
  ASSERT_EQ(two.schema.size(), 2);
  EXPECT_EQ(two.schema.name(1), "x8");
  EXPECT_EQ(cell(two.x, 0, 1), 3);
}

TEST(Formats, AreFoundByExtensionAndByName) {
  EXPECT_EQ(format_of("a.svm", "").name, "libsvm");
  EXPECT_EQ(format_of("a.SVM.gz", "").name, "libsvm");
  EXPECT_EQ(format_of("train-images-idx3-ubyte.gz", "").name, "idx");
  EXPECT_EQ(format_of("a.npy", "").name, "npy");
  EXPECT_EQ(format_of("a.db", "").name, "sqlite");
  EXPECT_EQ(format_of("a.dcache", "").name, "cache");
  EXPECT_EQ(format_of("a.csv", "libsvm").name, "libsvm");
  EXPECT_EQ(format_of("-", "").name, "csv");
}

TEST(Formats, AnUnknownOneIsAUsageErrorThatListsThem) {
  for (const auto& [path, name] : {std::pair<std::string, std::string>{"a.xyz", ""}, {"a.csv", "xyz"}}) {
    const auto result = attempt([&p = path, &n = name] { return &format_of(p, n); });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), Code::usage);
    EXPECT_NE(result.error().message().find("csv, tsv,"), std::string::npos) << result.error().message();
  }
}

}  // namespace
}  // namespace discern::select_test
