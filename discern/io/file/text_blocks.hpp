// Writing text in parallel: blocks of rows are formatted side by side and written in their order.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "discern/base/threads.hpp"
#include "discern/data/row.hpp"
#include "discern/io/file/file.hpp"

namespace discern {

// format(i, out) appends row i to out, or throws; the first row that does decides.
template <class Format>
void write_rows(FileWriter& writer, Index rows, const Format& format) {
  constexpr Index block = 1024;
  const Index blocks = (rows + block - 1) / block;
  const Index at_once = 4 * thread_count();
  std::vector<std::string> texts(static_cast<std::size_t>(std::min(at_once, blocks)));
  std::vector<std::exception_ptr> failures(texts.size());
  for (Index first = 0; first < blocks; first += at_once) {
    const Index count = std::min(at_once, blocks - first);
    parallel_for(count, [&](Index k) {
      std::string& text = texts[static_cast<std::size_t>(k)];
      text.clear();
      const Index begin = (first + k) * block;
      try {
        for (Index i = begin; i < std::min(rows, begin + block); ++i) format(i, text);
      } catch (...) {
        failures[static_cast<std::size_t>(k)] = std::current_exception();
      }
    });
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      if (failures[k]) std::rethrow_exception(failures[k]);
      writer.write(texts[k]);
    }
  }
}

}  // namespace discern
