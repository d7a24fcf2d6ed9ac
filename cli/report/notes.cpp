#include "cli/report/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/report/fit_report.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/text.hpp"
#include "discern/catalogue/possible_leaks.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t most_note_lines = 5;
constexpr std::size_t most_note_columns = 8;  // named in a line

std::string some_columns(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most_note_columns); ++k)
    text += (k > 0 ? ", " : "") + shown(names[k]);
  if (names.size() > most_note_columns)
    text += fmt::format(" and {} more", grouped(static_cast<Index>(names.size() - most_note_columns)));
  return text;
}

// "PassengerId, Name (identifiers); Deck (constant)"
std::string left_out_text(const std::vector<UnsuitableColumn>& columns) {
  std::string text;
  for (const Unsuitable why :
       {Unsuitable::identifier, Unsuitable::constant, Unsuitable::empty, Unsuitable::free_text}) {
    std::vector<std::string> names;
    for (const UnsuitableColumn& column : columns)
      if (column.why == why) names.push_back(column.name);
    if (names.empty()) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", some_columns(names),
                        reason_name(why, names.size() > 1));
  }
  return text;
}

// The notes of the same text as one line, in the order in which they first appear.
std::vector<std::string> grouped_notes(const std::vector<Note>& notes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // text, columns
  for (const Note& note : notes) {
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == note.text; });
    if (found == groups.end()) found = groups.insert(groups.end(), {note.text, {}});
    if (!note.column.empty()) found->second.push_back(note.column);
  }
  std::vector<std::string> lines;
  lines.reserve(groups.size());
  for (const auto& [text, columns] : groups)
    lines.push_back((columns.empty() ? "" : some_columns(columns) + ": ") + shown(with_flags(text), 200));
  return lines;
}

std::string labelled_lines(std::vector<std::string> lines, std::size_t most, const Paint& paint) {
  if (lines.size() > most) {
    const std::size_t more = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back(fmt::format("and {} more notes; --json has them all", more));
  }
  std::string text;
  for (const std::string& line : lines) text += fit_line(paint, text.empty() ? "note" : "", line);
  return text;
}

}  // namespace

std::string notes_text(const std::vector<Note>& notes, const Paint& paint) {
  return labelled_lines(grouped_notes(notes), most_note_lines, paint);
}

std::string notes_text(const PreparedTable& prepared, const Paint& paint) {
  if (prepared.left_out.empty()) return notes_text(prepared.table.notes, paint);
  std::vector<Note> others;
  for (const Note& note : prepared.table.notes) {
    const bool told = std::any_of(
        prepared.left_out.begin(), prepared.left_out.end(),
        [&](const auto& column) { return column.name == note.column && note.text.starts_with("left out"); });
    if (!told) others.push_back(note);
  }
  return fit_line(paint, "left out",
                  left_out_text(prepared.left_out) + paint.dim("  --keep-all keeps them")) +
         labelled_lines(grouped_notes(others), most_note_lines - 1, paint);
}

std::vector<std::string> leak_warnings(const PreparedTable& prepared, const std::string& target) {
  std::vector<std::string> warnings;
  for (const std::string& column : prepared.leaks) warnings.push_back(leak_text(column, target));
  return warnings;
}

std::string with_notes(const std::string& json, const PreparedTable& prepared) {
  auto object = nlohmann::ordered_json::object();
  for (const Note& note : prepared.table.notes)
    object["notes"].push_back({{"column", note.column}, {"text", with_flags(note.text)}});
  for (const UnsuitableColumn& column : prepared.left_out) object["left_out"].push_back(column.name);
  if (prepared.unlabelled > 0) object["rows_without_target"] = prepared.unlabelled;
  if (prepared.incomplete > 0) object["rows_with_missing"] = prepared.incomplete;
  if (object.empty()) return json;
  // Both are objects on a line: the members of the second go to the end of the first.
  const std::string more = object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return json.substr(0, json.rfind('}')) + ',' + more.substr(1) + '\n';
}

}  // namespace discern::cli
