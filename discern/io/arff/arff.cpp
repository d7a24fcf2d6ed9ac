#include "discern/io/arff/arff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "discern/base/error.hpp"
#include "discern/io/csv/csv_read.hpp"
#include "discern/io/csv/csv_write.hpp"
#include "discern/io/number/number.hpp"

namespace discern {
namespace {

using csv::Dialect;
using csv::Field;
using csv::Kind;

constexpr Dialect arff{',', true, '%'};

struct Attribute {
  std::string name;
  Kind kind = Kind::number;
  bool nominal = false;
  Levels values;  // nominal: as declared
};

struct ArffHeader {
  std::deque<Attribute> attributes;
  std::size_t body = 0;
  Index body_line = 1;
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return result;
}

// One line of the header.
class HeaderLine {
 public:
  HeaderLine(std::string_view text, Index line, const std::string& file)
      : rest_(text), line_(line), file_(file) {
    if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
    skip_blanks();
  }

  bool empty() const { return rest_.empty() || rest_.front() == '%'; }
  std::string keyword() { return lower_case(bare("")); }

  Attribute attribute() {
    Attribute result;
    result.name = value("{", "the attribute's name");
    if (rest_.empty()) refuse("expected the attribute's type", result.name);
    if (rest_.front() == '{') {
      result.kind = Kind::text;
      result.nominal = true;
      read_values(result);
      return result;
    }
    const std::string type = lower_case(bare(""));
    if (type == "string")
      result.kind = Kind::text;
    else if (type == "date" || type == "relational")
      refuse(fmt::format("attributes of type {} are not supported", type), result.name);
    else if (type != "numeric" && type != "real" && type != "integer")
      refuse(fmt::format("expected numeric, string or {{values}}, found {}", quoted_for_message(type)),
             result.name);
    return result;
  }

  [[noreturn]] void refuse(const std::string& message, const std::string& column = "") const {
    throw Error(Code::data, message, {file_, line_, column});
  }

 private:
  void skip_blanks() {
    const std::size_t first = rest_.find_first_not_of(" \t");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }

  // Up to a blank or one of `stops`.
  std::string bare(const std::string& stops) {
    const std::size_t size = std::min(rest_.find_first_of(" \t" + stops), rest_.size());
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    skip_blanks();
    return word;
  }

  std::string value(const std::string& stops, const char* what) {
    if (rest_.empty()) refuse(fmt::format("expected {}", what));
    const char quote = rest_.front();
    if (quote != '"' && quote != '\'') {
      std::string word = bare(stops);
      if (word.empty()) refuse(fmt::format("expected {}", what));
      return word;
    }
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote) end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) refuse("the quote that opens here is never closed");
    const Field field{rest_.substr(1, end - 1), true, true, line_};
    rest_.remove_prefix(end + 1);
    skip_blanks();
    return unescaped(field, arff);
  }

  // {a, b, 'c d'}; a value without quotes may hold blanks inside.
  void read_values(Attribute& attribute) {
    rest_.remove_prefix(1);
    skip_blanks();
    while (!rest_.empty() && rest_.front() != '}') {
      const bool quoted = rest_.front() == '"' || rest_.front() == '\'';
      const std::string text = quoted ? value("", "a value") : bare_value();
      if (attribute.values.find(text, Levels::hash(text)) != Levels::none)
        refuse(fmt::format("the value {} is declared twice", quoted_for_message(text)), attribute.name);
      attribute.values.add(text, Levels::hash(text), line_, true);
      if (!rest_.empty() && rest_.front() == ',') {
        rest_.remove_prefix(1);
        skip_blanks();
      } else if (!rest_.empty() && rest_.front() != '}') {
        refuse("expected ',' or '}' after a value", attribute.name);
      }
    }
    if (rest_.empty()) refuse("the list of values ends without '}'", attribute.name);
  }

  std::string bare_value() {
    const std::size_t size = std::min(rest_.find_first_of(",}"), rest_.size());
    std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    const std::size_t last = text.find_last_not_of(" \t");
    return std::string(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
  }

  std::string_view rest_;
  Index line_;
  const std::string& file_;
};

ArffHeader read_arff_header(std::string_view text, const std::string& file) {
  ArffHeader header;
  std::size_t position = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (text.find_first_not_of(" \t\r\n", position) == std::string_view::npos)
    throw Error(Code::data, "the file is empty", {file, 0, ""});
  for (Index line = 1; position < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', position), text.size());
    HeaderLine content(text.substr(position, end - position), line, file);
    position = std::min(end + 1, text.size());
    if (content.empty()) continue;
    const std::string keyword = content.keyword();
    if (keyword == "@attribute") {
      header.attributes.push_back(content.attribute());
    } else if (keyword == "@data") {
      header.body = position;
      header.body_line = line + 1;
      if (header.attributes.empty()) content.refuse("@data comes before any @attribute");
      return header;
    } else if (keyword != "@relation") {
      content.refuse(
          fmt::format("expected @relation, @attribute or @data, found {}", quoted_for_message(keyword)));
    }
  }
  throw Error(Code::data, "there is no @data line", {file, 0, ""});
}

// What the header declares, where the options do not say otherwise.
void plan_attributes(csv::Plan& plan, const ArffHeader& header) {
  for (std::size_t j = 0; j < plan.columns.size(); ++j) {
    csv::PlannedColumn& column = plan.columns[j];
    const Attribute& attribute = header.attributes[j];
    if (column.kind != Kind::skip && column.may_be_text) column.kind = attribute.kind;
    column.may_be_text = column.may_change_form = false;
    if (column.kind == Kind::text && attribute.nominal) column.declared = &attribute.values;
  }
  plan.number_texts();
}

// In quotes unless it is plainly a word.
std::string arff_quoted(std::string_view text) {
  const auto is_special = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f ||
           std::string_view(",'\"{}%\\@?").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::none_of(text.begin(), text.end(), is_special)) return std::string(text);
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      result += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
      continue;
    }
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + '\'';
}

}  // namespace

Table read_arff_text(const FileContent& content, const std::string& file, const ReadOptions& options,
                     std::size_t chunk_bytes) {
  const ArffHeader header = read_arff_header(content.text(), file);
  std::vector<std::string> names;
  for (const Attribute& attribute : header.attributes) names.push_back(attribute.name);
  csv::check_names(names, {file, 0, ""});
  csv::Plan plan = csv::plan_roles(names, file, options);
  plan_attributes(plan, header);
  const csv::Body body{content, file, arff, header.body, header.body_line, false};
  return csv::read_body(body, std::move(plan), options.monitor, chunk_bytes);
}

Table read_arff(const std::string& path, const ReadOptions& options) {
  return parse_file(path, [&](const FileContent& content, const std::string& name) {
    return read_arff_text(content, name, options);
  });
}

void write_arff(const Table& table, const std::string& path) {
  std::string header = "@relation discern\n\n";
  csv::RowStyle style{',', "?", {}};
  const auto add = [&](const std::string& name, const std::vector<std::string>& levels) {
    auto& cells = style.cells.emplace_back();
    for (const auto& level : levels) cells.push_back(arff_quoted(level));
    header += fmt::format("@attribute {} ", arff_quoted(name));
    header += cells.empty() ? "numeric\n" : fmt::format("{{{}}}\n", fmt::join(cells, ","));
  };
  for (Index j = 0; j < column_count(table.x); ++j) add(table.schema.name(j), table.schema.column(j).levels);
  for (const SideColumn& side : table.side) add(side.name, side.levels);
  FileWriter file(path);
  file.write(header + "\n@data\n");
  csv::write_rows(table, style, file);
  file.commit();
}

}  // namespace discern
