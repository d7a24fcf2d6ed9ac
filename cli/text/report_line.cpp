#include "cli/text/report_line.hpp"

#include "cli/text/text.hpp"

namespace discern::cli {

std::string report_line(const Paint& paint, std::string_view label, std::string_view text) {
  return paint.bold(pad_right(label, label_width)) + wrap(text, 100, label_width) + '\n';
}

}  // namespace discern::cli
