#include "discern/io/csv/csv_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "discern/data/features.hpp"
#include "discern/io/arff/arff_sparse.hpp"
#include "discern/io/csv/csv_ends.hpp"
#include "discern/io/file/mapped_file.hpp"
#include "discern/io/number/long_decimal.hpp"
#include "discern/io/number/short_decimal.hpp"
#include "discern/io/number/written_number.hpp"

namespace discern::csv {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t largest_float_code = std::int64_t{1} << 24;

// Consecutive columns of the file that are treated alike.
struct Run {
  Kind kind;
  bool side;
  std::size_t first;  // column of the file
  std::size_t count;
  std::size_t slot;
};

// Features of numbers next to each other form runs, and so do columns left out.
std::vector<Run> runs_of(const Plan& plan) {
  std::vector<Run> runs;
  for (std::size_t j = 0; j < plan.columns.size(); ++j) {
    const PlannedColumn& column = plan.columns[j];
    const bool may_join = (column.kind == Kind::number && !column.side) || column.kind == Kind::skip;
    if (may_join && !runs.empty() && runs.back().kind == column.kind && runs.back().side == column.side)
      ++runs.back().count;
    else
      runs.push_back({column.kind, column.side, j, 1, column.slot});
  }
  return runs;
}

// A table of nothing but numbers is parsed several rows at a time, as one run of cells.
std::size_t rows_at_once(const std::vector<Run>& runs, std::size_t columns) {
  constexpr std::size_t cells = 1024;
  const bool numbers_only = runs.size() == 1 && runs[0].kind == Kind::number && !runs[0].side;
  return numbers_only ? std::clamp<std::size_t>(cells / columns, 1, 64) : 1;
}

#ifdef __AVX2__

void store_two(__m128d values, double* to, __m128d&) { _mm_storeu_pd(to, values); }

// Notes in `losses` where float does not hold the value.
void store_two(__m128d values, float* to, __m128d& losses) {
  const __m128 rounded = _mm_cvtpd_ps(values);
  _mm_storel_pi(reinterpret_cast<__m64*>(to), rounded);
  losses = _mm_or_pd(losses, _mm_cmpneq_pd(_mm_cvtps_pd(rounded), values));
}

#endif

// Parses cells as long as they are short decimals that end as they should; returns how many.
// A function of its own so that its loop keeps everything in registers, which doubles its speed.
template <class T>
[[gnu::noinline]] std::size_t short_decimals(const char*& p, const char* base, const std::uint32_t* ends,
                                             std::size_t count, const char* terminators, T* to,
                                             bool& inexact) {
  const char* begin = p;
  bool lost = false;
  std::size_t k = 0;
#ifdef __AVX2__
  __m128d losses = _mm_setzero_pd();
  for (; k + 2 <= count; k += 2) {
    const char* const end_a = base + ends[k];
    const char* const end_b = base + ends[k + 1];
    __m128d values;
    if (*end_a != terminators[k] || *end_b != terminators[k + 1] ||
        !parse_two_short_decimals(begin, end_a, end_a + 1, end_b, values))
      break;
    store_two(values, to + k, losses);
    begin = end_b + 1;
  }
  lost = _mm_movemask_pd(losses) != 0;
#endif
  for (; k < count; ++k) {
    const char* const end = base + ends[k];
    double value;
    if (*end != terminators[k] || !parse_short_decimal(begin, end, value)) break;
    to[k] = static_cast<T>(value);
    if constexpr (sizeof(T) < sizeof(double)) lost |= static_cast<double>(to[k]) != value;
    begin = end + 1;
  }
  p = begin;
  inexact |= lost;
  return k;
}

template <class T>
class ChunkParser {
 public:
  ChunkParser(std::string_view text, const std::string& file, const Dialect& dialect, const Plan& plan,
              const Destination<T>& destination)
      : begin_(text.data()),
        end_(text.data() + text.size()),
        file_(file),
        dialect_(dialect),
        plan_(plan),
        to_(destination),
        columns_(plan.columns.size()),
        runs_(runs_of(plan)),
        rows_at_once_(rows_at_once(runs_, columns_)),
        terminators_(columns_ * rows_at_once_, dialect.separator) {
    for (std::size_t k = columns_ - 1; k < terminators_.size(); k += columns_) terminators_[k] = '\n';
    parsed_.new_levels.resize(plan.texts.size());
  }

