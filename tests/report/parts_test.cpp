// The parts of reports: numbers as text, rows that are drawn, hulls, and pages that hold what comes from files as text.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "discern/report/hull.hpp"
#include "discern/report/page.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/sample.hpp"
#include "discern/report/words.hpp"

namespace discern::report_parts_test {
namespace {

using report::Json;

TEST(ReportPlot, PacksNumbersInTwoCharactersAndMarksWhatIsNone) {
  const Json packed = report::packed({-1, 0, 1, std::nan("")});
  EXPECT_EQ(packed["low"], -1);
  EXPECT_EQ(packed["high"], 1);
  EXPECT_EQ(packed["text"], "AAgA__~~");  // 0, 2048 and 4095 of 64 letters
}

TEST(ReportPlot, CountsEqualNeighbours) {
  EXPECT_EQ(report::runs({0, 0, -1, 3, 3, 3}), Json({0, 2, -1, 1, 3, 3}));
}

TEST(ReportPlot, RoundsToSixDigitsAndHasNoNumberForWhatIsNotFinite) {
  EXPECT_EQ(report::number(1.23456789), 1.23457);
  EXPECT_EQ(report::number(3.0).dump(), "3");
  EXPECT_TRUE(report::number(INFINITY).is_null());
}

TEST(ReportPlot, AStraightLineEndsAtTheWindow) {
  const Json flat = report::straight({0, 10, 0, 10}, 0, 1, -4);
  EXPECT_EQ(flat["x"], Json({0, 10}));
  EXPECT_EQ(flat["y"], Json({4, 4}));
  const Json steep = report::straight({0, 10, 0, 10}, 1, 0, -4);
  EXPECT_EQ(steep["x"], Json({4, 4}));
}

TEST(ReportSample, TakesAllRowsOfASmallTable) { EXPECT_EQ(report::rows_to_draw(5, {}, 10).size(), 5U); }

TEST(ReportSample, KeepsSharesAndRareClasses) {
  std::vector<std::int32_t> labels(10000, 0);
  for (std::size_t i = 0; i < 3000; ++i) labels[3 * i] = 1;
  for (const std::size_t i : {11U, 500U, 9998U}) labels[i] = 2;
  const auto rows = report::rows_to_draw(10000, labels, 1000);
  std::vector<int> count(3);
  for (const Index i : rows) ++count[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
  EXPECT_NEAR(count[0], 700, 2);
  EXPECT_NEAR(count[1], 300, 2);
  EXPECT_EQ(count[2], 3);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST(ReportHull, HasTheCornersOnly) {
  const auto hull = report::convex_hull({{0, 0}, {2, 0}, {1, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 0}});
  EXPECT_EQ(hull.size(), 4U);
}

TEST(ReportWords, AreCutBetweenLettersAndGrouped) {
  EXPECT_EQ(report::shortened("abcdef", 4), "abc\u2026");
  EXPECT_EQ(report::shortened("\u00e4\u00f6\u00fc", 3), "\u00e4\u00f6\u00fc");
  EXPECT_EQ(report::grouped(-1234567), "-1,234,567");
  EXPECT_EQ(report::grouped(100), "100");
}

TEST(ReportPage, HoldsTextAsText) {
  report::Page page{"<script>alert(1)</script>", "fit"};
  page.summary = {"a & b, `code <i>`, \xff"};
  page.facts = {{"\"name\"", "'value'"}};
  report::Figure figure{"f", "</script><!--", "text"};
  figure.data = "{\"kind\":\"table\",\"columns\":[],\"rows\":[[\"<b>\"]]}";
  page.figures = {figure};
  const std::string html = report::page_html(page);
  for (const char* bad : {"<script>alert", "</script><!--", "<i>", "<b>", "\xff"})
    EXPECT_EQ(html.find(bad), std::string::npos) << bad;
  EXPECT_NE(html.find("<code>code &lt;i&gt;</code>"), std::string::npos);
  EXPECT_NE(html.find("&quot;name&quot;"), std::string::npos);
  EXPECT_EQ(Json::parse(report::page_json(page))["figures"][0]["data"]["rows"][0][0], "<b>");
}

}  // namespace
}  // namespace discern::report_parts_test
