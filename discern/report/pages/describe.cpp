#include "discern/report/pages/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_barred = 40;    // classes, and columns by association
constexpr std::size_t most_pictured = 24;  // histograms
constexpr std::size_t most_texts = 24;     // columns of text with their levels
constexpr std::size_t most_rows = 300;     // of the table of columns
constexpr std::size_t most_notes = 40;

std::string measure_title(Association measure) {
  switch (measure) {
    case Association::auc:
      return "AUC";
    case Association::eta_squared:
      return "η²";
    case Association::cramers_v:
      return "Cramér’s V";
    case Association::pearson:
      return "r";
  }
  return "";
}

std::string measure_words(Association measure, bool text, const DescribedTarget& target) {
  switch (measure) {
    case Association::auc:
      return fmt::format("AUC is the probability that a row of “{}” has the larger value; 0.5 says nothing.",
                         shortened(target.classes[static_cast<std::size_t>(target.positive)].name));
    case Association::eta_squared:
      return fmt::format(
          "η² is the share of the variance {} that lies between the {}, adjusted for their number.",
          text ? "of the target" : "of the column", text ? "levels" : "classes");
    case Association::cramers_v:
      return "Cramér’s V has Bergsma’s correction and lies between 0, nothing, and 1.";
    case Association::pearson:
      return "r is Pearson’s correlation.";
  }
  return "";
}

std::optional<Association> measure_of(const TableDescription& all, const DescribedColumn& column) {
  return column.text ? all.measure_of_texts : all.measure_of_numbers;
}

// The bars of a histogram as a plot; a value that all rows have is a bar of width 1.
Json histogram_plot(const DescribedColumn& column) {
  const Histogram& histogram = column.numbers->histogram;
  double low = histogram.low, high = histogram.high;
  if (low == high) low -= 0.5, high += 0.5;
  const auto bins = static_cast<Index>(histogram.counts.size());
  const Numbers edges = steps(low, high, bins + 1);
  Numbers heights;
  double most = 1;
  for (const Index count : histogram.counts) {
    heights.push_back(static_cast<double>(count));
    most = std::max(most, heights.back());
  }
  const double room = 0.02 * (high - low);
  return plot(axis(shortened(column.name, 36), low - room, high + room),
              axis("rows", 0, 1.06 * most, {{"whole", true}}),
              Json::array({bars(edges, heights, {{"color", 0}})}),
              {{"title", shortened(column.name, 36)}, {"height", 0.5}});
}

Figure target_figure(const TableDescription& all) {
  const DescribedTarget& target = *all.target;
  Figure figure{"target", fmt::format("The target: {}", shortened(target.name, 60)), ""};
  if (target.missing > 0)
    figure.notes.push_back(fmt::format("{} without a target.", counted(target.missing, "row")));
  if (target.task == Task::regression) {
    figure.text = "How often each range of the target occurs.";
    figure.data = text_of(plots(Json::array({histogram_plot(target.numbers)})));
    return figure;
  }
  figure.text =
      "The share of the rows that each class has. Where one is rare, accuracy says little: look at balanced "
      "accuracy, or at precision and recall.";
  std::vector<std::size_t> order(target.classes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (order.size() > most_barred) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return target.classes[a].rows > target.classes[b].rows;
    });
    figure.notes.push_back(fmt::format("The {} classes with the most rows, of {}.", most_barred,
                                       grouped(static_cast<Index>(order.size()))));
    order.resize(most_barred);
  }
  const auto known = static_cast<double>(std::max<Index>(all.rows - target.missing, 1));
  Json rows = Json::array();
  for (const std::size_t k : order)
    rows.push_back({{"name", shortened(target.classes[k].name, 60)},
                    {"value", number(100 * static_cast<double>(target.classes[k].rows) / known)},
                    {"note", counted(target.classes[k].rows, "row")}});
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "per cent of the rows"},
                         {"bars", true},
                         {"groups", Json::array({{{"name", "classes"}, {"rows", rows}}})}});
  return figure;
}

