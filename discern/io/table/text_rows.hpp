// Pieces of a text to tables: what row_stream needs of a format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "discern/base/error.hpp"
#include "discern/io/csv/csv_scan.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

// Some whole rows.
struct TextPiece {
  std::string text;
  csv::Chunk chunk;  // of LIBSVM only first_line counts
};

// The rows of a piece: all, or those before a bad cell and the Error about that.
struct ParsedRows {
  Table table;
  std::optional<Error> error;
};

class TextRows {
 public:
  virtual ~TextRows() = default;
  // Where the rows begin in the text that it was made from.
  virtual std::size_t begin() const = 0;
  virtual Index line() const = 0;  // where the next row begins
  // The next piece: the whole rows of a text that ends with a line end or is the last. Nothing when its first
  // row is not whole; the next call gets the same text and more, and does not look at the same text again.
  virtual std::optional<TextPiece> place(std::string_view text, bool last) = 0;
  // For several threads at once.
  virtual ParsedRows parse(const TextPiece& piece) const = 0;
};

// From the first lines of a text. The options must outlive the result.
std::unique_ptr<TextRows> make_csv_rows(std::string_view opening, const std::string& file,
                                        const ReadOptions& options);
std::unique_ptr<TextRows> make_libsvm_rows(std::string_view opening, const std::string& file,
                                           const ReadOptions& options);

}  // namespace discern
