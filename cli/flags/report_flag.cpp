#include "cli/flags/report_flag.hpp"

#include <fmt/format.h>

#include "cli/flags/files.hpp"
#include "cli/text/flag_names.hpp"
#include "discern/base/error.hpp"
#include "discern/report/page.hpp"

namespace discern::cli {

Flag report_flag() {
  return {.name = "report",
          .metavar = "FILE.html",
          .help = "write a page with pictures and words, one file that needs no network",
          .group = "output",
          .file = true};
}

std::string report_path(const Arguments& arguments, const std::string& input, const std::string& other_flag,
                        const std::string& other) {
  const std::string path = arguments.text("report");
  if (path.empty()) return path;
  if (path == "-") throw Error(Code::usage, "--report -: the page is for a browser; give it a file");
  if (!input.empty()) check_different(input, path);
  check_two_files("--report", path, other_flag, other);
  check_writable(path);
  return path;
}

void write_report(const report::Page& page, const std::string& path, Console& console) {
  report::Page shown = page;
  for (std::string& warning : shown.warnings) warning = with_flags(warning);
  report::write_page(shown, path);
  console.say(fmt::format("report in {}; open it in a browser\n", path));
}

}  // namespace discern::cli