  Parsed run(const Chunk& chunk) {
    line_ = chunk.first_line;
    row_ = chunk.first_row;
    end_row_ = chunk.first_row + chunk.rows;
    try {
      const bool small = chunk.end - chunk.begin < std::numeric_limits<std::uint32_t>::max();
      quotes_ = chunk.quotes == Quotes::regular;
      // Cells that are kept are looked at one by one.
      if (chunk.quotes != Quotes::any && small && !dialect_.collapses() && plan_.kept.empty())
        plain(begin_ + chunk.begin, begin_ + chunk.end);
      else
        general(begin_ + chunk.begin, begin_ + chunk.end);
      if (row_ != end_row_) throw_file_changed(file_);
    } catch (const Error& error) {
      parsed_.error = error;
    }
    parsed_.rows = row_ - chunk.first_row;
    parsed_.inexact = inexact_;
    return std::move(parsed_);
  }

 private:
  void general(const char* p, const char* end) {
    while (p < end) p = record(p, end);
  }

  // Rows in which all is as expected take the fast road, others the general one.
  void plain(const char* p, const char* end) {
    FieldEnds ends(p, end, dialect_.separator, quotes_, terminators_.size());
    const char* const base = p;
    while (p < end) {
      const auto rows_left = static_cast<std::size_t>(end_row_ - row_);
      std::size_t rows = std::min({ends.find() / columns_, rows_at_once_, rows_left});
      while (rows > 0 && end_ - (base + ends.data()[rows * columns_ - 1]) < bytes_after_cell_begin) --rows;
      if (p - begin_ < bytes_before_long_cell_end || *p == dialect_.comment || (dialect_.arff && *p == '{'))
        rows = 0;
      const std::size_t done = rows == 0 ? 0 : plain_rows(p, base, ends.data(), rows);
      if (done > 0) {
        p = base + ends.data()[done * columns_ - 1] + 1;
        ends.advance(done * columns_);
        line_ += static_cast<Index>(done);
        row_ += static_cast<Index>(done);
      }
      if (done < rows || rows == 0) {
        p = record(p, end);
        ends.skip_to(p);
      }
    }
  }

  // Returns how many rows were as expected. One that is not is an error or a blank line (or holds one missing
  // cell and nothing else), so what was noted of its first cells does no harm.
  std::size_t plain_rows(const char* p, const char* base, const std::uint32_t* ends, std::size_t rows) {
    T* const features = to_.features + row_ * static_cast<Index>(plan_.features.size());
    if (runs_.size() == 1 && runs_[0].kind == Kind::number && !runs_[0].side)
      return plain_numbers(0, p, base, ends, rows * columns_, features) / columns_;
    for (const Run& run : runs_) {
      const bool numbers = run.kind == Kind::number && !run.side;
      const bool good =
          numbers ? plain_numbers(run.first, p, base, ends, run.count, features + run.slot) == run.count
                  : plain_cells(run, p, base, ends, features);
      if (!good) return 0;
      ends += run.count;
    }
    return 1;
  }

  // Cells of numbers from a column on, which may go on in the next rows; returns how many were good.
  std::size_t plain_numbers(std::size_t column, const char*& p, const char* base, const std::uint32_t* ends,
                            std::size_t count, T* to) {
    const char* const terminators = terminators_.data() + column;
    std::size_t k = 0;
    while (true) {
      k += short_decimals(p, base, ends + k, count - k, terminators + k, to + k, inexact_);
      k += long_decimals(p, base, ends + k, count - k, terminators + k, to + k);
      if (k == count) return k;
      const char* const end = base + ends[k];
      if (*end != terminators[k]) return k;
      double value = 0;
      const Index line = line_ + static_cast<Index>((column + k) / columns_);
      if (!number_cell((column + k) % columns_, p, cell_end(p, end), line, value)) return k;
      set(to[k++], value);
      p = end + 1;
    }
  }

  // The same for numbers written in full, which tend to come together.
  std::size_t long_decimals(const char*& p, const char* base, const std::uint32_t* ends, std::size_t count,
                            const char* terminators, T* to) {
    for (std::size_t k = 0; k < count; ++k) {
      const char* const end = base + ends[k];
      double value = 0;
      if (*end != terminators[k] || !parse_long_decimal(p, end, value)) return k;
      set(to[k], value);
      p = end + 1;
    }
    return count;
  }