std::optional<Figure> association_figure(const TableDescription& all) {
  std::vector<const DescribedColumn*> order;
  bool number_seen = false, text_seen = false;
  for (const DescribedColumn& column : all.described) {
    if (!column.association) continue;
    (column.text ? text_seen : number_seen) = true;
    order.push_back(&column);
  }
  if (order.empty()) return std::nullopt;
  const auto weight = [&](const DescribedColumn* column) {
    return strength(*measure_of(all, *column), *column->association);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
  Figure figure{
      "association", "What each column says of the target on its own",
      "From 0, nothing, to 1: the strongest column is on top. Columns that say little alone may say much "
      "together."};
  if (number_seen)
    figure.notes.push_back(measure_words(*all.measure_of_numbers, false, *all.target) +
                           (*all.measure_of_numbers == Association::auc       ? " Its bar is |2 AUC − 1|."
                            : *all.measure_of_numbers == Association::pearson ? " Its bar is |r|."
                                                                              : ""));
  if (text_seen) figure.notes.push_back(measure_words(*all.measure_of_texts, true, *all.target));
  if (order.size() > most_barred) {
    figure.notes.push_back(fmt::format("The {} strongest of {} columns.", most_barred,
                                       grouped(static_cast<Index>(order.size()))));
    order.resize(most_barred);
  }
  Json rows = Json::array();
  for (const DescribedColumn* column : order)
    rows.push_back({{"name", shortened(column->name, 60)},
                    {"value", number(weight(column))},
                    {"note", fmt::format("{} {}", measure_title(*measure_of(all, *column)),
                                         rounded(*column->association, 4))}});
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "strength of the association"},
                         {"bars", true},
                         {"groups", Json::array({{{"name", "columns"}, {"rows", rows}}})}});
  return figure;
}

std::optional<Figure> numbers_figure(const TableDescription& all) {
  Json panels = Json::array();
  std::size_t found = 0;
  for (const DescribedColumn& column : all.described) {
    if (!column.numbers || column.constant()) continue;
    if (++found <= most_pictured) panels.push_back(histogram_plot(column));
  }
  if (found == 0) return std::nullopt;
  Figure figure{
      "histograms", "How the numbers are distributed",
      "How many rows have each range of a column. A long tail or a lonely bar far out is worth a look: a few "
      "extreme values bend least squares, and a power or a logarithm (--basis log) brings them in."};
  if (found > most_pictured)
    figure.notes.push_back(fmt::format("The first {} of {} columns of numbers.", most_pictured,
                                       grouped(static_cast<Index>(found))));
  figure.data = text_of(plots(panels));
  return figure;
}

std::optional<Figure> levels_figure(const TableDescription& all) {
  Json groups = Json::array();
  std::size_t found = 0;
  for (const DescribedColumn& column : all.described) {
    if (!column.text || column.empty() || ++found > most_texts) continue;
    const auto known = static_cast<double>(std::max<Index>(all.rows - column.missing, 1));
    Json rows = Json::array();
    for (const LevelCount& level : column.levels)
      rows.push_back({{"name", shortened(level.name, 60)},
                      {"value", number(100 * static_cast<double>(level.rows) / known)},
                      {"note", counted(level.rows, "row")}});
    const bool more = column.distinct > static_cast<Index>(column.levels.size());
    groups.push_back({{"name", shortened(column.name, 60)},
                      {"text", more ? fmt::format("The {} most frequent of {} texts.", column.levels.size(),
                                                  grouped(column.distinct))
                                    : fmt::format("{} different {}.", grouped(column.distinct),
                                                  column.distinct == 1 ? "text" : "texts")},
                      {"rows", rows}});
  }
  if (found == 0) return std::nullopt;
  Figure figure{"levels", "The texts of each column",
                "The share of the rows that have each text, the most frequent first; choose a column."};
  if (found > most_texts)
    figure.notes.push_back(
        fmt::format("The first {} of {} columns of text.", most_texts, grouped(static_cast<Index>(found))));
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "per cent of the rows"},
                         {"bars", true},
                         {"group", "Column"},
                         {"groups", groups}});
  return figure;
}

