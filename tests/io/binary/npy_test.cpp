#include "discern/io/binary/npy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>

#include "discern/base/error.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::npy_test {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  if (swapped)
    for (std::size_t k = 0; k < bytes.size(); k += sizeof(T))
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(k),
                   bytes.begin() + static_cast<std::ptrdiff_t>(k + sizeof(T)));
  return bytes;
}

std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
    text += static_cast<char>(dictionary.size() >> (8 * k) & 0xFF);
  return text + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}   \n", descr,
                     fortran ? "True" : "False", shape);
}

Table parse(const std::string& bytes, const ReadOptions& options = {}) {
  const auto owner = std::make_shared<std::string>(bytes);
  return parse_npy(FileContent(owner, *owner), "a.npy", options);
}

Error error_of(const std::string& bytes) {
  const auto result = attempt([&] { return parse(bytes); });
  if (result.ok()) {
    ADD_FAILURE() << "was accepted";
    return Error(Code::usage, "was accepted");
  }
  return result.error();
}

void expect_one_to_six(const Table& table) {
  ASSERT_EQ(table.rows(), 2);
  ASSERT_EQ(table.schema.size(), 3);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_EQ(cell(table.x, i, j), static_cast<double>(i * 3 + j + 1));
}

template <class T>
void expect_type(const std::string& code) {
  const std::vector<T> rows = {1, 2, 3, 4, 5, 6}, columns = {1, 4, 2, 5, 3, 6};
  expect_one_to_six(parse(npy(header("<" + code, "(2, 3)"), bytes_of(rows))));
  expect_one_to_six(parse(npy(header(">" + code, "(2, 3)"), bytes_of(rows, true))));
  expect_one_to_six(parse(npy(header("<" + code, "(2, 3)", true), bytes_of(columns))));
  expect_one_to_six(parse(npy(header("<" + code, "(2, 3)"), bytes_of(rows), 2)));
}

TEST(Npy, ReadsEveryTypeByteOrderAndLayout) {
  expect_type<float>("f4");
  expect_type<double>("f8");
  expect_type<std::int8_t>("i1");
  expect_type<std::int16_t>("i2");
  expect_type<std::int32_t>("i4");
  expect_type<std::int64_t>("i8");
  expect_type<std::uint8_t>("u1");
  expect_type<std::uint16_t>("u2");
  expect_type<std::uint32_t>("u4");
  expect_type<std::uint64_t>("u8");
  const Table booleans = parse(npy(header("|b1", "(2, 1)"), std::string("\x01\x00", 2)));
  EXPECT_EQ(cell(booleans.x, 0, 0), 1);
  EXPECT_EQ(cell(booleans.x, 1, 0), 0);
}

TEST(Npy, SignsAndLargeIntegersAreRight) {
  const Table table =
      parse(npy(header("<i8", "(3,)"), bytes_of<std::int64_t>({-5, 9007199254740993, INT64_MIN})));
  EXPECT_EQ(cell(table.x, 0, 0), -5);
  EXPECT_EQ(cell(table.x, 1, 0), 9007199254740992.0);
  EXPECT_EQ(cell(table.x, 2, 0), -9223372036854775808.0);
  EXPECT_EQ(cell(parse(npy(header("<u8", "(1,)"), bytes_of<std::uint64_t>({UINT64_MAX}))).x, 0, 0),
            18446744073709551616.0);
}

TEST(Npy, OneDimensionIsOneColumn) {
  const Table table = parse(npy(header("<f8", "(3,)"), bytes_of<double>({1, 2, 0.1})));
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.schema.size(), 1);
  EXPECT_EQ(cell(table.x, 2, 0), 0.1);
}

TEST(Npy, MoreDimensionsAreRefusedNamingTheShape) {
  EXPECT_STREQ(error_of(npy(header("<f8", "(2, 3, 4)"), std::string(192, '\0'))).what(),
               "a.npy: expected a matrix, found an array of 3 dimensions (2 x 3 x 4)");
  EXPECT_EQ(error_of(npy(header("<f8", "()"), std::string(8, '\0'))).code(), Code::data);
}

