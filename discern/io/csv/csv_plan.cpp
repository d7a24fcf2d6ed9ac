#include "discern/io/csv/csv_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/io/number/number.hpp"

namespace discern::csv {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 30;
  std::string list;
  for (std::size_t j = 0; j < std::min(names.size(), most); ++j)
    list += fmt::format("{}{}", j == 0 ? "" : ", ", names[j]);
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

// Looks columns up by name, or by number when no column has that name.
class Lookup {
 public:
  Lookup(const std::vector<std::string>& names, const std::string& file) : names_(names), file_(file) {
    for (std::size_t j = 0; j < names.size(); ++j) index_.emplace(names[j], j);
  }

  std::optional<std::size_t> find(const std::string& wanted) const {
    const auto found = index_.find(wanted);
    if (found != index_.end()) return found->second;
    if (wanted.empty() || wanted.size() > 9 || !std::all_of(wanted.begin(), wanted.end(), decimal::is_digit))
      return std::nullopt;
    const std::size_t number = std::stoul(wanted);
    if (number < 1 || number > names_.size()) return std::nullopt;
    return number - 1;
  }

  std::size_t operator()(const std::string& wanted) const {
    if (const auto found = find(wanted)) return *found;
    throw Error(Code::usage, fmt::format("no column '{}'; the columns are: {}", wanted, list_of(names_)),
                {file_, 0, ""});
  }

 private:
  const std::vector<std::string>& names_;
  std::string file_;
  std::unordered_map<std::string_view, std::size_t> index_;
};

void set_aside(Plan& plan, const Lookup& lookup, const ReadOptions& options, const std::string& file) {
  for (const SideRequest& request : options.side) {
    const auto found = lookup.find(request.column);
    if (!found && !request.required) continue;
    PlannedColumn& column = plan.columns[found ? *found : lookup(request.column)];
    if (column.side)
      throw Error(Code::usage, fmt::format("column '{}' is asked for in two roles", column.name),
                  {file, 0, ""});
    column.side = true;
    column.kind = request.text ? Kind::text : Kind::number;
    column.may_be_text = false;
    column.forms = options.forms;
    column.slot = plan.sides.size();
    plan.sides.push_back(*found);
  }
}

std::vector<bool> chosen_features(const Plan& plan, const Lookup& lookup, const ReadOptions& options) {
  std::vector<bool> chosen(plan.columns.size(), options.features.empty());
  for (const auto& name : options.features) chosen[lookup(name)] = true;
  for (const auto& name : options.ignore) chosen[lookup(name)] = false;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (plan.columns[j].side) chosen[j] = false;
    if (options.expected != nullptr && !options.expected->find(plan.columns[j].name)) chosen[j] = false;
  }
  return chosen;
}

// The kinds that the options, or the columns of a fitted model, prescribe; features only. A model's numbers that were
// plain may come in another form later, but not as dates.
void force_kinds(Plan& plan, const Lookup& lookup, const ReadOptions& options, const std::string& file) {
  std::vector<std::optional<Kind>> forced(plan.columns.size());
  for (const auto& name : options.numeric) forced[lookup(name)] = Kind::number;
  for (const auto& name : options.categorical) {
    auto& kind = forced[lookup(name)];
    if (kind == Kind::number)
      throw Error(Code::usage, fmt::format("column '{}' is to be both numeric and categorical", name),
                  {file, 0, ""});
    kind = Kind::text;
  }
  for (const std::size_t j : plan.features) {
    PlannedColumn& column = plan.columns[j];
    if (options.expected != nullptr) {
      const Column& trained = options.expected->column(*options.expected->find(column.name));
      // Marks that the user names hold against those of the training.
      const bool named = trained.form.kind == NumberForm::Kind::number &&
                         (options.forms.decimal.has_value() || options.forms.thousands.has_value());
      column.form = named ? NumberForm{} : trained.form;
      column.kind = trained.categorical ? Kind::text : column.form.plain() ? Kind::number : Kind::written;
      column.may_be_text = false;
      column.may_change_form = column.form.plain();
      column.forms.dates = false;
    }
    if (forced[j]) {
      column.kind = *forced[j];
      column.may_be_text = false;
    }
  }
}

// Whether the point in a plain number can only be the decimal mark: others than three digits follow it, or more than
// three stand before it.
bool point_decides(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos) return false;
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t before = point - sign, behind = text.size() - point - 1;
  return behind != 3 || before > 3 || before == 0 || text[sign] == '0';
}

// What the sample says of one column.
struct Evidence {
  std::size_t present = 0;
  std::size_t numbers = 0;  // plain ones
  bool fits_float = true;
  bool point = false;          // some have a point, ...
  bool decimal_point = false;  // ... which can only be the decimal mark
  Index long_line = 0;         // where the first whole number stands that a double does not hold; 0: nowhere
  std::string long_number = {};
};

