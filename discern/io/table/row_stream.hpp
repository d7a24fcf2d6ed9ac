// The rows of delimited text or LIBSVM as they arrive, in constant memory: tables of some consecutive rows
// each, in the order of the text. How many rows a table has depends on how the text arrives and means
// nothing.
//
// The separator, the header and the types of the columns of delimited text are decided from its first 1,000
// lines or quarter of a megabyte (csv.hpp); a column without a value there is one of numbers. When
// `options.expected` says what the columns are, the first whole row is enough, so that it can be answered
// before the next one comes. A text column has the levels of the table's own rows, in the order in which they
// appear.
//
// Reading, parsing and taking go on at the same time: while one thread takes the tables in order, others
// parse what comes behind.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "discern/data/table.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

class RowStream {
 public:
  // "-" is standard input. Throws Code::usage for a format that is not read as a stream.
  RowStream(const std::string& path, const ReadOptions& options);
  ~RowStream();

  // Calls take(table) for all rows until it returns false. Throws what read_table would, a bad cell with its
  // line, when its turn has come; the rows before it have been taken then. `options.monitor` can end
  // the reading; the whole rows that were read before are taken then.
  void for_each(const std::function<bool(const Table&)>& take);
  bool stopped() const;  // the monitor ended it
  // Rows that cannot be read, so far (ReadOptions::bad_rows).
  const UnreadRows& unread() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether the format of a path (or the one named) can be read as a stream.
bool can_stream(const std::string& path, const std::string& format);

}  // namespace discern