  void set(T& cell, double value) {
    cell = static_cast<T>(value);
    if constexpr (sizeof(T) < sizeof(double)) inexact_ |= !fits_float(value);
  }

  // Without the CR of a CRLF.
  static const char* cell_end(const char* begin, const char* end) {
    return end - (*end == '\n' && end > begin && end[-1] == '\r');
  }

  // A run of columns left out, or a single cell of any kind.
  bool plain_cells(const Run& run, const char*& p, const char* base, const std::uint32_t* ends, T* features) {
    for (std::size_t k = 0; k < run.count; ++k)
      if (base[ends[k]] != terminators_[run.first + k]) return false;
    const char* const begin = std::exchange(p, base + ends[run.count - 1] + 1);
    if (run.kind == Kind::skip) return true;
    const char* const end = cell_end(begin, p - 1);
    double value = 0;
    if (run.kind == Kind::number) {
      if (!number_cell(run.first, begin, end, line_, value)) return false;
    } else if (run.kind == Kind::written) {
      if (!plain_written(run.first, begin, end, value)) return false;
    } else if (!plain_text(run.first, begin, end, value)) {
      return false;
    }
    store(run.side, run.slot, value, features);
    return true;
  }

  bool plain_text(std::size_t column, const char* begin, const char* end, double& value) {
    Field field;
    if (!trim(begin, end, line_, field)) return false;
    if (columns_ == 1 && field.text.empty()) return false;  // may be a blank line
    if (is_missing(field, dialect_)) return number_cell(column, begin, end, line_, value);
    const std::int64_t code = code_of(column, field);
    value = static_cast<double>(code);
    return code != Levels::none;
  }

  bool plain_written(std::size_t column, const char* begin, const char* end, double& value) {
    Field field;
    // Rows that are left out go through `record`.
    if (plan_.skip_bad_rows || !trim(begin, end, line_, field) || field.escaped) return false;
    if (is_missing(field, dialect_)) return number_cell(column, begin, end, line_, value);
    value = written_value(column, field);
    return true;
  }

  // Takes off blanks and quotes; false when text follows a closing quote.
  bool trim(const char* begin, const char* end, Index line, Field& field) const {
    while (begin < end && dialect_.blank(*begin)) ++begin;
    while (begin < end && dialect_.blank(end[-1])) --end;
    field = {{begin, static_cast<std::size_t>(end - begin)}, false, false, line};
    if (!quotes_ || begin == end || *begin != '"') return true;
    if (end - begin < 2 || end[-1] != '"') return false;
    field.text = field.text.substr(1, field.text.size() - 2);
    field.quoted = true;
    field.escaped = field.text.find('"') != std::string_view::npos;
    return true;
  }

  // A cell of numbers, be it missing, padded, quoted or long; false when it is none of these.
  bool number_cell(std::size_t column, const char* begin, const char* end, Index line, double& value) {
    const bool plain = plan_.columns[column].kind == Kind::number;
    if (plain && (parse_short_decimal(begin, end, value) || parse_long_decimal(begin, end, value)))
      return true;
    Field field;
    if (!trim(begin, end, line, field)) return false;
    if (is_missing(field, dialect_)) {
      if (columns_ == 1) return false;  // may be a blank line
      note_missing(column, field.line);
      value = missing_value;
      return true;
    }
    const std::string_view text = number_text(field);
    const char* const last = text.data() + text.size();
    return parse_any_number(text.data(), last, value) == last && std::isfinite(value);
  }

  // The record at p, or nothing when only blank lines are left before `end`; returns where the next begins.
  const char* record(const char* p, const char* end) {
    Fields fields(p, end_, dialect_, line_);
    if (!fields.find_record() || fields.position() >= end) return end;
    const char* const start = fields.position();
    line_ = fields.line();
    if (dialect_.arff && *start == '{') {
      const char* const next = expand_sparse_row(start, end_, line_, file_, plan_, fields_);
      check_nul(start, next);
      store_record();
      ++line_;
      return next;
    }
    const Ending ending = fields.record(fields_);
    const char* next = fields.position();
    try {
      check_nul(start, next);
      check_shape(ending);
      store_record();
    } catch (const Error& error) {
      if (!plan_.skip_bad_rows || ending == Ending::unclosed_quote || row_ == end_row_) throw;
      leave_out(error);
      if (ending == Ending::text_after_quote) {
        next = skip_line(next, end_);
        line_ = fields.line() + 1;
        return next;
      }
    }
    line_ = fields.line();
    return next;
  }

