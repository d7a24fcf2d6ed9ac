#include "discern/io/csv/csv_rows.hpp"

#include "discern/base/error.hpp"
#include "discern/io/csv/csv_detect.hpp"
#include "discern/io/csv/csv_fields.hpp"

namespace discern {

RowTexts row_texts(std::string_view text, const std::string& file, const ReadOptions& options) {
  csv::Opening opening = csv::read_opening(text, file, options);
  RowTexts result;
  result.head = text.substr(0, opening.body);
  result.names = std::move(opening.names);
  result.separator = opening.dialect.separator;
  result.header = opening.header;
  csv::Fields fields(text.data() + opening.body, text.data() + text.size(), opening.dialect,
                     opening.body_line);
  csv::Field field;
  while (fields.find_record()) {
    if (!go_on(options.monitor,
               {"reading", fields.position() - text.data(), static_cast<std::int64_t>(text.size())}))
      throw Error(Code::interrupted, "interrupted", {file, 0, ""});
    const char* const begin = fields.position();
    const Index line = fields.line();
    csv::Ending ending = csv::Ending::separator;
    while (ending == csv::Ending::separator) ending = fields.next(field);
    if (ending == csv::Ending::unclosed_quote)
      throw Error(Code::data, "found a quote that is never closed", {file, line, ""});
    if (ending == csv::Ending::text_after_quote)
      throw Error(Code::data,
                  "found text behind a closing quote, expected a separator or the end of the line",
                  {file, field.line, ""});
    result.rows.emplace_back(begin, static_cast<std::size_t>(fields.position() - begin));
  }
  return result;
}

}  // namespace discern
