#include <gtest/gtest.h>

#include "discern/transform/pipeline.hpp"
#include "discern/transform/pointwise.hpp"

namespace discern::date_parts_test {
namespace {

Table table_of(const std::vector<double>& days) {
  Table table;
  NumberForm date;
  date.kind = NumberForm::Kind::date;
  table.schema = Schema({{"day", false, {}, date}, {"x", false, {}}});
  DenseMatrix<double> x{Buffer<double>(static_cast<Index>(2 * days.size())), static_cast<Index>(days.size()),
                        2};
  for (std::size_t i = 0; i < days.size(); ++i) {
    x.values[static_cast<Index>(2 * i)] = days[i];
    x.values[static_cast<Index>(2 * i + 1)] = 7;
  }
  table.x = std::move(x);
  return table;
}

std::vector<double> first_row(const Table& table, const Pipeline& pipeline) {
  Scratch scratch;
  const Targets none;
  const Block block = PipelineSource(table.x, pipeline, none).block(0, scratch);
  std::vector<double> values(static_cast<std::size_t>(pipeline.features()));
  std::visit(
      [&](const auto& rows) {
        for_each(rows.row(0), [&](Index j, double v) { values[static_cast<std::size_t>(j)] = v; });
      },
      block.x);
  return values;
}

// 1970-01-01 was a Thursday; 2000-02-29 and 2024-02-29 are leap days; 1969-12-31 is day -1.
TEST(DateParts, AreThoseOfTheCalendar) {
  const auto parts = [](double days) {
    std::vector<double> all;
    for (Index part = 0; part < date_parts; ++part) all.push_back(part_of(static_cast<DatePart>(part), days));
    return all;
  };
  EXPECT_EQ(parts(0), (std::vector<double>{1970, 1, 1, 4, 0}));
  EXPECT_EQ(parts(-1), (std::vector<double>{1969, 12, 31, 3, 0}));
  EXPECT_EQ(parts(11016), (std::vector<double>{2000, 2, 29, 2, 0}));
  EXPECT_EQ(parts(19782.75), (std::vector<double>{2024, 2, 29, 4, 18}));
  EXPECT_EQ(parts(-0.25), (std::vector<double>{1969, 12, 31, 3, 18}));
}

TEST(DateParts, TakeThePlaceOfTheDate) {
  const Table days = table_of({19782, 0, 1});
  const Pipeline pipeline = fit_pipeline(days, {}, {.date_parts = true});
  EXPECT_EQ(pipeline.feature_names(),
            (std::vector<std::string>{"day.year", "day.month", "day.day", "day.weekday", "x"}));
  EXPECT_EQ(first_row(days, pipeline), (std::vector<double>{2024, 2, 29, 4, 7}));
  EXPECT_EQ(fit_pipeline(days, {}, {}).feature_names(), (std::vector<std::string>{"day", "x"}));
}

TEST(DateParts, HaveTheHourWhereThereAreTimes) {
  const Table times = table_of({0.25, 0.5, 0.75});
  const Pipeline pipeline = fit_pipeline(times, {}, {.date_parts = true});
  EXPECT_EQ(pipeline.feature_name(4), "day.hour");
  EXPECT_EQ(first_row(times, pipeline)[4], 6);
}

}  // namespace
}  // namespace discern::date_parts_test
