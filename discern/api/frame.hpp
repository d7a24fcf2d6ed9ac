// A table with named columns of numbers and of text, built in memory or read from a file.
//
//   Frame frame;
//   frame.add_numbers("age", ages).add_text("sex", sexes).add_text("survived", labels);
//   const FittedModel model = fit(Logistic{}, frame, "survived", {.encode = true, .impute = true});
//
// A missing number is NaN, a missing text is empty. Copies share their memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "discern/api/labels.hpp"
#include "discern/base/index.hpp"
#include "discern/base/progress.hpp"

namespace discern {

struct Table;

// How a file is read. By default the extension says which format it is: CSV, TSV, LIBSVM, NumPy, ARFF, SQLite,
// IDX or Discern's cache, also compressed as .gz or .zst.
struct FrameOptions {
  std::string format = {};
  std::optional<char> separator = {};         // CSV: detected when not given
  std::optional<bool> header = {};            // CSV: detected when not given
  std::vector<std::string> categorical = {};  // columns to read as text whatever they look like
  std::vector<std::string> numeric = {};      // columns to read as numbers; a text in them is an error
  std::vector<std::string> features = {};     // read only these; empty: all
  std::vector<std::string> ignore = {};       // columns to leave out
  std::string query = {};                     // SQLite: the SELECT that gives the table
  Monitor monitor = {};
};

class Frame {
 public:
  Frame() = default;
  explicit Frame(Table table);

  // Throw Code::usage for a name that is there already, or another number of rows than the columns before.
  Frame& add_numbers(const std::string& name, const Numbers& numbers);
  template <detail::TextSequence R>
  Frame& add_text(const std::string& name, const R& texts) {
    std::vector<std::string_view> views;
    for (const auto& text : texts) views.emplace_back(text);
    return add_texts(name, views);
  }

  Index rows() const;
  std::vector<std::string> columns() const;
  Table table() const;  // data/table.hpp, for the library itself

 private:
  struct Content;
  Frame& add_texts(const std::string& name, const std::vector<std::string_view>& texts);
  Content& writable();

  std::shared_ptr<Content> content_;
};

// Throws Code::data with file, line and column for a cell that is not what its column holds.
Frame read_frame(const std::string& path, const FrameOptions& options = {});

}  // namespace discern