  void store_record() {
    if (row_ == end_row_) throw_file_changed(file_);
    T* const features = to_.features + row_ * static_cast<Index>(plan_.features.size());
    for (std::size_t j = 0; j < fields_.size(); ++j) {
      const PlannedColumn& column = plan_.columns[j];
      if (column.kind != Kind::skip) store(column.side, column.slot, value_of(j, fields_[j]), features);
    }
    for (const std::size_t j : plan_.kept) parsed_.kept.add(unescaped(fields_[j], dialect_));
    ++row_;
  }

  // The row keeps its place, for the caller to take it out.
  void leave_out(const Error& error) {
    const auto features = static_cast<Index>(plan_.features.size());
    std::fill_n(to_.features + row_ * features, features, static_cast<T>(missing_value));
    for (double* side : to_.sides) side[row_] = missing_value;
    if (parsed_.bad_rows.empty()) parsed_.first_bad = error.what();
    parsed_.bad_rows.push_back(row_++);
  }

  void check_nul(const char* begin, const char* end) const {
    const auto* nul =
        static_cast<const char*>(std::memchr(begin, '\0', static_cast<std::size_t>(end - begin)));
    if (nul == nullptr) return;
    const Index line = line_ + std::count(begin, nul, '\n');
    throw Error(Code::data, "the line holds a NUL byte; is this a text file?", {file_, line, ""});
  }

  void check_shape(Ending ending) const {
    if (ending == Ending::unclosed_quote)
      throw Error(Code::data, "the quote that opens here is never closed", {file_, fields_.back().line, ""});
    if (ending == Ending::text_after_quote)
      throw Error(Code::data, "text follows a closing quote; a quote inside quotes is written twice",
                  {file_, fields_.back().line, ""});
    if (fields_.size() != plan_.columns.size())
      throw Error(Code::data,
                  fmt::format("expected {} fields, found {}", plan_.columns.size(), fields_.size()),
                  {file_, line_, ""});
  }

  double value_of(std::size_t column, const Field& field) {
    if (is_missing(field, dialect_)) {
      note_missing(column, field.line);
      return missing_value;
    }
    if (plan_.columns[column].kind == Kind::text) {
      const std::int64_t code = code_of(column, field);
      if (code == Levels::none) refuse_level(plan_.columns[column], field);
      return static_cast<double>(code);
    }
    if (plan_.columns[column].kind == Kind::written) return written_value(column, field);
    if (const auto value = plain_number(field)) return *value;
    const PlannedColumn& planned = plan_.columns[column];
    if (!may_be_revised(planned)) refuse_number(planned, field);
    note_form(column, field);
    return missing_value;
  }

  static std::optional<double> plain_number(const Field& field) {
    double value = 0;
    const std::string_view text = number_text(field);
    const char* const last = text.data() + text.size();
    if (parse_any_number(text.data(), last, value) != last || !std::isfinite(value)) return std::nullopt;
    return value;
  }

  bool may_be_revised(const PlannedColumn& column) const { return !plan_.fixed && column.may_change_form; }

  // A cell that another form than that of its column may fit.
  double written_value(std::size_t column, const Field& field) {
    const PlannedColumn& planned = plan_.columns[column];
    const bool open = may_be_revised(planned);
    if (open) note_form(column, field);
    auto value = planned.form.plain() ? plain_number(field) : std::nullopt;
    if (!value) value = parse_written(unescaped(field, dialect_), planned.form);
    if (value) return *value;
    if (!open) refuse_number(planned, field);
    return missing_value;
  }

  // Takes the cell for evidence. Where it must be a number and cannot be one, or is one that is out of range, it is
  // refused at once.
  void note_form(std::size_t column, const Field& field) {
    const PlannedColumn& planned = plan_.columns[column];
    const std::string text = unescaped(field, dialect_);
    if (is_unusable_number(text)) refuse_number(planned, field);
    FormEvidence& evidence = parsed_.forms[column];
    const auto before = plan_.skip_bad_rows ? std::optional(evidence) : std::nullopt;
    evidence.add(text, planned.forms, field.line);
    if (planned.may_be_text || evidence.odd_line() == 0) return;
    if (before) evidence = *before;  // the row is left out
    refuse_number(planned, field);
  }

