#include "discern/io/number/written_number.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace discern::written_number_test {
namespace {

using Verdict = FormEvidence::Verdict;

FormEvidence evidence_of(const std::vector<std::string>& cells, const FormOptions& options = {}) {
  FormEvidence evidence;
  Index line = 2;
  for (const auto& cell : cells) evidence.add(cell, options, line++);
  return evidence;
}

TEST(WrittenNumber, ReadsADateAsTheCalendarCountsItsDays) {
  // Every day of eight centuries, leap years of centuries among them.
  NumberForm date;
  date.kind = NumberForm::Kind::date;
  using namespace std::chrono;
  for (sys_days day = sys_days(year(1600) / 1 / 1); day < sys_days(year(2401) / 1 / 1); day += days(1)) {
    const year_month_day parts(day);
    char text[16];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", int(parts.year()), unsigned(parts.month()),
                  unsigned(parts.day()));
    ASSERT_EQ(parse_written(text, date), static_cast<double>(day.time_since_epoch().count())) << text;
  }
  for (const char* wrong :
       {"2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-32", "24-01-01", "2024-1-1",
        "2024-01-01X", "2024-01-01T25:00", "2024-01-01T10", "2024-01-01 10:60"})
    EXPECT_FALSE(parse_written(wrong, date)) << wrong;
  EXPECT_EQ(parse_written("1970-01-01T12:30:36.5Z", date), (12 * 3600 + 30 * 60 + 36.5) / 86400);
  EXPECT_EQ(parse_written("1970-01-01T00:00-01:30", date), 5400.0 / 86400);
}

TEST(WrittenNumber, TwoWaysToReadAreLeftOpenUntilACellDecides) {
  EXPECT_EQ(evidence_of({"1,234"}).verdict('\0'), Verdict::ambiguous);
  EXPECT_EQ(evidence_of({"1,234"}).unclear_line(), 2);
  EXPECT_EQ(evidence_of({"1,234", "1,5"}).form('\0').decimal, ',');
  EXPECT_EQ(evidence_of({"1,234", "1,234,567"}).form('\0').group, ',');
  EXPECT_EQ(evidence_of({"1,234"}).form(',').decimal, ',');
  EXPECT_EQ(evidence_of({"1,234"}).form('.').group, ',');
  EXPECT_EQ(evidence_of({"1,5", "1.5"}).verdict('\0'), Verdict::text);
  EXPECT_EQ(evidence_of({"1,5", "1.5"}).odd_cell(), "1.5");
  EXPECT_EQ(evidence_of({"12", "7"}).verdict('\0'), Verdict::number);
  EXPECT_TRUE(evidence_of({"12", "7.5"}).form('\0').plain());
}

TEST(WrittenNumber, SaysTheDecimalMarkOnlyWhereItIsCertain) {
  EXPECT_EQ(evidence_of({"1,234"}).decimal_mark(), '\0');
  EXPECT_EQ(evidence_of({"12"}).decimal_mark(), '\0');
  EXPECT_EQ(evidence_of({"1,5"}).decimal_mark(), ',');
  EXPECT_EQ(evidence_of({"1.234,5"}).decimal_mark(), ',');
  EXPECT_EQ(evidence_of({"1,234.5"}).decimal_mark(), '.');
  EXPECT_EQ(evidence_of({"1,234,567"}).decimal_mark(), '.');
  EXPECT_EQ(evidence_of({"word"}).decimal_mark(), '\0');
}

TEST(WrittenNumber, OptionsLeaveOutWays) {
  EXPECT_EQ(evidence_of({"1,234"}, {.decimal = ',', .thousands = {}}).form('\0').decimal, ',');
  EXPECT_EQ(evidence_of({"1,234"}, {.decimal = {}, .thousands = ','}).form('\0').group, ',');
  EXPECT_EQ(evidence_of({"1,234"}, {.decimal = {}, .thousands = '\0'}).form('\0').decimal, ',');
  EXPECT_EQ(evidence_of({"1.5"}, {.decimal = ',', .thousands = {}}).verdict('\0'), Verdict::text);
  EXPECT_EQ(evidence_of({"2024-01-01"}, {.decimal = {}, .thousands = {}, .dates = false}).verdict('\0'),
            Verdict::text);
}

// What is known of the parts of a column is known of the whole, however it is cut.
TEST(WrittenNumber, EvidenceOfPartsMergesToThatOfTheWhole) {
  const std::vector<std::vector<std::string>> columns = {
      {"1,5", "2,25", "3"},    {"1,234", "5,678", "9"},   {"$5", "$1,234.5", "7"},
      {"5%", "6%", "7%"},      {"5%", "6", "7%"},         {"1,234", "5,678", "12"},
      {"yes", "no", "YES"},    {"yes", "true", "no"},     {"2024-01-01", "2024-01-02", "x"},
      {"1,5", "1.5", "2"},     {"$5", "€5", "5"},         {"1.234", "2,5", "3"},
      {"a", "1", "2"},         {"1 234", "5 678,5", "2"}, {"12", "1,234,567", "x1"},
      {"0,123", "1,456", "7"}, {"(5)", "-3", "2"},        {"2024-01-01", "2024-01-02", "2024-01-03T10:00"}};
  for (const auto& cells : columns) {
    const FormEvidence whole = evidence_of(cells);
    for (std::size_t at = 0; at <= cells.size(); ++at) {
      FormEvidence merged = evidence_of({cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(at)});
      FormEvidence rest;
      for (std::size_t i = at; i < cells.size(); ++i) rest.add(cells[i], {}, static_cast<Index>(i) + 2);
      merged.merge(rest);
      EXPECT_EQ(merged.verdict('\0'), whole.verdict('\0')) << cells[0] << ' ' << at;
      EXPECT_EQ(merged.decimal_mark(), whole.decimal_mark()) << cells[0] << ' ' << at;
      if (whole.verdict('\0') == Verdict::text) {
        EXPECT_EQ(merged.odd_line() == 0, whole.odd_line() == 0) << cells[0] << ' ' << at;
        continue;
      }
      EXPECT_EQ(merged.form('\0'), whole.form('\0')) << cells[0] << ' ' << at;
      if (whole.verdict('\0') != Verdict::ambiguous) continue;
      EXPECT_EQ(merged.unclear_line(), whole.unclear_line()) << cells[0] << ' ' << at;
    }
  }
}

TEST(WrittenNumber, ReadsInTheFormOfItsColumnAlone) {
  NumberForm german;
  german.decimal = ',';
  german.group = '.';
  EXPECT_EQ(parse_written("1.234,5", german), 1234.5);
  EXPECT_EQ(parse_written("-7", german), -7);
  EXPECT_FALSE(parse_written("1.5", german));
  EXPECT_FALSE(parse_written("1,2,3", german));
  NumberForm price;
  price.group = ',';
  price.unit = "$";
  EXPECT_EQ(parse_written("($1,234.50)", price), -1234.5);
  EXPECT_EQ(parse_written("12", price), 12);
  EXPECT_FALSE(parse_written("€12", price));
  NumberForm rate;
  rate.unit = "%";
  EXPECT_EQ(parse_written("1.3 %", rate), 1.3);
  EXPECT_FALSE(parse_written("1.3", rate));
  NumberForm boolean;
  boolean.kind = NumberForm::Kind::boolean;
  EXPECT_EQ(parse_written("TRUE", boolean), 1);
  EXPECT_EQ(parse_written("0", boolean), 0);
  EXPECT_FALSE(parse_written("2", boolean));
}

}  // namespace
}  // namespace discern::written_number_test
