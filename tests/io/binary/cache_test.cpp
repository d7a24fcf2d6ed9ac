#include "discern/io/binary/cache.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/table/write.hpp"
#include "tests/io/binary/container_forge.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::cache_test {
namespace {

Table people() {
  Table table;
  table.schema = Schema({{"age", false, {}}, {"town", true, {"Aue", "Z\xFCrich"}}});
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{0.1, 1, NAN, 0, 40, NAN}), 3, 2};
  table.noticed = {{1, 3, {}}, {1, 4, {3, 2}}};
  table.side = {{"label", true, {"no", "yes"}, {1, 0, 1}, {0, 0, {3, 2}}},
                {"weight", false, {}, {1, 2, 0.5}, {}}};
  return table;
}

Table sparse() {
  Table table;
  table.schema = Schema::numbered(2000000000);
  table.x = SparseMatrix<float>{Buffer(std::vector<float>{1, 2, 3}),
                                Buffer(std::vector<std::uint32_t>{0, 7, 1999999999}),
                                Buffer(std::vector<std::int64_t>{0, 2, 2, 3}), 3, 2000000000};
  table.side = {{"label", true, {"+1", "-1"}, {0, 1, 0}, {0, 0, {1, 2}}}};
  std::swap(table.side[0].levels[0], table.side[0].levels[1]);
  return table;
}

Table parse(const std::string& bytes, const ReadOptions& options = {}) {
  const auto owner = std::make_shared<std::string>(bytes);
  return parse_cache(FileContent(owner, *owner), "a.dcache", options);
}

std::string written(const Table& table) {
  const ScratchFolder folder;
  write_table(table, folder.path("a.dcache"));
  return ScratchFolder::content(folder.path("a.dcache"));
}

TEST(Cache, ATableComesBackWithAllThatWasNoticed) {
  const Table back = parse(written(people()));
  expect_equal(back, people());
  for (std::size_t j = 0; j < 2; ++j) expect_equal(back.noticed[j], people().noticed[j]);
  expect_equal(back.side[0].noticed, people().side[0].noticed);
}

TEST(Cache, ASparseTableComesBackWithoutMemoryPerColumn) {
  const Table back = parse(written(sparse()));
  EXPECT_EQ(back.schema.size(), 2000000000);
  const auto& x = std::get<SparseMatrix<float>>(back.x);
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.columns[2], 1999999999U);
  EXPECT_EQ(x.starts[3], 3);
  EXPECT_EQ(x.values[1], 2);
  EXPECT_EQ(back.side[0].levels, sparse().side[0].levels);
}

TEST(Cache, ATableMadeByAProgramIsCounted) {
  Table table = people();
  table.noticed.clear();
  table.side[0].noticed = {};
  const Table back = parse(written(table));
  EXPECT_EQ(back.noticed[0].missing, 1);
  EXPECT_EQ(back.noticed[1].missing, 1);
  expect_equal(back.side[0], table.side[0]);
}

// Numbers are; what is used as an index is a copy, since the file may change.
TEST(Cache, NumbersAreViewsOfTheMappedFile) {
  const ScratchFolder folder;
  const std::string path = folder.path("a.dcache");
  const auto is_view = [&](const Table& written_table) {
    write_cache(written_table, path);
    const FileContent content(path);
    const Table table = parse_cache(content, path, {});
    const auto* values =
        std::visit([](const auto& x) { return reinterpret_cast<const char*>(x.values.data()); }, table.x);
    return values >= content.text().data() && values < content.text().data() + content.text().size();
  };
  Table numbers;
  numbers.schema = Schema({{"age", false, {}}, {"height", false, {}}});
  numbers.x = DenseMatrix<double>{Buffer(std::vector<double>{0.1, 1, 2, 0, 40, 3}), 3, 2};
  EXPECT_TRUE(is_view(numbers));
  EXPECT_TRUE(is_view(sparse()));
  EXPECT_FALSE(is_view(people()));
}