  [[noreturn]] void refuse_number(const PlannedColumn& column, const Field& field) const {
    const std::string text = unescaped(field, dialect_);
    std::string message = why_not_a_number(text);
    if (column.form.kind == NumberForm::Kind::date)
      message = fmt::format("expected a date such as 2024-01-31, found {}", quoted_for_message(text));
    else if (column.form.kind == NumberForm::Kind::boolean)
      message =
          fmt::format("expected yes or no (also true, false, 1, 0), found {}", quoted_for_message(text));
    else if (!column.form.plain())
      message = fmt::format("expected a number written like {}, found {}", example_of(column.form),
                            quoted_for_message(text));
    else if (column.may_be_text && !is_number_like(number_text(field)))
      message += "; if the column holds text, name it in `categorical`";
    throw Error(Code::data, message, {file_, field.line, column.name});
  }

  [[noreturn]] void refuse_level(const PlannedColumn& column, const Field& field) const {
    const std::string found = quoted_for_message(unescaped(field, dialect_));
    throw Error(Code::data, found + " is not among the declared values", {file_, field.line, column.name});
  }

  // Levels::none when the text is not one of the declared values.
  std::int64_t code_of(std::size_t column, const Field& field) {
    if (!field.escaped) return code_of(column, field.text, field.line);
    return code_of(column, unescaped(field, dialect_), field.line);
  }

  std::int64_t code_of(std::size_t column, std::string_view text, Index line) {
    const PlannedColumn& planned = plan_.columns[column];
    const Levels& known = plan_.known[planned.levels];
    const std::uint64_t hash = Levels::hash(text);
    const std::int64_t code = known.find(text, hash);
    if (code != Levels::none) return code;
    Levels& added = parsed_.new_levels[planned.levels];
    if (planned.declared != nullptr && planned.declared->find(text, hash) == Levels::none)
      return Levels::none;
    const std::int64_t result = known.size() + added.add(text, hash, line, true);
    inexact_ |= sizeof(T) < sizeof(double) && result > largest_float_code;
    return result;
  }

  void store(bool side, std::size_t slot, double value, T* features) {
    if (side) {
      to_.sides[slot][row_] = value;
      return;
    }
    set(features[slot], value);
  }

  void note_missing(std::size_t column, Index line) {
    if (parsed_.missing.empty()) parsed_.missing.resize(plan_.columns.size());
    MissingCells& cells = parsed_.missing[column];
    if (cells.count++ == 0) cells.first_line = line;
  }

  const char* begin_;
  const char* end_;
  const std::string& file_;
  Dialect dialect_;
  const Plan& plan_;
  const Destination<T>& to_;
  std::size_t columns_;
  std::vector<Run> runs_;
  std::size_t rows_at_once_;
  std::vector<char> terminators_;  // what each of so many rows' cells should end with
  std::vector<Field> fields_;
  Parsed parsed_;
  bool quotes_ = false;  // the chunk has regular quotes
  bool inexact_ = false;
  Index line_ = 0;
  Index row_ = 0;
  Index end_row_ = 0;  // of the chunk, as the first pass counted
};

}  // namespace

std::shared_ptr<const KeptCells> kept_cells(const Plan& plan, const std::vector<Parsed>& parsed) {
  if (plan.kept.empty()) return nullptr;
  auto all = std::make_shared<KeptCells>();
  for (const std::size_t j : plan.kept) all->names.push_back(plan.columns[j].name);
  for (const Parsed& part : parsed) {
    const std::size_t before = all->text.size();
    all->text += part.kept.text;
    for (const std::size_t end : part.kept.ends) all->ends.push_back(before + end);
  }
  return all;
}

template <class T>
Parsed parse_chunk(std::string_view text, const std::string& file, const Dialect& dialect, const Plan& plan,
                   const Chunk& chunk, const Destination<T>& destination) {
  return ChunkParser<T>(text, file, dialect, plan, destination).run(chunk);
}

template Parsed parse_chunk<float>(std::string_view, const std::string&, const Dialect&, const Plan&,
                                   const Chunk&, const Destination<float>&);
template Parsed parse_chunk<double>(std::string_view, const std::string&, const Dialect&, const Plan&,
                                    const Chunk&, const Destination<double>&);

}  // namespace discern::csv
