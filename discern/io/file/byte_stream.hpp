// The bytes of a file, of standard input or of a pipe as they arrive, decompressed where the name (or of
// standard input the first bytes) says so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "discern/base/progress.hpp"

namespace discern {

class ByteStream {
 public:
  // "-" is standard input. Throws Code::io when the file cannot be opened.
  ByteStream(const std::string& path, const Monitor& monitor);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Whether there is something to read without waiting (or the end, or an Error).
  bool ready();
  // Waits for bytes, takes up to `most` of those that are there and returns how many: 0 at the end, and when
  // the monitor, asked several times a second, does not want to go on. Throws Code::io and Code::data.
  std::size_t read(char* to, std::size_t most);
  bool stopped() const;  // the monitor ended it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace discern