TEST(Cache, EveryChangedByteAndTruncationIsRefusedAsData) {
  const std::string whole = written(people());
  for (std::size_t k = 0; k < whole.size(); ++k) {
    std::string changed = whole;
    changed[k] = static_cast<char>(changed[k] ^ 0x04);
    for (const std::string& bytes : {changed, whole.substr(0, k)}) {
      const auto result = attempt([&] { return parse(bytes); });
      ASSERT_FALSE(result.ok()) << k;
      EXPECT_EQ(result.error().code(), Code::data);
    }
  }
}

TEST(Cache, ColumnsAreChosenAndSetAsideOnReading) {
  ReadOptions options;
  options.side = {{"town", true, true}, {"weight", false, true}};
  const Table table = parse(written(people()), options);
  ASSERT_EQ(table.schema.size(), 1);
  EXPECT_EQ(table.schema.name(0), "age");
  EXPECT_EQ(cell(table.x, 2, 0), 40);
  const SideColumn* town = table.find_side("town");
  ASSERT_NE(town, nullptr);
  EXPECT_EQ(town->levels[static_cast<std::size_t>(town->values[0])], "Z\xFCrich");
  EXPECT_EQ(town->noticed.missing, 1);
}

TEST(Cache, AModelFileIsNotACache) {
  EXPECT_EQ(attempt([&] { return parse(forge_container("", "")); }).error().message(),
            "this is not a data cache");
  const auto newer = forge_container("", "", R"("format":"discern-table","version":"7","table":"{}")");
  EXPECT_EQ(attempt([&] { return parse(newer); }).error().message(),
            "version 7 of the data cache is not known (this program reads 1)");
}

// A cache whose parts are as given, with a right checksum.
class Forged : public ::testing::Test {
 protected:
  template <class T>
  static std::string bytes_of(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  static std::string describe(const std::string& json) {
    std::string quoted;
    for (const char c : json) quoted += c == '"' ? "\\\"" : std::string(1, c);
    return R"("format":"discern-table","version":"1","table":")" + quoted + "\"";
  }
  static bool accepted(const std::string& json, const std::string& tensors, const std::string& data) {
    const auto result = attempt([&] { return parse(forge_container(tensors, data, describe(json))); });
    if (!result.ok()) {
      EXPECT_EQ(result.error().code(), Code::data);
    }
    return result.ok();
  }
  static bool dense(const std::string& json, const std::vector<double>& values) {
    return accepted(json, R"("x":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]})", bytes_of(values));
  }
  static bool sparse(const std::vector<std::int64_t>& starts, const std::vector<std::uint32_t>& columns,
                     const std::vector<float>& values) {
    return accepted(R"({"rows":2,"columns":5,"side":[]})",
                    R"("x.starts":{"dtype":"I64","shape":[3],"data_offsets":[0,24]},)"
                    R"("x.columns":{"dtype":"U32","shape":[3],"data_offsets":[24,36]},)"
                    R"("x.values":{"dtype":"F32","shape":[3],"data_offsets":[36,48]})",
                    bytes_of(starts) + bytes_of(columns) + bytes_of(values));
  }
};

TEST_F(Forged, DenseCellsMustBeWhatTheDescriptionSays) {
  const std::string numbers = R"({"rows":2,"columns":2,"side":[]})";
  EXPECT_TRUE(dense(numbers, {1, 2, 3, 4}));
  EXPECT_FALSE(dense(numbers, {1, NAN, 3, 4}));
  EXPECT_FALSE(dense(numbers, {1, INFINITY, 3, 4}));
  const std::string mixed = R"({"rows":2,"columns":[{"name":"a","missing":1,"first_missing_line":2},)"
                            R"({"name":"b","levels":["u","v"],"level_lines":[2,3]}],"side":[]})";
  EXPECT_TRUE(dense(mixed, {NAN, 0, 3, 1}));
  EXPECT_FALSE(dense(mixed, {1, 0, 3, 1}));
  EXPECT_FALSE(dense(mixed, {NAN, NAN, 3, 1}));
  EXPECT_FALSE(dense(mixed, {NAN, 0, INFINITY, 1}));
  for (const double code : {-1.0, 2.0, 0.5, 1e300}) EXPECT_FALSE(dense(mixed, {NAN, code, 3, 1})) << code;
}

