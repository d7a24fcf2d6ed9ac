#include "discern/io/binary/safetensors.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "discern/base/threads.hpp"
#include "discern/io/file/utf8.hpp"
#include "tests/io/binary/container_forge.hpp"

namespace discern::safetensors_test {
namespace {

const std::vector<double> weights = {1.5, -2, 0.1, 4, 5, 6};
const std::vector<float> narrow = {1, 2, 3};
const std::vector<std::int64_t> counts = {7, -8};

std::string sample() {
  return write_container({{"kind", "a \"quoted\"\nvalue"}, {"empty", ""}},
                         {make_tensor("narrow", {3}, narrow.data()), make_tensor("w", {2, 3}, weights.data()),
                          make_tensor("n", {2}, counts.data())});
}

Container read(const std::string& bytes, Code code = Code::model) {
  const auto owner = std::make_shared<std::string>(bytes);
  return read_container(*owner, owner, "m", code);
}

// What the reader says of a container that a stranger put together with a right checksum.
std::string refusal(const std::string& header, const std::string& data) {
  const auto result = attempt([&] { return read(forge_container(header, data)); });
  return result.ok() ? "accepted" : result.error().message();
}

TEST(Container, GivesBackWhatWasWritten) {
  const Container container = read(sample());
  EXPECT_EQ(container.metadata, (Metadata{{"empty", ""}, {"kind", "a \"quoted\"\nvalue"}}));
  const Buffer<double> w = container.values<double>("w", {2, -1});
  EXPECT_EQ(std::vector<double>(w.begin(), w.end()), weights);
  const Buffer<std::int64_t> n = container.values<std::int64_t>("n", {2});
  EXPECT_EQ(std::vector<std::int64_t>(n.begin(), n.end()), counts);
  const Buffer<float> f = container.values<float>("narrow", {-1});
  EXPECT_EQ(std::vector<float>(f.begin(), f.end()), narrow);
}

TEST(Container, TensorsAreViewsThatKeepTheFileAlive) {
  Buffer<double> w;
  {
    auto owner = std::make_shared<std::string>(sample());
    const char* begin = owner->data();
    const std::size_t size = owner->size();
    const Container container = read_container(*owner, owner, "m", Code::model);
    owner.reset();
    w = container.values<double>("w", {2, 3});
    EXPECT_GE(reinterpret_cast<const char*>(w.data()), begin);
    EXPECT_LT(reinterpret_cast<const char*>(w.data()), begin + size);
  }
  EXPECT_EQ(w[5], 6);
}

TEST(Container, TheDataBeginAtAMultipleOf64AndNumbersAreAligned) {
  const std::string bytes = sample();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ((8 + length) % 64, 0U);
  EXPECT_EQ(bytes.size(), 8 + length + 48 + 16 + 12);
}

TEST(Container, EveryChangedByteIsRefused) {
  const std::string whole = sample();
  for (std::size_t k = 0; k < whole.size(); ++k)
    for (const int flip : {0x01, 0x20, 0x80}) {
      std::string changed = whole;
      changed[k] = static_cast<char>(changed[k] ^ flip);
      const auto result = attempt([&] { return read(changed); });
      ASSERT_FALSE(result.ok()) << "byte " << k;
      EXPECT_EQ(result.error().code(), Code::model);
      EXPECT_EQ(result.error().place().file, "m");
    }
}

TEST(Container, EveryTruncationAndExtensionIsRefused) {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(attempt([&] { return read(whole.substr(0, size)); }).ok()) << size;
  EXPECT_FALSE(attempt([&] { return read(whole + '\0'); }).ok());
}

TEST(Container, TheErrorCodeIsTheCallers) {
  const auto result = attempt([&] { return read("something else", Code::data); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Code::data);
  EXPECT_EQ(result.error().message(), "this file was not written by Discern");
}

TEST(Container, OffsetsThatLieAreRefused) {
  const std::string eight(8, '\0');
  const auto tensor = [&](const std::string& shape, const std::string& offsets, const std::string& data) {
    return refusal(R"("a":{"dtype":"F64","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}", data);
  };
  EXPECT_EQ(tensor("[1]", "[0,8]", eight), "accepted");
  for (const char* offsets : {"[0,16]", "[8,16]", "[8,0]", "[1,9]", "[0,4]", "[0,18446744073709551615]",
                              "[0]", "[0,8,8]", "[-1,8]", "[0,8.0]", "[0,\"8\"]", "[0,1e400]", "8"})
    EXPECT_NE(tensor("[1]", offsets, eight), "accepted") << offsets;
  for (const char* shape : {"[2]", "[0]", "[1,2]", "[4611686018427387904,4]", "[18446744073709551615]",
                            "[-1]", "[1.5]", "[[1]]", "{}", "1", "[1,1,1,1,1,1,1,1,1]"})
    EXPECT_NE(tensor(shape, "[0,8]", eight), "accepted") << shape;
}

TEST(Container, OverlapsGapsAndLeftOverBytesAreRefused) {
  const std::string data(16, '\0');
  const auto two = [&](const char* first, const char* second) {
    return refusal(std::string(R"("a":{"dtype":"F64","shape":[1],"data_offsets":)") + first +
                       R"(},"b":{"dtype":"F64","shape":[1],"data_offsets":)" + second + "}",
                   data);
  };
  EXPECT_EQ(two("[0,8]", "[8,16]"), "accepted");
  EXPECT_EQ(two("[8,16]", "[0,8]"), "accepted");
  EXPECT_NE(two("[0,8]", "[0,8]"), "accepted");
  EXPECT_NE(two("[0,8]", "[4,12]"), "accepted");
  EXPECT_EQ(refusal(R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})", data),
            "the file is damaged: bytes follow the last tensor");
}

TEST(Container, ForeignHeadersAreRefused) {
  for (
      const char* header :
      {R"("a":{"dtype":"F64","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"F64","shape":[0],"data_offsets":[0,0]})",
       R"("a":{"dtype":"F64","dtype":"F64","shape":[0],"data_offsets":[0,0]})",
       R"("a":{"dtype":"F64","shape":[0]})", R"("a":{"dtype":"BF16","shape":[0],"data_offsets":[0,0]})",
       R"("a":{})", R"("a":1)", R"("a":null)", R"("a":[])",
       R"("a":{"dtype":"F64","shape":[0],"data_offsets":[0,0],"more":1})", R"("__metadata__":{})",
       R"("a":{"b":{"c":{}}})", R"("a")"})
    EXPECT_NE(refusal(header, ""), "accepted") << header;
  EXPECT_NE(refusal(std::string(100000, '['), ""), "accepted");
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += R"("a":{)";
  EXPECT_NE(refusal(deep, ""), "accepted");
}

