// Files as people have them, in tests/io/messy, each with what must come out (cases.json): the cells of every
// feature, the notes on what was assumed, or the error. python/tests/test_messy_tables.py holds pandas against the
// same list.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "discern/base/error.hpp"
#include "discern/io/csv/csv.hpp"
#include "discern/io/table/row_stream.hpp"
#include "tests/support/fitting.hpp"

namespace discern::messy_test {
namespace {

using Json = nlohmann::json;

const std::filesystem::path folder = support::messy_tables();

ReadOptions options_of(const Json& given) {
  ReadOptions options;
  const auto texts = [&](const char* name) { return given.value(name, std::vector<std::string>{}); };
  options.na_values = texts("na_values");
  options.numeric = texts("numeric");
  options.categorical = texts("categorical");
  if (given.contains("separator")) options.separator = given["separator"].get<std::string>().at(0);
  if (given.contains("comment")) options.comment = given["comment"].get<std::string>().at(0);
  if (given.contains("decimal")) options.forms.decimal = given["decimal"].get<std::string>().at(0);
  if (given.contains("thousands")) options.forms.thousands = given["thousands"].get<std::string>().at(0);
  if (given.contains("header")) options.header = given["header"].get<bool>();
  options.forms.dates = given.value("dates", "number") == "number";
  if (given.value("bad_rows", "error") == "skip") options.bad_rows = BadRows::skip;
  return options;
}

// Numbers as numbers, texts as texts, missing cells as null.
Json cells_of(const Table& table, Index j) {
  Json cells = Json::array();
  for (Index i = 0; i < table.rows(); ++i) {
    const double value = std::visit(
        [&](const auto& x) { return static_cast<double>(x.values[i * column_count(table.x) + j]); }, table.x);
    if (std::isnan(value))
      cells.push_back(nullptr);
    else if (table.schema.categorical(j))
      cells.push_back(table.schema.column(j).levels.at(static_cast<std::size_t>(value)));
    else
      cells.push_back(value);
  }
  return cells;
}

bool same(const Json& expected, const Json& found) {
  if (expected.is_number() && found.is_number()) return expected.get<double>() == found.get<double>();
  return expected == found;
}

std::vector<std::string> texts_of(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.column + ": " + note.text);
  return texts;
}

void expect_table(const Json& wanted, const Table& table, const std::string& file) {
  ASSERT_EQ(static_cast<std::size_t>(table.schema.size()), wanted["columns"].size()) << file;
  for (const auto& [name, cells] : wanted["columns"].items()) {
    const auto j = table.schema.find(name);
    ASSERT_TRUE(j) << file << ": no column " << name;
    const Json found = cells_of(table, *j);
    ASSERT_EQ(found.size(), cells.size()) << file << ", " << name;
    for (std::size_t i = 0; i < cells.size(); ++i)
      EXPECT_TRUE(same(cells[i], found[i]))
          << file << ", " << name << ", row " << i + 1 << ": expected " << cells[i] << ", found " << found[i];
  }
}

// Every note that is asked for is there.
void expect_notes(const Json& wanted, const Table& table, const std::string& file) {
  const std::vector<std::string> notes = texts_of(table.notes);
  for (const Json& one : wanted.value("notes", Json::array())) {
    std::string text = one.get<std::string>();
    if (text.starts_with(": ") && text.find(file) != std::string::npos)
      text.replace(text.find(file), file.size(), (folder / file).string());
    const bool there = std::any_of(notes.begin(), notes.end(),
                                   [&](const std::string& note) { return note.starts_with(text); });
    EXPECT_TRUE(there) << file << ": no note '" << text << "' among " << Json(notes);
  }
}

TEST(MessyTables, AreReadAsTheListSays) {
  std::ifstream list(folder / "cases.json");
  const Json cases = Json::parse(list);
  ASSERT_GE(cases.size(), 60U);
  for (const Json& one : cases) {
    const std::string file = one["file"];
    const ReadOptions options = options_of(one.value("options", Json::object()));
    const auto table = attempt([&] { return read_csv((folder / file).string(), options); });
    if (one.contains("error")) {
      const std::string expected = (folder / one["error"].get<std::string>()).string();
      if (table)
        ADD_FAILURE() << file << " was read";
      else
        EXPECT_EQ(std::string(table.error().what()).substr(0, expected.size()), expected);
      continue;
    }
    if (!table) {
      ADD_FAILURE() << file << ": " << table.error().what();
      continue;
    }
    expect_table(one, table.value(), file);
    expect_notes(one, table.value(), file);
  }
}

// Small files are all opening, so that a stream decides as the reader does.
TEST(MessyTables, AreReadTheSameAsStreams) {
  std::ifstream list(folder / "cases.json");
  int compared = 0;
  for (const Json& one : Json::parse(list)) {
    if (one.contains("error")) continue;
    const std::string file = one["file"];
    const ReadOptions options = options_of(one.value("options", Json::object()));
    std::vector<std::vector<Json>> columns;
    std::vector<std::string> names;
    RowStream((folder / file).string(), options).for_each([&](const Table& some) {
      columns.resize(static_cast<std::size_t>(some.schema.size()));
      names.clear();
      for (Index j = 0; j < some.schema.size(); ++j) {
        names.push_back(some.schema.name(j));
        for (const Json& cell : cells_of(some, j)) columns[static_cast<std::size_t>(j)].push_back(cell);
      }
      return true;
    });
    ASSERT_EQ(columns.size(), one["columns"].size()) << file;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Json& cells = one["columns"][names[j]];
      ASSERT_EQ(columns[j].size(), cells.size()) << file << ", " << names[j];
      for (std::size_t i = 0; i < cells.size(); ++i)
        EXPECT_TRUE(same(cells[i], columns[j][i])) << file << ", " << names[j] << ", row " << i + 1;
    }
    ++compared;
  }
  EXPECT_GE(compared, 60);
}

}  // namespace
}  // namespace discern::messy_test
