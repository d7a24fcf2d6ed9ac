#include "discern/io/csv/csv_detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "discern/base/error.hpp"
#include "discern/io/number/number.hpp"

namespace discern::csv {
namespace {

// Sampling is the one part that no second thread helps with: 2 ms of the 90 that 200 MB take.
constexpr std::size_t sample_bytes = std::size_t{1} << 18;
constexpr std::size_t separator_sample_bytes = std::size_t{1} << 14;

bool is_number(const Field& field) {
  double value = 0;
  const std::string_view text = number_text(field);
  const char* const last = text.data() + text.size();
  return parse_any_number(text.data(), last, value) == last;
}

// How well a separator explains the first records.
struct Fit {
  char separator = ',';
  std::size_t columns = 1;  // the commonest number of fields
  double agreement = 0;     // the share of the records that have it
  double number_share = 0;  // the share of the fields that look like numbers or are missing
};

Fit try_separator(std::string_view text, char separator) {
  const Dialect dialect{separator, false};
  Fields fields(text.data(), text.data() + text.size(), dialect, 1);
  const Sample sample = read_sample(fields, 2, separator_sample_bytes);
  std::map<std::size_t, std::size_t> counts;
  for (std::size_t i = 0; i < sample.size(); ++i) ++counts[sample.record(i).size()];
  Fit fit;
  fit.separator = separator;
  std::size_t most = 0;
  for (const auto& [columns, records] : counts) {
    if (records < most) continue;
    most = records;
    fit.columns = columns;
  }
  const auto numbers = std::count_if(sample.fields.begin(), sample.fields.end(), [&](const Field& field) {
    return is_missing(field, dialect) || is_number_like(number_text(field));
  });
  fit.agreement = static_cast<double>(most) / static_cast<double>(std::max<std::size_t>(sample.size(), 1));
  fit.number_share =
      static_cast<double>(numbers) / static_cast<double>(std::max<std::size_t>(sample.fields.size(), 1));
  return fit;
}

// The separator that gives every record the same number of fields, and among several such the one that
// leaves the most numbers. A text that no separator splits evenly is split by the one that comes closest,
// so that the odd line can be named; blanks are too common in texts for that.
char detect_separator(std::string_view text) {
  Fit best;
  for (const char separator : {',', ';', '\t', '|', ' '}) {
    const Fit fit = try_separator(text, separator);
    if (fit.columns < 2 || (separator == ' ' && fit.agreement < 1)) continue;
    const bool better = fit.agreement > best.agreement ||
                        (fit.agreement == best.agreement && fit.number_share > best.number_share);
    if (best.columns < 2 || better) best = fit;
  }
  return best.separator;
}

// Whether a column, without the first record, holds numbers.
bool has_numbers(const Sample& sample, std::size_t column, const Dialect& dialect) {
  std::size_t present = 0, numbers = 0;
  for (std::size_t i = 1; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (column >= record.size() || is_missing(record[column], dialect)) continue;
    ++present;
    numbers += is_number_like(number_text(record[column]));
  }
  return present > 0 && 2 * numbers >= present;
}

bool occurs_again(const Sample& sample, std::size_t column) {
  const std::string_view text = sample.record(0)[column].text;
  for (std::size_t i = 1; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (column < record.size() && record[column].text == text) return true;
  }
  return false;
}

// Whether a column that is asked for by a name has it in the first record, as only those of a header do:
// others are called by their number, or x and their number.
bool names_a_column(std::span<const Field> first, const Dialect& dialect,
                    const std::vector<SideRequest>& asked) {
  return std::any_of(first.begin(), first.end(), [&](const Field& field) {
    const std::string text = unescaped(field, dialect);
    return !is_number(field) && std::any_of(asked.begin(), asked.end(),
                                            [&](const SideRequest& side) { return side.column == text; });
  });
}

bool detect_header(const Sample& sample, const Dialect& dialect, const Schema* expected,
                   const std::vector<SideRequest>& asked) {
  const auto first = sample.record(0);
  if (names_a_column(first, dialect, asked)) return true;
  if (expected != nullptr && !expected->is_numbered()) {
    const auto known = std::count_if(first.begin(), first.end(), [&](const Field& field) {
      return expected->find(unescaped(field, dialect)).has_value();
    });
    if (2 * static_cast<Index>(known) > expected->size()) return true;
  }
  if (std::any_of(first.begin(), first.end(), is_number)) return false;
  std::size_t present = 0, unique = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (has_numbers(sample, j, dialect)) return true;
    if (is_missing(first[j], dialect)) continue;
    ++present;
    unique += !occurs_again(sample, j);
  }
  return 2 * unique > present;
}

std::string broken_quote(Ending ending) {
  return ending == Ending::unclosed_quote
             ? "the quote that opens here is never closed"
             : "text follows a closing quote; a quote inside quotes is written twice";
}

[[noreturn]] void refuse_columns(const Place& place) {
  throw Error(Code::data,
              fmt::format("there are more than {} columns; for so many, use a sparse format such as LIBSVM",
                          most_columns),
              place);
}

std::string name_by_position(std::size_t j) { return fmt::format("x{}", j + 1); }

// The header's fields as names.
std::vector<std::string> read_names(Fields& fields, const Dialect& dialect, const std::string& file) {
  std::vector<Field> header;
  const Index line = fields.line();
  const Ending ending = fields.record(header, most_columns + 1);
  if (header.size() > most_columns) refuse_columns({file, line, ""});
  if (ending != Ending::record) throw Error(Code::data, broken_quote(ending), {file, header.back().line, ""});
  std::vector<std::string> names;
  for (const Field& field : header) {
    if (field.text.find('\0') != std::string_view::npos)
      throw Error(Code::data, "the line holds a NUL byte; is this a text file?", {file, field.line, ""});
    names.push_back(field.text.empty() ? name_by_position(names.size()) : unescaped(field, dialect));
  }
  check_names(names, {file, line, ""});
  return names;
}

void check_is_text(std::string_view text, const std::string& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw Error(Code::data, "the file is in UTF-16; save it as UTF-8", {file, 1, ""});
}

}  // namespace

