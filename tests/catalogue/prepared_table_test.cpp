// What is left out of a table before a fit: columns that should not be features, rows without a target or with missing
// cells; rare texts that become one; columns that alone tell the target.
#include "discern/catalogue/prepared_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/possible_leaks.hpp"
#include "discern/catalogue/rare_levels.hpp"
#include "discern/persist/model_file.hpp"

namespace discern::prepared_table_test {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Columns of cells, a function of the row each.
struct Builder {
  Index rows;
  std::vector<Column> columns = {};
  std::vector<std::vector<double>> cells = {};
  SideColumn target = {"y", true, {"no", "yes"}, {}, {}};

  Builder& numbers(const std::string& name, const std::function<double(Index)>& cell) {
    columns.push_back({name, false, {}});
    cells.emplace_back();
    for (Index i = 0; i < rows; ++i) cells.back().push_back(cell(i));
    return *this;
  }
  // Codes of levels, -1 where missing.
  Builder& text(const std::string& name, const std::vector<std::string>& levels,
                const std::function<Index(Index)>& code) {
    numbers(name, [&](Index i) { return code(i) < 0 ? missing : static_cast<double>(code(i)); });
    columns.back() = {name, true, levels};
    return *this;
  }

  Table table(const std::function<double(Index)>& label = [](Index i) {
    return static_cast<double>(i % 3 == 0);
  }) {
    Table table;
    table.file = "t.csv";
    const auto width = static_cast<Index>(columns.size());
    DenseMatrix<double> x{Buffer<double>(rows * width), rows, width};
    for (Index j = 0; j < width; ++j) {
      Noticed& noticed = table.noticed.emplace_back();
      noticed.level_line.assign(columns[static_cast<std::size_t>(j)].levels.size(), 2);
      for (Index i = 0; i < rows; ++i) {
        const double value = cells[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
        x.values[i * width + j] = value;
        noticed.missing += std::isnan(value) ? 1 : 0;
      }
    }
    table.x = std::move(x);
    table.schema = Schema(columns);
    for (Index i = 0; i < rows; ++i) {
      target.values.push_back(label(i));
      target.noticed.missing += std::isnan(label(i)) ? 1 : 0;
    }
    table.side.push_back(target);
    return table;
  }
};

std::vector<std::string> texts(Index count, const std::string& before = "t") {
  std::vector<std::string> levels;
  for (Index k = 0; k < count; ++k) levels.push_back(before + std::to_string(1000 + k));
  return levels;
}

// "identifier" and the like of the one column besides an ordinary one; empty: it is a feature.
std::string judged(Builder builder) {
  builder.numbers("ordinary", [](Index i) { return std::sin(static_cast<double>(i)); });
  const auto found = unsuitable_columns(builder.table());
  return found.empty() ? "" : std::string(reason_name(found[0].why));
}

std::string judged_numbers(Index rows, const std::string& name, const std::function<double(Index)>& cell) {
  return judged(Builder{rows}.numbers(name, cell));
}

std::string judged_text(Index rows, Index levels, const std::string& before = "t") {
  return judged(Builder{rows}.text("c", texts(levels, before), [=](Index i) { return i % levels; }));
}

double shuffled(Index i, Index rows) {
  return static_cast<double>(1 + (i * 37) % rows);
}  // 37 divides no rows here

TEST(UnsuitableColumns, RowNumbersAreIdentifiersInAnyOrder) {
  EXPECT_EQ(judged_numbers(100, "a", [](Index i) { return static_cast<double>(i); }), "identifier");
  EXPECT_EQ(judged_numbers(100, "a", [](Index i) { return shuffled(i, 100); }), "identifier");
  EXPECT_EQ(judged_numbers(100, "a", [](Index i) { return i % 40 == 7 ? missing : shuffled(i, 100); }),
            "identifier");
}

TEST(UnsuitableColumns, WholeNumbersFarApartAreQuantitiesUnlessTheNameSaysOtherwise) {
  const auto income = [](Index i) { return 20000.0 + static_cast<double>((i * 7919) % 60000); };
  EXPECT_EQ(judged_numbers(100, "income", income), "");
  EXPECT_EQ(judged_numbers(100, "paid", income), "");
  for (const char* name :
       {"id", "ID", "PassengerId", "customer_id", "userID", "order number", "key", "Unnamed: 0"})
    EXPECT_EQ(judged_numbers(100, name, income), "identifier") << name;
  for (const char* name : {"age", "GRID", "Madrid", "keyboard", "idea", "humid"})
    EXPECT_FALSE(names_identifier(name)) << name;
}

TEST(UnsuitableColumns, CountsAndFractionsAreQuantities) {
  EXPECT_EQ(judged_numbers(200, "age", [](Index i) { return static_cast<double>((i * 31) % 80); }), "");
  EXPECT_EQ(judged_numbers(200, "id", [](Index i) { return static_cast<double>(i) + 0.5; }), "");
  EXPECT_EQ(judged_numbers(200, "below_zero", [](Index i) { return static_cast<double>(i) - 3; }), "");
  EXPECT_EQ(judged_numbers(200, "group_id", [](Index i) { return static_cast<double>(i / 4); }), "");
}

TEST(UnsuitableColumns, ExamplesOfAFewRowsKeepTheirColumns) {
  EXPECT_EQ(judged_numbers(12, "id", [](Index i) { return static_cast<double>(i); }), "");
  EXPECT_EQ(judged_numbers(40, "x", [](Index i) { return static_cast<double>(i); }), "");
  EXPECT_EQ(judged_text(19, 19), "");
}

TEST(UnsuitableColumns, TextThatFewerThanTwoRowsShareIsAnIdentifierOrFreeText) {
  EXPECT_EQ(judged_text(100, 100), "identifier");
  EXPECT_EQ(judged_text(100, 60), "identifier");
  EXPECT_EQ(judged_text(100, 50), "");
  EXPECT_EQ(judged_text(100, 100, "a comment that goes on for quite a while, "), "free text");
  const auto sparse = [](Index i) { return i % 4 == 0 ? i / 4 : -1; };  // 30 different of 30 present
  EXPECT_EQ(judged(Builder{120}.text("c", texts(30), sparse)), "identifier");
}

TEST(UnsuitableColumns, ConstantsAndEmptyColumnsAreNamedAsSuch) {
  EXPECT_EQ(judged_numbers(5, "a", [](Index) { return 3.0; }), "constant");
  EXPECT_EQ(judged_text(5, 1), "constant");
  EXPECT_EQ(judged_numbers(5, "a", [](Index) { return missing; }), "empty");
  // Where some cells are missing, that they are may tell something.
  EXPECT_EQ(judged_numbers(5, "a", [](Index i) { return i == 2 ? missing : 3.0; }), "");
}

TEST(UnsuitableColumns, ConstantCellsOfAnArrayStay) {
  Builder pixels{30};
  for (int k = 0; k < 6; ++k)
    pixels.numbers("pixel_0_" + std::to_string(k),
                   [=](Index i) { return k == 0 ? 0.0 : static_cast<double>(i % k); });
  EXPECT_TRUE(unsuitable_columns(pixels.table()).empty());
}

TEST(UnsuitableColumns, ColumnsWithoutNamesOfTheirOwnStay) {
  Builder plain{60};
  plain.numbers("x1", [](Index i) { return static_cast<double>(i); }).numbers("x2", [](Index) {
    return 1.0;
  });
  plain.numbers("x3", [](Index i) { return std::sin(static_cast<double>(i)); });
  EXPECT_TRUE(unsuitable_columns(plain.table()).empty());
  plain.numbers("size", [](Index i) { return std::sin(static_cast<double>(i)); });
  EXPECT_EQ(unsuitable_columns(plain.table()).size(), 2U);
}

TEST(UnsuitableColumns, SomeFeatureIsLeft) {
  Builder only{100};
  only.numbers("t", [](Index i) { return static_cast<double>(i); });
  EXPECT_TRUE(unsuitable_columns(only.table()).empty());
  only.numbers("c", [](Index) { return 1.0; });
  const auto found = unsuitable_columns(only.table());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "c");
}

TEST(UnsuitableColumns, AreTheSameOnAnyNumberOfThreads) {
  Builder wide{300};
  for (int k = 0; k < 40; ++k)
    wide.numbers("c" + std::string(1, static_cast<char>('a' + k % 26)) + std::to_string(k), [=](Index i) {
      return k % 3 == 0 ? static_cast<double>(i) : static_cast<double>((i * k) % 17);
    });
  const Table table = wide.table();
  const auto names = [&] {
    std::vector<std::string> list;
    for (const auto& column : unsuitable_columns(table)) list.push_back(column.name);
    return list;
  };
  std::vector<std::string> one, four;
  with_threads(1, [&] { one = names(); });
  with_threads(4, [&] { four = names(); });
  EXPECT_EQ(one, four);
  EXPECT_GE(one.size(), 13U);
}

std::vector<std::string> leaks(Builder builder, const std::function<double(Index)>& label) {
  const Table table = builder.table(label);
  return possible_leaks(table, table.side[0]);
}
const auto half = [](Index i) { return static_cast<double>(i % 2); };

TEST(PossibleLeaks, ANumberWithAThresholdAndATextWithAClassALevelAreNamed) {
  Builder builder{100};
  builder
      .numbers("boat",
               [](Index i) {
                 return i % 2 == 0 ? std::cos(static_cast<double>(i)) : 5.0 + static_cast<double>(i);
               })
      .text("outcome", {"a", "b", "c"}, [](Index i) { return i % 2 == 0 ? 0 : 1 + i % 4 / 2; })
      .text("when", {"later"}, [](Index i) { return i % 2 == 0 ? -1 : 0; })
      .numbers("almost", [](Index i) { return static_cast<double>(i == 98 ? 1 : i % 2); })
      .text("mixed", {"a", "b"}, [](Index i) { return i == 99 ? 0 : i % 2; })
      .numbers("noise", [](Index i) { return std::sin(static_cast<double>(i)); });
  EXPECT_EQ(leaks(builder, half), (std::vector<std::string>{"boat", "outcome", "when"}));
}

TEST(PossibleLeaks, FewRowsOrFewRowsALevelShowNothing) {
  EXPECT_TRUE(leaks(Builder{10}.numbers("a", half), half).empty());
  EXPECT_TRUE(leaks(Builder{40}.text("a", texts(20), [](Index i) { return i / 2; }), [](Index i) {
                return static_cast<double>(i / 20);
              }).empty());
  EXPECT_TRUE(leaks(Builder{40}.numbers("a", [](Index i) { return i < 3 ? 1.0 : 0.0; }), [](Index i) {
                return static_cast<double>(i < 3);
              }).empty());
}

TEST(PossibleLeaks, InARegressionALinearFunctionOfTheTargetIsNamed) {
  Builder builder{50};
  builder.target = {"y", false, {}, {}, {}};
  builder.numbers("celsius", [](Index i) { return std::sin(static_cast<double>(i)); })
      .numbers("square", [](Index i) { return std::pow(std::sin(static_cast<double>(i)), 2); });
  EXPECT_EQ(leaks(builder, [](Index i) { return 32 + 1.8 * std::sin(static_cast<double>(i)); }),
            (std::vector<std::string>{"celsius"}));
}

FitSettings everything() {
  FitSettings settings;
  settings.options = find_model("logistic").make("logistic");
  settings.target = "y";
  settings.encode = settings.impute = true;
  settings.drop_unlabelled = settings.choose_columns = true;
  return settings;
}

// id, colour, size with a missing cell in row 4, and no label in rows 3 and 7.
Table people() {
  Builder builder{60};
  builder.numbers("id", [](Index i) { return static_cast<double>(500 + 7 * i); })
      .text("colour", {"blue", "green", "red"}, [](Index i) { return i < 2        ? 1
                                                                     : i % 5 == 0 ? 0
                                                                                  : 2; })
      .numbers("size", [](Index i) { return i == 4 ? missing : std::cos(static_cast<double>(i)); });
  return builder.table([](Index i) { return i == 3 || i == 7 ? missing : static_cast<double>(i % 3 == 0); });
}

TEST(PreparedTable, LeavesOutRowsAndColumnsAndSaysSo) {
  FitSettings settings = everything();
  settings.drop_missing = true;
  const PreparedTable prepared = prepare_table(people(), settings);
  EXPECT_EQ(prepared.unlabelled, 2);
  EXPECT_EQ(prepared.incomplete, 1);
  EXPECT_EQ(prepared.table.rows(), 57);
  EXPECT_EQ(prepared.table.schema.size(), 2);
  ASSERT_EQ(prepared.left_out.size(), 1U);
  EXPECT_EQ(prepared.left_out[0].name, "id");
  // Rows 3, 4 and 7 are gone.
  EXPECT_EQ(std::vector<Index>(prepared.rows.begin(), prepared.rows.begin() + 6),
            (std::vector<Index>{0, 1, 2, 5, 6, 8}));
  EXPECT_EQ(prepared.table.row_number(5), 8);
  ASSERT_EQ(prepared.table.notes.size(), 3U);
  EXPECT_EQ(prepared.table.notes[0].text, "2 rows without a value of y are left out");
  EXPECT_EQ(prepared.table.notes[1].column, "id");
  EXPECT_EQ(prepared.table.notes[1].text,
            "left out as an identifier: 58 different whole numbers in 58 cells");
  EXPECT_EQ(prepared.table.notes[2].text, "1 row with a missing cell is left out");
  const PreparedTable again = prepare_table(prepared.table, settings);
  EXPECT_EQ(again.table.rows(), 57);
  EXPECT_TRUE(again.rows.empty() && again.left_out.empty());
  EXPECT_EQ(again.table.notes.size(), 3U);
}

TEST(PreparedTable, IsTheTableAsItIsUnlessAsked) {
  FitSettings settings = everything();
  settings.drop_unlabelled = settings.choose_columns = false;
  const PreparedTable prepared = prepare_table(people(), settings);
  EXPECT_EQ(prepared.table.rows(), 60);
  EXPECT_EQ(prepared.table.schema.size(), 3);
  EXPECT_TRUE(prepared.table.notes.empty());
  try {
    fit_model(people(), settings);
    FAIL() << "rows without a label were fitted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("found no label"), std::string::npos) << error.what();
  }
}

TEST(PreparedTable, ColumnsThatTheBasisNamesStay) {
  FitSettings settings = everything();
  settings.basis = "poly:2(id)";
  EXPECT_TRUE(prepare_table(people(), settings).left_out.empty());
}

TEST(PreparedTable, WithoutAnyTargetIsAnError) {
  Builder builder{5};
  builder.numbers("a", [](Index i) { return static_cast<double>(i); });
  try {
    prepare_table(builder.table([](Index) { return missing; }), everything());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_EQ(error.message(), "no row has a value in this column, the target");
  }
}

TEST(PreparedTable, AFitDoesTheSameWhenItIsAsked) {
  const FitOutcome outcome = fit_model(people(), everything());
  EXPECT_EQ(outcome.model.samples, 58);
  EXPECT_EQ(outcome.model.pipeline.input().size(), 2);
  EXPECT_EQ(outcome.notes.size(), 2U);
}

TEST(MissingIndicators, StandBehindTheColumnsAndGoThroughTheModelFile) {
  FitSettings settings = everything();
  settings.missing_indicators = true;
  const Model model = fit_model(people(), settings).model;
  const std::vector<std::string> names{"colour=blue", "colour=green", "colour=red", "size", "missing(size)"};
  EXPECT_EQ(model.pipeline.feature_names(), names);
  EXPECT_TRUE(model.pipeline.indicator(4));
  const Table table = people();
  const Prediction said = predict(model, table);
  const Model loaded = model_from_bytes(model_to_bytes(model), "m");
  EXPECT_EQ(loaded.pipeline.feature_names(), names);
  EXPECT_EQ(predict(loaded, table).scores, said.scores);
  // Of two rows that differ in the missing cell alone the scores differ by the indicator's weight.
  const auto& linear = std::get<Linear>(model.predictor);
  Table filled = people();
  auto& x = std::get<DenseMatrix<double>>(filled.x);
  x.values[4 * 3 + 2] = std::get<Impute>(model.pipeline.steps()[0]).fill[1];
  EXPECT_NEAR(said.scores(4, 0) - predict(model, filled).scores(4, 0), linear.weights(0, 4), 1e-12);
  EXPECT_NE(linear.weights(0, 4), 0);
}

TEST(MissingIndicators, ExtendedRowsHaveThemToo) {
  const Impute step{{7, 8}, {1}};
  std::vector<long double> row{1, std::numeric_limits<long double>::quiet_NaN()};
  step.extend(row);
  EXPECT_EQ(row, (std::vector<long double>{1, 8, 1}));
}

TEST(RareLevels, BecomeOneThatUnknownTextsCountAsToo) {
  FitSettings settings = everything();
  settings.rare = 5;
  const FitOutcome outcome = fit_model(people(), settings);
  EXPECT_EQ(outcome.pooled, 1);  // green, of two rows
  const Model model = model_from_bytes(model_to_bytes(outcome.model), "m");
  EXPECT_EQ(model.pipeline.feature_names(),
            (std::vector<std::string>{"colour=blue", "colour=red", "colour=other", "size"}));
  EXPECT_EQ(model.pipeline.input().column(0).other, 2);
  Builder later{3};
  later.text("colour", {"blue", "green", "mauve"}, [](Index i) { return i; }).numbers("size", [](Index) {
    return 1.0;
  });
  const Prediction said = predict(model, later.table());  // refuses texts that are not known
  EXPECT_EQ(said.unseen, 0);
  EXPECT_EQ(said.scores(1, 0), said.scores(2, 0));
  EXPECT_NE(said.scores(0, 0), said.scores(1, 0));
}

TEST(RareLevels, TakeAnotherNameWhereOtherIsTaken) {
  Builder builder{30};
  builder.text("c", {"a", "other", "z"}, [](Index i) { return i == 0 ? 0 : 1 + i % 2; });
  Table table = builder.table();
  EXPECT_EQ(pool_rare_levels(table, 2), 1);
  EXPECT_EQ(table.schema.column(0).levels, (std::vector<std::string>{"other", "z", "(other)"}));
  EXPECT_EQ(pool_rare_levels(table, 1), 0);  // nothing is rarer than that
}

}  // namespace
}  // namespace discern::prepared_table_test
