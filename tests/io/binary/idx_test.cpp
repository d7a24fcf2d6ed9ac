#include "discern/io/binary/idx.hpp"

#include <gtest/gtest.h>

#include "discern/base/error.hpp"
#include "discern/io/file/file.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::idx_test {
namespace {

std::string idx(char type, const std::vector<std::uint32_t>& dims, const std::string& data) {
  std::string bytes = {'\0', '\0', type, static_cast<char>(dims.size())};
  for (const auto n : dims)
    for (int k = 3; k >= 0; --k) bytes += static_cast<char>(n >> (8 * k) & 0xFF);
  return bytes + data;
}

Table parse(const std::string& bytes) {
  const auto owner = std::make_shared<std::string>(bytes);
  return parse_idx(FileContent(owner, *owner), "a.idx");
}

const std::string two_images = idx(8, {2, 2, 3}, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\xff");
const std::string two_labels = idx(8, {2}, "\x07\x03");

void write(const std::string& path, const std::string& bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

TEST(Idx, ImagesBecomeRowsOfPixels) {
  const Table table = parse(two_images);
  ASSERT_EQ(table.rows(), 2);
  ASSERT_EQ(table.schema.size(), 6);
  EXPECT_EQ(table.schema.name(0), "pixel_0_0");
  EXPECT_EQ(table.schema.name(5), "pixel_1_2");
  EXPECT_TRUE(std::holds_alternative<DenseMatrix<float>>(table.x));
  EXPECT_EQ(cell(table.x, 1, 5), 255);
  EXPECT_EQ(cell(table.x, 0, 3), 4);
}

TEST(Idx, LabelsAreFoundBesideTheImages) {
  const ScratchFolder folder;
  for (const char* separator : {"-", "."}) {
    const std::string images = folder.path(std::string("train-images") + separator + "idx3-ubyte");
    write(images, two_images);
    write(folder.path(std::string("train-labels") + separator + "idx1-ubyte.gz"), two_labels);
    const Table table = read_table(images);
    ASSERT_EQ(table.side.size(), 1U);
    EXPECT_EQ(table.side[0].name, "label");
    EXPECT_EQ(table.side[0].levels, (std::vector<std::string>{"3", "7"}));
    EXPECT_EQ(table.side[0].values, (std::vector<double>{1, 0}));
  }
}

TEST(Idx, CompressedImagesAndNumericLabelsAreFine) {
  const ScratchFolder folder;
  write(folder.path("t10k-images-idx3-ubyte.gz"), two_images);
  write(folder.path("t10k-labels-idx1-ubyte"), two_labels);
  ReadOptions options;
  options.side = {{"label", false, true}};
  const Table table = read_table(folder.path("t10k-images-idx3-ubyte.gz"), options);
  EXPECT_EQ(table.side[0].values, (std::vector<double>{7, 3}));
}

TEST(Idx, LabelsMustBeAsManyAsImages) {
  const ScratchFolder folder;
  write(folder.path("a-images-idx3-ubyte"), two_images);
  write(folder.path("a-labels-idx1-ubyte"), idx(8, {3}, "abc"));
  const auto result = attempt([&] { return read_table(folder.path("a-images-idx3-ubyte")); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().place().file, folder.path("a-labels-idx1-ubyte"));
}

TEST(Idx, ReadsEveryType) {
  EXPECT_EQ(cell(parse(idx(0x09, {1}, "\xff")).x, 0, 0), -1);
  EXPECT_EQ(cell(parse(idx(0x0B, {1}, "\xff\xfe")).x, 0, 0), -2);
  EXPECT_EQ(cell(parse(idx(0x0C, {1}, std::string("\x00\x01\x00\x00", 4))).x, 0, 0), 65536);
  EXPECT_EQ(cell(parse(idx(0x0D, {1}, std::string("\x3f\xc0\x00\x00", 4))).x, 0, 0), 1.5);
  EXPECT_EQ(cell(parse(idx(0x0E, {1}, std::string("\x3f\xf8\x00\x00\x00\x00\x00\x00", 8))).x, 0, 0), 1.5);
}

TEST(Idx, TwoDimensionsAreAPlainMatrix) {
  const Table table = parse(idx(8, {2, 3}, "abcdef"));
  EXPECT_EQ(table.schema.name(2), "x3");
  EXPECT_EQ(cell(table.x, 1, 0), 'd');
}

TEST(Idx, ALyingHeaderIsRefused) {
  for (const std::string& bytes :
       {idx(8, {3, 2, 3}, std::string(12, 'x')), idx(8, {2, 2, 3}, std::string(13, 'x')), idx(8, {0, 4}, ""),
        idx(8, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "x"), idx(7, {1}, "x"),
        idx(8, {}, "x"), std::string("\0\0\x08\x03\0\0", 6), std::string("a,b\n1,2\n"), std::string()}) {
    const auto result = attempt([&] { return parse(bytes); });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), Code::data);
  }
}

TEST(Idx, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < two_images.size(); ++size)
    EXPECT_FALSE(attempt([&] { return parse(two_images.substr(0, size)); }).ok()) << size;
}

}  // namespace
}  // namespace discern::idx_test