Sample read_sample(Fields& fields, std::size_t least, std::size_t bytes) {
  Sample sample;
  const char* const begin = fields.position();
  std::vector<Field> record;
  while (fields.find_record()) {
    if (sample.size() >= least && static_cast<std::size_t>(fields.position() - begin) >= bytes) break;
    if (fields.record(record, most_columns + 1) != Ending::record) break;
    sample.fields.insert(sample.fields.end(), record.begin(), record.end());
    sample.starts.push_back(sample.fields.size());
  }
  return sample;
}

void check_names(const std::vector<std::string>& names, const Place& place) {
  if (names.size() > most_columns) refuse_columns(place);
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto [previous, inserted] = seen.emplace(names[j], j);
    if (!inserted)
      throw Error(Code::data,
                  fmt::format("two columns have the name {} (numbers {} and {})",
                              quoted_for_message(names[j]), previous->second + 1, j + 1),
                  place);
  }
}

Opening read_opening(std::string_view text, const std::string& file, const ReadOptions& options) {
  check_is_text(text, file);
  const std::size_t bom = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::string_view content = text.substr(bom);
  Opening opening;
  if (options.separator && std::string_view("\"\n\r").find(*options.separator) != std::string_view::npos)
    throw Error(Code::usage, "a quote or a line end cannot separate fields", {file, 0, ""});
  opening.dialect.separator = options.separator ? *options.separator : detect_separator(content);
  const char* const last = text.data() + text.size();
  Fields fields(content.data(), last, opening.dialect, 1);
  if (!fields.find_record()) throw Error(Code::data, "the file is empty", {file, 0, ""});

  const Fields start = fields;
  Sample sample = read_sample(fields, 2, sample_bytes);
  if (sample.size() > 0)
    opening.bytes_per_row =
        static_cast<double>(fields.position() - start.position()) / static_cast<double>(sample.size());
  fields = start;
  // A first line that is no record may be a header or not; either way its quotes are what is wrong with it.
  opening.header = options.header ? *options.header
                                  : sample.size() == 0 || detect_header(sample, opening.dialect,
                                                                        options.expected, options.side);
  if (opening.header) {
    opening.names = read_names(fields, opening.dialect, file);
    if (!fields.find_record()) throw Error(Code::data, "only a header, no rows", {file, start.line(), ""});
  } else {
    std::vector<Field> first;
    Fields(start).record(first, most_columns + 1);
    if (first.size() > most_columns) refuse_columns({file, start.line(), ""});
    for (std::size_t j = 0; j < first.size(); ++j) opening.names.push_back(name_by_position(j));
  }
  opening.body = static_cast<std::size_t>(fields.position() - text.data());
  opening.body_line = fields.line();
  if (opening.header && sample.size() > 0) sample.starts.erase(sample.starts.begin());
  opening.sample = std::move(sample);
  return opening;
}

}  // namespace discern::csv
