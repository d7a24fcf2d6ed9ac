#include "discern/io/number/number.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "discern/base/random.hpp"
#include "discern/io/number/long_decimal.hpp"
#include "discern/io/number/number_text.hpp"
#include "discern/io/number/short_decimal.hpp"

namespace discern::number_test {
namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The three parsers on the text, each with plenty of room around it, against strtod.
void expect_as_strtod(const std::string& text) {
  const std::string room(40, ';');
  const std::string padded = room + text + room;
  const char* const first = padded.data() + room.size();
  const char* const last = first + text.size();
  const double expected = std::strtod(text.c_str(), nullptr);
  double value = 0;
  EXPECT_EQ(parse_number(first, padded.data() + padded.size(), value), last) << text;
  EXPECT_EQ(bits_of(value), bits_of(expected)) << text;
  EXPECT_EQ(parse_number(first, last, value), last) << text << " at the end of the text";
  EXPECT_EQ(bits_of(value), bits_of(expected)) << text;
  EXPECT_EQ(parse_any_number(first, last, value), last) << text;
  EXPECT_EQ(bits_of(value), bits_of(expected)) << text;
  if (parse_short_decimal(first, last, value)) {
    EXPECT_EQ(bits_of(value), bits_of(expected)) << text;
  }
  if (parse_long_decimal(first, last, value)) {
    EXPECT_EQ(bits_of(value), bits_of(expected)) << text;
  }
}

TEST(Number, HardCasesRoundAsStrtodDoes) {
  for (const char* text :
       {"0", "-0", "+0", "1", "-1", "+1", "5.", ".5", "-.5", "00012", "1e3", "1E+3", "1e-3", "12345678",
        "123456789", "1234567.12345678", "12345678.12345678", "0.00000001", "9007199254740992",
        "9007199254740993", "9007199254740995", "9999999999999999", "90071992547409.93", "9007199254740.993",
        // halfway between two doubles, and a hair beyond
        "9007199254740993.00000000000000000000", "9007199254740993.00000000000000000001",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        // the ends of the range, and denormals
        "1.7976931348623157e308", "1.7976931348623158e308", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1e-400", "-1e-400", "1e22", "1e23", "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000001"})
    expect_as_strtod(text);
}

TEST(Number, BeyondDoubleIsAnInfinityForTheCallerToRefuse) {
  for (const std::string text : {"1e400", "1.7976931348623159e308", "999e999999999"}) {
    double value = 0;
    ASSERT_NE(parse_number(text.data(), text.data() + text.size(), value), nullptr);
    EXPECT_EQ(value, std::numeric_limits<double>::infinity()) << text;
  }
}

TEST(Number, WhatIsNoNumberIsRefusedOrLeftOver) {
  const std::string room(40, ' ');
  for (const std::string text :
       {"", "-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "Infinity", "abc", " 1", "--1", "+-1"}) {
    double value = 0;
    const std::string padded = text + room;
    EXPECT_EQ(parse_number(text.data(), text.data() + text.size(), value), nullptr) << text;
    EXPECT_EQ(parse_number(padded.data(), padded.data() + padded.size(), value), nullptr) << text;
  }
  const std::pair<std::string, std::size_t> partly[] = {{"1,5", 1},   {"3.2abc", 3}, {"0x1A", 1},
                                                        {"1.2.3", 3}, {"1e", 1},     {"1-2", 1}};
  for (const auto& [text, size] : partly) {
    double value = 0;
    const std::string padded = text + room;
    EXPECT_EQ(parse_number(padded.data(), padded.data() + padded.size(), value), padded.data() + size)
        << text;
    EXPECT_FALSE(parse_short_decimal((room + padded).data() + room.size(), (room + padded).data(), value));
  }
}

TEST(Number, ShortDecimalsOfEveryShapeRoundAsStrtodDoes) {
  Random random(1);
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text = random.below(2) == 0 ? "" : "-";
    const auto digits = 1 + random.below(16);
    const auto point = random.below(digits + 2);
    for (std::uint64_t k = 0; k < digits; ++k) {
      if (k == point) text += '.';
      text += static_cast<char>('0' + random.below(10));
    }
    const std::string padded = "7777777777777777" + text + "7777777777777777777777777777777777777777";
    const char* const first = padded.data() + 16;
    double value = 0;
    const bool fits = text.size() - (text[0] == '-') <= 16;
    const bool parsed = parse_short_decimal(first, first + text.size(), value);
#ifdef __AVX2__
    ASSERT_EQ(parsed, fits && text.back() != '.') << text;
#endif
    if (parsed) {
      ASSERT_TRUE(fits);
      ASSERT_EQ(bits_of(value), bits_of(std::strtod(text.c_str(), nullptr))) << text;
    }
  }
}

TEST(Number, LongDecimalsOfEveryShapeRoundAsStrtodDoes) {
  Random random(2);
  int parsed = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text = random.below(2) == 0 ? "" : "-";
    const auto zeros = random.below(8), digits = 17 + random.below(4);
    const auto point = random.below(zeros + digits + 1);
    for (std::uint64_t k = 0; k < zeros + digits; ++k) {
      if (k == point) text += '.';
      text += k < zeros ? '0' : static_cast<char>('0' + random.below(10));
    }
    const std::string padded = std::string(40, '7') + text;
    double value = 0;
    if (!parse_long_decimal(padded.data() + 40, padded.data() + padded.size(), value)) continue;
    ++parsed;
    ASSERT_EQ(bits_of(value), bits_of(std::strtod(text.c_str(), nullptr))) << text;
  }
#ifdef __AVX2__
  EXPECT_GT(parsed, 150000);
#endif
}

TEST(Number, AShortDecimalWithAnythingElseInItIsLeftToTheOthers) {
  const std::string room(40, '1');
  for (const std::string text : {".", "-", "-.", "", "1 ", " 1", "1..2", "1.2.", "1e5", "+1", "--1", "1-",
                                 "NA", "?", "1/2", "1:", "1,2"}) {
    const std::string padded = room + text + room;
    double value = 0;
    EXPECT_FALSE(parse_short_decimal(padded.data() + 40, padded.data() + 40 + text.size(), value)) << text;
  }
}

RC_GTEST_PROP(Number, RandomDecimalsRoundAsStrtodDoes, (std::uint64_t seed)) {
  Random random(seed);
  for (int trial = 0; trial < 50; ++trial) {
    std::string text;
    if (random.below(3) == 0) text += random.below(2) == 0 ? '-' : '+';
    const auto whole = random.below(24), fraction = random.below(24);
    for (std::uint64_t k = 0; k < whole; ++k) text += static_cast<char>('0' + random.below(10));
    if (fraction > 0 || whole == 0) text += '.';
    for (std::uint64_t k = 0; k < fraction + (whole == 0); ++k)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(3) == 0) text += "e" + std::to_string(static_cast<int>(random.below(600)) - 300);
    expect_as_strtod(text);
  }
}

RC_GTEST_PROP(Number, WrittenTextReadsBackAsTheSameBits, (std::uint64_t seed)) {
  Random random(seed);
  for (int trial = 0; trial < 50; ++trial) {
    double value = 0;
    const std::uint64_t bits = random.bits();
    std::memcpy(&value, &bits, sizeof value);
    if (trial % 3 == 1) value = std::nearbyint(random.normal() * 1e7) / 1e6;
    if (trial % 3 == 2) value = random.normal() * 1e3;
    if (!std::isfinite(value)) continue;
    std::string text;
    append_number(text, value);
    RC_ASSERT(bits_of(std::strtod(text.c_str(), nullptr)) == bits_of(value));
    RC_ASSERT(text.size() <= 24U);
  }
}

TEST(Number, IsWrittenWithTheFewestDigits) {
  const std::pair<double, const char*> cases[] = {{0.1, "0.1"},
                                                  {-3.0, "-3"},
                                                  {123456.75, "123456.75"},
                                                  {-0.0, "-0"},
                                                  {1e15, "1000000000000000"},
                                                  {1e22, "1e+22"},
                                                  {0.3, "0.3"},
                                                  {0.1 + 0.2, "0.30000000000000004"},
                                                  {100, "100"},
                                                  {1e-7, "1e-07"},
                                                  {5e-324, "5e-324"},
                                                  {0, "0"}};
  for (const auto& [value, expected] : cases) {
    std::string text;
    append_number(text, value);
    double back = 0;
    EXPECT_NE(parse_number(text.data(), text.data() + text.size(), back), nullptr);
    EXPECT_EQ(bits_of(back), bits_of(value));
    EXPECT_EQ(text, expected);
  }
}

TEST(Number, ARefusalSaysWhatWasFoundAndWhatToDo) {
  EXPECT_EQ(why_not_a_number("3.2abc"), "expected a number, found '3.2abc'");
  EXPECT_EQ(why_not_a_number("NaN"),
            "expected a number, found 'NaN'; leave the cell empty if the value is missing");
  EXPECT_EQ(why_not_a_number("-Inf"), "expected a number, found '-Inf'; infinite values cannot be used");
  EXPECT_EQ(why_not_a_number("0x1A"),
            "expected a number, found '0x1A'; hexadecimal is not read, write the number in decimal");
  EXPECT_EQ(why_not_a_number("1,5"), "expected a number, found '1,5'; write the decimal comma as a point");
  EXPECT_EQ(why_not_a_number("1e400"),
            "expected a number, found '1e400', which is outside the range of double precision (1.8e308)");
  EXPECT_EQ(why_not_a_number(std::string(100, 'a')),
            "expected a number, found '" + std::string(60, 'a') + "...'");
}

TEST(Number, LooksLikeANumberEvenWhenItIsRefused) {
  for (const char* text : {"1", "-2.5", "1e400", "nan", "NaN", "-INF", "infinity", "0x1A", "1,5", "-,5"})
    EXPECT_TRUE(is_number_like(text)) << text;
  for (const char* text :
       {"", "abc", "3.2abc", "1 2", "2024-01-02", "12:30", "1,", "0x", "-", "e5", "nano", "1,234,567"})
    EXPECT_FALSE(is_number_like(text)) << text;
}

}  // namespace
}  // namespace discern::number_test