// Whether the text is a whole number of more digits than a double holds exactly, as identifiers are.
bool loses_digits(std::string_view text, double value) {
  constexpr double exact = 0x1p53;
  return std::fabs(value) >= exact && text.find_first_not_of("+-0123456789") == std::string_view::npos;
}

void add(Evidence& evidence, const Field& field, const Dialect& dialect) {
  if (is_missing(field, dialect)) return;
  ++evidence.present;
  double value = 0;
  const std::string_view text = number_text(field);
  const char* const last = text.data() + text.size();
  if (parse_any_number(text.data(), last, value) != last) return;
  ++evidence.numbers;
  evidence.fits_float &= fits_float(value);
  if (evidence.long_line == 0 && loses_digits(text, value)) {
    evidence.long_line = field.line;
    evidence.long_number = text;
  }
  if (evidence.decimal_point) return;
  evidence.point |= text.find('.') != std::string_view::npos;
  evidence.decimal_point = point_decides(text);
}

FormEvidence forms_in_sample(const Sample& sample, std::size_t column, const Plan& plan,
                             const Dialect& dialect) {
  FormEvidence evidence;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (record.size() != plan.columns.size() || is_missing(record[column], dialect)) continue;
    const Field& field = record[column];
    evidence.add(unescaped(field, dialect), plan.columns[column].forms, field.line);
    if (evidence.odd_line() != 0) break;  // it is text, whatever comes
  }
  return evidence;
}

Levels sample_levels(const Sample& sample, std::size_t column, std::size_t columns, const Dialect& dialect) {
  Levels seen;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (record.size() != columns || is_missing(record[column], dialect)) continue;
    const Field& field = record[column];
    const std::string text = unescaped(field, dialect);
    seen.add(text, Levels::hash(text), field.line, true);
  }
  const SortedLevels in_order = sorted(seen);
  Levels result;
  for (std::size_t i = 0; i < in_order.texts.size(); ++i)
    result.add(in_order.texts[i], Levels::hash(in_order.texts[i]), in_order.lines[i], true);
  return result;
}

}  // namespace

void Plan::number_texts() {
  texts.clear();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].kind != Kind::text) continue;
    columns[j].levels = texts.size();
    texts.push_back(j);
  }
  known.resize(texts.size());
}

Plan plan_roles(const std::vector<std::string>& names, const std::string& file, const ReadOptions& options,
                const std::vector<std::size_t>& left_out) {
  Plan plan;
  for (const auto& name : names) plan.columns.emplace_back().name = name;
  const Lookup lookup(names, file);
  set_aside(plan, lookup, options, file);
  std::vector<bool> chosen = chosen_features(plan, lookup, options);
  for (const std::size_t j : left_out) chosen[j] = false;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!chosen[j]) continue;
    plan.columns[j].kind = Kind::number;
    plan.columns[j].forms = options.forms;
    plan.columns[j].slot = plan.features.size();
    plan.features.push_back(j);
  }
  force_kinds(plan, lookup, options, file);
  plan.skip_bad_rows = options.bad_rows == BadRows::skip;
  for (std::size_t j = 0; options.keep_all && j < names.size(); ++j) plan.kept.push_back(j);
  for (const auto& name : options.keep) plan.kept.push_back(lookup(name));
  return plan;
}

namespace {

// The columns of numbers whose form is open, side columns among them.
std::vector<std::size_t> open_columns(const Plan& plan) {
  std::vector<std::size_t> open;
  for (std::size_t j = 0; j < plan.columns.size(); ++j)
    if (plan.columns[j].numeric() && plan.columns[j].may_change_form) open.push_back(j);
  return open;
}

// With a decimal comma, or with numbers that stand for a missing cell, no number is plain at first sight.
bool any_is_written(const Plan& plan, std::size_t column, const Dialect& dialect) {
  const auto is_number = [](const std::string& mark) { return number_of(mark).has_value(); };
  return plan.columns[column].forms.decimal == ',' ||
         (dialect.also_missing != nullptr &&
          std::any_of(dialect.also_missing->begin(), dialect.also_missing->end(), is_number));
}

// The first cell that is no number, where others are, or nothing.
void note_mixture(Plan& plan, std::size_t column, const FormEvidence& evidence) {
  if (!plan.columns[column].saw_numbers && !evidence.any_number()) return;
  plan.notes.push_back(
      {plan.columns[column].name, fmt::format("mixes numbers and text: read as text (line {}: {})",
                                              evidence.odd_line(), quoted_for_message(evidence.odd_cell()))});
}

[[noreturn]] void refuse_two_ways(const PlannedColumn& column, const FormEvidence& evidence,
                                  const std::string& file) {
  const std::string& cell = evidence.unclear_cell();
  const char mark = cell.find(',') != std::string::npos ? ',' : '.';
  throw Error(
      Code::data,
      fmt::format("found {}, where the '{}' may separate thousands or be the decimal mark, and no other cell "
                  "decides; say `thousands` '{}' or `decimal` '{}'",
                  quoted_for_message(cell), mark, mark, mark),
      {file, evidence.unclear_line(), column.name});
}

}  // namespace

