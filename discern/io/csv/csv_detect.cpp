#include "discern/io/csv/csv_detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "discern/base/error.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/number/written_number.hpp"

namespace discern::csv {
namespace {

// Sampling is the one part that no second thread helps with: 2 ms of the 90 that 200 MB take.
constexpr std::size_t sample_bytes = std::size_t{1} << 18;
constexpr std::size_t separator_sample_bytes = std::size_t{1} << 14;

// Plainly, or with a comma, a mark between thousands or a unit; dates may be names of columns.
bool is_number(const Field& field) {
  if (is_written_number(field.text, false)) return true;
  double value = 0;
  const std::string_view text = number_text(field);
  const char* const last = text.data() + text.size();
  return parse_any_number(text.data(), last, value) == last;
}

// How well a separator explains the first records.
struct Fit {
  char separator = ',';
  std::size_t columns = 1;     // the commonest number of fields
  double agreement = 0;        // the share of the records that have it
  double number_share = 0;     // the share of the fields that look like numbers or are missing
  std::size_t odd_fields = 0;  // texts that hold another separator
};

bool looks_like_number(const Field& field) {
  return is_number_like(number_text(field)) || is_written_number(field.text);
}

Fit try_separator(std::string_view text, Dialect dialect, char separator) {
  dialect.separator = separator;
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
  std::size_t numbers = 0;
  for (const Field& field : sample.fields) {
    if (is_missing(field, dialect) || looks_like_number(field))
      ++numbers;
    else if (!field.quoted && field.text.find_first_of(",;\t|") != std::string_view::npos)
      ++fit.odd_fields;
  }
  fit.agreement = static_cast<double>(most) / static_cast<double>(std::max<std::size_t>(sample.size(), 1));
  fit.number_share =
      static_cast<double>(numbers) / static_cast<double>(std::max<std::size_t>(sample.fields.size(), 1));
  return fit;
}

// The separator that gives every record the same number of fields, and among several such the one that
// leaves the most numbers. A text that no separator splits evenly is split by the one that comes closest,
// so that the odd line can be named; blanks are too common in texts for that.
char detect_separator(std::string_view text, const Dialect& dialect) {
  Fit best;
  for (const char separator : {',', ';', '\t', '|', ' '}) {
    const Fit fit = try_separator(text, dialect, separator);
    if (fit.columns < 2 || (separator == ' ' && fit.agreement < 1)) continue;
    const bool level = fit.agreement == best.agreement, same_share = fit.number_share == best.number_share;
    const bool better = fit.agreement > best.agreement || (level && fit.number_share > best.number_share) ||
                        (level && same_share && fit.odd_fields < best.odd_fields);
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
    numbers += looks_like_number(record[column]);
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
    names.push_back(unescaped(field, dialect));
  }
  return names;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// "sep=;" on a line of its own says the separator, as Excel has it.
std::optional<char> take_separator_line(std::string_view& text) {
  std::string_view line = first_line(text);
  const std::size_t length = std::min(line.size() + 1, text.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() != 5 || !(line.starts_with("sep=") || line.starts_with("Sep=") || line.starts_with("SEP=")))
    return std::nullopt;
  const char separator = line[4];
  text.remove_prefix(length);
  return separator;
}

// '#' when the text begins with lines that begin so and are no header. The last of them is one when it has the
// separators of the line behind it, and either no blank follows the mark or that line begins with a number, as NumPy
// writes it.
char detect_comment(std::string_view text) {
  constexpr char mark = '#';
  std::string_view last;
  while (text.starts_with(mark)) {
    last = first_line(text);
    text.remove_prefix(std::min(last.size() + 1, text.size()));
  }
  if (last.empty() || text.empty()) return '\0';
  const std::string_view next = first_line(text);
  bool same_separators = false;
  for (const char separator : {',', ';', '\t', '|'}) {
    const auto count = std::count(next.begin(), next.end(), separator);
    same_separators |= count > 0 && std::count(last.begin(), last.end(), separator) == count;
  }
  double value = 0;
  const bool number = parse_any_number(next.data(), next.data() + next.size(), value) != nullptr;
  const bool header = same_separators && (last.size() < 2 || last[1] != ' ' || number);
  return header ? '\0' : mark;
}

// Names by position where there are none, and "a.1" for the second "a".
void make_unique(Opening& opening) {
  std::unordered_set<std::string> taken(opening.names.begin(), opening.names.end());
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < opening.names.size(); ++j) {
    std::string& name = opening.names[j];
    const std::string given = name;
    if (given.empty()) name = name_by_position(j);
    const std::string base = name;
    bool free = given.empty() ? !taken.contains(name) : !seen.contains(name);
    for (int n = 1; !free; ++n) {
      name = fmt::format("{}.{}", base, n);
      free = !taken.contains(name);
    }
    taken.insert(name);
    seen.insert(name);
    if (!given.empty() && name != given)
      opening.notes.push_back(
          {name, fmt::format("column {} is the second named {}", j + 1, quoted_for_message(given))});
  }
}

bool all_records(const Sample& sample, std::size_t fields) {
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (sample.record(i).size() != fields) return false;
  return sample.size() > 0;
}

bool ends_empty(const Sample& sample) {
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const Field& last = sample.record(i).back();
    if (!last.text.empty() || last.quoted) return false;
  }
  return true;
}

// Whether the first cells name their rows, as R writes names: no two are equal, and they are quoted, or texts, or
// the numbers from 1 on. Those of a single column could be numbers with a decimal comma, cut in two.
bool are_row_names(const Opening& opening) {
  std::unordered_set<std::string_view> seen;
  bool quoted = true, texts = true, counted = opening.names.size() > 1;
  for (std::size_t i = 0; i < opening.sample.size(); ++i) {
    const Field& first = opening.sample.record(i)[0];
    if (!seen.insert(first.text).second) return false;
    quoted &= first.quoted;
    texts &= !is_number(first);
    counted &= first.text == fmt::format("{}", i + 1);
  }
  return quoted || texts || counted;
}

// A separator at the end of every row makes a column of nothing; a header that is one name short leaves the first
// column to names of rows, as R writes them.
void settle_names(Opening& opening) {
  const std::size_t names = opening.names.size();
  const bool one_short = all_records(opening.sample, names + 1);
  const bool nameless_end = names > 1 && opening.names.back().empty() && all_records(opening.sample, names);
  if (one_short || nameless_end) {
    if (ends_empty(opening.sample)) {
      if (one_short) opening.names.emplace_back();
      opening.left_out.push_back(opening.names.size() - 1);
      opening.notes.push_back({"", "every row ends with a separator; the empty cell behind it is ignored"});
    } else if (one_short && are_row_names(opening)) {
      opening.names.insert(opening.names.begin(), "row.names");
      opening.left_out.push_back(0);
      opening.notes.push_back({"", "the header is one name short: the first column holds names of rows"});
    }
  }
}

void check_is_text(std::string_view text, const std::string& file) {
  constexpr std::size_t first_bytes = 1 << 16;
  const std::string_view start = text.substr(0, first_bytes);
  const auto carriage = start.find('\r');
  if (start.find('\n') == std::string_view::npos && carriage != std::string_view::npos &&
      carriage + 1 < start.size())
    throw Error(Code::data, "the lines end with a carriage return alone; save the file with line feeds",
                {file, 1, ""});
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
  std::string_view content = text.substr(bom);
  Opening opening;
  const auto said_separator = take_separator_line(content);
  if (options.separator && std::string_view("\"\n\r").find(*options.separator) != std::string_view::npos)
    throw Error(Code::usage, "a quote or a line end cannot separate fields", {file, 0, ""});
  opening.dialect.comment = options.comment ? *options.comment : detect_comment(content);
  if (!options.comment && opening.dialect.comment != '\0')
    opening.notes.push_back({"", "lines that begin with # are left out as comments"});
  if (!options.na_values.empty()) opening.dialect.also_missing = &options.na_values;
  opening.dialect.separator = options.separator ? *options.separator
                              : said_separator  ? *said_separator
                                                : detect_separator(content, opening.dialect);
  const char* const last = text.data() + text.size();
  Fields fields(content.data(), last, opening.dialect, said_separator ? 2 : 1);
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
  if (opening.header) settle_names(opening);
  make_unique(opening);
  return opening;
}

}  // namespace discern::csv