TEST_F(Forged, SparseRowsMustBeInOrderAndInRange) {
  EXPECT_TRUE(sparse({0, 2, 3}, {0, 4, 2}, {1, 2, 3}));
  for (const auto& starts :
       {std::vector<std::int64_t>{0, 4, 3}, {1, 2, 3}, {0, 2, 2}, {0, -1, 3}, {0, 2, 1LL << 60}})
    EXPECT_FALSE(sparse(starts, {0, 4, 2}, {1, 2, 3}));
  for (const auto& columns : {std::vector<std::uint32_t>{4, 0, 2}, {4, 4, 2}, {0, 5, 2}, {0, 4, 4000000000}})
    EXPECT_FALSE(sparse({0, 2, 3}, columns, {1, 2, 3}));
  EXPECT_FALSE(sparse({0, 2, 3}, {0, 4, 2}, {1, NAN, 3}));
  EXPECT_FALSE(sparse({0, 2, 3}, {0, 4, 2}, {1, -INFINITY, 3}));
}

TEST_F(Forged, DescriptionsThatLieAreRefused) {
  for (
      const char* json :
      {"", "[]", "{}", "{", R"({"rows":2,"columns":2})", R"({"rows":3,"columns":2,"side":[]})",
       R"({"rows":2,"columns":3,"side":[]})", R"({"rows":-2,"columns":2,"side":[]})",
       R"({"rows":9223372036854775807,"columns":2,"side":[]})", R"({"rows":2.0,"columns":2,"side":[]})",
       R"({"rows":2,"columns":[],"side":[]})",
       R"({"rows":2,"columns":[{"name":"a"},{"name":"a"}],"side":[]})",
       R"({"rows":2,"columns":[{"name":"a"},{"name":1}],"side":[]})",
       R"({"rows":2,"columns":[{"name":"a"},{"name":"b","levels":["v","u"],"level_lines":[1,2]}],"side":[]})",
       R"({"rows":2,"columns":[{"name":"a"},{"name":"b","levels":["u","u"],"level_lines":[1,2]}],"side":[]})",
       R"({"rows":2,"columns":[{"name":"a"},{"name":"b","levels":["u","v"]}],"side":[]})",
       R"({"rows":2,"columns":2,"side":[{"name":"t"}]})"})
    EXPECT_FALSE(dense(json, {0, 1, 0, 1})) << json;
}

RC_GTEST_PROP(Cache, AnyTableComesBack, ()) {
  const Index rows = *rc::gen::inRange<Index>(1, 20), cols = *rc::gen::inRange<Index>(1, 6);
  const auto texts = *rc::gen::container<std::set<std::string>>(rc::gen::arbitrary<std::string>());
  std::vector<std::string> levels(texts.begin(), texts.end());
  if (levels.empty()) levels = {"only"};
  sort_levels(levels);
  Table table;
  std::vector<Column> columns;
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (Index j = 0; j < cols; ++j) {
    const bool text = *rc::gen::arbitrary<bool>();
    columns.push_back({"c" + std::to_string(j), text, text ? levels : std::vector<std::string>{}});
    Noticed noticed;
    if (text) noticed.level_line.assign(levels.size(), 5);
    for (Index i = 0; i < rows; ++i) {
      const double number = *rc::gen::arbitrary<double>();
      double v = text                    ? *rc::gen::inRange<int>(0, static_cast<int>(levels.size()))
                 : std::isfinite(number) ? number
                                         : 0;
      if (*rc::gen::inRange(0, 5) == 0) v = NAN, ++noticed.missing;
      values[static_cast<std::size_t>(i * cols + j)] = v;
    }
    if (noticed.missing > 0) noticed.first_missing_line = 9;
    table.noticed.push_back(noticed);
  }
  table.schema = Schema(std::move(columns));
  table.x = DenseMatrix<double>{Buffer(values), rows, cols};
  expect_equal(parse(written(table)), table);
}

TEST(Cache, OneThreadAndTwoWriteTheSameBytes) {
  std::string one, two;
  with_threads(1, [&] { one = written(people()); });
  with_threads(2, [&] { two = written(people()); });
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace discern::cache_test