TEST(Npy, NotANumberIsRefusedWithRowAndColumn) {
  for (const double bad :
       {static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    const Error error = error_of(npy(header("<f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, bad, 6})));
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.place().column, "x2");
    EXPECT_EQ(error_of(npy(header(">f4", "(2, 3)", true),
                           bytes_of<float>({1, 2, 3, 4, 5, static_cast<float>(bad)}, true)))
                  .place()
                  .column,
              "x3");
  }
}

TEST(Npy, ALyingHeaderIsRefusedBeforeAnythingIsAllocated) {
  const std::string data(48, '\0');
  for (const char* shape :
       {"(2, 4)", "(2, 2)", "(1000000000000, 1000000)", "(4611686018427387904, 4)",
        "(99999999999999999999, 1)", "(-2, 3)", "(2, )", "(0, 3)", "(6, 0)", "(2 3)", "2"})
    EXPECT_EQ(error_of(npy(header("<f8", shape), data)).code(), Code::data) << shape;
  EXPECT_STREQ(error_of(npy(header("<f8", "(2, 4)"), data)).what(),
               "a.npy: the NPY header says 2 x 4 numbers of 8 bytes, but 48 bytes follow it");
}

TEST(Npy, EveryTruncationIsRefused) {
  const std::string whole = npy(header("<f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(error_of(whole.substr(0, size)).code(), Code::data) << size;
}

TEST(Npy, UnknownTypesVersionsAndKeysAreRefusedByName) {
  EXPECT_NE(std::string(error_of(npy(header("<c16", "(1,)"), std::string(16, '\0'))).what()).find("'<c16'"),
            std::string::npos);
  for (const char* descr : {"<f2", "<f1", "<U4", "|O", "<i3", "", "?f8", "<f88"})
    EXPECT_EQ(error_of(npy(header(descr, "(1,)"), std::string(8, '\0'))).code(), Code::data) << descr;
  EXPECT_EQ(error_of(npy(header("<f8", "(1,)"), std::string(8, '\0'), 4)).code(), Code::data);
  EXPECT_EQ(error_of(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "")).code(),
            Code::data);
  EXPECT_EQ(error_of(npy("{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}", "")).code(), Code::data);
  EXPECT_EQ(error_of("a,b\n1,2\n").message(), "this is not an NPY file: it does not begin with \\x93NUMPY");
}

TEST(Npy, ATargetIsSetAsideByNameOrNumber) {
  ReadOptions options;
  options.side = {{"3", true, true}};
  const Table table = parse(npy(header("<f8", "(2, 3)"), bytes_of<double>({1, 2, 7, 4, 5, 0.5})), options);
  EXPECT_EQ(table.schema.size(), 2);
  EXPECT_EQ(table.side[0].name, "x3");
  EXPECT_EQ(table.side[0].levels, (std::vector<std::string>{"0.5", "7"}));
  EXPECT_EQ(table.side[0].values, (std::vector<double>{1, 0}));
}

TEST(Npy, AFloatArrayInAMappedFileIsNotCopied) {
  const ScratchFolder folder;
  Table table;
  table.schema = Schema::numbered(2);
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{0.1, 0.2, 0.3, 0.4}), 2, 2};
  write_npy(table, folder.path("a.npy"));
  const FileContent content(folder.path("a.npy"));
  const Table back = parse_npy(content, "a.npy", {});
  const auto* values = reinterpret_cast<const char*>(std::get<DenseMatrix<double>>(back.x).values.data());
  EXPECT_GE(values, content.text().data());
  EXPECT_LT(values, content.text().data() + content.text().size());
}

RC_GTEST_PROP(Npy, WritesWhatItReadsBack, ()) {
  const Index rows = *rc::gen::inRange<Index>(1, 9), cols = *rc::gen::inRange<Index>(1, 9);
  const auto floats = *rc::gen::arbitrary<bool>();
  const auto numbers = *rc::gen::container<std::vector<double>>(
      static_cast<std::size_t>(rows * cols),
      rc::gen::map(rc::gen::arbitrary<double>(), [](double v) { return std::isfinite(v) ? v : 0.1; }));
  Table table;
  table.schema = Schema::numbered(cols);
  std::vector<float> narrow(numbers.begin(), numbers.end());
  for (float& v : narrow)
    if (!std::isfinite(v)) v = 2;
  const bool all_fit = std::all_of(numbers.begin(), numbers.end(), fits_float);
  if (floats || all_fit)
    table.x = DenseMatrix<float>{Buffer(narrow), rows, cols};
  else
    table.x = DenseMatrix<double>{Buffer(numbers), rows, cols};
  const ScratchFolder folder;
  write_npy(table, folder.path("a.npy"));
  expect_equal(read_npy(folder.path("a.npy"), {}), table);
}

TEST(Npy, WhatTheFormatCannotHoldIsNotWritten) {
  const ScratchFolder folder;
  const auto refused = [&](const Table& table) {
    const auto result = attempt([&] { return write_npy(table, folder.path("a.npy")), 0; });
    return !result.ok() && result.error().code() == Code::usage && folder.entries() == 0;
  };
  Table table;
  table.schema = Schema::numbered(2);
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{1, NAN}), 1, 2};
  EXPECT_TRUE(refused(table));
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{1, 2}), 1, 2};
  table.side = {{"label", true, {"yes"}, {0}, {}}};
  EXPECT_TRUE(refused(table));
  table.side[0].levels = {"4"};
  write_npy(table, folder.path("a.npy"));
  EXPECT_EQ(cell(read_npy(folder.path("a.npy"), {}).x, 0, 2), 4);
  table.schema = Schema({{"a", false, {}}, {"b", true, {"u", "v", "w"}}});
  std::filesystem::remove(folder.path("a.npy"));
  EXPECT_TRUE(refused(table));
}

}  // namespace
}  // namespace discern::npy_test