// The columns of numbers, or those of text, as a table.
std::optional<Figure> table_figure(const TableDescription& all, bool text) {
  const auto measure = text ? all.measure_of_texts : all.measure_of_numbers;
  std::vector<std::string> head{"column", "missing", "distinct"};
  if (text)
    head.insert(head.end(), {"most frequent", "rows"});
  else
    head.insert(head.end(), {"min", "q1", "median", "q3", "max"});
  if (measure) head.push_back(measure_title(*measure));
  Json rows = Json::array();
  std::size_t found = 0;
  for (const DescribedColumn& column : all.described) {
    if (column.text != text || ++found > most_rows) continue;
    Json row = Json::array({shortened(column.name, 60), column.missing, column.distinct});
    if (text) {
      row.push_back(column.empty() ? Json(nullptr) : Json(shortened(column.levels[0].name, 40)));
      row.push_back(column.empty() ? Json(nullptr) : Json(column.levels[0].rows));
    } else {
      const NumberSummary n = column.numbers.value_or(NumberSummary{});
      for (const double value : {n.min, n.q1, n.median, n.q3, n.max})
        row.push_back(column.numbers ? number(value) : Json(nullptr));
    }
    if (measure)
      row.push_back(column.association ? Json(tidy(std::round(*column.association * 1e4) / 1e4))
                                       : Json(nullptr));
    rows.push_back(std::move(row));
  }
  if (found == 0) return std::nullopt;
  Figure figure{text ? "texts" : "numbers", text ? "Every column of text" : "Every column of numbers",
                text ? "Missing cells, different texts, and the most frequent one with its rows."
                     : "Missing cells, different values, range and exact quartiles."};
  if (found > most_rows)
    figure.notes.push_back(
        fmt::format("The first {} of {} columns.", most_rows, grouped(static_cast<Index>(found))));
  figure.data = text_of({{"kind", "table"}, {"columns", head}, {"rows", rows}});
  return figure;
}

std::string balance_sentence(const TableDescription& all) {
  const DescribedTarget& target = *all.target;
  if (target.task == Task::regression || target.classes.empty()) return "";
  const auto most =
      std::max_element(target.classes.begin(), target.classes.end(),
                       [](const LevelCount& a, const LevelCount& b) { return a.rows < b.rows; });
  return fmt::format(
      "The target “{}” has {}; the most frequent, “{}”, has {} of the rows, which is the accuracy of "
      "always saying so.",
      shortened(target.name), counted(static_cast<Index>(target.classes.size()), "different label"),
      shortened(most->name),
      percent(static_cast<double>(most->rows) /
              static_cast<double>(std::max<Index>(all.rows - target.missing, 1))));
}

void add_facts(const TableDescription& all, Page& page) {
  page.facts = {{"rows", grouped(all.rows)},
                {"columns", grouped(all.columns)},
                {"of text", grouped(all.texts)},
                {"missing cells", grouped(all.missing)}};
  if (!all.sparse) return;
  page.facts.emplace_back("stored values", grouped(all.sparse->entries));
  page.facts.emplace_back("in a row",
                          fmt::format("{} to {}, half of the rows {} or more", grouped(all.sparse->least),
                                      grouped(all.sparse->most), grouped(all.sparse->median)));
  page.facts.emplace_back("columns without any", grouped(all.sparse->empty_columns));
}

}  // namespace

Page describe_page(const DescribePage& described) {
  const TableDescription& all = described.all;
  Page page{fmt::format("{}: the table at a glance", shortened(described.file, 60)), "describe"};
  page.summary.push_back(fmt::format(
      "{} and {}, {} of them text{}.", counted(all.rows, "row"), counted(all.columns, "column"),
      grouped(all.texts), all.missing > 0 ? fmt::format("; {} missing", counted(all.missing, "cell")) : ""));
  if (all.target)
    if (const std::string sentence = balance_sentence(all); !sentence.empty())
      page.summary.push_back(sentence);
  add_facts(all, page);
  for (std::size_t k = 0; k < std::min(all.notes.size(), most_notes); ++k) {
    const Note& note = all.notes[k];
    page.warnings.push_back(
        note.column.empty() ? note.text : fmt::format("{}: {}", shortened(note.column, 60), note.text));
  }
  if (all.notes.size() > most_notes)
    page.warnings.push_back(
        fmt::format("{} more notes; `discern describe` lists all.", all.notes.size() - most_notes));
  if (all.left_out() > 0)
    page.warnings.push_back(fmt::format(
        "The first {} columns are described, {} are not; `discern describe --all` describes every one.",
        grouped(static_cast<Index>(all.described.size())), grouped(all.left_out())));
  if (all.target) page.figures.push_back(target_figure(all));
  for (auto make : {association_figure, numbers_figure, levels_figure})
    if (auto figure = make(all)) page.figures.push_back(std::move(*figure));
  for (const bool text : {false, true})
    if (auto figure = table_figure(all, text)) page.figures.push_back(std::move(*figure));
  return page;
}

}  // namespace discern::report
