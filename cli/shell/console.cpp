#include "cli/shell/console.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>

#include <cstdio>
#include <cstdlib>

#include "cli/shell/interrupt.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/text.hpp"
#include "discern/io/file/file.hpp"

namespace discern::cli {
namespace {

constexpr auto patience = std::chrono::milliseconds(500);  // no progress line for shorter work
constexpr auto redraw = std::chrono::milliseconds(100);

void to_stderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::string line_of(const Progress& progress) {
  std::string line(progress.stage);
  if (progress.iterative)  // the limit of iterations says nothing about when it will end
    return line + fmt::format(": iteration {}, objective {}, certificate {:.1e}", grouped(progress.done),
                              rounded(progress.objective, 7), progress.certificate);
  if (progress.total > 0) {
    constexpr double width = 24;
    const double share =
        std::clamp(static_cast<double>(progress.done) / static_cast<double>(progress.total), 0.0, 1.0);
    const auto done = static_cast<std::size_t>(width * share);
    line += fmt::format(" [{:=<{}}{:<{}}] {:3.0f} %", "", done, "", static_cast<std::size_t>(width) - done,
                        100 * share);
  } else if (progress.done > 0)
    line += ' ' + grouped(progress.done);
  return line;
}

}  // namespace

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
  return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool wants_color(int descriptor) {
  const char* off = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && (off == nullptr || *off == '\0');
}

Console::Console(bool quiet, bool json)
    : quiet_(quiet),
      json_(json),
      live_(!quiet && ::isatty(STDERR_FILENO) == 1),
      out_(wants_color(STDOUT_FILENO)),
      err_(wants_color(STDERR_FILENO)) {}

void Console::print(std::string_view text) {
  clear_line();
  FileWriter out("-");
  out.write(text);
  out.commit();
}

void Console::say(std::string_view text) {
  clear_line();
  check_mapped_files();  // no word on what may have come from a file that changed
  if (!quiet_ && !json_) to_stderr(visible_report(text));
}

void Console::warn(std::string_view text) {
  clear_line();
  to_stderr(fmt::format("discern: {}: {}\n", err_.yellow("warning"), visible(with_flags(text))));
}

Monitor Console::monitor() {
  return [this](const Progress& progress) {
    if (live_) show(progress);
    return !interrupted();
  };
}

void Console::show(const Progress& progress) {
  const std::unique_lock lock(drawing_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread is drawing, which is as good
  const auto now = Clock::now();
  if (stage_ != progress.stage) {
    stage_ = progress.stage;
    stage_start_ = now;
  }
  if (now - stage_start_ < patience || now - last_drawn_ < redraw) return;
  last_drawn_ = now;
  drawn_ = true;
  to_stderr("\r\x1b[2K" + err_.dim(line_of(progress)));
}

void Console::clear_line() {
  const std::lock_guard lock(drawing_);
  if (drawn_) to_stderr("\r\x1b[2K");
  drawn_ = false;
}

}  // namespace discern::cli