bool revise(Plan& plan, std::size_t j, const FormEvidence& evidence, char decimal, Known known,
            const std::string& file) {
  PlannedColumn& column = plan.columns[j];
  const FormEvidence::Verdict verdict = evidence.verdict(decimal);
  if (verdict == FormEvidence::Verdict::text) {
    if (!column.may_be_text)
      throw Error(Code::data, why_not_a_number(evidence.odd_cell()),
                  {file, evidence.odd_line(), column.name});
    note_mixture(plan, j, evidence);
    column.kind = Kind::text;
    column.form = {};
    return true;
  }
  if (verdict == FormEvidence::Verdict::ambiguous && known == Known::all)
    refuse_two_ways(column, evidence, file);
  const NumberForm form = evidence.form(decimal);
  if (column.kind == Kind::written && column.form == form) return false;
  column.kind = Kind::written;
  column.form = form;
  return true;
}

void plan_kinds(Plan& plan, const Sample& sample, const Dialect& dialect, Known known,
                const std::string& file) {
  const std::size_t columns = plan.columns.size();
  const std::vector<std::size_t> open = open_columns(plan);
  std::vector<Evidence> evidence(columns);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto record = sample.record(i);
    if (record.size() != columns) continue;
    for (const std::size_t j : open) add(evidence[j], record[j], dialect);
  }
  std::unordered_map<std::size_t, FormEvidence> forms;
  bool point = false, comma = false;
  for (const std::size_t j : open) {
    plan.columns[j].saw_numbers = evidence[j].numbers > 0;
    if (evidence[j].numbers < evidence[j].present || any_is_written(plan, j, dialect))
      forms.emplace(j, forms_in_sample(sample, j, plan, dialect));
    const char mark = forms.contains(j) ? forms.at(j).decimal_mark() : '\0';
    point |= mark == '.' || (mark == '\0' && evidence[j].decimal_point);
    comma |= mark == ',';
  }
  plan.decimal = point == comma ? '\0' : point ? '.' : ',';
  for (const std::size_t j : open) {
    // In a file with decimal commas, a point may separate thousands.
    if (plan.decimal == ',' && evidence[j].point && !forms.contains(j))
      forms.emplace(j, forms_in_sample(sample, j, plan, dialect));
    plan.fits_float &= evidence[j].fits_float;
    if (evidence[j].long_line > 0 && plan.columns[j].may_be_text) {
      plan.columns[j].kind = Kind::text;
      plan.notes.push_back(
          {plan.columns[j].name,
           fmt::format("has whole numbers of more digits than a number holds: read as text (line {}: {})",
                       evidence[j].long_line, quoted_for_message(evidence[j].long_number))});
      continue;
    }
    const auto found = forms.find(j);
    if (found == forms.end()) continue;
    // A text where numbers must be is refused when its row is read, after what is wrong in the rows before it.
    const bool text = found->second.verdict(plan.decimal) == FormEvidence::Verdict::text;
    if (text && !plan.columns[j].may_be_text) continue;
    revise(plan, j, found->second, plan.decimal, known, file);
    plan.fits_float &= !plan.columns[j].numeric() || plan.columns[j].form.kind != NumberForm::Kind::number;
  }
  plan.number_texts();
  for (std::size_t k = 0; k < plan.texts.size(); ++k)
    plan.known[k] = sample_levels(sample, plan.texts[k], columns, dialect);
}

namespace {

std::string group_name(char group) {
  if (group == ' ') return "blank";
  if (group == '\'') return "apostrophe";
  return group == ',' ? "comma" : "point";
}

std::string words_of(const NumberForm& form) {
  if (form.kind == NumberForm::Kind::date) return "dates, read as days since 1970-01-01";
  if (form.kind == NumberForm::Kind::boolean) return "yes and true are read as 1, no and false as 0";
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (form.unit == "%") add("per cent: 1.5% is read as 1.5");
  if (!form.unit.empty() && form.unit != "%") add(fmt::format("amounts in {}", form.unit));
  if (form.decimal == ',') add("decimal comma");
  if (form.group != '\0') add(group_name(form.group) + " between thousands");
  return text;
}

}  // namespace

std::vector<Note> all_notes(const Plan& plan) {
  std::vector<Note> notes = plan.notes;
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t j = 0; j < plan.columns.size(); ++j) {
    const PlannedColumn& column = plan.columns[j];
    place.emplace(column.name, j + 1);
    if (column.kind == Kind::written && column.may_change_form && !column.form.plain())
      notes.push_back({column.name, words_of(column.form)});
  }
  // Notes on the whole table have no column and come first.
  const auto place_of = [&](const Note& note) { return note.column.empty() ? 0 : place[note.column]; };
  std::stable_sort(notes.begin(), notes.end(),
                   [&](const Note& a, const Note& b) { return place_of(a) < place_of(b); });
  return notes;
}

}  // namespace discern::csv