TEST(Container, AMissingTensorOrAnotherShapeIsRefusedByName) {
  const Container container = read(sample());
  EXPECT_THROW(container.values<double>("v", {2, 3}), Error);
  EXPECT_THROW(container.values<double>("w", {3, 2}), Error);
  EXPECT_THROW(container.values<double>("w", {6}), Error);
  EXPECT_THROW(container.values<float>("w", {2, 3}), Error);
}

TEST(Container, ReadsFromAnyAlignment) {
  const std::string bytes = sample();
  for (std::size_t shift = 1; shift < 8; ++shift) {
    const auto owner = std::make_shared<std::string>(std::string(shift, ' ') + bytes);
    const Container container =
        read_container(std::string_view(*owner).substr(shift), owner, "m", Code::model);
    EXPECT_EQ(container.values<double>("w", {2, 3})[2], 0.1);
  }
}

TEST(Container, BigFilesHaveOneChecksumWhateverTheThreads) {
  std::vector<double> many(5'000'000);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = static_cast<double>(k);
  std::string one, two;
  const std::vector<Tensor> tensors = {make_tensor("m", {static_cast<Index>(many.size())}, many.data())};
  with_threads(1, [&] { one = write_container({}, tensors); });
  with_threads(2, [&] { two = write_container({}, tensors); });
  EXPECT_EQ(one, two);
  EXPECT_EQ(read(one).values<double>("m", {-1})[4'999'999], 4'999'999);
  one[one.size() - 5] ^= 1;
  EXPECT_THROW(read(one), Error);
}

RC_GTEST_PROP(Container, AnyBytesInMetadataComeBack, (const std::map<std::string, std::string>& given)) {
  Metadata metadata = given;
  metadata.erase("checksum");
  RC_ASSERT(read(write_container(metadata, {})).metadata == metadata);
}

RC_GTEST_PROP(Utf8, AnyBytesComeBack, (const std::string& bytes)) {
  RC_ASSERT(from_utf8(to_utf8(bytes)) == bytes);
  RC_ASSERT(from_utf8(to_utf8(to_utf8(bytes))) == to_utf8(bytes));
}

TEST(Utf8, OrdinaryTextStaysAsItIs) {
  for (const char* text : {"", "plain", "Zürich", "東京", "\xF0\x9F\x98\x80"}) EXPECT_EQ(to_utf8(text), text);
  EXPECT_EQ(to_utf8("Z\xFCrich"), "Z\xEF\x9F\xBCrich");
}

}  // namespace
}  // namespace discern::safetensors_test
